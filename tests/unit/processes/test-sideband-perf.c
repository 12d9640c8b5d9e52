/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf's output for a file that begins with the table's records: each sample belongs to its process's state of that
 * time. */

#include <inttypes.h>
#include <search.h>
#include "reader.h"
#include "sample.h"
#include "sideband-test.h"
#include "writer.h"

#define S "000000000"

/* A shell (5) forks 7, which runs in the shell's program, then in ls, and exits; its pid is reused for a worker. 9
 * forks 10 and exits, and 10 still has 9's mappings. 5 gets another name and another mapping. 11 has no samples. */
static const char records[] =
        "0 kernel ffffffff81000000 1000000 [kernel.kallsyms]_text\n"
        "0 fork 5 1\n0 comm 5 5 sh\n0 map 5 401000 2000 1000 /opt/sh\n0 thread 5 6\n0 comm 5 6 helper\n"
        "0 fork 9 1\n0 comm 9 9 server\n0 map 9 501000 2000 1000 /opt/server\n"
        "1" S " fork 7 5\n"
        "3" S " comm 7 7 ls exec\n"
        "3" S " map 7 401000 2000 0 /opt/ls\n"
        "5" S " exit 7 7\n"
        "5" S " fork 10 9\n"
        "5" S " exit 9 9\n"
        "6" S " fork 7 5\n"
        "6" S " comm 7 7 worker exec\n"
        "6" S " map 7 400000 4000 0 /opt/worker\n"
        "7" S " comm 5 5 shell\n"
        "7" S " map 5 401000 1000 0 /opt/plugin.so\n"
        "7" S " fork 11 5\n"
        "7" S " exit 11 11\n"
        "9" S " exit 7 7\n";

static const struct {
        uint32_t pid;
        uint64_t ip, time;
} samples[] = {
        { 5, 0x401100, UINT64_C(2000000000) }, { 7, 0x401100, UINT64_C(2100000000) }, { 7, 0x401200, UINT64_C(4000000000) },
        { 10, 0x501100, UINT64_C(5500000000) }, { 7, 0x401300, UINT64_C(8000000000) }, { 5, 0x401100, UINT64_C(8100000000) },
        { 5, 0x402100, UINT64_C(8200000000) }, { 10, 0x501200, UINT64_C(8300000000) },
};

static const char resolved[] = "sh 5 2.000000: 401100 (/opt/sh)\n"
                               "sh 7 2.100000: 401100 (/opt/sh)\n"
                               "ls 7 4.000000: 401200 (/opt/ls)\n"
                               "server 10 5.500000: 501100 (/opt/server)\n"
                               "worker 7 8.000000: 401300 (/opt/worker)\n"
                               "shell 5 8.100000: 401100 (/opt/plugin.so)\n"
                               "shell 5 8.200000: 402100 (/opt/sh)\n"
                               "server 10 8.300000: 501200 (/opt/server)\n";

static void write_file(SidebandTable *t, const uint32_t *pids, size_t n, const char *path) {
        static const uint64_t clock_ids[] = { 11 }, dummy_ids[] = { 40, 41 };
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        PerfDataEvent events[2];
        size_t n_events;

        memcpy(events, test_events(&n_events), sizeof(events));
        events[0].attr.sample_type = events[1].attr.sample_type = SIDEBAND_TEST_TYPE | PERF_SAMPLE_IP;
        events[0].ids = clock_ids;
        events[0].n_ids = ELEMENTSOF(clock_ids);
        events[1].ids = dummy_ids;
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n_events }, &w));
        ck_assert_ok(sideband_table_put(t, &(SidebandSamples) { .pids = pids, .n_pids = n }, &b));
        for (size_t i = 0; i < ELEMENTSOF(samples); i++) {
                const uint64_t words[] = { 11, samples[i].ip, (uint64_t) samples[i].pid << 32 | samples[i].pid, samples[i].time, 0 };
                const struct perf_event_header h = {
                        .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .size = sizeof(h) + sizeof(words),
                };

                byte_buffer_put(&b, &h, sizeof(h));
                byte_buffer_put(&b, words, sizeof(words));
        }
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, NULL, NULL, NULL));
}

static void assert_resolved(SidebandTable *t, const uint32_t *pids, size_t n) {
        _cleanup_free_ char *path = test_path("sideband"), *found = NULL;

        write_file(t, pids, n, path);
        found = test_command("perf script -f -F comm,pid,time,ip,dso -i %s 2>&1 | tr -s ' ' | sed 's/^ //; s/ $//'", path);
        ck_assert_str_eq(found, resolved);
}

START_TEST(each_sample_resolves) {
        static const uint32_t pids[] = { 5, 7, 10 };
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(records);

        assert_resolved(t, NULL, 0);
        assert_resolved(t, pids, ELEMENTSOF(pids));
        ck_assert_ok(sideband_table_forget_before(t, samples[0].time));
        assert_resolved(t, pids, ELEMENTSOF(pids));
        ck_assert_ok(sideband_table_keep_only(t, pids, ELEMENTSOF(pids)));
        ck_assert_uint_eq(sideband_test_n_ended(t), 2);
        assert_resolved(t, pids, ELEMENTSOF(pids));
        assert_resolved(t, NULL, 0);
}
END_TEST

START_TEST(shows_the_records) {
        _cleanup_sideband_table_free_ SidebandTable *t = sideband_test_new(records);
        _cleanup_free_ char *path = test_path("sideband"), *found = NULL, *report = NULL;

        write_file(t, NULL, 0, path);
        found = test_command("perf script -f --show-mmap-events --show-task-events -F comm,pid,time,event,ip -i %s 2>&1", path);
        ck_assert_ptr_nonnull(strstr(found, "PERF_RECORD_COMM exec: ls:7/7"));
        ck_assert_ptr_nonnull(strstr(found, "PERF_RECORD_MMAP2 7/7: [0x400000(0x4000) @ 0 08:01 77 0]: r-xp /opt/worker"));
        ck_assert_ptr_nonnull(strstr(found, "PERF_RECORD_EXIT(9:9)"));
        report = test_command("perf report -f --stdio --sort comm,dso -i %s 2>&1 | grep -v '^#'", path);
        ck_assert_ptr_nonnull(strstr(report, "12.50%  ls       ls"));
        ck_assert_ptr_nonnull(strstr(report, "25.00%  server   server"));
        ck_assert_ptr_null(strstr(report, "unknown"));
}
END_TEST

/* A recording by perf while programs start and exit: the side band before a time is in the table, the samples since
 * then in a buffer. */
typedef struct Recorded {
        SidebandTable *table;
        RecordBuffer samples;
        uint32_t pids[4096]; /* of the samples, ascending */
        size_t n_pids;
        uint64_t first;      /* the time of the first sample of all */
        uint64_t last;
} Recorded;

static int compare_pids(const void *a, const void *b) {
        const uint32_t *x = a, *y = b;

        return *x < *y ? -1 : *x > *y;
}

static void take_sample(Recorded *d, const struct perf_event_attr *attr, const struct perf_event_header *h, uint64_t since) {
        PerfSample s;

        ck_assert_ok(sample_parse(attr, h, &s));
        d->first = d->first == 0 ? s.time : MIN_OF(d->first, s.time);
        d->last = MAX_OF(d->last, s.time);
        if (s.time < since)
                return;
        byte_buffer_put(&d->samples, h, h->size);
        if (d->n_pids < ELEMENTSOF(d->pids) && !lfind(&s.pid, d->pids, &d->n_pids, sizeof(s.pid), compare_pids))
                d->pids[d->n_pids++] = s.pid;
}

static void take_all(Recorded *d, PerfDataReader *r, uint64_t since) {
        const struct perf_event_header *h;
        const PerfDataEvent *events;
        size_t cursor = 0;

        perf_data_reader_events(r, &events);
        ck_assert_ok(sideband_table_new(events->attr.sample_type, &d->table));
        while (perf_data_reader_next(r, &cursor, &h) == 1) {
                if (h->type == PERF_RECORD_SAMPLE)
                        take_sample(d, &events->attr, h, since);
                else if (h->type == PERF_RECORD_FINISHED_ROUND)
                        ck_assert_ok(sideband_table_round(d->table, false));
                else
                        ck_assert_ok(sideband_table_feed(d->table, h, h->size));
        }
        qsort(d->pids, d->n_pids, sizeof(*d->pids), compare_pids);
}

static void recorded_done(Recorded *d) {
        sideband_table_free(d->table);
        record_buffer_done(&d->samples);
        *d = (Recorded) {};
}

/* Writes the samples of the second half, with the table's records for them. */
static void rewrite(const char *from, const char *to, uint64_t *ret_since) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_(recorded_done) Recorded d = {};
        const PerfDataEvent *events;
        size_t n, ended;

        ck_assert_ok(perf_data_reader_new(AT_FDCWD, from, &r));
        n = perf_data_reader_events(r, &events);
        take_all(&d, r, UINT64_MAX);
        *ret_since = d.first + (d.last - d.first) / 2;
        recorded_done(&d);
        take_all(&d, r, *ret_since);
        ck_assert_ok(sideband_table_round(d.table, true));
        ended = sideband_test_n_ended(d.table);
        ck_assert_uint_gt(ended, 20);
        ck_assert_ok(sideband_table_forget_before(d.table, *ret_since));
        ck_assert_ok(sideband_table_keep_only(d.table, d.pids, d.n_pids));
        ck_assert_uint_lt(sideband_test_n_ended(d.table), ended);
        ck_assert_ok(sideband_table_put(d.table, &(SidebandSamples) { .pids = d.pids, .n_pids = d.n_pids }, &b));
        byte_buffer_put(&b, d.samples.data, d.samples.size);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, to, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, NULL, NULL, NULL));
}

/* Compares line by line, since the whole is longer than a message of Check's may be. */
static void assert_same_lines(char *a, char *b) {
        for (char *x, *y; (x = strsep(&a, "\n"));) {
                y = strsep(&b, "\n");
                ck_assert_ptr_nonnull(y);
                ck_assert_str_eq(y, x);
        }
        ck_assert_ptr_null(b);
}

#define SCRIPT "perf script -f -F comm,pid,tid,time,ip,dso --ns -i %s 2>/dev/null"

START_TEST(resolves_as_the_whole_recording) {
        _cleanup_free_ char *theirs = test_path("theirs"), *ours = test_path("ours"), *done = NULL, *a = NULL, *b = NULL;
        uint64_t since;

        done = test_command("perf record -q -e cpu-clock -F 5000 -a -o %s -- timeout 2 sh -c 'i=0; while [ $i -lt 60 ]; do "
                            "i=$((i+1)); (ls -l / | sort; test $i) >/dev/null; done' 2>&1; true", theirs);
        if (access(theirs, F_OK) < 0) {
                (void) fprintf(stderr, "resolves_as_the_whole_recording: perf may not record here, left out\n");
                return;
        }
        rewrite(theirs, ours, &since);
        a = test_command(SCRIPT " --time %" PRIu64 ".%09" PRIu64 ",", theirs, since / 1000000000, since % 1000000000);
        b = test_command(SCRIPT, ours);
        ck_assert_ptr_nonnull(a);
        ck_assert_ptr_nonnull(b);
        ck_assert_uint_gt(strlen(a), 10000);
        assert_same_lines(a, b);
}
END_TEST

int main(void) {
        const TTest *const all[] = { each_sample_resolves, shows_the_records, resolves_as_the_whole_recording };

        if (!test_have_perf()) {
                (void) fprintf(stderr, "perf is not installed\n");
                return TEST_SKIPPED;
        }
        return test_run("sideband-perf", all, ELEMENTSOF(all));
}
