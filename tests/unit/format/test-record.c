/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The builders of records, and the walk. The bytes of perf's own records were compared with those of perf 6.1 (perf script -D). */

#include "perfdata-test.h"

static const uint64_t *words(const RecordBuffer *b) {
        const struct perf_event_header *h = (const struct perf_event_header *) b->data;

        ck_assert_uint_eq(h->size, b->size);
        return (const uint64_t *) b->data;
}

START_TEST(mmap_of_the_kernel) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordMap m = {
                .pid = UINT32_MAX, .start = 0x1000, .length = 0x2000, .page_offset = 0x3000, .misc = PERF_RECORD_MISC_KERNEL,
                .path = "[kernel.kallsyms]_text",
        };
        const struct perf_event_header *h;

        ck_assert_ok(record_put_mmap(&b, &m, NULL));
        h = (const struct perf_event_header *) b.data;
        ck_assert_uint_eq(h->type, PERF_RECORD_MMAP);
        ck_assert_uint_eq(h->misc, PERF_RECORD_MISC_KERNEL);
        ck_assert_uint_eq(h->size, 40 + 24);
        ck_assert_uint_eq(words(&b)[1], UINT32_MAX);
        ck_assert_uint_eq(words(&b)[2], 0x1000);
        ck_assert_uint_eq(words(&b)[3], 0x2000);
        ck_assert_uint_eq(words(&b)[4], 0x3000);
        ck_assert_str_eq((const char *) b.data + 40, m.path);
}
END_TEST

START_TEST(mmap2_with_inode) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordMap m = {
                .pid = 1, .tid = 2, .start = 3, .length = 4, .page_offset = 5, .major = 6, .minor = 7, .inode = 8,
                .inode_generation = 9, .protection = 10, .flags = 11, .misc = PERF_RECORD_MISC_USER, .path = "/1234567",
        };

        ck_assert_ok(record_put_mmap2(&b, &m, NULL));
        ck_assert_uint_eq(b.size, 72 + 16);
        ck_assert_uint_eq(words(&b)[1], UINT64_C(2) << 32 | 1);
        ck_assert_uint_eq(words(&b)[5], UINT64_C(7) << 32 | 6);
        ck_assert_uint_eq(words(&b)[6], 8);
        ck_assert_uint_eq(words(&b)[7], 9);
        ck_assert_uint_eq(words(&b)[8], UINT64_C(11) << 32 | 10);
        ck_assert_str_eq((const char *) b.data + 72, "/1234567");
}
END_TEST

START_TEST(mmap2_with_build_id) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        BuildId id = { .size = 20, .bytes = { 1, 2, 3 } };
        RecordMap m = { .build_id = &id, .path = "/x", .protection = 5 };
        const struct perf_event_header *h;

        ck_assert_ok(record_put_mmap2(&b, &m, NULL));
        h = (const struct perf_event_header *) b.data;
        ck_assert_uint_eq(h->misc, PERF_RECORD_MISC_MMAP_BUILD_ID);
        ck_assert_uint_eq(b.size, 72 + 8);
        ck_assert_uint_eq(b.data[40], 20);
        ck_assert_mem_eq(b.data + 44, id.bytes, 20);
        ck_assert_uint_eq(b.data[64], 5);
}
END_TEST

START_TEST(long_paths_are_cut) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = malloc(100000);
        RecordMap m = { .path = path };

        ck_assert_ptr_nonnull(path);
        memset(path, 'p', 99999);
        path[99999] = '\0';
        ck_assert_ok(record_put_mmap2(&b, &m, NULL));
        ck_assert_uint_eq(b.size, 72 + 4096);
        ck_assert_uint_eq(strlen((const char *) b.data + 72), 4095);
}
END_TEST

START_TEST(tasks) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const struct perf_event_header *h;

        ck_assert_ok(record_put_fork(&b, 1, 2, 3, 4, 5, PERF_RECORD_MISC_FORK_EXEC, NULL));
        h = (const struct perf_event_header *) b.data;
        ck_assert_uint_eq(h->type, PERF_RECORD_FORK);
        ck_assert_uint_eq(h->misc, PERF_RECORD_MISC_FORK_EXEC);
        ck_assert_uint_eq(words(&b)[1], UINT64_C(2) << 32 | 1);
        ck_assert_uint_eq(words(&b)[2], UINT64_C(4) << 32 | 3);
        ck_assert_uint_eq(words(&b)[3], 5);
        record_buffer_reset(&b);
        ck_assert_ok(record_put_exit(&b, 1, 2, 3, 4, 5, NULL));
        h = (const struct perf_event_header *) b.data;
        ck_assert_uint_eq(h->type, PERF_RECORD_EXIT);
        ck_assert_uint_eq(b.size, 32);
}
END_TEST

START_TEST(others) {
        struct perf_ns_link_info links[2] = { { 1, 2 }, { 3, 4 } };
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_namespaces(&b, 1, 2, links, 2, NULL));
        ck_assert_uint_eq(b.size, 8 + 8 + 8 + 32);
        ck_assert_uint_eq(words(&b)[2], 2);
        record_buffer_reset(&b);
        ck_assert_ok(record_put_cgroup(&b, 77, "/a.slice", NULL));
        ck_assert_uint_eq(words(&b)[1], 77);
        ck_assert_str_eq((const char *) b.data + 16, "/a.slice");
        record_buffer_reset(&b);
        ck_assert_ok(record_put_ksymbol(&b, 0x1000, 16, PERF_RECORD_KSYMBOL_TYPE_BPF, 1, "bpf_prog_1", NULL));
        ck_assert_uint_eq(words(&b)[1], 0x1000);
        ck_assert_uint_eq(words(&b)[2], 16 | UINT64_C(1) << 32 | UINT64_C(1) << 48);
        ck_assert_str_eq((const char *) b.data + 24, "bpf_prog_1");
}
END_TEST

static void assert_bytes(RecordBuffer *b, const uint8_t *expected, size_t n) {
        ck_assert_uint_eq(b->size, n);
        ck_assert_mem_eq(b->data, expected, n);
        record_buffer_reset(b);
}

#define ASSERT_BYTES(b, ...) assert_bytes(b, (const uint8_t[]) { __VA_ARGS__ }, sizeof((const uint8_t[]) { __VA_ARGS__ }))

START_TEST(cpu_maps) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_cpu_map(&b, (int[]) { 0, 1 }, 2));
        ASSERT_BYTES(&b, 74, 0, 0, 0, 0, 0, 16, 0, 2, 0, 0, 0, 0, 0, 1, 0);
        ck_assert_ok(record_put_cpu_map(&b, (int[]) { 3 }, 1));
        ASSERT_BYTES(&b, 74, 0, 0, 0, 0, 0, 16, 0, 2, 0, 0, 0, 3, 0, 3, 0);
        ck_assert_ok(record_put_cpu_map(&b, (int[]) { 0, 2, 5 }, 3));
        ASSERT_BYTES(&b, 74, 0, 0, 0, 0, 0, 24, 0, 0, 0, 3, 0, 0, 0, 2, 0, 5, 0, 0, 0, 0, 0, 0, 0);
        ck_assert_ok(record_put_cpu_map(&b, NULL, 0));
        ASSERT_BYTES(&b, 74, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0xff, 0xff, 0, 0);
        ck_assert_ok(record_put_cpu_map(&b, (int[]) { -1 }, 1));
        ASSERT_BYTES(&b, 74, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0xff, 0xff, 0, 0);
}
END_TEST

START_TEST(thread_map) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordThread long_name = { .tid = 5, .comm = "0123456789abcdefghi" };

        ck_assert_ok(record_put_thread_map(&b, &(RecordThread) { .tid = -1 }, 1));
        ASSERT_BYTES(&b, 73, 0, 0, 0, 0, 0, 40, 0, 1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0,
                     0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        ck_assert_ok(record_put_thread_map(&b, &long_name, 1));
        ck_assert_str_eq((const char *) b.data + 24, "0123456789abcde");
}
END_TEST

START_TEST(event_updates) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_event_unit(&b, 124, "msec"));
        ASSERT_BYTES(&b, 78, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 124, 0, 0, 0, 0, 0, 0, 0, 'm', 's', 'e', 'c', 0, 0, 0, 0);
        ck_assert_ok(record_put_event_scale(&b, 124, 1e-6));
        ASSERT_BYTES(&b, 78, 0, 0, 0, 0, 0, 32, 0, 1, 0, 0, 0, 0, 0, 0, 0, 124, 0, 0, 0, 0, 0, 0, 0, 0x8d, 0xed, 0xb5, 0xa0, 0xf7,
                     0xc6, 0xb0, 0x3e);
        ck_assert_ok(record_put_event_name(&b, 1, "abc"));
        ASSERT_BYTES(&b, 78, 0, 0, 0, 0, 0, 32, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c', 0, 0, 0, 0, 0);
        ck_assert_ok(record_put_event_cpus(&b, 1, (int[]) { 4, 5 }, 2));
        ASSERT_BYTES(&b, 78, 0, 0, 0, 0, 0, 32, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 4, 0, 5, 0);
}
END_TEST

START_TEST(id_index_is_split) {
        enum { N = 5000 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ RecordIdIndexEntry *entries = calloc(N, sizeof(*entries));
        const struct perf_event_header *r;
        size_t cursor = 0, n = 0;

        ck_assert_ptr_nonnull(entries);
        for (size_t i = 0; i < N; i++)
                entries[i] = (RecordIdIndexEntry) { .id = i, .index = i % 8, .cpu = (int64_t) i % 8, .tid = -1 };
        ck_assert_ok(record_put_id_index(&b, entries, N));
        while (record_next(b.data, b.size, &cursor, &r) == 1) {
                const uint64_t *w = (const uint64_t *) r;

                ck_assert_uint_eq(r->type, PERF_RECORD_ID_INDEX);
                ck_assert_uint_eq(r->size, 16 + w[1] * 32);
                ck_assert_uint_eq(w[2], n);
                ck_assert_uint_eq(w[5], UINT64_MAX);
                n += w[1];
        }
        ck_assert_uint_eq(n, N);
        record_buffer_reset(&b);
        ck_assert_ok(record_put_id_index(&b, entries, 0));
        ck_assert_uint_eq(b.size, 0);
}
END_TEST

START_TEST(rounds_and_time) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordTimeConversion c = { .shift = 1, .mult = 2, .zero = 3, .cycles = 4, .mask = 5, .cap_user_time_zero = true };

        ck_assert_ok(record_put_finished_round(&b));
        ASSERT_BYTES(&b, 68, 0, 0, 0, 0, 0, 8, 0);
        ck_assert_ok(record_put_finished_init(&b));
        ASSERT_BYTES(&b, 82, 0, 0, 0, 0, 0, 8, 0);
        ck_assert_ok(record_put_time_conversion(&b, &c));
        ck_assert_uint_eq(b.size, 56);
        ck_assert_uint_eq(((uint64_t *) b.data)[5], 5);
        ck_assert_uint_eq(b.data[48], 1);
        ck_assert_uint_eq(b.data[49], 0);
}
END_TEST

START_TEST(walks_whole_records) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const struct perf_event_header *r;
        size_t cursor = 0;

        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 0);
        ck_assert_ok(record_put_finished_round(&b));
        ck_assert_ok(record_put_comm(&b, 1, 2, "name", 0, NULL));
        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 1);
        ck_assert_uint_eq(r->type, PERF_RECORD_FINISHED_ROUND);
        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 1);
        ck_assert_uint_eq(r->type, PERF_RECORD_COMM);
        ck_assert_uint_eq(r->size, 24);
        ck_assert_str_eq((const char *) r + 16, "name");
        ck_assert_int_eq(record_next(b.data, b.size, &cursor, &r), 0);
}
END_TEST

START_TEST(refuses_what_does_not_fit) {
        struct perf_event_header records[4] = { { .size = 8 }, { .size = 8 } };
        static const uint16_t bad[] = { 0, 4, 7, 9, 12, 32, 0xfff8, 0xffff };
        const struct perf_event_header *r = NULL;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                size_t cursor = 8;

                records[1].size = bad[i];
                ck_assert_int_eq(record_next(records, sizeof(records), &cursor, &r), -EBADMSG);
                ck_assert_uint_eq(cursor, 8);
                ck_assert_ptr_null(r);
        }
        ck_assert_int_eq(record_next(records, 12, &(size_t) { 8 }, &r), -EBADMSG);
}
END_TEST

START_TEST(a_failed_record_is_taken_back) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        RecordThread *threads = calloc(5000, sizeof(*threads));

        ck_assert_ptr_nonnull(threads);
        ck_assert_ok(record_put_finished_round(&b));
        ck_assert_int_eq(record_put_thread_map(&b, threads, 5000), -E2BIG);
        ck_assert_uint_eq(b.size, 8);
        ck_assert_ok(record_put_thread_map(&b, threads, 2));
        ck_assert_uint_eq(b.size, 8 + 16 + 48);
        free(threads);
}
END_TEST

TEST_RUN("record", walks_whole_records, refuses_what_does_not_fit, a_failed_record_is_taken_back, mmap_of_the_kernel,
         mmap2_with_inode, mmap2_with_build_id, long_paths_are_cut, tasks, others, cpu_maps, thread_map, event_updates,
         id_index_is_split, rounds_and_time);
