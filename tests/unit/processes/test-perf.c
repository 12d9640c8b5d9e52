/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf's output for our files, which is the same for our copy of a file that it made on this machine. These tests are
 * skipped, with the reason, if perf is missing or may not record. */

#include "feature-machine.h"
#include "hits-test.h"
#include "reader.h"
#include "strv.h"
#include "tracing-data.h"

static void add_features(FeatureTable *t, DsoHits *hits, const PerfDataEvent *events, size_t n, const char *version,
                         char *const *command_line) {
        _cleanup_strv_free_ char **tracepoints = NULL;
        uint64_t first, last;

        for (size_t i = 0; i < n; i++)
                if (events[i].attr.type == PERF_TYPE_TRACEPOINT)
                        ck_assert_ok(strv_extend(&tracepoints, events[i].name));
        if (tracepoints)
                ck_assert_ok(feature_table_add_tracing_data(t, "/sys/kernel/tracing", tracepoints));
        ck_assert_ok(feature_table_add_machine(t, NULL));
        ck_assert_ok(feature_table_add_version(t, version));
        ck_assert_ok(feature_table_add_command_line(t, command_line));
        ck_assert_ok(feature_table_add_events(t, events, n));
        ck_assert_ok(feature_table_add_build_ids(t, hits, NULL, NULL));
        if (dso_hits_times(hits, &first, &last))
                ck_assert_ok(feature_table_add_sample_time(t, first, last));
}

static void write_ours(const char *path) {
        static char word[] = "perf-recorder-worker", option[] = "-a";
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_dso_hits_free_ DsoHits *hits = NULL;
        const PerfDataEvent *events;
        size_t n;

        events = test_events(&n);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(feature_table_new(&t));
        test_put_recording(&b, "/bin/sh");
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(dso_hits_new(events, n, false, &hits));
        ck_assert_ok(test_feed(hits, &b));
        add_features(t, hits, events, n, "1.2.3", (char *[]) { word, option, NULL });
        ck_assert_ok(feature_table_add_clock(t, CLOCK_MONOTONIC));
        ck_assert_ok(perf_data_writer_finish(w, t, NULL, NULL));
}

static void assert_contains(const char *text, const char *const *parts, size_t n) {
        ck_assert_ptr_nonnull(text);
        for (size_t i = 0; i < n; i++)
                ck_assert_msg(strstr(text, parts[i]), "\"%s\" is not in:\n%s", parts[i], text);
}

#define ASSERT_CONTAINS(text, ...) \
        assert_contains(text, (const char *const[]) { __VA_ARGS__ }, sizeof((const char *[]) { __VA_ARGS__ }) / sizeof(char *))

START_TEST(perf_reads_the_header) {
        _cleanup_free_ char *path = test_path("ours"), *text = NULL;

        write_ours(path);
        text = test_command("perf report --header-only -I -f -i %s 2>&1", path);
        ASSERT_CONTAINS(text, "# hostname : ", "# os release : ", "# perf version : 1.2.3", "# arch : ", "# nrcpus online : ",
                        "# nrcpus avail : ", "# total memory : ", "# cmdline : perf-recorder-worker -a", "# event : name = cpu-clock",
                        "# event : name = dummy:u, , id = { 21, 22 }", "# sibling sockets : ", "# CPU 0: Core ID ", "# pmu mappings: ",
                        "software = 1", "# time of first sample : 1.000000", "# time of last sample : 3.000000",
                        "# clockid frequency: ", "# clockid: monotonic (1)", "# reference time: ");
        ck_assert_ptr_null(strstr(text, "FATAL"));
        ck_assert_ptr_null(strstr(text, "unsupported"));
}
END_TEST

START_TEST(perf_reads_the_records) {
        _cleanup_free_ char *path = test_path("ours"), *script = NULL, *events = NULL, *ids = NULL, *dump = NULL;

        write_ours(path);
        script = test_command("perf script -f -F comm,pid,time,event,ip,sym,dso -i %s 2>/dev/null | tr -s ' '", path);
        ASSERT_CONTAINS(script, "demo 4000 1.000000", "cpu-clock", "demo 4000 3.000000");
        events = test_command("perf evlist -v -f -i %s 2>/dev/null", path);
        ASSERT_CONTAINS(events, "cpu-clock: type: 1", "dummy:u: type: 1", "sample_id_all: 1");
        ids = test_command("perf buildid-list -f -i %s 2>/dev/null", path);
        ASSERT_CONTAINS(ids, " /bin/sh");
        dump = test_command("perf script -f -D -i %s 2>/dev/null", path);
        ASSERT_CONTAINS(dump, "PERF_RECORD_THREAD_MAP nr: 1 thread: -1", "PERF_RECORD_CPU_MAP: 0-1", "PERF_RECORD_FORK(4000:4000):(1:1)",
                        "PERF_RECORD_COMM: demo:4000/4000", "r-xp /bin/sh", "PERF_RECORD_FINISHED_INIT", "PERF_RECORD_FINISHED_ROUND");
}
END_TEST

/* Reads perf's file and writes all of it again, with the features of this machine. */
static void copy_file(const char *from, const char *to) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *t = NULL;
        _cleanup_dso_hits_free_ DsoHits *hits = NULL;
        _cleanup_strv_free_ char **command_line = NULL;
        const struct perf_event_header *record;
        const PerfDataEvent *events;
        const char *version;
        size_t n, cursor = 0;
        PerfDataEvent copies[8];

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, from, &r));
        n = perf_data_reader_events(r, &events);
        ck_assert_uint_le(n, ELEMENTSOF(copies));
        memcpy(copies, events, n * sizeof(*copies));
        copies[0].group_members = 2; /* as requested below */
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, to, &(PerfDataWriterOptions) { .events = copies, .n_events = n }, &w));
        ck_assert_ok(dso_hits_new(copies, n, false, &hits));
        while (perf_data_reader_next(r, &cursor, &record) == 1) {
                struct iovec segment = { .iov_base = (void *) record, .iov_len = record->size };

                ck_assert_ok(perf_data_writer_append(w, &segment, 1));
                ck_assert_ok(dso_hits_feed(hits, record, record->size));
        }
        ck_assert_ok(perf_data_reader_command_line(r, &command_line));
        ck_assert_ok(perf_data_reader_feature_string(r, PERF_FEATURE_VERSION, &version));
        ck_assert_ok(feature_table_new(&t));
        add_features(t, hits, copies, n, version, command_line);
        ck_assert_ok(perf_data_writer_finish(w, t, NULL, NULL));
}

static void assert_same(const char *command, const char *theirs, const char *ours) {
        _cleanup_free_ char *a = test_command("{ %s -f -i %s; } 2>&1", command, theirs);
        _cleanup_free_ char *b = test_command("{ %s -f -i %s; } 2>&1", command, ours);

        ck_assert_ptr_nonnull(a);
        ck_assert_ptr_nonnull(b);
        ck_assert_str_eq(b, a);
}

/* Compares the headers without fields that differ by time, and with the PMUs in one order. perf 6.12 has a PMU "cpu",
 * without capabilities, if there is none. */
static void assert_same_header(const char *theirs, const char *ours) {
        static const char filter[] = "perf report --header-only -I -f -i %s 2>&1 | tr ',' '\\n' | "
                                     "sed 's/^# pmu mappings: / /; s/free = .*//; s/ CPU_PMU_CAPS / /' | sort | "
                                     "grep -v -e 'captured on' -e 'feat offset' -e bpf_prog -e btf "
                                     "-e '^ cpu = 4$' -e 'cpu pmu capabilities: not'";
        _cleanup_free_ char *a = NULL, *b = NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        a = test_command(filter, theirs);
        b = test_command(filter, ours);
#pragma GCC diagnostic pop
        ck_assert_ptr_nonnull(a);
        ck_assert_str_eq(b, a);
}

START_TEST(a_copy_says_what_the_original_says) {
        _cleanup_free_ char *theirs = test_path("theirs"), *ours = test_path("copy"), *done = NULL, *a = NULL, *b = NULL;

        done = test_command("perf record -q -e '{cpu-clock,task-clock}' -e sched:sched_switch -F 5000 -o %s -- "
                            "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; "
                            "md5sum /usr/bin/[a-d]* >/dev/null 2>&1' 2>&1; true", theirs);
        if (access(theirs, F_OK) < 0) {
                (void) fprintf(stderr, "a_copy_says_what_the_original_says: perf may not record here, left out\n");
                return;
        }
        copy_file(theirs, ours);
        assert_same_header(theirs, ours);
        assert_same("perf script", theirs, ours);
        assert_same("perf evlist -v", theirs, ours);
        assert_same("perf evlist -g", theirs, ours);
        a = test_command("perf buildid-list -f -i %s | sort", theirs);
        b = test_command("perf buildid-list -f -i %s | sort", ours);
        ck_assert_str_eq(b, a);
}
END_TEST

int main(void) {
        const TTest *const all[] = { perf_reads_the_header, perf_reads_the_records, a_copy_says_what_the_original_says };

        if (!test_have_perf()) {
                (void) fprintf(stderr, "perf is not installed\n");
                return TEST_SKIPPED;
        }
        return test_run("perf", all, ELEMENTSOF(all));
}
