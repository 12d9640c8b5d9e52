/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf-recorder-view evlist and header, end to end. */

#include "perfdata-test.h"

/* The leak checker traces the process, which the sandbox refuses. */
#define VIEW "ASAN_OPTIONS=detect_leaks=0 " VIEWER " "

static void expect(const char *words, const char *file, const char *expected) {
        _cleanup_free_ char *path = test_golden(file), *text = test_command(VIEW "%s -i %s 2>&1; echo $?", words, path);

        ck_assert_str_eq(text, expected);
}

START_TEST(golden) {
        expect("evlist", "perf-6.1-groups.data", "cpu-clock\ntask-clock\nsched:sched_switch\n0\n");
        expect("evlist -g", "perf-6.1-groups.data", "{cpu-clock,task-clock}\nsched:sched_switch\n0\n");
        expect("evlist --trace-fields -F", "perf-6.1-groups.data",
               "cpu-clock: sample_freq=2000, (not a tracepoint)\ntask-clock: sample_freq=2000, (not a tracepoint)\n"
               "sched:sched_switch: sample_freq=2000, trace_fields: prev_comm,prev_pid,prev_prio,prev_state,next_comm,next_pid,"
               "next_prio\n0\n");
        expect("evlist --freq", "perf-6.1-pipe.data", "cpu-clock: sample_freq=9999\npage-faults: sample_freq=9999\n0\n");
        expect("evlist -v", "perf-6.1-compressed.data",
               "cpu-clock: type: 1, size: 128, { sample_period, sample_freq }: 9999, sample_type: IP|TID|TIME|PERIOD, read_format: "
               "ID|LOST, disabled: 1, inherit: 1, mmap: 1, comm: 1, freq: 1, enable_on_exec: 1, task: 1, sample_id_all: 1, "
               "exclude_guest: 1, mmap2: 1, comm_exec: 1, ksymbol: 1, bpf_event: 1\n0\n");
}
END_TEST

START_TEST(header) {
        _cleanup_free_ char *path = test_golden("perf-6.1-groups.data");
        _cleanup_free_ char *ours = test_command(VIEW "header - 2>&1; " VIEW "header -i %s", path);
        _cleanup_free_ char *report = test_command(VIEW "report --header-only -I -i %s", path);

        ck_assert_ptr_nonnull(startswith(ours, "Excess argument: '-'\n"));
        ck_assert_str_eq(strchr(ours, '\n') + 1, report);
        ck_assert_ptr_nonnull(strstr(report, "# hostname : vm\n"));
}
END_TEST

/* As for other programs whose reader goes: no message, and the status of SIGPIPE, which the parent may ignore. */
START_TEST(reader_goes) {
        static const char *const words[] = { "evlist", "header", "report", "script", "script -D", "annotate --stdio" };
        _cleanup_free_ char *path = test_golden("perf-6.1-groups.data"), *fifo = test_path("fifo");

        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                _cleanup_free_ char *text = test_command("rm -f %s; mkfifo %s; true <%s & exec 3>%s; wait; trap '' PIPE\n" VIEW
                                                         "%s -i %s >&3 3>&- 2>%s.errors; echo $?; ! grep -iE 'pipe|output' %s.errors",
                                                         fifo, fifo, fifo, fifo, words[i], path, fifo, fifo);

                ck_assert_pstr_eq(text, "141\n");
        }
}
END_TEST

START_TEST(refused) {
        expect("evlist -gv", "perf-6.1-groups.data", "--group cannot be combined with --verbose, --freq and --trace-fields\n1\n");
        expect("evlist more", "perf-6.1-groups.data", "Excess argument: 'more'\n1\n");
}
END_TEST

START_TEST(objects) {
        _cleanup_free_ char *path = test_golden("perf-6.1-groups.data"), *text = NULL;

        text = test_command(VIEW "evlist --json -i %s 2>&1", path);
        ck_assert(startswith(text, "{\"events\":[{\"event\":\"cpu-clock\",\"type\":1,\"config\":\"0x0\",\""));
        ck_assert_ptr_nonnull(strstr(text, ",\"leader\":0"));
        ck_assert_ptr_nonnull(strstr(text, "\"trace_fields\":[\""));
        free(steal_ptr(text));
        text = test_command(VIEW "header --json -i %s | python3 -c 'import json, sys; h = json.load(sys.stdin); "
                            "print(h[\"arch\"], h[\"cmdline\"][1], len(h[\"events\"]), h[\"last_sample\"] > h[\"first_sample\"])'", path);
        ck_assert_str_eq(text, "x86_64 record 3 True\n");
        free(steal_ptr(text));
        text = test_command(VIEW "evlist --json -v -i %s 2>&1; echo $?", path);
        ck_assert_ptr_nonnull(strstr(text, "--json has all of it, and cannot be combined with "));
}
END_TEST

/* Names are one line of UTF-8; without the end of the file there are no names, and some follow from the attributes. */
START_TEST(hostile) {
        _cleanup_free_ char *path = test_path("evlist.data"), *plain = test_golden("perf-6.1-groups.data"), *text = NULL;
        struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_RAW, .config = 0x123 };
        const PerfDataEvent event = { .attr = attr, .name = (char *) "a\033[2J\nb" };
        _cleanup_feature_table_free_ FeatureTable *features = NULL;
        _cleanup_perf_data_writer_free_ PerfDataWriter *w = NULL;
        size_t size;
        _cleanup_free_ char *data = test_read_file(plain, &size);

        ck_assert_ok(feature_table_new(&features));
        ck_assert_ok(feature_table_add_events(features, &event, 1));
        ck_assert_ok(perf_data_writer_new(AT_FDCWD, path, &(PerfDataWriterOptions) { .events = &event, .n_events = 1 }, &w));
        ck_assert_ok(perf_data_writer_finish(w, features, NULL, NULL));
        text = test_command(VIEW "evlist -i %s", path);
        ck_assert_str_eq(text, "a?[2J b\n");
        test_write_file(path, data, size - 100);
        free(text);
        text = test_command(VIEW "evlist -i - --input-name=web-1 2>&1 <%s; echo $?", path);
        ck_assert_str_eq(text, "cpu-clock\ntask-clock\nunknown tracepoint\nweb-1 is cut at byte 20821, within what follows its data: only a part of it could be read\n1\n");
}
END_TEST

TEST_RUN("verb-evlist", golden, header, reader_goes, refused, objects, hostile);
