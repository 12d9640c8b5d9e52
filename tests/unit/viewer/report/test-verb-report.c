/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view end to end: files, pipes, broken files, exit statuses. */

#include <sys/wait.h>
#include <sys/xattr.h>

#include <perf-recorder/dump-facts.h>

#include "made-facets.h"
#include "made-program.h"
#include "parse-time.h"

#define PREFIX VIEWER " report "
#define SCRIPT "ASAN_OPTIONS=detect_leaks=0 " VIEWER " script "

START_TEST(golden) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *file = NULL, *piped = NULL;

        file = test_command(PREFIX "-i %s -s comm 2>/dev/null", path);
        piped = test_command("cat %s | " PREFIX "-i - -s comm 2>/dev/null", path);
        ck_assert_ptr_nonnull(file);
        ck_assert_ptr_nonnull(piped);
        ck_assert_str_eq(file, piped);
        ck_assert_ptr_nonnull(strstr(file, "# Samples: "));
}
END_TEST

START_TEST(names_of_functions) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("program", made_source, "-O0"), *path = test_path("names.data"), *text = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        BuildIdEntry id;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000 + made_offset(program, "inner"), 1000);
        reader = test_recording(path, &b, &id, 1);
        text = test_command(PREFIX "-i %s -q -s sym -g none --no-children", path);
        ck_assert_str_eq(text, "   100.00%  [.] inner\n\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -n -w 11,0,7,4 -s sym,comm -g none --no-children | tail -n +9", path);
        ck_assert_str_eq(text, "#    Overhead       Samples  Symbol   Comm\n# ...........  ............  .......  ....\n#\n"
                               "      100.00%             1  [.] inn  :7  \n\n\n");
}
END_TEST

/* DWARF is read in a process that is forked behind the sandbox. */
START_TEST(lines_of_source) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("lines", made_source, "-g -Wl,--build-id"), *path = test_path("lines.data"),
                            *text = NULL, *whole = NULL;
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        BuildIdEntry id;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000 + made_offset(program, "inner"), 1000);
        reader = test_recording(path, &b, &id, 1);
        text = test_command(PREFIX "-i %s -q -s srcline,srcfile -g none --inline --no-children", path);
        ck_assert_str_eq(text, "   100.00%  lines.c:2    lines.c\n\n\n");
        whole = test_command(PREFIX "-i %s -q -s srcfile -g none --full-source-path", path);
        ck_assert_ptr_nonnull(strstr(whole, "/lines.c\n"));
}
END_TEST

START_TEST(fields_of_tracepoints) {
        _cleanup_free_ char *path = test_golden("perf-6.1-pipe-compressed.data"), *text = NULL, *json = NULL;

        text = test_command(PREFIX "-i %s -q -s trace -g none 2>/dev/null", path);
        ck_assert_ptr_nonnull(strstr(text, "    50.00%  dfd: 0xffffff9c, filename: 0x7f553558f1e0, flags: 0x00080000, mode: 0x00000000\n"));
        json = test_command(PREFIX "-i %s --json -s trace -g none 2>/dev/null", path);
        ck_assert_ptr_nonnull(strstr(json, "\"trace\":\"dfd: 0xffffff9c, filename: 0x7f553558f1e0"));
        free(steal_ptr(json));
        free(steal_ptr(path));
        path = test_golden("perf-6.1-plain.data");
        json = test_command(PREFIX "-i %s --json -s trace -g none --no-children 2>/dev/null", path);
        ck_assert_ptr_nonnull(strstr(json, "{\"overhead\":100.000000,"));
        ck_assert_ptr_null(strstr(json, "\"trace\"")); /* there is none */
}
END_TEST

/* Numbers and layout are those of perf report 6.1. */
START_TEST(groups) {
        _cleanup_free_ char *path = test_golden("perf-6.1-groups.data"), *plain = test_golden("perf-6.1-pipe.data"), *text = NULL;

        text = test_command(PREFIX "-i %s -g none -n --no-children -s comm 2>/dev/null", path);
        ck_assert_ptr_nonnull(strstr(text, "# Samples: 8  of events 'anon group { cpu-clock, task-clock }'\n"
                                           "# Event count (approx.): 4000000\n#\n"
                                           "#         Overhead                   Samples  Command\n"
                                           "# ................  ........................  .......\n#\n"
                                           "    50.00%  50.00%             2           2  sh     \n"
                                           "    50.00%  50.00%             2           2  true   \n\n\n"
                                           "# Samples: 7  of event 'sched:sched_switch'\n"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -q -g none --no-group --no-children -s comm 2>/dev/null | sort | uniq -c", path);
        ck_assert_ptr_nonnull(strstr(text, "      3     50.00%  sh     \n"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --group -g none -s comm -w 4 2>/dev/null", plain);
        ck_assert_ptr_nonnull(strstr(text, " of events 'cpu-clock, page-faults'\n"));
        ck_assert_ptr_nonnull(strstr(text, "\n#         Overhead  Command\n"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --group-sort-idx 1 2>&1; echo $?", plain);
        ck_assert_str_eq(text, "--group-sort-idx: no events were recorded as a group (see --group)\n1\n");
}
END_TEST

START_TEST(dumped) {
        _cleanup_free_ char *path = test_golden("perf-6.1-groups.data"), *text = test_command(PREFIX "-D -i %s", path);
        _cleanup_free_ char *script = test_command(VIEWER " script -D -i %s", path), *stats = test_command(PREFIX "--stats -i %s", path);
        size_t n = strlen(script);

        ck_assert_uint_gt(n, 1000);
        ck_assert_mem_eq(text, script, n);
        ck_assert_str_eq(text + n, stats);
        free(steal_ptr(text));
        text = test_command(PREFIX "-D -i %s fr 2>&1; echo $?", path);
        ck_assert_str_eq(text, "Excess argument: 'fr'\n1\n");
}
END_TEST

START_TEST(columns_of_tracepoints) {
        _cleanup_free_ char *path = test_golden("perf-6.1-pipe-compressed.data"), *text = NULL;

        text = test_command(PREFIX "-i %s -s filename,comm/raw,flags --no-children -g none 2>&1; echo status $?", path);
        ck_assert_ptr_nonnull(strstr(text, "--sort: neither a key nor a field of the recording's tracepoints: 'comm/raw'\nstatus 1\n"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -s filename,flags,trace_fields -g none 2>/dev/null", path);
        ck_assert_ptr_nonnull(strstr(text, "# Overhead            filename               flags  __syscall_nr                 dfd                mode\n"));
        ck_assert_ptr_nonnull(strstr(text, "    50.00%      0x7f55355c20b1              524288           257          4294967196                   0\n"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -q -s openat.dfd/raw,enter.mode -t, -w 1,3,1 -g none 2>/dev/null", path);
        ck_assert_str_eq(text, " 100.00%,429,0\n\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --json -s %%1.filename -g none 2>/dev/null", path);
        ck_assert_ptr_nonnull(strstr(text, "\"period\":1,\"fields\":{\"filename\":\"0x7f553558f1e0\"}}"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --raw-trace 2>/dev/null", path); /* the default of tracepoints */
        ck_assert_ptr_nonnull(strstr(text, "# Overhead  __syscall_nr                 dfd            filename               flags                mode\n"));
}
END_TEST

START_TEST(fields_of_no_tracepoint) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *text = NULL;

        text = test_command(PREFIX "-i %s -q -s trace_fields --no-children -g none 2>/dev/null", path); /* another kernel may run */
        ck_assert_str_eq(text, "   100.00%\n\n\n");
}
END_TEST

START_TEST(broken) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *cut = test_path("cut.data"), *text = NULL, *error = NULL;
        size_t size;
        _cleanup_free_ char *data = test_read_file(path, &size);

        test_write_file(cut, data, size * 3 / 4);
        text = test_command(PREFIX "-i %s -s comm 2>%s.err; echo status $?", cut, cut);
        error = test_command("cat %s.err", cut);
        ck_assert_ptr_nonnull(strstr(text, " of event 'cpu-clock'\n"));
        ck_assert_ptr_nonnull(strstr(text, "status 1\n"));
        ck_assert_ptr_nonnull(strstr(error, " is cut at byte 11952, within what follows its data: only a part of it could be read"));
        free(steal_ptr(text));
        test_write_file(cut, "nothing", 7);
        text = test_command(PREFIX "-i %s 2>&1; echo status $?", cut);
        ck_assert_ptr_nonnull(strstr(text, "it is not a perf.data file"));
        ck_assert_ptr_nonnull(strstr(text, "status 1\n"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i - --input-name=web-1 2>&1 <%s; true", cut);
        ck_assert_ptr_nonnull(strstr(text, "Failed to read web-1: it is not a perf.data file"));
}
END_TEST

START_TEST(no_samples) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *text = NULL;

        text = test_command(PREFIX "-q -i %s --time 0.1,0.2 --input-name=web-1 2>&1", path);
        ck_assert_str_eq(text, "web-1 has no samples of that time\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-q -i %s -C 999 --input-name=web-1 2>&1", path);
        ck_assert_str_eq(text, "web-1 has no samples of these CPUs\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-q -i %s --comms nobody --input-name=web-1 2>&1", path);
        ck_assert_ptr_nonnull(strstr(text, "web-1: none of its "));
        ck_assert_ptr_nonnull(strstr(text, " samples matches the selection\n"));
}
END_TEST

/* Without -q the header says it, and standard error stays empty for scripts. */
START_TEST(nothing_selected) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *text = NULL, *errors = NULL, *screen = NULL;

        text = test_command(PREFIX "-i %s --comms nobody | grep -v '^#$'", path);
        ck_assert_ptr_nonnull(strstr(text, "\n# None of "));
        ck_assert_ptr_nonnull(strstr(text, " samples matches the selection\n# Samples: "));
        errors = test_command(PREFIX "-i %s --comms nobody 2>&1 >/dev/null", path);
        ck_assert_str_eq(errors, "");
        screen = test_command(PREFIX "-i %s --comms nobody --columns=80 --input-name=web-1 2>&1 >/dev/null", path);
        ck_assert_ptr_nonnull(strstr(screen, "web-1: none of its "));
}
END_TEST

static void put_switch(RecordBuffer *b, bool out, uint64_t time) {
        const RecordTrailer trailer = { .sample_type = TEST_SAMPLE_TYPE, .id = 11, .time = time };
        size_t start = record_begin(b, PERF_RECORD_SWITCH, out ? PERF_RECORD_MISC_SWITCH_OUT : 0);

        ck_assert_ok(record_end(b, start, &trailer));
}

/* Returns the columns of a report on two threads that run at the same time for a while, or on one. */
static char *columns_of(const char *path, char *const *command_line, bool switches, bool parallel) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        const PerfDataEvent *known;
        PerfDataEvent events[2];
        uint64_t left_out;
        size_t n;

        known = test_events(&n);
        memcpy(events, known, n * sizeof(*events));
        events[0].attr.context_switch = switches;
        put_switch(&b, false, 1000);
        if (parallel)
                put_switch(&b, false, 1001);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000, 1002);
        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(feature_table_add_command_line(features, command_line));
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, &left_out));
        return test_command(PREFIX "-i %s -g none --no-children -s comm,dso | grep '^# Overhead'", path);
}

/* The time that passed is shown for perf record --latency; perf 7 keeps none of its arguments. */
START_TEST(latency_profile) {
        static char *const alone[] = { (char *) "perf", NULL }, *const latency[] = { (char *) "perf", (char *) "record", (char *) "--latency", NULL },
                    *const plain[] = { (char *) "perf", (char *) "record", NULL };
        static const char with[] = "# Overhead   Latency  Command  Shared Object   \n",
                          without[] = "# Overhead  Command  Shared Object   \n";
        static const struct {
                char *const *command_line;
                bool switches, parallel;
                const char *columns;
        } cases[] = {
                { alone, true, true, with },    { alone, false, true, without }, { plain, true, true, without },
                { latency, true, true, with },  { alone, true, false, without }, { latency, true, false, without },
        };
        _cleanup_free_ char *path = test_path("latency.data");

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *columns = columns_of(path, cases[i].command_line, cases[i].switches, cases[i].parallel);

                ck_assert_msg(streq(columns, cases[i].columns), "%zu: %s", i, columns);
        }
}
END_TEST

/* A dump says when it was triggered in an extended attribute, which not every file system has. */
START_TEST(around_the_trigger) {
        static const char timestamp[] = "1025000000";
        _cleanup_free_ char *path = test_path("trigger.data"), *text = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        const PerfDataEvent *events;
        size_t n;

        for (uint64_t i = 1; i <= 3; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, (uint32_t) i, 0x1000, i * 10 * NSEC_PER_SEC);
        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(feature_table_add_clock_data(features, 1, 1005 * NSEC_PER_SEC, 5 * NSEC_PER_SEC));
        events = test_events(&n);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
        text = test_command(PREFIX "-i %s -q -s comm -g none --no-children --since @1015 --until @1025", path);
        ck_assert_str_eq(text, "   100.00%  :2     \n\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -q -s comm -g none --no-children --no-idle --time 5,25 --last 15s", path);
        ck_assert_str_eq(text, "   100.00%  :2     \n\n\n");
        free(steal_ptr(text));
        text = test_command("TZ=UTC " PREFIX "-i %s -q -s time --columns=60", path); /* the first sample is of 1010 s */
        ck_assert_str_eq(text, "  33.33%  00:16:50.000\n  33.33%  00:17:00.000\n  33.33%  00:17:10.000\n\n");
        free(steal_ptr(text));
        text = test_command("TZ=UTC " PREFIX "-i %s -q -s time --time-quantum=20s --columns=60", path);
        ck_assert_str_eq(text, "  66.67%  00:17:00\n  33.33%  00:16:40\n\n");
        if (setxattr(path, PR_DUMP_XATTR_TIMESTAMP, timestamp, strlen(timestamp), 0) < 0)
                return;
        free(steal_ptr(text));
        text = test_command(PREFIX "-i - -q -s comm -g none --no-children --around-trigger=6s <%s", path);
        ck_assert_str_eq(text, "    50.00%  :2     \n    50.00%  :3     \n\n\n");
        free(steal_ptr(text));
        text = test_command("cat %s | " PREFIX "-i - --around-trigger=6s 2>&1; echo $?", path);
        ck_assert_str_eq(text, "standard input does not say when it was triggered, as the files of dumps do: --since and --until "
                         "take a time\n1\n");
}
END_TEST

static void put_group_sample(RecordBuffer *b, uint32_t pid, uint64_t time, uint64_t group) {
        const struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER, .size = 40 };

        byte_buffer_put(b, &header, sizeof(header));
        byte_buffer_put_u64(b, 0x1000);
        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u32(b, pid);
        byte_buffer_put_u64(b, time);
        byte_buffer_put_u64(b, group);
}

static void put_group(RecordBuffer *b, uint64_t id, const char *path) {
        char text[64] = "";

        (void) snprintf(text, sizeof(text), "%s", path);
        byte_buffer_put(b, &(struct perf_event_header) { .type = PERF_RECORD_CGROUP, .size = 16 + sizeof(text) }, 8);
        byte_buffer_put_u64(b, id);
        byte_buffer_put(b, text, sizeof(text));
}

/* A group's record may come behind its samples. */
START_TEST(units) {
        const PerfDataEvent event = {
                .attr = {
                        .size = sizeof(event.attr), .type = PERF_TYPE_SOFTWARE, .sample_period = 1,
                        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CGROUP,
                },
                .name = (char *) "cpu-clock",
        };
        _cleanup_free_ char *path = test_path("units.data"), *plain = test_golden("perf-6.1-plain.data"), *text = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;

        put_group(&b, 1, "/");
        put_group(&b, 20, "/system.slice/web.service/machine-box.scope");
        put_group_sample(&b, 7, 100, 20);
        put_group_sample(&b, 7, 200, 20);
        put_group_sample(&b, 8, 300, 21);
        put_group_sample(&b, 9, 400, 1);
        put_group_sample(&b, 9, 500, 99);
        put_group(&b, 21, "/batch.slice/db.service");
        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = &event, .n_events = 1 }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
        text = test_command(PREFIX "-i %s -q -t, -F sample,unit,container | tr -d ' '", path);
        ck_assert_str_eq(text, "2,web.service,box\n1,-.slice,\n1,N/A,\n1,db.service,\n\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -q -t, -F sample,cgroup -u 'web,d?.service' | tr -d ' '", path);
        ck_assert_str_eq(text, "2,/system.slice/web.service/machine-box.scope\n1,/batch.slice/db.service\n\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --columns=60 -s comm --no-idle", path);
        ck_assert_str_eq(text, "    Samples: 5 of event 'cpu-clock:HG'\n"
                         "      Units: web.service 40.0%, -.slice 20.0%,\n"
                         "             db.service 20.0%\n"
                         "  Processes: :7 40.0%, :9 40.0%, :8 20.0%\n\n"
                         "Overhead  Command\n"
                         "  40.00%  :7\n"
                         "  40.00%  :9\n"
                         "  20.00%  :8\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --columns=40 -s comm --percent-limit=30 --stdio-color=always", path);
        ck_assert_str_eq(text, "    Samples: 5 of event 'cpu-clock:HG'\n"
                         "      Units: web.service 40.0%,\n"
                         "             -.slice 20.0%, 1 more 20.0%\n"
                         "  Processes: :7 40.0%, :9 40.0%,\n"
                         "             :8 20.0%\n\n"
                         "\033[0;4mOverhead  Command                       \033[0m\n"
                         "\033[31m  40.00%\033[m  :7\n"
                         "\033[31m  40.00%\033[m  :9\n"
                         "  20.00%  1 row of less than 30% (--percent-limit=0 shows them)\n\n");
        free(steal_ptr(text));
        text = test_command(SCRIPT "-i %s -F time,cgroup -u 'web,d?.service'", path);
        ck_assert_str_eq(text, "    0.000000:  /system.slice/web.service/machine-box.scope\n"
                         "    0.000000:  /system.slice/web.service/machine-box.scope\n"
                         "    0.000000:  /batch.slice/db.service\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -u web --input-name=web-1 2>&1; echo $?", plain);
        ck_assert_str_eq(text, "web-1 does not have the units of its samples: --all-cgroups records them, or SampleFields=cgroup in a "
                         "session file\n1\n");
}
END_TEST

/* Makes a recording of a sample each ten seconds; what it has at one address is called as the program is. */
static char *make_recording(const char *name, const char *program, uint64_t from, uint64_t to) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        char *path = test_path(name);
        const PerfDataEvent *events;
        size_t n;

        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        for (uint64_t i = from; i <= to; i++)
                test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400100, i * 10 * NSEC_PER_SEC);
        ck_assert_ok(feature_table_new(&features));
        events = test_events(&n);
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = events, .n_events = n }, &w));
        ck_assert_ok(test_append(w, &b));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
        return path;
}

/* A process of one number is another one in another recording. */
START_TEST(several) {
        _cleanup_free_ char *first = make_recording("first.data", "/nowhere/one", 1, 3),
                            *second = make_recording("second.data", "/nowhere/two", 3, 3),
                            *text = test_command(PREFIX "-q -t, -F sample,dso -g none -i %s -i %s | tr -d ' '", first, second), *stats = NULL;

        ck_assert_str_eq(text, "3,one\n1,two\n\n\n");
        free(steal_ptr(text));
        text = test_command("cat %s | " PREFIX "-q -t, -F sample,dso -g none -i %s -i - -i %s | tr -d ' '", first, second, first);
        ck_assert_str_eq(text, "6,one\n1,two\n\n\n");
        stats = test_command(PREFIX "-i %s -i /nowhere/third 2>&1; echo status $?", first);
        ck_assert_ptr_nonnull(strstr(stats, "/nowhere/third"));
        ck_assert_ptr_nonnull(strstr(stats, "status 1\n"));
}
END_TEST

static void made_with(void (*make)(const char *path, const MadeFacets *facets), const char *path) {
        _cleanup_free_ char *program = made_program("facets", made_source, "-O0");
        MadeFacets facets = { .program = program };

        if (!program)
                exit(TEST_SKIPPED);
        facets.functions[0] = made_offset(program, "inner");
        facets.functions[1] = made_offset(program, "outer");
        facets.functions[2] = made_offset(program, "main");
        make(path, &facets);
}

START_TEST(memory_accesses) {
        _cleanup_free_ char *path = test_path("memory.data"), *text = NULL;

        made_with(made_memory, path);
        text = test_command(PREFIX "-i %s --mem-mode -q -F overhead,mem,symbol_daddr,dso_daddr,locked,blocked", path);
        ck_assert_str_eq(text,
                         "    92.25%  L3 miss                   [.] 0x00007f0000000048  anon              Yes      Addr\n"
                         "     5.17%  L1 hit                    [.] 0x00007f0000000010  anon              N/A      N/A\n"
                         "     2.58%  Local RAM hit             [.] 0x0000000000000010  [unknown]         No       Data Addr\n\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --mem-mode | sed -n '6,8p;10p'", path);
        ck_assert_str_eq(text, "# Samples: 4  of event 'cycles:uh'\n# Total weight : 271\n"
                         "# Sort order   : local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked,local_ins_lat,"
                         "local_p_stage_cyc\n"
                         "# Overhead  Local Weight  Memory access             Symbol     Shared Object  Data Symbol             "
                         "Data Object       Snoop         TLB access              Locked  Blocked     Local INSTR Latency\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -q -F overhead,weight,retire_lat,transaction -t,", path);
        ck_assert_str_eq(text, " 50.00% ,14          ,4             ,                                \n"
                         " 25.00% ,250         ,9             ,TX SYNC CON :5                  \n"
                         " 25.00% ,7           ,9             ,EL NEITHER                      \n\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --json --mem-mode -s weight,mem,blocked,symbol_daddr,data_page_size -g none", path);
        ck_assert_ptr_nonnull(strstr(text, "\"weight\":250,\"mem\":\"L3 miss\",\"blocked\":\"Addr\","
                                     "\"symbol_daddr\":\"0x00007f0000000048\",\"data_page_size\":2097152}"));
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -b 2>&1; echo $?", path);
        ck_assert_str_eq(text, "-b: no event was recorded with branches, as perf record -b does\n1\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -s comm,cycles 2>&1; echo $?", path);
        ck_assert_str_eq(text, "--sort: a key of branches, which are not counted here: 'cycles'\n1\n");
}
END_TEST

START_TEST(branches) {
        _cleanup_free_ char *path = test_path("branches.data"), *text = NULL;

        made_with(made_branches, path);
        text = test_command(PREFIX "-i %s | sed -n '6,7p;9,15p'", path);
        ck_assert_str_eq(text,
                         "# Samples: 6  of event 'cycles:uh'\n# Event count (approx.): 6\n"
                         "# Overhead  Command  Source Shared Object  Source Symbol           Target Symbol  Basic Block Cycles\n"
                         "# ........  .......  ....................  ......................  .............  ..................\n#\n"
                         "    33.33%  demo     facets                [.] main                [.] inner      12                \n"
                         "    16.67%  demo     [unknown]             [H] 0x0000000000000010  [.] main       3                 \n"
                         "    16.67%  demo     facets                [.] inner               [.] outer      -                 \n"
                         "    16.67%  demo     facets                [.] outer               [.] inner      700               \n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -q -t, -F overhead,addr_from,addr_to,mispredict,abort,in_tx", path);
        ck_assert_str_eq(text,
                         " 33.33% ,[.] outer+0x1         ,[.] inner+0x4 ,N                  ,.                ,.                    \n"
                         " 33.33% ,[.] main+0x4          ,[.] inner     ,N                  ,.                ,.                    \n"
                         " 16.67% ,[H] 0x0000000000000010,[.] main      ,N                  ,A                ,.                    \n"
                         " 16.67% ,[.] inner+0x2         ,[.] outer     ,Y                  ,.                ,T                    \n\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s --json -s symbol_to,cycles", path);
        ck_assert_ptr_nonnull(strstr(text, "\"symbol_to\":\"inner\",\"cycles\":700}"));
        ck_assert_ptr_nonnull(strstr(text, "\"symbol_to\":\"outer\"}")); /* what is not known is left out */
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -q --no-branch-stack -s comm,sym -n", path);
        ck_assert_str_eq(text, "   100.00%             2  demo     [.] inner\n\n\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -s mem 2>&1; echo $?", path);
        ck_assert_str_eq(text, "--sort: not a key of branches: 'mem'\n1\n");
        free(steal_ptr(text));
        text = test_command(PREFIX "-i %s -b --mem-mode 2>&1; echo $?", path);
        ck_assert_str_eq(text, "-b counts branches, --mem-mode memory accesses: only one can be\n1\n");
}
END_TEST

/* Dumps of one session and boot may have the same samples, which count once. */
START_TEST(common_samples) {
        _cleanup_free_ char *first = make_recording("early.data", "/nowhere/one", 1, 3),
                            *second = make_recording("late.data", "/nowhere/one", 2, 7),
                            *text = NULL;

        for (size_t i = 0; i < 2; i++)
                if (setxattr(i ? second : first, PR_DUMP_XATTR_SESSION, "web", 3, 0) < 0 ||
                    setxattr(i ? second : first, PR_DUMP_XATTR_BOOT, "0123", 4, 0) < 0)
                        exit(TEST_SKIPPED);
        text = test_command(PREFIX "-q -t, -F sample,dso -g none -i %s -i %s | tr -d ' '", first, second);
        ck_assert_str_eq(text, "7,one\n\n\n");
        ck_assert_int_eq(setxattr(first, PR_DUMP_XATTR_BOOT, "4567", 4, 0), 0);
        free(steal_ptr(text));
        text = test_command(PREFIX "-q -t, -F sample,dso -g none -i %s -i %s | tr -d ' '", first, second);
        ck_assert_str_eq(text, "9,one\n\n\n");
}
END_TEST

/* It waits for the recording when the signal comes. */
START_TEST(interrupted) {
        _cleanup_free_ char *path = test_golden("perf-6.1-plain.data"), *caught = test_path("caught"), *command = NULL, *source = NULL,
                            *text = NULL;
        FILE *input;

        ck_assert_int_gt(asprintf(&source, "until test -e %s; do sleep 0.02; done; cat %s", caught, path), 0);
        input = popen(source, "r");
        ck_assert_ptr_nonnull(input);
        ck_assert_int_gt(asprintf(&command, PREFIX "-s comm -i - <&%d", fileno(input)), 0);
        text = test_interrupted(command, ":", caught);
        (void) pclose(input); /* nobody may have read all of it */
        ck_assert_msg(strstr(text, "# Samples: "), "%s", text);
        ck_assert_msg(strstr(text, "Interrupted: "), "%s", text);
        ck_assert_msg(strstr(text, "status 1\n"), "%s", text);
}
END_TEST

TEST_RUN("verb-report", groups, memory_accesses, branches, several, common_samples, interrupted, units, around_the_trigger, no_samples, nothing_selected, latency_profile,
         golden, names_of_functions, lines_of_source, fields_of_tracepoints, columns_of_tracepoints, fields_of_no_tracepoint, dumped,
         broken);
