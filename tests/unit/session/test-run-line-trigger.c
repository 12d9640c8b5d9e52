/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From [Trigger] to the recorder's options, with [Record] and with Run=. */

#include "check-main.h"
#include "quote.h"
#include "run-line.h"
#include "setting-case.h"

static void assert_line(const SessionSettings *s, const char *cgroup, const char *expected) {
        _cleanup_strv_free_ char **words = NULL;
        _cleanup_free_ char *line = NULL;

        ck_assert_int_eq(session_settings_check(s, NULL), 0);
        ck_assert_int_eq(run_line_from_settings(s, cgroup, &words, NULL), 0);
        line = quote_words(words);
        ck_assert_str_eq(line, expected);
}

static void set_all(SessionSettings *s) {
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

#define ALL(group) "--trigger-signal=RTMIN+2 '--trigger-event=a:b c == 1' --trigger-event=cpu-clock --trigger-bpf=/x.o:m " \
                   "--trigger-pressure=cpu:150ms/1s" group " --trigger-pressure=memory:1s/2s" group                  \
                   " --trigger-pressure=io:1s/4s" group " --trigger-delay=2000000us --trigger-limit=3/10000000us "    \
                   "--trigger-announce --trigger-overlap --no-trigger-shutdown "

START_TEST(test_record) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        set_all(s);
        assert_set(s, "Record", "AllCPUs", "yes");
        assert_line(s, NULL, ALL("") "-a --switch-output=256M");
        assert_set(s, "Record", "Unit", "web");
        assert_line(s, "system.slice/web.service",
                    ALL(":system.slice/web.service") "-e cycles -a -G system.slice/web.service --switch-output=256M");
        assert_set(s, "Record", "Unit", "");
        assert_set(s, "Record", "CGroup", "x.slice");
        assert_line(s, NULL, ALL(":x.slice") "-e cycles -a -G x.slice --switch-output=256M");
}
END_TEST

/* They come before the user's words, which may end with a command. */
START_TEST(test_run) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        _cleanup_free_ char *line = NULL;

        assert_set(s, "Session", "Run", "-e  'x y' -- true");
        ck_assert_int_eq(run_line_describe(s, &line), 0);
        ck_assert_str_eq(line, "-e  'x y' -- true");
        free(steal_ptr(line));
        set_all(s);
        assert_line(s, NULL, ALL("") "-e 'x y' -- true");
        ck_assert_int_eq(run_line_describe(s, &line), 0);
        ck_assert_str_eq(line, ALL("") "-e  'x y' -- true");
}
END_TEST

START_TEST(test_half_a_limit) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        assert_set(s, "Record", "AllCPUs", "yes");
        assert_set(s, "Trigger", "RateLimitBurst", "0");
        assert_line(s, NULL, "--trigger-limit=0/60000000us -a --switch-output=256M");
        assert_set(s, "Trigger", "RateLimitBurst", "");
        assert_set(s, "Trigger", "RateLimitIntervalSec", "1h");
        assert_line(s, NULL, "--trigger-limit=5/3600000000us -a --switch-output=256M");
        assert_set(s, "Trigger", "RateLimitIntervalSec", "");
        assert_set(s, "Trigger", "Shutdown", "yes");
        assert_line(s, NULL, "-a --switch-output=256M");
}
END_TEST

START_TEST(test_symbols) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        _cleanup_(diagnosis_done) Diagnosis d = {};

        s->has_record = true;
        assert_set(s, "Storage", "Symbols", "no");
        assert_line(s, NULL, "--no-symbols -a --switch-output=256M");
        s->has_record = false;
        assert_set(s, "Storage", "Symbols", "128M");
        assert_set(s, "Session", "Run", "-- true");
        assert_line(s, NULL, "--symbols=128M -- true");
        ck_assert_int_eq(session_settings_check(s, NULL), 0);
        assert_set(s, "Session", "Recorder", "/usr/bin/perf");
        ck_assert_int_eq(session_settings_check(s, &d), -EINVAL);
        ck_assert_str_eq(d.key, "Symbols");
}
END_TEST

CHECK_MAIN("run-line-trigger", test_record, test_run, test_half_a_limit, test_symbols);
