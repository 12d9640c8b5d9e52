/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "hits-test.h"

static int feed_in_two(DsoHits *h, const RecordBuffer *b, size_t at) {
        const struct iovec segments[] = {
                { .iov_base = b->data, .iov_len = at },
                { .iov_base = (uint8_t *) b->data + at, .iov_len = b->size - at },
        };

        return dso_hits_feed_segments(h, segments, 2);
}

/* A ring ends anywhere between eight bytes. */
START_TEST(splits_a_record) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        test_put_map(&b, 7, 0x2000, 0x1000, "/bin/a-name-of-more-than-eight-bytes", 2);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x2800, 2);
        for (size_t at = 0; at <= b.size; at += 8) {
                _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();

                ck_assert_ok(feed_in_two(h, &b, at));
                ck_assert_uint_eq(dso_hits_samples(h), 2);
                TEST_ASSERT_HITS(h, "/bin/a", "/bin/a-name-of-more-than-eight-bytes");
        }
}
END_TEST

START_TEST(many_segments) {
        _cleanup_(record_buffer_done) RecordBuffer map = {}, sample = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();
        struct iovec segments[3];

        test_put_map(&map, 7, 0x1000, 0x1000, "/bin/a", 1);
        test_put_sample(&sample, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1);
        segments[0] = record_buffer_iovec(&map);
        segments[1] = segments[2] = record_buffer_iovec(&sample);
        ck_assert_ok(dso_hits_feed_segments(h, segments, 3));
        ck_assert_ok(dso_hits_feed_segments(h, NULL, 0));
        ck_assert_uint_eq(dso_hits_samples(h), 2);
        TEST_ASSERT_HITS(h, "/bin/a");
}
END_TEST

/* What comes before is seen. */
START_TEST(no_records) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();
        struct iovec cut;

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1);
        cut = (struct iovec) { .iov_base = b.data, .iov_len = b.size - 8 };
        ck_assert_int_eq(dso_hits_feed_segments(h, &cut, 1), -EBADMSG);
        ck_assert_uint_eq(dso_hits_samples(h), 0);
        ck_assert_int_eq(feed_in_two(h, &(RecordBuffer) { .data = b.data, .size = b.size - 8 }, 16), -EBADMSG);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 2);
        byte_buffer_put_u64(&b, 0xffff); /* of size 0 */
        cut = (struct iovec) { .iov_base = b.data, .iov_len = b.size };
        ck_assert_int_eq(dso_hits_feed_segments(h, &cut, 1), -EBADMSG);
        ck_assert_uint_eq(dso_hits_samples(h), 2);
}
END_TEST

TEST_RUN("record-segments", splits_a_record, many_segments, no_records);
