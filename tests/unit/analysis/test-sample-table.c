/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <dirent.h>

#include "made-samples.h"
#include "made-switches.h"

static RecordTrailer at(uint64_t time) {
        return (RecordTrailer) { .sample_type = TEST_SAMPLE_TYPE, .time = time, .id = 21 };
}

static const char *row_comm(const SampleTable *t, const SampleRow *row) {
        return process_view_name(sample_table_view(t), row->name);
}

static const char *row_dso(SampleTable *t, const SampleRow *row) {
        const CodePlaces *places = sample_table_places(t);
        uint32_t dso = places->places[row->leaf].dso;

        return dso == DSO_NONE ? "" : places->dsos->dsos[dso].path;
}

/* Returns the samples of the rows of that thread's name and binary. */
static uint64_t count(SampleTable *t, const char *comm, const char *dso) {
        size_t n;
        const SampleRow *rows = sample_table_rows(t, &n);
        uint64_t sum = 0;

        for (size_t i = 0; i < n; i++)
                if (streq(row_comm(t, rows + i), comm) && streq(row_dso(t, rows + i), dso))
                        sum += rows[i].count;
        return sum;
}

START_TEST(equal_chains_are_one_row) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        const RecordTrailer none = at(0);
        const SampleRow *rows;
        const uint32_t *chain;
        size_t n;

        ck_assert_ok(record_put_comm(&b, 7, 7, "demo", 0, &none));
        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        for (uint64_t i = 0; i < 100; i++)
                MADE_SAMPLE(&b, 7, 7, 1000 + i, 0x400010, 0x400100 + i % 2);
        t = made_table(&b, NULL, 0);
        rows = sample_table_rows(t, &n);
        ck_assert_uint_eq(n, 2);
        ck_assert_uint_eq(rows[0].count, 50);
        ck_assert_uint_eq(rows[1].count, 50);
        ck_assert_uint_eq(rows[0].first, 1000);
        chain = sample_table_chain(t, rows[1].chain, &n);
        ck_assert_uint_eq(n, 2);
        ck_assert_uint_eq(sample_table_places(t)->places[chain[0]].ip, 0x400010);
        ck_assert_uint_eq(sample_table_places(t)->places[chain[1]].address, 0x101);
        ck_assert_uint_eq(sample_table_events(t, &n)[0].samples, 100);
}
END_TEST

/* Maps and names apply from their time on, whatever their place in the file. */
START_TEST(exec_in_the_order_of_time) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        const RecordTrailer none = at(0), exec = at(200), map = at(201);
        const RecordMap second = {
                .pid = 7, .tid = 7, .start = 0x400000, .length = 0x1000, .path = "/bin/second", .misc = PERF_RECORD_MISC_USER,
                .protection = 5, .flags = 2,
        };

        ck_assert_ok(record_put_comm(&b, 7, 7, "first", 0, &none));
        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/first", 1);
        MADE_SAMPLE(&b, 7, 7, 300, 0x400010);
        MADE_SAMPLE(&b, 7, 7, 301, 0x400010);
        MADE_SAMPLE(&b, 7, 7, 100, 0x400010);
        ck_assert_ok(record_put_comm(&b, 7, 7, "second", PERF_RECORD_MISC_COMM_EXEC, &exec));
        ck_assert_ok(record_put_mmap2(&b, &second, &map));
        t = made_table(&b, NULL, 0);
        ck_assert_uint_eq(count(t, "first", "/bin/first"), 1);
        ck_assert_uint_eq(count(t, "second", "/bin/second"), 2);
}
END_TEST

START_TEST(threads_have_names_of_their_own) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        const RecordTrailer none = at(0), fork_time = at(50), renamed = at(150);

        ck_assert_ok(record_put_comm(&b, 7, 7, "main", 0, &none));
        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        ck_assert_ok(record_put_fork(&b, 7, 7, 8, 7, 50, 0, &fork_time));
        MADE_SAMPLE(&b, 7, 8, 100, 0x400010);
        ck_assert_ok(record_put_comm(&b, 7, 8, "worker", 0, &renamed));
        MADE_SAMPLE(&b, 7, 8, 200, 0x400010);
        MADE_SAMPLE(&b, 9, 9, 200, 0x400010);
        t = made_table(&b, NULL, 0);
        ck_assert_uint_eq(count(t, "main", "/bin/demo"), 1);
        ck_assert_uint_eq(count(t, "worker", "/bin/demo"), 1);
        ck_assert_uint_eq(count(t, ":9", ""), 1);
}
END_TEST

START_TEST(selected_samples) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        const uint32_t pids[] = { 7 };
        const SampleSpan spans[] = { { .since = 100, .until = 150 }, { .since = 151, .until = 200 } };
        const SampleSelection selection = { .pids = pids, .n_pids = 1, .spans = spans, .n_spans = ELEMENTSOF(spans) };
        const SampleEvent *e;
        size_t n;

        for (uint64_t time = 50; time <= 250; time += 50) {
                MADE_SAMPLE(&b, 7, 7, time, 0x400010);
                MADE_SAMPLE(&b, 8, 8, time, 0x400010);
        }
        t = made_table(&b, &selection, 0);
        e = sample_table_events(t, &n);
        ck_assert_uint_eq(e->samples, 6);  /* the time decides whether a sample counts at all */
        ck_assert_uint_eq(e->selected, 3);
}
END_TEST

/* The idle task has the PID 0 and no user space. Without idle time no sum has its samples but the one of its own. */
START_TEST(idle_time) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_sample_table_free_ SampleTable *all = NULL, *busy = NULL;
        const SampleEvent *e;
        size_t n;

        for (uint64_t i = 0; i < 3; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 0, UINT64_C(0xffffffff81000100), 100 + i);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 0, 0x400010, 110);
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 7, UINT64_C(0xffffffff81000100), 111);
        all = made_table(&b, NULL, 0);
        e = sample_table_events(all, &n);
        ck_assert_uint_eq(e->samples, 5);
        ck_assert_uint_eq(e->selected, 5);
        ck_assert_uint_eq(e->idle, 3);
        busy = made_table(&b, &(SampleSelection) { .no_idle = true }, 0);
        e = sample_table_events(busy, &n);
        ck_assert_uint_eq(e->samples, 2);
        ck_assert_uint_eq(e->selected, 2);
        ck_assert_uint_eq(e->idle, 3);
        ck_assert_uint_eq(count(busy, "swapper", ""), 1);
}
END_TEST

START_TEST(threads_are_told_apart_if_wanted) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_sample_table_free_ SampleTable *one = NULL, *two = NULL;
        const RecordTrailer none = at(0);
        size_t n;

        ck_assert_ok(record_put_comm(&b, 7, 7, "demo", 0, &none));
        ck_assert_ok(record_put_comm(&b, 7, 8, "demo", 0, &none));
        MADE_SAMPLE(&b, 7, 7, 100, 0x400010);
        MADE_SAMPLE(&b, 7, 8, 101, 0x400010);
        one = made_table(&b, NULL, 0);
        two = made_table(&b, NULL, SAMPLE_BY_THREAD);
        (void) sample_table_rows(one, &n);
        ck_assert_uint_eq(n, 1);
        (void) sample_table_rows(two, &n);
        ck_assert_uint_eq(n, 2);
}
END_TEST

START_TEST(several_recordings) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("several.data");
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        size_t n;

        test_put_recording(&b, "/no/such/program");
        reader = test_recording(path, &b, NULL, 0);
        ck_assert_ok(sample_table_new(&(SampleTablePlan) {}, &t));
        ck_assert_ok(sample_table_read(t, reader, &(SampleReading) {}));
        ck_assert_ok(sample_table_read(t, reader, &(SampleReading) {}));
        ck_assert_uint_eq(sample_table_events(t, &n)[0].samples, 6);
        ck_assert_uint_eq(n, 2);
        ck_assert_uint_eq(count(t, "demo", "/no/such/program"), 4);
        ck_assert_uint_eq(count(t, "demo", "[kernel.kallsyms]"), 2);
}
END_TEST

/* The sum of all periods has an end, which the samples behind it do not move. */
START_TEST(endless_periods) {
        static const uint64_t chain[] = { 0x1000 }, other[] = { 0x2000 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        const SampleRow *rows;
        const SampleEvent *events;
        size_t n;

        made_sample(&b, 7, 7, 1, 5, chain, 1);
        made_sample(&b, 7, 7, 2, UINT64_MAX - 1, other, 1);
        made_sample(&b, 7, 7, 3, UINT64_MAX, chain, 1);
        t = made_table(&b, NULL, 0);
        rows = sample_table_rows(t, &n);
        ck_assert_uint_eq(n, 2);
        ck_assert_uint_eq(rows[0].period, 5);
        ck_assert_uint_eq(rows[1].period, UINT64_MAX - 5);
        events = sample_table_events(t, &n);
        ck_assert_uint_eq(events->period, UINT64_MAX);
        ck_assert_uint_eq(events->samples, 3);
        ck_assert_uint_eq(sample_table_totals(t)->lightened, 2);
}
END_TEST

/* A file that ends within a record: what is before counts. */
START_TEST(cut_file) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("whole.data"), *cut = test_path("cut.data"), *data = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *whole = NULL, *reader = NULL;
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        _cleanup_close_ int fd = -EBADF;
        size_t n, size;

        for (uint64_t i = 0; i < 1000; i++)
                MADE_SAMPLE(&b, 7, 7, 1000 + i, 0x400010 + i);
        whole = test_recording(path, &b, NULL, 0);
        data = test_read_file(path, &size);
        test_write_file(cut, data, size / 2 + 3);
        fd = open(cut, O_RDONLY | O_CLOEXEC);
        ck_assert_int_eq(perf_data_reader_new_fd(fd, &reader), -EBADMSG);
        ck_assert_ok(perf_data_reader_new_partial(fd, &reader));
        ck_assert(perf_data_reader_is_cut(reader));
        ck_assert_ok(perf_data_reader_read_blocks(reader, fd));
        ck_assert_ok(sample_table_new(&(SampleTablePlan) {}, &t));
        ck_assert_int_eq(sample_table_read(t, reader, &(SampleReading) {}), -EBADMSG);
        ck_assert_uint_gt(sample_table_events(t, &n)[0].samples, 400);
        ck_assert_uint_lt(sample_table_events(t, &n)[0].samples, 600);
}
END_TEST

/* Makes the recording of two threads of which one is called "demo". */
static PerfDataReader *made_two(const char *name) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path(name);
        const RecordTrailer none = at(0), lost = at(150);

        ck_assert_ok(record_put_comm(&b, 7, 7, "demo", 0, &none));
        ck_assert_ok(record_put_comm(&b, 8, 8, "other", 0, &none));
        MADE_SAMPLE(&b, 7, 7, 100, 0x400010);
        MADE_SAMPLE(&b, 8, 8, 101, 0x400010);
        ck_assert_ok(record_put_lost_samples(&b, 5, &lost));
        MADE_SAMPLE(&b, 7, 7, 200, 0x400010);
        MADE_SAMPLE(&b, 7, 7, 201, 0x400020);
        return test_recording(path, &b, NULL, 0);
}

/* Only records that are asked for are moments. */
START_TEST(rows_of_samples) {
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = made_two("samples.data");
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        const SampleSelection selection = { .comms = (char *[]) { (char *) "demo", NULL } };
        const SampleReading reading = { .selection = &selection, .records = 1u << PERF_RECORD_LOST_SAMPLES };
        static const uint64_t times[] = { 100, 101, 150, 200, 201 };
        static const uint32_t expected[] = { 0, SAMPLE_NO_ROW, SAMPLE_NO_ROW, 0, 1 };
        size_t n = 0;
        Replay *replay;
        Moment m;

        ck_assert_ok(sample_table_new(&(SampleTablePlan) {}, &t));
        ck_assert_ok(sample_table_begin(t, reader, &reading, &replay));
        for (; replay_next(replay, &m) == 1; n++) {
                uint32_t row = SAMPLE_NO_ROW;

                ck_assert_uint_lt(n, ELEMENTSOF(times));
                ck_assert_int_eq(moment_is_sample(&m), n != 2);
                ck_assert_uint_eq(m.time, times[n]);
                if (moment_is_sample(&m))
                        ck_assert_ok(sample_table_count(t, &m, NULL, &row));
                ck_assert_uint_eq(row, expected[n]);
        }
        ck_assert_uint_eq(n, ELEMENTSOF(times));
        ck_assert_uint_eq(sample_table_end(t).lost_samples, 5);
        ck_assert_uint_eq(sample_table_totals(t)->lost_samples, 5);
}
END_TEST

/* A sample that is not selected by name, CPU or time may be a moment, too, and is in no row. */
START_TEST(samples_that_are_not_selected) {
        const int other_cpus[] = { 3 };
        const SampleSelection selections[] = {
                { .comms = (char *[]) { (char *) "demo", NULL } },
                { .cpus = other_cpus, .n_cpus = 1 },
                { .spans = &(SampleSpan) { .since = 50, .until = 100 }, .n_spans = 1 },
        };

        for (size_t i = 0; i < ELEMENTSOF(selections); i++) {
                static const MomentSelection expected[][4] = {
                        { MOMENT_SELECTED, MOMENT_OTHER_TASK, MOMENT_SELECTED, MOMENT_SELECTED },
                        { MOMENT_OTHER_TIME, MOMENT_OTHER_TIME, MOMENT_OTHER_TIME, MOMENT_OTHER_TIME },
                        { MOMENT_SELECTED, MOMENT_OTHER_TIME, MOMENT_OTHER_TIME, MOMENT_OTHER_TIME },
                };
                static const uint64_t counted[] = { 4, 0, 1 };
                _cleanup_perf_data_reader_free_ PerfDataReader *reader = made_two("all.data");
                _cleanup_sample_table_free_ SampleTable *t = NULL;
                const SampleReading reading = { .selection = selections + i, .all = true };
                size_t n = 0, n_events;
                Replay *replay;
                Moment m;

                ck_assert_ok(sample_table_new(&(SampleTablePlan) {}, &t));
                ck_assert_ok(sample_table_begin(t, reader, &reading, &replay));
                for (; replay_next(replay, &m) == 1; n++) {
                        uint32_t row;

                        ck_assert_uint_lt(n, 4);
                        ck_assert_int_eq(m.selected, expected[i][n]);
                        ck_assert_ok(sample_table_count(t, &m, NULL, &row));
                        ck_assert_int_eq(row == SAMPLE_NO_ROW, m.selected != MOMENT_SELECTED);
                }
                (void) sample_table_end(t);
                ck_assert_uint_eq(n, 4);
                ck_assert_uint_eq(sample_table_events(t, &n_events)->samples, counted[i]);
        }
}
END_TEST

static size_t count_threads(void) {
        _cleanup_closedir_ DIR *threads = opendir("/proc/self/task");
        size_t n = 0;

        ck_assert_ptr_nonnull(threads);
        for (const struct dirent *d; (d = readdir(threads));)
                n += d->d_name[0] != '.';
        return n;
}

/* The caller may fork to make labels. */
START_TEST(labels_are_made_in_the_only_thread) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("labels.data");
        const MadeSwitch all[] = { { 1, 0, 7, 8, 0, { 0 }, NULL }, { 2, 0, 8, 7, 2, { 0 }, NULL } };
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        const SampleLabel label = { .texts = "label", .size = sizeof("label") };
        Replay *replay;
        Moment m;
        size_t n = 0;

        made_switches(&b, all, 2);
        made_sched_recording(path, &b, NULL, NULL);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &reader));
        ck_assert_ok(sample_table_new(&(SampleTablePlan) { .dimensions = SAMPLE_BY_LABEL }, &t));
        ck_assert_ok(sample_table_begin(t, reader, &(SampleReading) { .labels = true }, &replay));
        for (; replay_next(replay, &m) == 1; n++) {
                uint32_t row;

                ck_assert_uint_eq(count_threads(), 1);
                ck_assert_ptr_nonnull(m.sample->raw);
                ck_assert_ok(sample_table_count(t, &m, &label, &row));
                ck_assert_str_eq(sample_table_label(t, sample_table_rows(t, &(size_t) { 0 })[row].label, 0), "label");
        }
        (void) sample_table_end(t);
        ck_assert_uint_eq(n, 2);
}
END_TEST

/* In the kernel and in user space, one address is not a caller's: that of the instruction that was hit, or left user space. */
START_TEST(callers) {
        static const bool expected[] = { false, true, false, true };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        const uint32_t *chain;
        size_t n;

        test_put_map(&b, 7, 0x400000, 0x1000, "/bin/demo", 1);
        ck_assert_ok(record_put_ksymbol(&b, UINT64_C(0xffffffffc0001000), 0x100, 1, 0, "bpf_prog_1", NULL));
        MADE_SAMPLE(&b, 7, 7, 1000, PERF_CONTEXT_KERNEL, UINT64_C(0xffffffffc0001010), UINT64_C(0xffffffffc0001020),
                    PERF_CONTEXT_USER, 0x400010, 0x400020);
        t = made_table(&b, NULL, 0);
        chain = sample_table_chain(t, sample_table_rows(t, &n)->chain, &n);
        ck_assert_uint_eq(n, ELEMENTSOF(expected));
        for (size_t i = 0; i < n; i++)
                ck_assert_int_eq(sample_table_places(t)->places[chain[i]].caller, expected[i]);
}
END_TEST

TEST_RUN("sample-table", labels_are_made_in_the_only_thread, rows_of_samples, samples_that_are_not_selected,
         equal_chains_are_one_row, exec_in_the_order_of_time, threads_have_names_of_their_own, selected_samples, idle_time,
         threads_are_told_apart_if_wanted, several_recordings, endless_periods, cut_file, callers);
