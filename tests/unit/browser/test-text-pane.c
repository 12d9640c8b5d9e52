/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "perfdata-test.h"
#include "text-pane.h"

static void expect(const TextPane *p, unsigned width, unsigned height, const char *text) {
        _cleanup_(page_done) Page page = {};
        _cleanup_free_ char *plain = NULL;

        page_begin(&page, width, height, true);
        ck_assert_ok(text_pane_put(p, &page, height));
        plain = page_plain(&page);
        ck_assert_str_eq(plain, text);
}

START_TEST(moves) {
        _cleanup_(text_pane_done) TextPane p = {};

        text_buffer_puts(&p.text, "one\ntwo\n");
        ck_assert_ok(text_pane_scan(&p));
        text_buffer_puts(&p.text, "three\nfo"); /* it grows, also in the middle of a line */
        ck_assert_ok(text_pane_scan(&p));
        text_buffer_puts(&p.text, "ur\n");
        ck_assert_ok(text_pane_scan(&p));
        ck_assert_uint_eq(p.n_lines, 4);
        text_pane_move(&p, 1, 2);
        expect(&p, 20, 2, "two\nthree\n");
        text_pane_move(&p, 1000, 2);
        expect(&p, 20, 2, "three\nfour\n");
        text_pane_move(&p, -1000, 2);
        text_pane_move_side(&p, 2);
        expect(&p, 20, 2, "e\no\n");
        text_pane_move_side(&p, -8);
        expect(&p, 20, 1, "one\n");
}
END_TEST

START_TEST(searches) {
        _cleanup_(text_pane_done) TextPane p = {};

        text_buffer_puts(&p.text, "Alpha\nbeta\ngamma\n");
        ck_assert_ok(text_pane_scan(&p));
        ck_assert(text_pane_find(&p, "ALPHA")); /* in any case, and from the first line on again */
        ck_assert_uint_eq(p.top, 0);
        ck_assert(text_pane_find(&p, "ma"));
        ck_assert_uint_eq(p.top, 2);
        ck_assert(!text_pane_find(&p, "delta"));
        ck_assert_uint_eq(p.top, 2);
}
END_TEST

/* As annotated code has percentages in front of its lines. */
START_TEST(hottest) {
        _cleanup_(text_pane_done) TextPane p = {};

        text_buffer_puts(&p.text, " Percent | Code\n    2.50 : mov\n   41.25 : add\n  rest\n   7 : ret\n");
        ck_assert_ok(text_pane_scan(&p));
        ck_assert(text_pane_find_hottest(&p, 2));
        ck_assert_uint_eq(p.top, 1); /* in the middle of the screen */
        ck_assert(text_pane_find_hottest(&p, 20));
        ck_assert_uint_eq(p.top, 0);
}
END_TEST

/* A program may print anything: nothing of it reaches the terminal as a command. */
START_TEST(hostile) {
        _cleanup_(text_pane_done) TextPane p = {};

        text_buffer_puts(&p.text, "\033[2J\001bad\x9b\ttab\n");
        ck_assert_ok(text_pane_scan(&p));
        ck_assert_ok(text_pane_scan(&p));
        for (size_t i = 0; i < 2; i++) {
                _cleanup_(page_done) Page page = {};
                _cleanup_free_ char *plain = NULL;

                page_begin(&page, 60, 1, true);
                ck_assert_ok(text_pane_put(&p, &page, 1));
                plain = page_plain(&page);
                ck_assert_ptr_nonnull(strstr(plain, "bad"));
                for (const char *c = plain; *c; c++)
                        ck_assert(*c == '\n' || (unsigned char) *c >= ' ');
        }
}
END_TEST

CHECK_MAIN("text-pane", moves, searches, hottest, hostile);
