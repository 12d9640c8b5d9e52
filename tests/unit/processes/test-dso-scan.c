/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "hits-test.h"

/* The file has more than one block of the reader, with records that straddle the ends. */
START_TEST(scans_a_file) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits(), *bad = test_new_hits();
        _cleanup_free_ char *path = test_path("scan"), *large = malloc(4096);
        _cleanup_close_ int fd = -EBADF;
        uint64_t offset = 8, half, first, last;

        ck_assert_ptr_nonnull(large);
        memset(large, 'x', 4095);
        large[0] = '/';
        large[4095] = '\0';
        byte_buffer_put_u64(&b, 0); /* before the data */
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
        ck_assert(dso_hits_times(h, &first, &last));
        ck_assert_uint_eq(last, 9999);
        TEST_ASSERT_HITS(h, "/bin/a");
        offset = 8;
        ck_assert_int_eq(dso_hits_scan(bad, fd, &offset, b.size, b.size), -EBADMSG);
        ck_assert_int_eq(dso_hits_scan(bad, fd, &offset, b.size + 8, b.size + 8), -EBADMSG);
}
END_TEST

TEST_RUN("dso-scan", scans_a_file);
