/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Recordings that stat-recording.c writes, and what stat-report.c shows of them. The texts are those of perf stat report 6.1 for the
 * same files, unless it is said. */

#include <fcntl.h>
#include <sys/stat.h>

#include "array.h"
#include "capture.h"
#include "check-main.h"
#include "format-text.h"
#include "reader.h"
#include "record-layout.h"
#include "scratch.h"
#include "stat-recording.h"
#include "stat-report.h"

static const int all_cpus[] = { 0, 1 }, any_cpu = -1;
static const RecordThread all_threads = { -1, "" }, two_threads[] = { { 17, "bash" }, { 4711, "cat" } };

static const CountEvent events[] = {
        { .name = "cpu-clock", .unit = "msec", .scale = 1e-6, .supported = true,
          .attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .exclude_guest = 1 } },
        { .name = "page-faults", .scale = 1, .supported = true,
          .attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS, .exclude_guest = 1 } },
        { .name = "cycles", .scale = 1, .attr = { .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES, .exclude_guest = 1 } },
};

static const CountLayout by_cpu = { .events = events, .n_events = 3, .cpus = all_cpus, .n_cpus = 2, .threads = &all_threads, .n_threads = 1 },
                         by_thread = { .events = events, .n_events = 3, .cpus = &any_cpu, .n_cpus = 1, .threads = two_threads,
                                       .n_threads = 2 };

/* These are counts of both layouts: on CPUs 0 and 1, or for the first and the second thread. */
static const Count first[] = { { 1000000000, 1000000000, 1000000000 }, { 2000000000, 2000000000, 2000000000 },
                               { 3000, 100, 50 }, { 4000, 100, 50 }, { 0, 0, 0 }, { 0, 0, 0 } },
                   second[] = { { 1500000000, 1500000000, 1500000000 }, { 2500000000, 2500000000, 2500000000 },
                                { 3001, 101, 51 }, { 4002, 102, 52 }, { 0, 0, 0 }, { 0, 0, 0 } };

static const StatRecordingOptions plain = { .layout = &by_cpu };

/* Writes a recording of one or two rounds. Returns its path. */
static char *record(const char *dir, const CountLayout *l, const CountConfig *config) {
        _cleanup_(stat_recording_done) StatRecording r = STAT_RECORDING_EMPTY;
        char *path = format_text("%s/perf.data", dir);
        char *line[] = { (char *) "meter", (char *) "stat", (char *) "record", NULL };

        ck_assert_ptr_nonnull(path);
        ck_assert_int_eq(stat_recording_begin(&r, path, &(StatRecordingOptions) { l, *config, NULL, line }), 0);
        stat_recording_add(&r, l, first, config->interval == 0, 500000000);
        if (config->interval > 0)
                stat_recording_add(&r, l, second, false, 1100000000);
        ck_assert_int_eq(stat_recording_finish(&r), 0);
        return path;
}

/* Returns what is shown of a recording, and what standard error has. */
static char *show(const char *path, const StatHow *how, int status) {
        const StatOptions o = { .mode = STAT_REPORT, .recording = path, .how = *how };
        int saved = capture_begin(STDERR_FILENO), r = stat_report(&o, stderr);
        char *text = capture_end(STDERR_FILENO, saved);

        ck_assert_msg(r == status, "status %d:\n%s", r, text);
        return text;
}

static void assert_shown(const char *path, const StatHow *how, int status, const char *expected) {
        _cleanup_free_ char *text = show(path, how, status);

        ck_assert_str_eq(text, expected);
}

#define TITLE "\n Performance counter stats for 'meter stat record':\n\n"
#define END "\n       0.500000000 seconds time elapsed\n\n"

START_TEST(totals) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = record(dir, &by_cpu, &(CountConfig) { .placing = COUNT_ALL });

        assert_shown(path, &(StatHow) {}, 0, TITLE
                     "           3000.00 msec cpu-clock                        #    6.000 CPUs utilized          \n"
                     "             14000      page-faults                      #    4.667 K/sec                    (50.00%)\n"
                     "   <not supported>      cycles                                                      \n" END);
        assert_shown(path, &(StatHow) { .separator = "," }, 0,
                     "3000.00,msec,cpu-clock,3000000000,100.00,6.000,CPUs utilized\n"
                     "14000,,page-faults,100,50.00,4.667,K/sec\n"
                     "<not supported>,,cycles,0,0.00,,\n"); /* perf has 100.00 percent of nothing */
}
END_TEST

/* The options of report come before what was recorded. */
START_TEST(cpus_apart) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *apart = record(dir, &by_cpu, &(CountConfig) { .placing = COUNT_BY_CPU, .no_scale = true }), *path = NULL;
        static const char rows[] = "CPU0,1000.00,msec,cpu-clock,1000000000,100.00,2.000,CPUs utilized\n"
                                   "CPU1,2000.00,msec,cpu-clock,2000000000,100.00,4.000,CPUs utilized\n"
                                   "CPU0,3000,,page-faults,50,50.00,3.000,K/sec\n"
                                   "CPU1,4000,,page-faults,50,50.00,2.000,K/sec\n"
                                   "CPU0,<not supported>,,cycles,0,0.00,,\n"
                                   "CPU1,<not supported>,,cycles,0,0.00,,\n";

        assert_shown(apart, &(StatHow) { .separator = "," }, 0, rows);
        path = record(dir, &by_cpu, &(CountConfig) { .placing = COUNT_ALL, .no_scale = true });
        assert_shown(path, &(StatHow) { .separator = ",", .placing = STAT_BY_CPU }, 0, rows);
}
END_TEST

START_TEST(threads_apart) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = record(dir, &by_thread, &(CountConfig) { .placing = COUNT_BY_THREAD, .no_scale = true }), *text = NULL,
                            *expected = NULL;
        static const char rows[] = "cat-4711,2000.00,msec,cpu-clock,2000000000,100.00,4.000,CPUs utilized\n"
                                   "bash-17,1000.00,msec,cpu-clock,1000000000,100.00,2.000,CPUs utilized\n"
                                   "cat-4711,4000,,page-faults,50,50.00,2.000,K/sec\n"
                                   "bash-17,3000,,page-faults,50,50.00,3.000,K/sec\n"
                                   "bash-17,<not supported>,,cycles,0,0.00,,\n"
                                   "cat-4711,<not supported>,,cycles,0,0.00,,\n";

        assert_shown(path, &(StatHow) { .separator = "," }, 0, rows);
        text = show(path, &(StatHow) { .separator = ",", .placing = STAT_BY_CORE }, 0);
        expected = format_text("%s has counts of tasks, which are not apart by CPU\n%s", path, rows);
        ck_assert_str_eq(text, expected);
}
END_TEST

/* An interval has what came since the previous one, and the summary has all. perf has no share of the CPUs here,
 * and other rates from the second interval on: it divides by the mean of the clocks of all intervals. */
START_TEST(intervals) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = record(dir, &by_cpu, &(CountConfig) { .placing = COUNT_ALL, .interval = 500, .no_scale = true });

        assert_shown(path, &(StatHow) {}, 0,
                     "#           time             counts unit events\n"
                     "     0.500000000            3000.00 msec cpu-clock                        #    6.000 CPUs utilized          \n"
                     "     0.500000000               7000      page-faults                      #    2.333 K/sec                    (50.00%)\n"
                     "     0.500000000    <not supported>      cycles                                                      \n"
                     "     1.100000000            1000.00 msec cpu-clock                        #    2.000 CPUs utilized          \n"
                     "     1.100000000                  3      page-faults                      #    3.000 /sec                   \n"
                     "     1.100000000    <not supported>      cycles                                                      \n");
        assert_shown(path, &(StatHow) { .separator = ",", .summary = true }, 0,
                     "     0.500000000,3000.00,msec,cpu-clock,3000000000,100.00,6.000,CPUs utilized\n"
                     "     0.500000000,7000,,page-faults,100,50.00,2.333,K/sec\n"
                     "     0.500000000,<not supported>,,cycles,0,0.00,,\n"
                     "     1.100000000,1000.00,msec,cpu-clock,1000000000,100.00,2.000,CPUs utilized\n"
                     "     1.100000000,3,,page-faults,3,100.00,3.000,/sec\n"
                     "     1.100000000,<not supported>,,cycles,0,0.00,,\n"
                     "         summary,4000.00,msec,cpu-clock,4000000000,100.00,3.636,CPUs utilized\n"
                     "         summary,7003,,page-faults,103,50.00,1.751,K/sec\n"
                     "         summary,<not supported>,,cycles,0,0.00,,\n");
}
END_TEST

/* A file that is there becomes NAME.old, and the new one is there whole or not at all. */
START_TEST(files) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = record(dir, &by_cpu, &(CountConfig) {}), *again = record(dir, &by_cpu, &(CountConfig) {}),
                            *old = format_text("%s.old", path);
        _cleanup_(stat_recording_done) StatRecording r = STAT_RECORDING_EMPTY;
        struct stat st;

        ck_assert_int_eq(stat(old, &st), 0);
        ck_assert_int_eq(stat(again, &st), 0);
        ck_assert_int_eq(unlink(path), 0);
        ck_assert_int_eq(stat_recording_begin(&r, path, &plain), 0);
        stat_recording_add(&r, &by_cpu, first, true, 1);
        stat_recording_done(&r);
        r = (StatRecording) STAT_RECORDING_EMPTY;
        ck_assert_int_eq(stat(path, &st), -1);
        ck_assert_int_eq(stat_recording_begin(&r, "/nonexistent/file", &plain), -ENOENT);
}
END_TEST

/* A device, of which one is always full, gets a stream; an error is kept until the end. */
START_TEST(devices) {
        _cleanup_(stat_recording_done) StatRecording r = STAT_RECORDING_EMPTY, full = STAT_RECORDING_EMPTY;

        ck_assert_int_eq(stat_recording_begin(&r, "/dev/null", &plain), 0);
        stat_recording_add(&r, &by_cpu, first, true, 1);
        ck_assert_int_eq(stat_recording_finish(&r), 0);
        ck_assert_int_eq(stat_recording_begin(&full, "/dev/full", &plain), -ENOSPC);
}
END_TEST

static void assert_ends(const char *text, const char *end) {
        ck_assert_msg(strlen(text) >= strlen(end) && streq(text + strlen(text) - strlen(end), end), "%s", text);
}

static void copy_start(const char *path, const char *dir, size_t size) {
        _cleanup_free_ char *data = NULL;
        size_t n;

        ck_assert_int_eq(read_file(path, 1024 * 1024, &data, &n), 0);
        ck_assert_uint_ge(n, size);
        scratch_write(dir, "cut", data, size);
}

/* A file that is cut is shown up to there, which is an error. */
START_TEST(cut_files) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = record(dir, &by_cpu, &(CountConfig) { .placing = COUNT_ALL, .interval = 500 }),
                            *cut = format_text("%s/cut", dir), *text = NULL, *empty = NULL, *head = NULL, *missing = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        PerfFileSection data;

        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, path, &reader), 0);
        perf_data_reader_data(reader, &data);
        copy_start(path, dir, data.offset + data.size - sizeof(PerfRecordStatRound));
        text = show(cut, &(StatHow) { .separator = "," }, 1);
        ck_assert_msg(startswith(text, "     0.500000000,3000.00,msec,cpu-clock,3000000000,100.00,"), "%s", text);
        ck_assert_ptr_null(strstr(text, "1.100000000"));
        assert_ends(text, "within its data: only a part of it could be read\n");
        copy_start(path, dir, 0);
        empty = show(cut, &(StatHow) {}, 1);
        assert_ends(empty, "/cut: it is empty\n");
        copy_start(path, dir, sizeof(PerfFileHeader));
        head = show(cut, &(StatHow) {}, 1);
        assert_ends(head, "/cut: it is cut before its data\n");
        missing = show("/nonexistent/file", &(StatHow) {}, 1);
        ck_assert_str_eq(missing, "Failed to open /nonexistent/file: No such file or directory\n");
}
END_TEST

/* A count for a thread that the file does not list, behind a whole round. */
START_TEST(broken_files) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = record(dir, &by_cpu, &(CountConfig) { .interval = 500 }), *data = NULL, *text = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        PerfFileSection section;
        PerfRecordStat *last;
        size_t n;

        ck_assert_int_eq(perf_data_reader_new(AT_FDCWD, path, &reader), 0);
        perf_data_reader_data(reader, &section);
        ck_assert_int_eq(read_file(path, 1024 * 1024, &data, &n), 0);
        last = (PerfRecordStat *) (data + section.offset + section.size - sizeof(PerfRecordStatRound)) - 1;
        ck_assert(last->header.type == PERF_RECORD_STAT && last->thread == 0);
        last->thread = 5;
        scratch_write(dir, "perf.data", data, n);
        text = show(path, &(StatHow) { .separator = "," }, 1);
        ck_assert_ptr_nonnull(startswith(text, "     0.500000000,CPU0,1000.00,"));
        ck_assert_ptr_null(strstr(text, "1.100000000"));
        assert_ends(text, "/perf.data counts for thread number 5, which it does not list\n");
}
END_TEST

/* A recording of samples has no counts. */
START_TEST(other_recordings) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = format_text("%s/samples", dir), *text = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        const PerfDataEvent event = { .name = "cycles" };

        ck_assert_int_eq(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = &event, .n_events = 1 }, &w), 0);
        ck_assert_int_eq(perf_data_writer_finish(w, NULL, NULL, NULL), 0);
        text = show(path, &(StatHow) {}, 1);
        assert_ends(text, "/samples has no counts\n");
}
END_TEST

CHECK_MAIN("stat-recording", totals, cpus_apart, threads_apart, intervals, files, devices, cut_files, broken_files, other_recordings);
