/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Samples of this process, whose maps are read, and of made-up ones, whose maps are in records. */

#include <sys/mman.h>

#include "top-samples-made.h"

#define PID 4194305u /* more than there can be */

/* The symbol is known by its address. */
static __attribute__((noinline)) int sampled_here(void) {
        static volatile int n;

        return n++;
}

static TopOptions options_of(ReportKey key) {
        static const TopKey keys[] = { { "symbol", REPORT_SYMBOL, 0 }, { "comm", REPORT_COMM, 0 } };
        TopOptions o = { .keys.n = 1 };

        o.keys.all[0] = keys + (key == REPORT_COMM);
        return o;
}

static void take_map(TopSamples *s, uint32_t pid, uint64_t start, const char *path) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_int_eq(record_put_mmap2(&b, &(RecordMap) { .pid = pid, .tid = pid, .start = start, .length = 0x1000, .major = 8,
                                                             .inode = 5, .protection = PROT_EXEC, .misc = PERF_RECORD_MISC_USER,
                                                             .path = path }, NULL), 0);
        made_take(s, b.data);
}

static void take_exec(TopSamples *s, uint32_t pid, const char *name) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_int_eq(record_put_comm(&b, pid, pid, name, PERF_RECORD_MISC_COMM_EXEC, NULL), 0);
        made_take(s, b.data);
}

static void take_fork(TopSamples *s, uint32_t pid, uint32_t parent) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_int_eq(record_put_fork(&b, pid, parent, pid, parent, 1, 0, NULL), 0);
        made_take(s, b.data);
}

static const char *dso_of_row(const TopSamples *s, size_t row) {
        const CodePlaces *places = sample_table_places(s->table);
        uint32_t dso = places->places[sample_table_rows(s->table, &(size_t) { 0 })[row].leaf].dso;

        return dso == DSO_NONE ? "" : places->dsos->dsos[dso].path;
}

static size_t n_rows(const TopSamples *s) {
        size_t n;

        (void) sample_table_rows(s->table, &n);
        return n;
}

START_TEST(names) {
        const TopOptions o = options_of(REPORT_SYMBOL);
        uint64_t ip = (uint64_t) (uintptr_t) sampled_here + 1;
        TopSamples s;

        ck_assert_int_eq(sampled_here(), 0);
        ck_assert_int_eq(top_samples_init(&s, &o, false, &made_member, 1), 0);
        made_take_sample(&s, (uint32_t) getpid(), ip, PERF_RECORD_MISC_USER, 8);
        made_take_sample(&s, PID, 0x400000, PERF_RECORD_MISC_USER, 8);
        ck_assert_int_eq(top_samples_name(&s), 0);
        ck_assert_str_eq(s.names.symbols[s.names.symbol_of[sample_table_rows(s.table, &(size_t) { 0 })->leaf]].name, "sampled_here");
        ck_assert_uint_eq(s.names.symbol_of[sample_table_rows(s.table, &(size_t) { 0 })[1].leaf], 0);
        /* what comes later is named, too, and what was named stays */
        made_take_sample(&s, (uint32_t) getpid(), (uint64_t) (uintptr_t) dso_of_row + 1, PERF_RECORD_MISC_USER, 8);
        ck_assert_int_eq(top_samples_name(&s), 0);
        ck_assert_str_eq(s.names.symbols[s.names.symbol_of[sample_table_rows(s.table, &(size_t) { 0 })->leaf]].name, "sampled_here");
        ck_assert_str_eq(s.names.symbols[s.names.symbol_of[sample_table_rows(s.table, &(size_t) { 0 })[2].leaf]].name, "dso_of_row");
        top_samples_done(&s);
}
END_TEST

/* A program that is executed while it is looked at, and a copy of that process, have the maps of the records; those of one that was
 * there before are not all, and are not taken. */
START_TEST(maps) {
        const TopOptions o = options_of(REPORT_COMM);
        TopSamples s;

        ck_assert_int_eq(top_samples_init(&s, &o, false, &made_member, 1), 0);
        take_exec(&s, PID, "demo");
        take_map(&s, PID, 0x400000, "/bin/demo");
        take_fork(&s, PID + 1, PID);
        take_map(&s, PID + 2, 0x400000, "/bin/other");
        for (uint32_t i = 0; i < 3; i++)
                made_take_sample(&s, PID + i, 0x400010, PERF_RECORD_MISC_USER, 8);
        ck_assert_uint_eq(n_rows(&s), 2);
        ck_assert_str_eq(dso_of_row(&s, 0), "/bin/demo");
        ck_assert_uint_eq(sample_table_rows(s.table, &(size_t) { 0 })->count, 2);
        ck_assert_str_eq(dso_of_row(&s, 1), "");
        ck_assert_str_eq(process_view_name(sample_table_view(s.table), sample_table_rows(s.table, &(size_t) { 0 })->name), "demo");
        top_samples_done(&s);
}
END_TEST

START_TEST(decay) {
        TopOptions o = options_of(REPORT_SYMBOL);
        TopSamples s;
        size_t n;

        ck_assert_int_eq(top_samples_init(&s, &o, false, &made_member, 1), 0);
        take_exec(&s, PID, "demo");
        take_map(&s, PID, 0x400000, "/bin/demo");
        made_take_sample(&s, PID, 0x400010, PERF_RECORD_MISC_USER, 1);
        for (size_t i = 0; i < 16; i++)
                made_take_sample(&s, PID, 0x400020, PERF_RECORD_MISC_USER, 10);
        ck_assert_uint_eq(s.window.samples, 17);
        ck_assert_int_eq(top_samples_next_window(&s), 0);
        /* 7/8 of 1 is nothing; of 160 and of 16 samples */
        ck_assert_uint_eq(n_rows(&s), 1);
        ck_assert_uint_eq(sample_table_rows(s.table, &n)->period, 140);
        ck_assert_uint_eq(sample_table_rows(s.table, &n)->count, 14);
        ck_assert_uint_eq(sample_table_events(s.table, &n)->period, 140);
        ck_assert_uint_eq(s.window.samples, 0);
        made_take_sample(&s, PID, 0x400020, PERF_RECORD_MISC_USER, 10);
        made_take_sample(&s, PID, 0x400010, PERF_RECORD_MISC_USER, 10);
        ck_assert_uint_eq(n_rows(&s), 2);
        ck_assert_uint_eq(sample_table_rows(s.table, &n)->period, 150);
        ck_assert_uint_eq(sample_table_events(s.table, &n)->period, 160);
        s.zero = true;
        ck_assert_int_eq(top_samples_next_window(&s), 0);
        ck_assert_uint_eq(n_rows(&s), 0);
        ck_assert_uint_eq(sample_table_events(s.table, &n)->period, 0);
        top_samples_done(&s);
}
END_TEST

START_TEST(left_out) {
        TopOptions o = options_of(REPORT_SYMBOL);
        TopSamples s;

        o.hide_kernel = true;
        ck_assert_int_eq(top_samples_init(&s, &o, false, &made_member, 1), 0);
        made_take_sample(&s, PID, 0xffffffff81000000, PERF_RECORD_MISC_KERNEL, 8);
        made_take_sample(&s, PID, 0x400000, PERF_RECORD_MISC_USER, 8);
        ck_assert_uint_eq(s.window.samples, 2);
        ck_assert_uint_eq(s.window.kernel, 1);
        ck_assert_uint_eq(n_rows(&s), 1);
        top_samples_done(&s);
}
END_TEST

/* Processes that exited are forgotten, and a table that has grown is replaced. */
START_TEST(forgetting) {
        const struct perf_event_header round = { .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(round) };
        const TopOptions o = options_of(REPORT_COMM);
        TopSamples s;

        ck_assert_int_eq(top_samples_init(&s, &o, false, &made_member, 1), 0);
        for (uint32_t i = 0; i < 1000; i++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};

                take_fork(&s, PID + i, 1);
                take_exec(&s, PID + i, "short");
                take_map(&s, PID + i, 0x400000, "/bin/short");
                made_take_sample(&s, PID + i, 0x400010, PERF_RECORD_MISC_USER, 8);
                ck_assert_int_eq(record_put_exit(&b, PID + i, 1, PID + i, 1, 1, NULL), 0);
                made_take(&s, b.data);
                made_take(&s, &round);
        }
        ck_assert_uint_lt(s.machine->processes.processes.n, 10);
        ck_assert_uint_eq(n_rows(&s), 1);
        ck_assert_uint_ge(s.machine->processes.n_threads, 1000);
        s.memory_max = 1000;
        ck_assert_int_eq(top_samples_next_window(&s), 0);
        ck_assert_uint_eq(s.machine->processes.n_threads, 0);
        made_take_sample(&s, (uint32_t) getpid(), (uint64_t) (uintptr_t) sampled_here + 1, PERF_RECORD_MISC_USER, 8);
        ck_assert_int_eq(top_samples_name(&s), 0);
        ck_assert_str_eq(s.names.symbols[s.names.symbol_of[sample_table_rows(s.table, &(size_t) { 0 })->leaf]].name, "sampled_here");
        top_samples_done(&s);
}
END_TEST

/* A process that is put as it is has no other maps, though its parent has some. */
START_TEST(made_processes) {
        const TopOptions o = options_of(REPORT_COMM);
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        TopSamples s;

        ck_assert_int_eq(top_samples_init(&s, &o, false, &made_member, 1), 0);
        ck_assert_int_eq(record_put_fork(&b, PID, (uint32_t) getpid(), PID, (uint32_t) getpid(), 0, PERF_RECORD_MISC_FORK_EXEC, NULL), 0);
        made_take(&s, b.data);
        take_map(&s, PID, 0x400000, "/bin/made");
        made_take_sample(&s, PID, (uint64_t) (uintptr_t) sampled_here, PERF_RECORD_MISC_USER, 8);
        made_take_sample(&s, PID, 0x400010, PERF_RECORD_MISC_USER, 8);
        ck_assert_str_eq(dso_of_row(&s, 0), "");
        ck_assert_str_eq(dso_of_row(&s, 1), "/bin/made");
        ck_assert_ptr_null(process_table_find(&s.machine->processes.processes, (uint32_t) getpid()));
        top_samples_done(&s);
}
END_TEST

/* When slices take too much memory, the older ones are forgotten, and if that is not enough, all. */
START_TEST(bounded_slices) {
        TopOptions o = options_of(REPORT_SYMBOL);
        size_t before;
        TopSamples s;

        o.session = "web";
        ck_assert_int_eq(top_samples_init(&s, &o, false, &made_member, 1), 0);
        ck_assert(s.renewed);
        s.renewed = false;
        for (uint64_t slice = 0; slice < 100; slice++)
                for (uint64_t i = 0; i < 100; i++)
                        made_take_sample_at(&s, PID, 0x400000 + i * 16, PERF_RECORD_MISC_USER, 8, slice * TOP_SLICE_NSEC + i);
        ck_assert_uint_eq(n_rows(&s), 10000);
        ck_assert_int_eq(top_samples_next_window(&s), 0);
        ck_assert_uint_eq(n_rows(&s), 10000);
        before = sample_table_memory(s.table);
        s.memory_max = before * 3 / 4;
        ck_assert_int_eq(top_samples_next_window(&s), 0);
        ck_assert_uint_eq(n_rows(&s), 5000);
        ck_assert_uint_eq(sample_table_rows(s.table, &(size_t) { 0 })->slice, 50 * TOP_SLICE_NSEC);
        ck_assert(!s.renewed);
        made_take_sample_at(&s, PID, 0x400000, PERF_RECORD_MISC_USER, 8, 99 * TOP_SLICE_NSEC + 50); /* joins its row */
        ck_assert_uint_eq(n_rows(&s), 5000);
        s.memory_max = 1;
        ck_assert_int_eq(top_samples_next_window(&s), 0);
        ck_assert(n_rows(&s) == 0 && s.renewed);
        top_samples_done(&s);
}
END_TEST

CHECK_MAIN("top-samples", names, maps, decay, left_out, forgetting, made_processes, bounded_slices);
