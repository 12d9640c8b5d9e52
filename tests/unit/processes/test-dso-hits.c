/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "hits-test.h"

static void feed(DsoHits *h, const RecordBuffer *b) {
        const struct perf_event_header *record;
        size_t cursor = 0;

        while (record_next(b->data, b->size, &cursor, &record) == 1)
                ck_assert_ok(dso_hits_feed(h, record, record->size));
        ck_assert_uint_eq(cursor, b->size);
}

START_TEST(in_order_of_first_hit) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();
        const DsoHit *hits;
        uint64_t first, last;
        size_t n;

        test_put_recording(&b, "/usr/bin/demo");
        feed(h, &b);
        TEST_ASSERT_HITS(h, "/usr/bin/demo", "[kernel.kallsyms]");
        ck_assert_ok(dso_hits_get(h, &hits, &n));
        ck_assert_uint_eq(hits[0].cpumode, PERF_RECORD_MISC_USER);
        ck_assert_uint_eq(hits[0].pid, TEST_PID);
        ck_assert_uint_eq(hits[1].cpumode, PERF_RECORD_MISC_KERNEL);
        ck_assert(dso_hits_times(h, &first, &last));
        ck_assert_uint_eq(first, TEST_FIRST_TIME);
        ck_assert_uint_eq(last, TEST_LAST_TIME);
}
END_TEST

START_TEST(only_what_was_hit) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits(), *all = NULL;
        const PerfDataEvent *events;
        size_t n;

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        test_put_map(&b, 7, 0x2000, 0x1000, "/bin/b", 2);
        test_put_map(&b, 7, 0x3000, 0x1000, "//anon", 0);
        test_put_map(&b, 7, 0x4000, 0x1000, "[vdso]", 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x2800, 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x3800, 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 8, 0x1800, 1); /* not its map */
        test_put_sample(&b, 99, PERF_RECORD_MISC_USER, 7, 0x1800, 1); /* no such event */
        feed(h, &b);
        TEST_ASSERT_HITS(h, "[vdso]", "/bin/b");
        events = test_events(&n);
        ck_assert_ok(dso_hits_new(events, n, true, &all));
        feed(all, &b);
        TEST_ASSERT_HITS(all, "/bin/a", "/bin/b", "[vdso]");
}
END_TEST

START_TEST(children_inherit) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        test_put_map(&b, 7, 0x2000, 0x1000, "/bin/b", 2);
        ck_assert_ok(record_put_fork(&b, 8, 7, 8, 7, 0, 0, NULL));
        ck_assert_ok(record_put_fork(&b, 9, 7, 9, 7, 0, PERF_RECORD_MISC_FORK_EXEC, NULL)); /* synthesized */
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 8, 0x1800, 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 9, 0x2800, 1);
        feed(h, &b);
        TEST_ASSERT_HITS(h, "/bin/a");
}
END_TEST

START_TEST(a_sample_may_precede_its_map) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();

        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1);
        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1); /* the same round */
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x2800, 1);
        ck_assert_ok(record_put_finished_round(&b));
        test_put_map(&b, 7, 0x2000, 0x1000, "/bin/b", 2); /* the next one */
        ck_assert_ok(record_put_finished_round(&b));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x3800, 1);
        ck_assert_ok(record_put_finished_round(&b));
        ck_assert_ok(record_put_finished_round(&b));
        test_put_map(&b, 7, 0x3000, 0x1000, "/bin/c", 3); /* too late */
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x4800, 1);
        test_put_map(&b, 7, 0x4000, 0x1000, "/bin/d", 4); /* at the end */
        feed(h, &b);
        TEST_ASSERT_HITS(h, "/bin/a", "/bin/b", "/bin/d");
}
END_TEST

START_TEST(after_exit_and_reuse) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        test_put_map(&b, 6, 0x1000, 0x1000, "/bin/parent", 9);
        ck_assert_ok(record_put_exit(&b, 7, 6, 7, 6, 5, NULL));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1); /* older, from another CPU's ring */
        ck_assert_ok(record_put_fork(&b, 7, 6, 7, 6, 9, 0, NULL));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1900, 10);
        ck_assert_ok(record_put_finished_round(&b));
        ck_assert_ok(record_put_finished_round(&b));
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1900, 11);
        feed(h, &b);
        TEST_ASSERT_HITS(h, "/bin/a", "/bin/parent");
}
END_TEST

START_TEST(broken_records_are_ignored) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();
        struct perf_event_header *r;

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        r = (struct perf_event_header *) b.data;
        for (size_t n = 0; n < 72; n++) {
                r->size = (uint16_t) n;
                ck_assert_ok(dso_hits_feed(h, r, n));
        }
        r->size = 0xfff8;
        ck_assert_ok(dso_hits_feed(h, r, b.size));
        r->type = PERF_RECORD_SAMPLE;
        r->size = 16;
        ck_assert_ok(dso_hits_feed(h, r, 16));
        test_assert_hits(h, NULL, 0);
}
END_TEST

/* Puts a chain. Chains hit the binaries of their frames, in the process and in the kernel, also if a chain comes
 * before its maps. */
static void put_chain(RecordBuffer *b, uint32_t pid, const uint64_t *chain, size_t n) {
        size_t start = b->size;
        struct perf_event_header h = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER };

        byte_buffer_put(b, &h, sizeof(h));
        byte_buffer_put_u64(b, 11);     /* IDENTIFIER */
        byte_buffer_put_u64(b, 0x100);  /* IP, nowhere */
        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u64(b, 1);      /* TIME */
        byte_buffer_put_u64(b, 0);      /* CPU */
        byte_buffer_put_u64(b, 1);      /* PERIOD */
        byte_buffer_put_u64(b, n);
        byte_buffer_put(b, chain, n * sizeof(*chain));
        h.size = (uint16_t) (b->size - start);
        memcpy(b->data + start, &h, sizeof(h));
}

START_TEST(chains) {
        static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0x5100, PERF_CONTEXT_USER, 0x1100, 0x2100, 0x1100 };
        static const uint64_t guest[] = { PERF_CONTEXT_USER, 0x1100, PERF_CONTEXT_GUEST, 0x3100 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();

        ck_assert_ok(record_put_mmap(&b, &(RecordMap) { .pid = UINT32_MAX, .start = 0x5000, .length = 0x1000,
                                                        .misc = PERF_RECORD_MISC_KERNEL, .path = "[kernel.kallsyms]_text" }, NULL));
        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        test_put_map(&b, 7, 0x3000, 0x1000, "/bin/c", 3);
        put_chain(&b, 7, guest, ELEMENTSOF(guest));
        put_chain(&b, 7, chain, ELEMENTSOF(chain));
        put_chain(&b, 7, chain, ELEMENTSOF(chain));
        test_put_map(&b, 7, 0x2000, 0x1000, "/bin/b", 2);
        put_chain(&b, 7, chain, ELEMENTSOF(chain));
        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/d", 4); /* in place of a */
        put_chain(&b, 7, chain, ELEMENTSOF(chain));
        feed(h, &b);
        TEST_ASSERT_HITS(h, "/bin/a", "[kernel.kallsyms]", "/bin/b", "/bin/d");
}
END_TEST

/* The counts that a group reads are before the chain, and their length is in the sample. */
START_TEST(chains_behind_a_groups_counts) {
        static const uint64_t words[] = { 0x100, 7, 2, 1000, 1, 2000, 2, 1, 0x1100 };
        static const uint64_t id = 1;
        const PerfDataEvent event = {
                .attr = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN,
                          .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID },
                .ids = &id,
                .n_ids = 1,
        };
        struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER,
                                            .size = sizeof(header) + sizeof(words) };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = NULL;

        ck_assert_ok(dso_hits_new(&event, 1, false, &h));
        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        byte_buffer_put(&b, &header, sizeof(header));
        byte_buffer_put(&b, words, sizeof(words));
        feed(h, &b);
        TEST_ASSERT_HITS(h, "/bin/a");
}
END_TEST

/* Names do not accumulate: one process maps new files all the time, another one has 16,000 at a time. */
START_TEST(names_do_not_gather) {
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        static char path[4001];

        memset(path, 'd', sizeof(path) - 1);
        for (unsigned i = 0; i < 40000; i++) {
                (void) snprintf(path, 16, "/%010u", i);
                path[11] = 'd';
                test_put_map(&b, 7 + i % 5, (uint64_t) (i % 32000 + 1) << 13, 0x1000, path, i);
                feed(h, &b);
                record_buffer_reset(&b);
        }
        /* Others keep theirs, and the newest of these are known. */
        test_put_map(&b, 20, 0x1000, 0x1000, "/bin/a", 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 20, 0x1800, 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7 + 39999 % 5, (UINT64_C(7999) + 1) << 13, 1);
        feed(h, &b);
        TEST_ASSERT_HITS(h, "/bin/a", path);
}
END_TEST

static int feed_in_two(DsoHits *h, const RecordBuffer *b, size_t at) {
        const struct iovec segments[] = {
                { .iov_base = b->data, .iov_len = at },
                { .iov_base = (uint8_t *) b->data + at, .iov_len = b->size - at },
        };

        return dso_hits_feed_segments(h, segments, 2);
}

/* A ring may end at any multiple of eight bytes. */
START_TEST(splits_a_record) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        test_put_map(&b, 7, 0x2000, 0x1000, "/bin/a-name-of-more-than-eight-bytes", 2);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x2800, 2);
        for (size_t at = 0; at <= b.size; at += 8) {
                _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();

                ck_assert_ok(feed_in_two(h, &b, at));
                TEST_ASSERT_HITS(h, "/bin/a", "/bin/a-name-of-more-than-eight-bytes");
        }
}
END_TEST

START_TEST(hits_over_many_segments) {
        _cleanup_(record_buffer_done) RecordBuffer map = {}, sample = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();
        struct iovec segments[3];

        test_put_map(&map, 7, 0x1000, 0x1000, "/bin/a", 1);
        test_put_sample(&sample, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1);
        segments[0] = record_buffer_iovec(&map);
        segments[1] = segments[2] = record_buffer_iovec(&sample);
        ck_assert_ok(dso_hits_feed_segments(h, segments, 3));
        ck_assert_ok(dso_hits_feed_segments(h, NULL, 0));
        TEST_ASSERT_HITS(h, "/bin/a");
}
END_TEST

/* Records before an invalid one count. */
START_TEST(hits_before_nonsense) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *h = test_new_hits();
        uint64_t first, last;
        struct iovec cut;

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 1);
        cut = (struct iovec) { .iov_base = b.data, .iov_len = b.size - 8 };
        ck_assert_int_eq(dso_hits_feed_segments(h, &cut, 1), -EBADMSG);
        ck_assert(!dso_hits_times(h, &first, &last));
        ck_assert_int_eq(feed_in_two(h, &(RecordBuffer) { .data = b.data, .size = b.size - 8 }, 16), -EBADMSG);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x1800, 2);
        byte_buffer_put_u64(&b, 0xffff); /* of size 0 */
        cut = (struct iovec) { .iov_base = b.data, .iov_len = b.size };
        ck_assert_int_eq(dso_hits_feed_segments(h, &cut, 1), -EBADMSG);
        ck_assert(dso_hits_times(h, &first, &last));
        ck_assert_uint_eq(last, 2);
}
END_TEST

TEST_RUN("dso-hits", in_order_of_first_hit, only_what_was_hit, children_inherit, a_sample_may_precede_its_map, after_exit_and_reuse,
         broken_records_are_ignored, chains, chains_behind_a_groups_counts, names_do_not_gather,
         splits_a_record, hits_over_many_segments, hits_before_nonsense);
