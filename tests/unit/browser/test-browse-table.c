/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "made-browsed.h"

static const BrowseChoice by_symbol = { .keys = { REPORT_FIELD_SYMBOL }, .n_keys = 1 };

static void settle(BrowseTable *t) {
        double done;
        int r;

        while ((r = browse_table_step(t, &done)) > 0)
                ck_assert(done >= 0 && done <= 1);
        ck_assert_ok(r);
}

static BrowseTable *made(const MadeBrowsed *m, const BrowseChoice *choice, const BrowseTable *before) {
        BrowseTable *t;

        ck_assert_ok(browse_table_new(m->table, &m->names, choice, before, &t));
        settle(t);
        return t;
}

/* Returns the lines as "NAME WEIGHT", calls behind as many dots as they are deep and one more. */
static char *lines_of(const MadeBrowsed *m, const BrowseTable *t) {
        _cleanup_(text_buffer_done) TextBuffer out = {};
        size_t n;
        const BrowseLine *lines = browse_table_lines(t, &n);

        for (size_t i = 0; i < n; i++) {
                const char *name = m->names.symbols[m->names.symbol_of[browse_table_place(t, lines + i)]].name;

                for (uint32_t k = 0; lines[i].node > 0 && k <= lines[i].depth; k++)
                        text_buffer_putc(&out, '.');
                text_buffer_format(&out, "%s%s %d, ", lines[i].can_open ? lines[i].is_open ? "-" : "+" : "", name ?: "?",
                                   (int) browse_table_weight(t, lines + i));
        }
        text_buffer_putc(&out, '\0');
        return steal_ptr(out.data);
}

static void expect(const MadeBrowsed *m, const BrowseTable *t, const char *text) {
        _cleanup_free_ char *lines = lines_of(m, t);

        ck_assert_str_eq(lines, text);
}

START_TEST(trees) {
        _cleanup_(made_browsed_done) MadeBrowsed m;
        _cleanup_(browse_table_freep) BrowseTable *t = NULL, *again = NULL;
        uint64_t identity;

        made_browsed_init(&m);
        t = made(&m, &by_symbol, NULL);
        expect(&m, t, "+parse 6, +query 5, +serve 3, +? 1, ");
        ck_assert_int_eq(browse_table_toggle(t, 0), 1);
        settle(t);
        expect(&m, t, "-parse 6, .serve 4, .main 4, .main 2, +query 5, +serve 3, +? 1, "); /* a single caller stands below */
        identity = browse_table_identity(t, 2);
        again = made(&m, &by_symbol, t); /* stays open in a table that is made anew, as at a refresh */
        expect(&m, again, "-parse 6, .serve 4, .main 4, .main 2, +query 5, +serve 3, +? 1, ");
        ck_assert_uint_eq(browse_table_find(again, identity), 2);
        ck_assert_int_eq(browse_table_open_all(again, false), 1);
        settle(again);
        expect(&m, again, "+parse 6, +query 5, +serve 3, +? 1, ");
        ck_assert_uint_eq(browse_table_find(again, identity), SIZE_MAX);
}
END_TEST

START_TEST(callees) {
        _cleanup_(made_browsed_done) MadeBrowsed m;
        _cleanup_(browse_table_freep) BrowseTable *t = NULL;
        BrowseChoice choice = by_symbol;

        made_browsed_init(&m);
        choice.children = choice.caller = true;
        choice.least_call = 20; /* percent, of an entry if that is less than all */
        t = made(&m, &choice, NULL);
        expect(&m, t, "+main 10, +serve 8, +parse 6, +query 5, +? 1, ");
        ck_assert_int_eq(browse_table_open_all(t, true), 1);
        settle(t);
        expect(&m, t, "-main 10, .-serve 8, ..parse 4, .parse 2, -serve 8, .parse 4, .? 1, -parse 6, -query 5, -? 1, ");
}
END_TEST

START_TEST(choices) {
        _cleanup_(made_browsed_done) MadeBrowsed m;
        BrowseChoice choice = { .keys = { REPORT_FIELD_COMM }, .n_keys = 1, .since = 2 * NSEC_PER_SEC };
        BrowseTable *t;
        uint64_t period, all;

        made_browsed_init(&m);
        t = made(&m, &choice, NULL);
        ck_assert_uint_eq(browse_table_selected(t, &period, &all), 5);
        ck_assert_uint_eq(browse_table_n_entries(t), 1);
        browse_table_free(t);

        choice = (BrowseChoice) { .keys = { REPORT_FIELD_COMM, REPORT_FIELD_SYMBOL }, .n_keys = 2, .least = 25 };
        t = made(&m, &choice, NULL);
        expect(&m, t, "+parse 6, +query 5, ");
        ck_assert_int_eq(browse_table_filter(t, "DB"), 1); /* in any column, and any case */
        settle(t);
        expect(&m, t, "+query 5, ");
        ck_assert_int_eq(browse_table_filter(t, NULL), 1);
        settle(t);
        expect(&m, t, "+parse 6, +query 5, ");
        browse_table_free(t);

        choice.zooms[0] = (SampleZoom) { .kind = ZOOM_FUNCTION, .text = (char *) "serve" };
        choice.n_zooms = 1;
        choice.least = 0;
        t = made(&m, &choice, NULL);
        expect(&m, t, "+parse 4, +serve 3, +? 1, ");
        ck_assert_uint_eq(browse_table_selected(t, &period, &all), 8);
        browse_table_free(t);
}
END_TEST

/* A row has what its entries are told apart by. */
START_TEST(zooms) {
        _cleanup_(made_browsed_done) MadeBrowsed m;
        _cleanup_(browse_table_freep) BrowseTable *t = NULL;
        const BrowseLine *lines;
        SampleZoom z;
        size_t n;

        made_browsed_init(&m);
        t = made(&m, &by_symbol, NULL);
        lines = browse_table_lines(t, &n);
        ck_assert_ok(browse_table_zoom(t, lines, ZOOM_FUNCTION, &z));
        ck_assert_str_eq(z.text, "parse");
        sample_zoom_done(&z);
        ck_assert_ok(browse_table_zoom(t, lines + 3, ZOOM_LIBRARY, &z));
        ck_assert_str_eq(z.text, "libmade.so");
        sample_zoom_done(&z);
        ck_assert_int_eq(browse_table_zoom(t, lines + 3, ZOOM_FUNCTION, &z), -ENODATA);
        ck_assert_int_eq(browse_table_zoom(t, lines, ZOOM_COMMAND, &z), -ENODATA);
        ck_assert_int_eq(browse_table_zoom(t, lines, ZOOM_CPU, &z), -ENODATA);
        ck_assert_int_eq(browse_table_zoom(t, lines, ZOOM_UNIT, &z), -ENODATA);
}
END_TEST

CHECK_MAIN("browse-table", trees, callees, choices, zooms);
