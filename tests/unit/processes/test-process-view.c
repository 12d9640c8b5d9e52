/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "process-view.h"

static const char *name_of(ProcessView *v, uint32_t pid, uint32_t tid) {
        uint32_t thread, name;

        ck_assert_ok(process_view_thread(v, pid, tid, &thread));
        ck_assert_ok(process_view_name_thread(v, thread, &name));
        return process_view_name(v, name);
}

static void set_name(ProcessView *v, uint32_t pid, uint32_t tid, const char *name) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_comm(&b, pid, tid, name, 0, NULL));
        ck_assert_ok(process_view_take(v, (const struct perf_event_header *) b.data));
}

static void fork_thread(ProcessView *v, uint32_t pid, uint32_t tid, uint32_t parent) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_fork(&b, pid, parent, tid, parent, 0, 0, NULL));
        ck_assert_ok(process_view_take(v, (const struct perf_event_header *) b.data));
}

START_TEST(names) {
        _cleanup_(process_view_done) ProcessView v = {};

        ck_assert_str_eq(name_of(&v, 0, 0), "swapper");
        ck_assert_str_eq(name_of(&v, 9, 9), ":9");
        fork_thread(&v, 9, 10, 9);
        ck_assert_str_eq(name_of(&v, 9, 10), ":10");
        set_name(&v, 7, 7, "main");
        fork_thread(&v, 7, 8, 7);
        ck_assert_str_eq(name_of(&v, 7, 8), "main");
        set_name(&v, 7, 8, "worker");
        ck_assert_str_eq(name_of(&v, 7, 8), "worker");
        ck_assert_str_eq(name_of(&v, 7, 7), "main");
}
END_TEST

/* A number that is given again is another thread; the old one keeps its name. */
START_TEST(a_number_given_again) {
        _cleanup_(process_view_done) ProcessView v = {};
        uint32_t old, new;

        set_name(&v, 7, 7, "main");
        set_name(&v, 8, 8, "old");
        ck_assert_ok(process_view_thread(&v, 8, 8, &old));
        fork_thread(&v, 8, 8, 7);
        ck_assert_ok(process_view_thread(&v, 8, 8, &new));
        ck_assert_uint_ne(old, new);
        ck_assert_str_eq(name_of(&v, 8, 8), "main");
        ck_assert_str_eq(process_view_name(&v, v.threads[old].name), "old");
        ck_assert_uint_eq(v.threads[old].instance, 0);
        ck_assert_uint_eq(v.threads[new].instance, 1);
        fork_thread(&v, 7, 9, 7);
        fork_thread(&v, 9, 9, 7);
        ck_assert_ok(process_view_thread(&v, 9, 9, &new)); /* a thread had the number, and no process */
        ck_assert_uint_eq(v.threads[new].instance, 0);
        process_view_restart(&v); /* the recording is read again */
        set_name(&v, 8, 8, "old");
        fork_thread(&v, 8, 8, 7);
        ck_assert_ok(process_view_thread(&v, 8, 8, &new));
        ck_assert_uint_eq(v.threads[new].instance, 1);
}
END_TEST

START_TEST(hostile_names) {
        _cleanup_(process_view_done) ProcessView v = {};

        set_name(&v, 7, 7, "a\x1b[31m\n\xff");
        ck_assert_str_eq(name_of(&v, 7, 7), "a?[31m \xef\xbf\xbd");
}
END_TEST

static void take_all(ProcessView *v, const RecordBuffer *b) {
        const struct perf_event_header *record;
        size_t cursor = 0;

        while (record_next(b->data, b->size, &cursor, &record) == 1)
                ck_assert_ok(process_view_take(v, record));
}

static const DsoHit *file_at(ProcessView *v, uint32_t pid, uint16_t cpumode, uint64_t address) {
        const Map *map = process_view_find_map(v, pid, cpumode, address);

        return map ? v->dsos.dsos + map->object : NULL;
}

static const char *path_at(ProcessView *v, uint32_t pid, uint64_t address) {
        const DsoHit *file = file_at(v, pid, PERF_RECORD_MISC_USER, address);

        return file ? file->path : NULL;
}

static void put_kernel_map(RecordBuffer *b, uint64_t start, uint64_t length, const char *path) {
        const RecordMap m = {
                .pid = UINT32_MAX, .start = start, .length = length, .page_offset = start, .path = path, .misc = PERF_RECORD_MISC_KERNEL,
        };

        ck_assert_ok(record_put_mmap(b, &m, &(RecordTrailer) {}));
}

/* Code of the kernel's start is behind the map of its text; modules, and what is far off, are not the kernel's. */
START_TEST(maps_of_the_kernel) {
        static const uint64_t text = UINT64_C(0xffffffff81000000), module = UINT64_C(0xffffffff82000000);
        _cleanup_(process_view_done) ProcessView v = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {}, user = {};
        uint32_t generation = v.kernel_generation;
        const DsoHit *kernel;

        put_kernel_map(&b, text, 0x800000, "[kernel.kallsyms]_text");
        put_kernel_map(&b, module, 0x1000, "[demo]");
        take_all(&v, &b);
        ck_assert_uint_ne(v.kernel_generation, generation);
        ck_assert_uint_eq(v.recording.kernel.reference, text);
        ck_assert_str_eq(v.recording.kernel.modules->path, "[demo]");
        kernel = file_at(&v, 0, PERF_RECORD_MISC_KERNEL, text + 0x900010);
        ck_assert_pstr_eq(kernel->path, "[kernel.kallsyms]");
        ck_assert_ptr_eq(file_at(&v, 0, PERF_RECORD_MISC_KERNEL, text + 0x10), kernel);
        ck_assert_ptr_null(file_at(&v, 0, PERF_RECORD_MISC_KERNEL, text - 0x10));
        ck_assert_ptr_null(file_at(&v, 0, PERF_RECORD_MISC_KERNEL, module + 0x1010));
        ck_assert_ptr_null(file_at(&v, 7, PERF_RECORD_MISC_USER, text + 0x900010));
        ck_assert_ptr_null(file_at(&v, 7, PERF_RECORD_MISC_GUEST_KERNEL, text + 0x10));
        generation = v.kernel_generation;
        test_put_map(&user, 7, 0x400000, 0x1000, "/bin/demo", 1);
        take_all(&v, &user);
        ck_assert_uint_eq(v.kernel_generation, generation);
}
END_TEST

static uint32_t generation_of(ProcessView *v, uint32_t pid) {
        return process_table_find(&v->processes, pid)->generation;
}

/* A child has its parent's generation until one of them maps something. */
START_TEST(generations) {
        _cleanup_(process_view_done) ProcessView v = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {}, more = {};
        uint32_t parent;

        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        ck_assert_ok(record_put_fork(&b, 8, 7, 8, 7, 1, 0, NULL));
        take_all(&v, &b);
        parent = generation_of(&v, 7);
        ck_assert_uint_gt(parent, 0);
        ck_assert_uint_eq(generation_of(&v, 8), parent);
        test_put_map(&more, 8, 0x600000, 0x1000, "/bin/more", 2);
        take_all(&v, &more);
        ck_assert_uint_eq(generation_of(&v, 7), parent);
        ck_assert_uint_ne(generation_of(&v, 8), parent);
        process_view_restart(&v);
        ck_assert_ptr_null(path_at(&v, 7, 0x400010));
        take_all(&v, &b);
        ck_assert_uint_ne(generation_of(&v, 7), parent); /* what was found by the maps may differ now */
}
END_TEST

/* A FORK of the same time as its child's maps may follow them. */
START_TEST(maps_before_the_fork) {
        _cleanup_(process_view_done) ProcessView v = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        test_put_map(&b, 7, 0x400000, 0x4000, "/bin/demo", 1);
        test_put_map(&b, 8, 0x402000, 0x1000, "/bin/more", 2);
        ck_assert_ok(record_put_fork(&b, 8, 7, 8, 7, 1, 0, NULL));
        take_all(&v, &b);
        ck_assert_pstr_eq(path_at(&v, 8, 0x402010), "/bin/more");
        ck_assert_pstr_eq(path_at(&v, 8, 0x400010), "/bin/demo");
        ck_assert_pstr_eq(path_at(&v, 7, 0x402010), "/bin/demo");
        ck_assert_uint_ne(generation_of(&v, 8), generation_of(&v, 7));
}
END_TEST

/* Code that a program generated is not that of the next one in its process, nor of the next process with its number. */
START_TEST(lives) {
        _cleanup_(process_view_done) ProcessView v = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {}, again = {}, other = {};
        const DsoHit *first, *second;

        ck_assert_ok(record_put_fork(&b, 8, 7, 8, 7, 1, 0, NULL));
        test_put_map(&b, 8, 0x500000, 0x1000, "//anon", 0);
        take_all(&v, &b);
        first = file_at(&v, 8, PERF_RECORD_MISC_USER, 0x500010);
        ck_assert_str_eq(first->path, "/tmp/perf-8.map");
        ck_assert_uint_eq(first->generation, 1);
        ck_assert_uint_eq(process_view_find_map(&v, 8, PERF_RECORD_MISC_USER, 0x500010)->page_offset, 0x500000);
        ck_assert_ok(record_put_comm(&again, 8, 8, "other", PERF_RECORD_MISC_COMM_EXEC, NULL));
        take_all(&v, &again);
        ck_assert_pstr_eq(path_at(&v, 8, 0x500010), "/tmp/perf-8.map"); /* exec leaves it */
        test_put_map(&other, 8, 0x500000, 0x1000, "//anon", 0);
        take_all(&v, &other);
        second = file_at(&v, 8, PERF_RECORD_MISC_USER, 0x500010);
        ck_assert_str_eq(second->path, "/tmp/perf-8.map");
        ck_assert_uint_eq(second->generation, 2);
        take_all(&v, &b);
        ck_assert_uint_eq(file_at(&v, 8, PERF_RECORD_MISC_USER, 0x500010)->generation, 3);
}
END_TEST

/* A child has its parent's jitdump; a program that is executed has none. */
START_TEST(jit_dumps) {
        _cleanup_(process_view_done) ProcessView v = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {}, exec = {};
        uint32_t dump;

        test_put_map(&b, 7, 0x300000, 0x1000, "/tmp/jit-7.dump", 5);
        ck_assert_ok(record_put_fork(&b, 8, 7, 8, 7, 1, 0, NULL));
        take_all(&v, &b);
        ck_assert(v.jit_dumps);
        dump = process_table_find(&v.processes, 7)->jit_dump;
        ck_assert_uint_gt(dump, 0);
        ck_assert_str_eq(v.dsos.dsos[dump - 1].path, "/tmp/jit-7.dump");
        ck_assert_uint_eq(process_table_find(&v.processes, 8)->jit_dump, dump);
        ck_assert_ok(record_put_comm(&exec, 8, 8, "other", PERF_RECORD_MISC_COMM_EXEC, NULL));
        take_all(&v, &exec);
        ck_assert_uint_eq(process_table_find(&v.processes, 8)->jit_dump, 0);
        ck_assert_uint_eq(process_table_find(&v.processes, 7)->jit_dump, dump);
}
END_TEST

/* Equal paths of two recordings may be other files; a recording that is read again has the same ones. */
START_TEST(recordings) {
        static const PerfDataEvent event = { .attr = { .sample_type = PERF_SAMPLE_TIME, .use_clockid = true, .clockid = CLOCK_MONOTONIC } };
        _cleanup_(process_view_done) ProcessView v = {};
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        uint32_t first, second;

        ck_assert_ok(process_view_begin_recording(&v, &event, 1));
        ck_assert(v.monotonic && !v.build_ids);
        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        ck_assert_ok(record_put_ksymbol(&b, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "bpf_prog_1", NULL));
        take_all(&v, &b);
        first = process_view_find_map(&v, 7, PERF_RECORD_MISC_USER, 0x400010)->object;
        process_view_restart(&v);
        take_all(&v, &b);
        ck_assert_uint_eq(process_view_find_map(&v, 7, PERF_RECORD_MISC_USER, 0x400010)->object, first);
        ck_assert_uint_eq(v.recording.n_programs, 1);
        ck_assert_ok(process_view_begin_recording(&v, NULL, 0));
        ck_assert(!v.monotonic);
        ck_assert_ptr_null(path_at(&v, 7, 0x400010));
        take_all(&v, &b);
        second = process_view_find_map(&v, 7, PERF_RECORD_MISC_USER, 0x400010)->object;
        ck_assert_uint_ne(second, first);
        ck_assert_uint_eq(process_view_recording_of(&v, first), 0);
        ck_assert_uint_eq(process_view_recording_of(&v, second), 1);
        for (size_t i = 0; i < 2; i++) {
                const ViewedRecording *r = process_view_recording(&v, i);

                ck_assert_uint_eq(r->n_programs, 1);
                ck_assert_str_eq(v.dsos.dsos[r->programs->dso].path, "bpf_prog_1");
                ck_assert_uint_eq(process_view_recording_of(&v, r->programs->dso), i);
        }
}
END_TEST

/* A view of the living forgets a process after the second round, and has no threads. */
START_TEST(living_only) {
        static const struct perf_event_header round = { .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(round) };
        _cleanup_(process_view_done) ProcessView all = {}, v = { .living_only = true };
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        ck_assert_ok(record_put_fork(&b, 7, 7, 9, 7, 1, 0, NULL));
        ck_assert_ok(record_put_comm(&b, 7, 7, "other", PERF_RECORD_MISC_COMM_EXEC, NULL)); /* by 9, which is 7 from then on */
        ck_assert_ok(record_put_exit(&b, 7, 1, 7, 1, 2, NULL));
        take_all(&v, &b);
        take_all(&all, &b);
        ck_assert_uint_eq(v.n_threads, 0);
        ck_assert_uint_gt(all.n_threads, 0);
        for (unsigned i = 0; i < 2; i++) {
                ck_assert_pstr_eq(path_at(&v, 7, 0x400010), "/bin/demo");
                ck_assert_ok(process_view_take(&v, &round));
                ck_assert_ok(process_view_take(&all, &round));
        }
        ck_assert_ptr_null(path_at(&v, 7, 0x400010));
        ck_assert_pstr_eq(path_at(&all, 7, 0x400010), "/bin/demo");
}
END_TEST

TEST_RUN("process-view", names, a_number_given_again, hostile_names, maps_of_the_kernel, generations, maps_before_the_fork, lives,
         jit_dumps, recordings, living_only);
