/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "dso-hits.h"
#include "perfdata-test.h"

static DsoHits *new_hits(void) {
        const PerfDataEvent *events;
        DsoHits *h = NULL;
        size_t n;

        events = test_events(&n);
        ck_assert_ok(dso_hits_new(events, n, &h));
        return h;
}

static void assert_hits(DsoHits *h, const char *const *expected, size_t n) {
        const DsoHit *hits;
        size_t n_hits;

        ck_assert_ok(dso_hits_get(h, &hits, &n_hits));
        ck_assert_uint_eq(n_hits, n);
        for (size_t i = 0; i < n; i++)
                ck_assert_str_eq(hits[i].path, expected[i]);
}

#define ASSERT_HITS(h, ...) assert_hits(h, (const char *const[]) { __VA_ARGS__ }, sizeof((const char *[]) { __VA_ARGS__ }) / sizeof(char *))

/* More than one block of the reader, with records that straddle its ends. */
START_TEST(scans_a_file) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = new_hits(), *bad = new_hits();
        _cleanup_free_ char *path = test_path("scan"), *large = malloc(4096);
        _cleanup_close_ int fd = -EBADF;
        uint64_t offset = 8, half;

        ck_assert_ptr_nonnull(large);
        memset(large, 'x', 4095);
        large[0] = '/';
        large[4095] = '\0';
        byte_buffer_put_u64(&b, 0); /* what precedes the data */
        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        for (uint64_t i = 0; i < 300; i++)
                test_put_map(&b, 9, i << 12, 0x1000, large, i);
        for (uint64_t i = 0; i < 10000; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, i);
        byte_buffer_put_u64(&b, 0xffff); /* a record of size 0 at the end */
        test_write_file(path, b.data, b.size);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        ck_assert_ok(dso_hits_scan(h, fd, &offset, b.size / 2, b.size - 8)); /* a part, then the rest */
        ck_assert_uint_ge(offset, b.size / 2);
        ck_assert_uint_lt(offset, b.size - 8);
        half = offset;
        ck_assert_ok(dso_hits_scan(h, fd, &offset, b.size / 2, b.size - 8));
        ck_assert_uint_eq(offset, half);
        ck_assert_ok(dso_hits_scan(h, fd, &offset, b.size - 8, b.size - 8));
        ck_assert_uint_eq(offset, b.size - 8);
        ck_assert_uint_eq(dso_hits_samples(h), 10000);
        ASSERT_HITS(h, "/bin/a");
        offset = 8;
        ck_assert_int_eq(dso_hits_scan(bad, fd, &offset, b.size, b.size), -EBADMSG);
        ck_assert_int_eq(dso_hits_scan(bad, fd, &offset, b.size + 8, b.size + 8), -EBADMSG);
}
END_TEST

TEST_RUN("dso-scan", scans_a_file);
