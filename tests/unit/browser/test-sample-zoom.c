/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "made-browsed.h"

static uint64_t count(const MadeBrowsed *m, SampleZoom *z) {
        size_t n;
        const SampleRow *rows = sample_table_rows(m->table, &n);
        uint64_t samples = 0;

        sample_zoom_bind(z, m->table, &m->names);
        for (size_t i = 0; i < n; i++)
                samples += sample_zoom_has(z, m->table, &m->names, rows + i) ? rows[i].count : 0;
        sample_zoom_done(z);
        return samples;
}

/* By its text, as in a table that replaced another one. */
static SampleZoom zoom(ZoomKind kind, const char *text) {
        return (SampleZoom) { .kind = kind, .text = strdup(text), .number = 12345 };
}

START_TEST(kinds) {
        _cleanup_(made_browsed_done) MadeBrowsed m;
        SampleZoom z;

        made_browsed_init(&m);
        ck_assert_uint_eq(count(&m, (z = zoom(ZOOM_COMMAND, "web"), &z)), 10);
        ck_assert_uint_eq(count(&m, (z = zoom(ZOOM_COMMAND, "we"), &z)), 0);
        ck_assert_uint_eq(count(&m, (z = zoom(ZOOM_LIBRARY, "libmade.so"), &z)), 1);
        ck_assert_uint_eq(count(&m, (z = zoom(ZOOM_FUNCTION, "serve"), &z)), 8); /* also in the call chain */
        ck_assert_uint_eq(count(&m, (z = zoom(ZOOM_FUNCTION, "query"), &z)), 5);
        ck_assert_uint_eq(count(&m, (z = zoom(ZOOM_UNIT, "web.service"), &z)), 0);
        ck_assert_uint_eq(count(&m, (z = (SampleZoom) { .kind = ZOOM_THREAD, .number = 8 }, &z)), 5);
        ck_assert_uint_eq(count(&m, (z = (SampleZoom) { .kind = ZOOM_KERNEL }, &z)), 0);
        ck_assert_uint_eq(count(&m, (z = (SampleZoom) { .kind = ZOOM_USER }, &z)), 15);
}
END_TEST

START_TEST(texts) {
        _cleanup_(made_browsed_done) MadeBrowsed m;
        const SampleRow *rows;
        SampleZoom z, copy;
        size_t n;

        made_browsed_init(&m);
        rows = sample_table_rows(m.table, &n);
        ck_assert_ok(sample_zoom_init(&z, ZOOM_THREAD, 7, rows->thread, m.table, &m.names));
        ck_assert_str_eq(z.text, "web/7");
        ck_assert_ok(sample_zoom_copy(&copy, &z));
        sample_zoom_done(&z);
        ck_assert_str_eq(copy.text, "web/7");
        sample_zoom_done(&copy);
        ck_assert_int_eq(sample_zoom_init(&z, ZOOM_FUNCTION, 0, 0, m.table, &m.names), -ENODATA);
        ck_assert_str_eq(zoom_kind_to_string(ZOOM_USER), "user space");
}
END_TEST

CHECK_MAIN("sample-zoom", kinds, texts);
