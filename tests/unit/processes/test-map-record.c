/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "map-record.h"
#include "perfdata-test.h"

static const struct perf_event_header *first(const RecordBuffer *b) {
        return (const struct perf_event_header *) b->data;
}

START_TEST(a_file) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        MapRecord m;

        ck_assert_ok(record_put_mmap2(&b, &(RecordMap) { .pid = 7, .tid = 7, .start = 0x1000, .length = 0x2000, .page_offset = 0x3000, .major = 8,
                                                         .minor = 1, .inode = 99, .misc = PERF_RECORD_MISC_USER, .path = "/bin/a" }, NULL));
        ck_assert(map_record_parse(first(&b), true, &m));
        ck_assert_uint_eq(m.pid, 7);
        ck_assert(!m.kernel);
        ck_assert(m.has_file);
        ck_assert_uint_eq(m.start, 0x1000);
        ck_assert_uint_eq(m.length, 0x2000);
        ck_assert_uint_eq(m.page_offset, 0x3000);
        ck_assert_str_eq(m.dso.path, "/bin/a");
        ck_assert_uint_eq(m.dso.major, 8);
        ck_assert_uint_eq(m.dso.minor, 1);
        ck_assert_uint_eq(m.dso.inode, 99);
        ck_assert_uint_eq(m.dso.id.size, 0);
}
END_TEST

START_TEST(a_build_id) {
        static const BuildId id = { .bytes = { 1, 2, 3 }, .size = 20 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        MapRecord m;

        ck_assert_ok(record_put_mmap2(&b, &(RecordMap) { .pid = 7, .start = 0x1000, .length = 1, .build_id = &id, .inode = 5,
                                                         .misc = PERF_RECORD_MISC_USER, .path = "/bin/a" }, NULL));
        ck_assert(map_record_parse(first(&b), true, &m));
        ck_assert_uint_eq(m.dso.inode, 0);
        ck_assert_uint_eq(m.dso.id.size, 20);
        ck_assert_mem_eq(m.dso.id.bytes, id.bytes, sizeof(id.bytes));
}
END_TEST

START_TEST(a_mark_by_mistake) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        MapRecord m;

        ck_assert_ok(record_put_mmap2(&b, &(RecordMap) { .pid = 7, .start = 0x1000, .length = 1, .major = 8, .minor = 1, .inode = 99,
                                                         .misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID, .path = "/bin/a" }, NULL));
        ck_assert(map_record_parse(first(&b), false, &m));
        ck_assert_uint_eq(m.dso.inode, 99);
        ck_assert_uint_eq(m.dso.id.size, 0);
}
END_TEST

START_TEST(the_kernel) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        MapRecord m;

        ck_assert_ok(record_put_mmap(&b, &(RecordMap) { .pid = UINT32_MAX, .start = 0x1000, .length = 1,
                                                        .misc = PERF_RECORD_MISC_KERNEL, .path = "[kernel.kallsyms]_text" }, NULL));
        ck_assert(map_record_parse(first(&b), true, &m));
        ck_assert(m.kernel);
        ck_assert(m.has_file);
        ck_assert_uint_eq(m.pid, MAP_RECORD_KERNEL_PID);
        ck_assert_str_eq(m.dso.path, "[kernel.kallsyms]");
        ck_assert_uint_eq(m.dso.cpumode, PERF_RECORD_MISC_KERNEL);
}
END_TEST

START_TEST(no_file) {
        static const char *const paths[] = { "//anon", "/dev/zero", "/memfd:x (deleted)", "/SYSV00000000", "[heap]", "[stack]", "" };

        for (size_t i = 0; i < ELEMENTSOF(paths); i++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};
                MapRecord m;

                test_put_map(&b, 7, 0x1000, 0x1000, paths[i], 0);
                ck_assert(map_record_parse(first(&b), true, &m));
                ck_assert(!m.has_file);
        }
}
END_TEST

/* A program that is executed from memory is a file with an inode, which its process holds. */
START_TEST(a_file_in_memory) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        MapRecord m;

        ck_assert_ok(record_put_mmap2(&b, &(RecordMap) { .pid = 7, .start = 0x1000, .length = 1, .path = "/memfd:x (deleted)",
                                                         .misc = PERF_RECORD_MISC_USER, .minor = 1, .inode = 9 }, NULL));
        ck_assert(map_record_parse(first(&b), true, &m));
        ck_assert(m.has_file);
        ck_assert(map_record_is_memfd(m.dso.path));
}
END_TEST

START_TEST(not_code_or_broken) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        struct perf_event_header *h;
        MapRecord m;

        test_put_map(&b, 7, 0x1000, 0x1000, "/bin/a", 1);
        h = (struct perf_event_header *) b.data;
        h->misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA;
        ck_assert(!map_record_parse(h, true, &m));
        h->misc = PERF_RECORD_MISC_GUEST_USER;
        ck_assert(!map_record_parse(h, true, &m));
        h->misc = PERF_RECORD_MISC_USER;
        h->size = 72;
        ck_assert(!map_record_parse(h, true, &m));
        h->size = 76; /* the path has no end */
        ck_assert(!map_record_parse(h, true, &m));
}
END_TEST

START_TEST(names_of_jitdumps) {
        ck_assert(map_record_is_jit_dump("/home/a/.debug/jit/jit-7.dump"));
        ck_assert(map_record_is_jit_dump("/jit-7.dump"));
        ck_assert(!map_record_is_jit_dump("jit-7.dump"));
        ck_assert(!map_record_is_jit_dump("/tmp/jit-.dump"));
        ck_assert(!map_record_is_jit_dump("/tmp/jit-7.dumps"));
        ck_assert(!map_record_is_jit_dump("/tmp/jit-7x.dump"));
        ck_assert(!map_record_is_jit_dump("/jit-7.dump/x"));
}
END_TEST

TEST_RUN("map-record", a_file, a_build_id, a_mark_by_mistake, the_kernel, no_file, a_file_in_memory, not_code_or_broken,
         names_of_jitdumps);
