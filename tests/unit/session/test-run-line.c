/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From settings to the words of perf record, and of [Trigger] to those of our own recorder. */

#include "check-main.h"
#include "quote.h"
#include "run-line.h"
#include "setting-case.h"

#define KEYS(...) ((const char *const[][2]) { __VA_ARGS__ { NULL, NULL } })

static SessionSettings *make(const char *const (*keys)[2]) {
        SessionSettings *s = new_settings();

        for (; (*keys)[0]; keys++)
                assert_set(s, "Record", (*keys)[0], (*keys)[1]);
        ck_assert_int_eq(session_settings_check(s, NULL), 0);
        return s;
}

static void assert_line(const char *const (*keys)[2], const char *cgroup, const char *expected) {
        _cleanup_(session_settings_freep) SessionSettings *s = make(keys);
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *line = NULL;

        ck_assert_int_eq(run_line_from_settings(s, cgroup, &words, NULL), 0);
        line = quote_words(words);
        ck_assert_str_eq(line, expected);
}

START_TEST(test_defaults) {
        assert_line(KEYS({ "AllCPUs", "yes" },), NULL, "-a --switch-output=256M");
        assert_line(KEYS({ "Rotate", "infinity" },), NULL, "-a --switch-output=signal");
}
END_TEST

START_TEST(test_events) {
        assert_line(KEYS({ "Event", "sched:*" }, { "Filter", "prev_pid == 0" }, { "Event", "cycles" },), NULL,
                    "-e 'sched:*' --filter 'prev_pid == 0' -e cycles -a --switch-output=256M");
        assert_line(KEYS({ "Frequency", "99" }, { "CallGraph", "fp" }, { "Inherit", "no" },), NULL,
                    "-F 99 --call-graph fp -i -a --switch-output=256M");
        assert_line(KEYS({ "Frequency", "max" }, { "Inherit", "yes" },), NULL, "-F max -a --switch-output=256M");
        assert_line(KEYS({ "Period", "1000" },), NULL, "-c 1000 -a --switch-output=256M");
}
END_TEST

START_TEST(test_max_stack) {
        assert_line(KEYS({ "Event", "cycles:u" }, { "CallGraph", "fp" }, { "MaxStack", "20" },), NULL,
                    "-e cycles:u --call-graph fp,20 -a --switch-output=256M");
        assert_line(KEYS({ "CallGraph", "dwarf:4096" }, { "MaxStack", "20" },), NULL,
                    "--call-graph dwarf,4096 -a --switch-output=256M");
        assert_line(KEYS({ "CallGraph", "dwarf" },), NULL, "--call-graph dwarf,8192 -a --switch-output=256M");
        assert_line(KEYS({ "CallGraph", "lbr" },), NULL, "--call-graph lbr -a --switch-output=256M");
        assert_line(KEYS({ "Event", "cycles" }, { "MaxStack", "20" },), NULL, "-e cycles -a --switch-output=256M");
}
END_TEST

START_TEST(test_fields) {
        assert_line(KEYS({ "SampleFields", "addr data_src weight" }, { "SampleFields", "cgroup,time" }, { "ClockID", "monotonic" },),
                    NULL, "-d -W --all-cgroups -T -k monotonic -a --switch-output=256M");
        assert_line(KEYS({ "SampleFields", "raw" }, { "SampleFields", "" }, { "ClockID", "" },), NULL, "-a --switch-output=256M");
}
END_TEST

START_TEST(test_targets) {
        assert_line(KEYS({ "CPU", "0-3" },), NULL, "-C 0-3 --switch-output=256M");
        assert_line(KEYS({ "CPU", "0-3" }, { "AllCPUs", "yes" },), NULL, "-a -C 0-3 --switch-output=256M");
        assert_line(KEYS({ "PID", "1 2" },), NULL, "-p 1,2 --switch-output=256M");
        assert_line(KEYS({ "TID", "3" },), NULL, "-t 3 --switch-output=256M");
        assert_line(KEYS({ "UserID", "root" },), NULL, "-u root --switch-output=256M");
        assert_line(KEYS({ "Command", "sh -c 'a; b'" },), NULL, "--switch-output=256M -- sh -c 'a; b'");
        assert_line(KEYS({ "Command", "true" }, { "AllCPUs", "yes" },), NULL, "-a --switch-output=256M -- true");
        assert_line(KEYS({ "Unit", "nginx" },), "system.slice/nginx.service",
                    "-e cycles -a -G system.slice/nginx.service --switch-output=256M");
        assert_line(KEYS({ "Unit", "nginx" }, { "Event", "cpu-clock" }, { "CPU", "0" },), "x",
                    "-e cpu-clock -a -C 0 -G x --switch-output=256M");
        assert_line(KEYS({ "CGroup", "/machine.slice" },), NULL, "-e cycles -a -G /machine.slice --switch-output=256M");
        assert_line(KEYS({ "CGroup", "x" }, { "Event", "cs" }, { "Event", "cpu-clock" },), NULL,
                    "-e cs -e cpu-clock -a -G x --switch-output=256M");
        assert_line(KEYS({ "RealtimePriority", "5" }, { "PID", "1" },), NULL, "-p 1 -r 5 --switch-output=256M");
}
END_TEST

/* [Storage] has precedence over the level 3 of [Record], and comes before the words of Run=. */
static void assert_storage_compression(const char *value, const char *record, const char *run) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings(), *t = new_settings();
        _cleanup_free_ char *line = NULL, *other = NULL;

        assert_set(s, "Record", "Compress", "zstd:3");
        assert_set(s, "Storage", "Compress", value);
        ck_assert_int_eq(run_line_describe(s, &line), 0);
        ck_assert_str_eq(line, record);
        assert_set(t, "Session", "Run", "-e cpu-clock -- true");
        assert_set(t, "Storage", "Compress", value);
        ck_assert_int_eq(run_line_describe(t, &other), 0);
        ck_assert_str_eq(other, run);
}

START_TEST(test_output) {
        assert_line(KEYS({ "Mode", "overwrite" },), NULL, "-a --overwrite --switch-output=signal");
        assert_line(KEYS({ "Mode", "history" },), NULL, "-a -M 64M --switch-output=signal");
        assert_line(KEYS({ "Mode", "history" }, { "HistorySize", "1500K" }, { "HistorySec", "1h" }, { "Compress", "no" },), NULL,
                    "-a -M 1500K --history-time=3600s --history-level=0 --switch-output=signal");
        assert_line(KEYS({ "Mode", "count" }, { "Event", "cs" }, { "Interval", "1500ms" }, { "HistorySize", "2M" },), NULL,
                    "-e cs -a -M 2M --history-interval=1500ms --switch-output=signal");
        assert_line(KEYS({ "Mode", "count" }, { "Event", "cs" }, { "Unit", "web-*" },), NULL,
                    "-e cs -a --for-each-unit 'web-*.service' -M 64M --history-interval=1000ms --switch-output=signal");
        assert_line(KEYS({ "Mode", "count" },), NULL,
                    "-e cpu-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branches,branch-misses "
                    "-a -M 64M --history-interval=1000ms --switch-output=signal");
        assert_line(KEYS({ "Mode", "history" }, { "HistorySec", "infinity" }, { "Compress", "zstd:9" },), NULL,
                    "-a -M 64M --history-level=9 --compression-level=9 --switch-output=signal");
        assert_line(KEYS({ "Mode", "history" }, { "CallGraph", "dwarf:4096" },), NULL,
                    "--call-graph dwarf,4096 -a -M 64M --unwind --switch-output=signal");
        assert_line(KEYS({ "Mode", "history" }, { "CallGraph", "dwarf" }, { "Unwind", "no" },), NULL,
                    "--call-graph dwarf,8192 -a -M 64M --switch-output=signal");
        assert_line(KEYS({ "Mode", "history" }, { "CallGraph", "fp" },), NULL, "--call-graph fp -a -M 64M --switch-output=signal");
        assert_line(KEYS({ "Mode", "history" }, { "Event", "cpu-clock/call-graph=dwarf/" }, { "Unwind", "yes" },), NULL,
                    "-e cpu-clock/call-graph=dwarf/ -a -M 64M --unwind --switch-output=signal");
        assert_line(KEYS({ "Mode", "overwrite" }, { "CallGraph", "dwarf" },), NULL,
                    "--call-graph dwarf,8192 -a --overwrite --switch-output=signal");
        assert_line(KEYS({ "Compress", "no" },), NULL, "-a --switch-output=256M");
        assert_line(KEYS({ "Compress", "zstd:3" },), NULL, "-a --compression-level=3 --switch-output=256M");
        assert_storage_compression("zstd:5", "-a --compression-level=5 --switch-output=256M",
                                   "--compression-level=5 -e cpu-clock -- true");
        assert_storage_compression("no", "-a --switch-output=256M", "-e cpu-clock -- true");
        assert_storage_compression("", "-a --compression-level=3 --switch-output=256M", "-e cpu-clock -- true");
        assert_line(KEYS({ "Rotate", "100M" },), NULL, "-a --switch-output=100M");
        assert_line(KEYS({ "Rotate", "1h" },), NULL, "-a --switch-output=3600s");
        assert_line(KEYS({ "BufferSize", "512K" },), NULL, "-a -m 512K --switch-output=256M");
        assert_line(KEYS({ "BufferSize", "8M" },), NULL, "-a -m 8M --switch-output=256M");
        assert_line(KEYS({ "BufferSize", "64G" },), NULL, "-a -m 64G --switch-output=256M");
        assert_line(KEYS({ "BufferSize", "5000" },), NULL, "-a -m 5000B --switch-output=256M");
}
END_TEST

START_TEST(test_run) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *described = NULL;
        static const char run[] = "-m 10M  -e 'sched:*' --overwrite";

        assert_set(s, "Session", "Run", run);
        ck_assert_int_eq(run_line_from_settings(s, NULL, &words, NULL), 0);
        ck_assert_uint_eq(strv_length(words), 5);
        ck_assert_str_eq(words[3], "sched:*");
        ck_assert_str_eq(words[4], "--overwrite");
        ck_assert_int_eq(run_line_describe(s, &described), 0);
        ck_assert_str_eq(described, run);
}
END_TEST

START_TEST(test_describe) {
        _cleanup_(session_settings_freep) SessionSettings *s =
                make(KEYS({ "Unit", "nginx" }, { "Event", "sched:sched_switch" }, { "Filter", "prev_pid > 1" },));
        _cleanup_free_ char *line = NULL;

        ck_assert_int_eq(run_line_describe(s, &line), 0);
        ck_assert_str_eq(line, "-e sched:sched_switch --filter 'prev_pid > 1' -a -G unit:nginx.service --switch-output=256M");
}
END_TEST

START_TEST(test_errors) {
        _cleanup_(session_settings_freep) SessionSettings *unit = make(KEYS({ "Unit", "nginx" },));
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *text = NULL;
        char **words = NULL;

        ck_assert_int_eq(run_line_from_settings(unit, NULL, &words, &d), -EINVAL);
        text = diagnosis_format(&d);
        ck_assert_str_eq(text, "Unit: nginx.service has no control group: it is not running");
        ck_assert_ptr_null(words);
}
END_TEST

static void assert_settings(const SessionSettings *s, const char *cgroup, const char *expected) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *line = NULL;

        ck_assert_int_eq(session_settings_check(s, NULL), 0);
        ck_assert_int_eq(run_line_from_settings(s, cgroup, &words, NULL), 0);
        line = quote_words(words);
        ck_assert_str_eq(line, expected);
}

static void set_triggers(SessionSettings *s) {
        assert_set(s, "Trigger", "Signal", "RTMIN+2");
        assert_set(s, "Trigger", "Event", "a:b c == 1");
        assert_set(s, "Trigger", "Event", "cpu-clock");
        assert_set(s, "Trigger", "BPF", "/x.o:m");
        assert_set(s, "Trigger", "CPUPressure", "150ms/1s");
        assert_set(s, "Trigger", "MemoryPressure", "1s/2s");
        assert_set(s, "Trigger", "IOPressure", "1s/4s");
        assert_set(s, "Trigger", "DelaySec", "2s");
        assert_set(s, "Trigger", "RateLimitIntervalSec", "10");
        assert_set(s, "Trigger", "RateLimitBurst", "3");
        assert_set(s, "Trigger", "Overlap", "yes");
        assert_set(s, "Trigger", "Also", "sched");
        assert_set(s, "Trigger", "Shutdown", "no");
}

#define TRIGGERS(group) "--trigger-signal=RTMIN+2 '--trigger-event=a:b c == 1' --trigger-event=cpu-clock --trigger-bpf=/x.o:m " \
                   "--trigger-pressure=cpu:150ms/1s" group " --trigger-pressure=memory:1s/2s" group                  \
                   " --trigger-pressure=io:1s/4s" group " --trigger-delay=2000000us --trigger-limit=3/10000000us "    \
                   "--trigger-announce --trigger-overlap --no-trigger-shutdown "

START_TEST(test_triggers) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        set_triggers(s);
        assert_set(s, "Record", "AllCPUs", "yes");
        assert_settings(s, NULL, TRIGGERS("") "-a --switch-output=256M");
        assert_set(s, "Record", "Unit", "web");
        assert_settings(s, "system.slice/web.service",
                    TRIGGERS(":system.slice/web.service") "-e cycles -a -G system.slice/web.service --switch-output=256M");
        assert_set(s, "Record", "Unit", "");
        assert_set(s, "Record", "CGroup", "x.slice");
        assert_settings(s, NULL, TRIGGERS(":x.slice") "-e cycles -a -G x.slice --switch-output=256M");
}
END_TEST

/* They come before the user's words, which may end with a command. */
START_TEST(test_triggers_with_run) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        _cleanup_free_ char *line = NULL;

        assert_set(s, "Session", "Run", "-e  'x y' -- true");
        ck_assert_int_eq(run_line_describe(s, &line), 0);
        ck_assert_str_eq(line, "-e  'x y' -- true");
        free(steal_ptr(line));
        set_triggers(s);
        assert_settings(s, NULL, TRIGGERS("") "-e 'x y' -- true");
        ck_assert_int_eq(run_line_describe(s, &line), 0);
        ck_assert_str_eq(line, TRIGGERS("") "-e  'x y' -- true");
}
END_TEST

START_TEST(test_half_a_limit) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        assert_set(s, "Record", "AllCPUs", "yes");
        assert_set(s, "Trigger", "RateLimitBurst", "0");
        assert_settings(s, NULL, "--trigger-limit=0/60000000us -a --switch-output=256M");
        assert_set(s, "Trigger", "RateLimitBurst", "");
        assert_set(s, "Trigger", "RateLimitIntervalSec", "1h");
        assert_settings(s, NULL, "--trigger-limit=5/3600000000us -a --switch-output=256M");
        assert_set(s, "Trigger", "RateLimitIntervalSec", "");
        assert_set(s, "Trigger", "Shutdown", "yes");
        assert_settings(s, NULL, "-a --switch-output=256M");
}
END_TEST

START_TEST(test_symbols) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        _cleanup_(diagnosis_done) Diagnosis d = {};

        s->has_record = true;
        assert_set(s, "Storage", "Symbols", "no");
        assert_settings(s, NULL, "--no-symbols -a --switch-output=256M");
        s->has_record = false;
        assert_set(s, "Storage", "Symbols", "128M");
        assert_set(s, "Session", "Run", "-- true");
        assert_settings(s, NULL, "--symbols=128M -- true");
        ck_assert_int_eq(session_settings_check(s, NULL), 0);
        assert_set(s, "Session", "Recorder", "/usr/bin/perf");
        ck_assert_int_eq(session_settings_check(s, &d), -EINVAL);
        ck_assert_str_eq(d.key, "Symbols");
}
END_TEST

CHECK_MAIN("run-line", test_defaults, test_events, test_max_stack, test_fields, test_targets, test_output, test_run, test_describe,
           test_errors, test_triggers, test_triggers_with_run, test_half_a_limit, test_symbols);
