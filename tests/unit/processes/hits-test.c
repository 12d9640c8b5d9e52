/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "hits-test.h"

int test_feed(DsoHits *h, const RecordBuffer *b) {
        struct iovec segment = record_buffer_iovec(b);

        return dso_hits_feed_segments(h, &segment, 1);
}

DsoHits *test_new_hits(void) {
        const PerfDataEvent *events;
        DsoHits *h = NULL;
        size_t n;

        events = test_events(&n);
        ck_assert_ok(dso_hits_new(events, n, false, &h));
        return h;
}

void test_assert_hits(DsoHits *h, const char *const *paths, size_t n) {
        const DsoHit *hits;
        size_t n_hits;

        ck_assert_ok(dso_hits_get(h, &hits, &n_hits));
        ck_assert_uint_eq(n_hits, n);
        for (size_t i = 0; i < n; i++)
                ck_assert_str_eq(hits[i].path, paths[i]);
}
