/* SPDX-License-Identifier: LGPL-2.1-or-later */

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

TEST_RUN("record-kernel", mmap_of_the_kernel, mmap2_with_inode, mmap2_with_build_id, long_paths_are_cut, tasks, others);
