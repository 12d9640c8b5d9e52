/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Defaults, the keys of [Session], resets, comparison, string tables, and the checks of the whole. */

#include <limits.h>

#include "check-main.h"
#include "line-reader.h"
#include "run-line.h"
#include "setting-case.h"
#include "setting-key.h"

START_TEST(test_defaults) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_ptr_null(s->description);
        ck_assert_int_eq(s->enabled, -1);
        ck_assert_ptr_null(s->run);
        ck_assert_ptr_null(s->recorder);
        ck_assert_int_eq(s->restart, RESTART_ON_FAILURE);
        ck_assert_uint_eq(s->restart_usec, 100 * USEC_PER_MSEC);
        ck_assert_uint_eq(s->start_limit_interval_usec, 10 * USEC_PER_SEC);
        ck_assert_uint_eq(s->start_limit_burst, 5);
        ck_assert(!s->has_record);
        ck_assert_int_eq(s->record.all_cpus, -1);
        ck_assert_int_eq(s->record.inherit, -1);
        ck_assert_int_eq(s->record.mode, RECORD_MODE_STREAM);
        ck_assert_uint_eq(s->scope.cpu_quota_per_sec, USEC_INFINITY);
        ck_assert_uint_eq(s->scope.memory_max, 0);
        ck_assert_uint_eq(s->scope.memory_high, 0);
        ck_assert_uint_eq(s->scope.tasks_max, UINT64_MAX);
        ck_assert_int_eq(s->scope.nice, INT_MIN);
        ck_assert_int_eq(session_settings_check(s, &d), -EINVAL);
        ck_assert_str_eq(d.sentence, "neither Run= nor anything in [Record]: there is nothing to record");
        assert_set(s, "Record", "Mode", "stream");
        ck_assert_int_eq(session_settings_check(s, NULL), 0);
}
END_TEST

START_TEST(test_session_keys) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        assert_set(s, "Session", "Description", "All \xe2\x82\xac of it");
        assert_set(s, "Session", "Enabled", "no");
        assert_set(s, "Session", "Run", "-e cycles --filter 'a b'");
        assert_set(s, "Session", "Recorder", "/usr/bin/perf");
        assert_set(s, "Session", "Restart", "always");
        assert_set(s, "Session", "RestartSec", "2s 500ms");
        assert_set(s, "Session", "StartLimitIntervalSec", "infinity");
        assert_set(s, "Session", "StartLimitBurst", "0");
        ck_assert_str_eq(s->description, "All \xe2\x82\xac of it");
        ck_assert_int_eq(s->enabled, 0);
        ck_assert_str_eq(s->run, "-e cycles --filter 'a b'");
        ck_assert_str_eq(s->recorder, "/usr/bin/perf");
        ck_assert_int_eq(s->restart, RESTART_ALWAYS);
        ck_assert_uint_eq(s->restart_usec, 2500 * USEC_PER_MSEC);
        ck_assert_uint_eq(s->start_limit_interval_usec, USEC_INFINITY);
        ck_assert_uint_eq(s->start_limit_burst, 0);
        ck_assert(!s->has_record);
}
END_TEST

/* A value for each key that differs from its default. */
static const struct {
        const char *section, *key, *value;
} samples[] = {
        { "Session", "Description", "x" },       { "Session", "Enabled", "yes" },       { "Session", "Run", "-a" },
        { "Session", "Recorder", "/x" },         { "Session", "Restart", "no" },        { "Session", "RestartSec", "1h" },
        { "Session", "StartLimitIntervalSec", "1h" }, { "Session", "StartLimitBurst", "9" },
        { "Record", "Event", "cycles" },         { "Record", "Filter", "prev_pid == 0" }, { "Record", "Frequency", "99" },
        { "Record", "Period", "9" },             { "Record", "CallGraph", "fp" },       { "Record", "MaxStack", "9" },
        { "Record", "SampleFields", "addr" },    { "Record", "ClockID", "monotonic" },  { "Record", "AllCPUs", "no" },
        { "Record", "CPU", "0" },                { "Record", "PID", "1" },              { "Record", "TID", "1" },
        { "Record", "UserID", "root" },          { "Record", "Unit", "x.service" },     { "Record", "CGroup", "x.slice" },
        { "Record", "Command", "true" },         { "Record", "Inherit", "no" },         { "Record", "RealtimePriority", "1" },
        { "Record", "BufferSize", "1M" },        { "Record", "Mode", "overwrite" },     { "Record", "HistorySize", "1G" },
        { "Record", "HistorySec", "1h" },        { "Record", "KeepSec", "1h" },         { "Record", "Compress", "no" },
        { "Record", "Rotate", "1h" },            { "Record", "Unwind", "no" },         { "Record", "Interval", "2s" },
        { "Trigger", "Signal", "USR1" },         { "Trigger", "Event", "cpu-clock" },   { "Trigger", "BPF", "/x.o" },
        { "Trigger", "CPUPressure", "1s/2s" },   { "Trigger", "MemoryPressure", "1s/2s" }, { "Trigger", "IOPressure", "1s/2s" },
        { "Trigger", "DelaySec", "1" },          { "Trigger", "RateLimitIntervalSec", "1" }, { "Trigger", "RateLimitBurst", "1" },
        { "Trigger", "Overlap", "yes" },         { "Trigger", "Shutdown", "yes" },      { "Trigger", "Socket", "yes" },
        { "Trigger", "UnitFailure", "*" },       { "Trigger", "Also", "x" },            { "Trigger", "OnDump", "x@.service" },
        { "Trigger", "OnCalendar", "daily" },    { "Trigger", "Counter", "cs>9/1s" },
        { "Storage", "MaxUse", "1G" },           { "Storage", "MaxFiles", "9" },        { "Storage", "MaxAge", "1h" },
        { "Storage", "KeepFree", "1G" },         { "Storage", "Compress", "no" },       { "Storage", "Symbols", "1M" },
        { "Scope", "Slice", "x.slice" },         { "Scope", "CPUQuota", "20%" },        { "Scope", "CPUWeight", "10" },
        { "Scope", "MemoryMax", "1G" },          { "Scope", "MemoryHigh", "1G" },       { "Scope", "IOWeight", "10" },
        { "Scope", "TasksMax", "10" },           { "Scope", "Nice", "5" },
};

static const SettingSection *const sections[] = {
        &session_section, &record_section, &trigger_section, &storage_section, &scope_section,
};

static const char *sample_of(const char *section, const char *key) {
        for (size_t i = 0; i < ELEMENTSOF(samples); i++)
                if (streq(samples[i].section, section) && streq(samples[i].key, key))
                        return samples[i].value;
        ck_abort_msg("[%s] %s= has no sample", section, key);
}

START_TEST(test_empty_values_reset) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings(), *defaults = new_settings();

        for (size_t i = 0; i < ELEMENTSOF(sections); i++)
                for (size_t k = 0; k < sections[i]->n_keys; k++) {
                        const char *section = sections[i]->name, *key = sections[i]->keys[k].name;

                        if (streq(key, "Filter")) { /* it is for an event */
                                assert_set(s, "Record", "Event", "cycles");
                                assert_set(defaults, "Record", "Event", "cycles");
                        }
                        assert_set(s, section, key, sample_of(section, key));
                        ck_assert_msg(!session_settings_equal(s, defaults), "%s= is not compared", key);
                        assert_set(s, section, key, "");
                        ck_assert_msg(session_settings_equal(s, defaults), "%s= is not reset", key);
                }
}
END_TEST

/* Other keys of [Record] and [Trigger] are for the recorder: each changes its command line, but for those that the daemon obeys. */
START_TEST(test_keys_of_the_recorder) {
        static const char *const lines[][2] = { /* what a key needs besides */
                { "Event", "cycles" }, { "Mode", "history" }, { "CallGraph", "dwarf" },
        };
        const SettingSection *const both[] = { &record_section, &trigger_section };
        char *const of_daemon[] = { (char *) "Socket", (char *) "UnitFailure", (char *) "Also", (char *) "OnDump", (char *) "OnCalendar", NULL };

        for (size_t i = 0; i < ELEMENTSOF(both); i++)
                for (const SettingKey *k = both[i]->keys; k < both[i]->keys + both[i]->n_keys; k++) {
                        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
                        _cleanup_free_ char *before = NULL, *after = NULL;

                        if (k->is_live || (both[i] == &trigger_section && strv_contains(of_daemon, k->name)))
                                continue;
                        for (size_t l = 0; l < ELEMENTSOF(lines); l++)
                                assert_set(s, "Record", lines[l][0], lines[l][1]);
                        if (streq(k->name, "MaxStack"))
                                assert_set(s, "Record", "CallGraph", "fp"); /* those are the kernel's */
                        if (streq(k->name, "Interval"))
                                assert_set(s, "Record", "Mode", "count");
                        ck_assert_int_eq(run_line_describe(s, &before), 0);
                        assert_set(s, both[i]->name, k->name, streq(k->name, "Shutdown") ? "no" : sample_of(both[i]->name, k->name));
                        ck_assert_int_eq(run_line_describe(s, &after), 0);
                        ck_assert_msg(!streq(before, after), "[%s] %s= is no option of the recorder", both[i]->name, k->name);
                }
}
END_TEST

/* A change of these restarts no recorder, so its options must be the same. */
START_TEST(test_live_keys) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings(), *defaults = new_settings();
        _cleanup_free_ char *before = NULL;
        unsigned n = 0;

        ck_assert_int_eq(run_line_describe(defaults, &before), 0);
        for (size_t i = 0; i < ELEMENTSOF(sections); i++)
                for (const SettingKey *k = sections[i]->keys; k < sections[i]->keys + sections[i]->n_keys; k++) {
                        _cleanup_free_ char *line = NULL;

                        if (!k->is_live)
                                continue;
                        n++;
                        assert_set(s, sections[i]->name, k->name, sample_of(sections[i]->name, k->name));
                        ck_assert_msg(!session_settings_equal(s, defaults), "%s= is not compared", k->name);
                        ck_assert_msg(session_settings_equal_for_recorder(s, defaults), "%s= restarts the recorder", k->name);
                        ck_assert_int_eq(run_line_describe(s, &line), 0);
                        ck_assert_str_eq(line, before);
                }
        ck_assert_uint_gt(n, 0);
        assert_set(s, "Storage", "Compress", "no");
        ck_assert(!session_settings_equal_for_recorder(s, defaults));
}
END_TEST

START_TEST(test_refused) {
        static const char boolean[] = "neither yes nor no", burst[] = "not a whole number from 0 to 4294967295";

        assert_refused("Session", "Enabled", "maybe", boolean);
        assert_refused("Session", "Run", "-e 'a", "a quote without its end, or a backslash at the end");
        assert_refused("Session", "Recorder", "perf", "not the absolute path of a file");
        assert_refused("Session", "Restart", "on-abort", "none of no, on-failure, always");
        assert_refused("Session", "RestartSec", "soon", "not a time span, such as 100ms or 2min 30s");
        assert_refused("Session", "RestartSec", "infinity", "not a finite time span; Restart=no is the way to say never");
        assert_refused("Session", "StartLimitBurst", "-1", burst);
        assert_refused("Session", "Description", "a\nb", "a control character in the value");
        assert_refused("Session", "Description", "\xff", "not valid UTF-8 in the value");
        assert_refused("Session", "Nonsense", "1", "unknown key in [Session]");
        assert_refused("Session", "description", "1", "unknown key in [Session]");
}
END_TEST

/* Errors quote the wrong value, up to a limit, and name a comment that the syntax does not support. */
START_TEST(test_wrong_values_are_shown) {
        static const char comment[] = "not a whole number from 0 to 4294967295; a comment has a line of its own";
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        _cleanup_(diagnosis_done) Diagnosis d = {};
        char value[200];

        assert_refused("Session", "StartLimitBurst", "9 # times", comment);
        assert_refused("Session", "StartLimitBurst", "9\t; times", comment);
        assert_refused("Record", "Frequency", "99 # hz",
                       "neither samples per second, a whole number above 0, nor max; a comment has a line of its own");
        assert_refused("Record", "Frequency", "4294967296", "neither samples per second, a whole number above 0, nor max");

        memset(value, 'x', sizeof(value));
        value[sizeof(value) - 1] = '\0';
        ck_assert_int_lt(session_settings_set(s, "Session", "Enabled", value, &d), 0);
        ck_assert_ptr_nonnull(strstr(d.sentence, "xxx…\" is neither yes nor no"));
        ck_assert_uint_lt(strlen(d.sentence), 100);
}
END_TEST

START_TEST(test_limits) {
        _cleanup_free_ char *value = malloc(LINE_SIZE_MAX + 2), *words = malloc(4000);

        memset(value, 'x', LINE_SIZE_MAX + 1);
        value[LINE_SIZE_MAX + 1] = '\0';
        assert_refused("Session", "Description", value, "a value of more than 65536 bytes");

        for (size_t i = 0; i < 3000; i += 2)
                memcpy(words + i, "a ", 3);
        assert_refused("Session", "Run", words, "more than 1024 words");
}
END_TEST

START_TEST(test_unknown) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(session_settings_set(s, "Colours", "Red", "1", &d), -ENOKEY);
        ck_assert_str_eq(d.sentence, "unknown section [Colours]");
        ck_assert_int_eq(session_settings_set(s, "Record", "Colour", "red", NULL), -ENOKEY);
        ck_assert(!s->has_record);
        ck_assert_int_eq(session_settings_check_section("Scope", NULL), 0);
        ck_assert_int_eq(session_settings_check_section("Colours", NULL), -EINVAL);
}
END_TEST

START_TEST(test_has_record) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        assert_set(s, "Record", "Event", "");
        ck_assert(!s->has_record);
        assert_set(s, "Record", "Mode", "stream");
        ck_assert(s->has_record);
}
END_TEST

static void assert_check(const char *const (*keys)[2], const char *run, const char *message) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *text = NULL;

        if (run)
                assert_set(s, "Session", "Run", run);
        for (; (*keys)[0]; keys++)
                assert_set(s, "Record", (*keys)[0], (*keys)[1]);

        if (!message) {
                ck_assert_msg(session_settings_check(s, &d) == 0, "%s: %s", d.key, d.sentence);
                return;
        }
        ck_assert_int_eq(session_settings_check(s, &d), -EINVAL);
        text = diagnosis_format(&d);
        ck_assert_str_eq(text, message);
}

#define KEYS(...) ((const char *const[][2]) { __VA_ARGS__ { NULL, NULL } })

START_TEST(test_check) {
        assert_check(KEYS(), "-a", NULL);
        assert_check(KEYS({ "Mode", "stream" },), "-a",
                     "Run: cannot be used beside [Record]; use one or the other");
        assert_check(KEYS({ "Frequency", "99" }, { "Period", "9" },), NULL,
                     "Period: cannot be used beside Frequency=; an event can have its own: Event=NAME/period=N/");
        assert_check(KEYS({ "Frequency", "99" }, { "Period", "" },), NULL, NULL);
        assert_check(KEYS({ "Rotate", "1h" }, { "Mode", "overwrite" },), NULL,
                     "Rotate: cannot be used beside Mode=overwrite, which only writes dumps");
        assert_check(KEYS({ "Rotate", "1h" }, { "Mode", "stream" },), NULL, NULL);
        assert_check(KEYS({ "Rotate", "1h" }, { "Mode", "history" },), NULL,
                     "Rotate: cannot be used beside Mode=history, which only writes dumps");
        assert_check(KEYS({ "HistorySize", "1G" }, { "Mode", "overwrite" },), NULL, "HistorySize: is for Mode=history and Mode=count only");
        assert_check(KEYS({ "HistorySec", "1h" },), NULL, "HistorySec: is for Mode=history and Mode=count only");
        assert_check(KEYS({ "HistorySec", "infinity" },), NULL, NULL);
        assert_check(KEYS({ "Unwind", "yes" }, { "Mode", "overwrite" },), NULL, "Unwind: is for Mode=history only");
        assert_check(KEYS({ "Unwind", "no" }, { "CallGraph", "dwarf" },), NULL, NULL);
        assert_check(KEYS({ "Unwind", "yes" }, { "CallGraph", "dwarf" }, { "Mode", "history" },), NULL, NULL);
        assert_check(KEYS({ "KeepSec", "5min" }, { "Mode", "overwrite" },), NULL, NULL);
        assert_check(KEYS({ "KeepSec", "5min" }, { "Mode", "stream" },), NULL,
                     "KeepSec: is for Mode=overwrite, Mode=history and Mode=count, which keep samples in memory");
        assert_check(KEYS({ "HistorySec", "1h" }, { "Interval", "1s" }, { "KeepSec", "1h" }, { "Mode", "count" },), NULL, NULL);
        assert_check(KEYS({ "Interval", "1s" }, { "Mode", "history" },), NULL, "Interval: is for Mode=count only");
        assert_check(KEYS({ "Frequency", "99" }, { "Mode", "count" },), NULL,
                     "Frequency: cannot be used beside Mode=count, which takes no samples");
        assert_check(KEYS({ "BufferSize", "1M" }, { "Mode", "count" },), NULL,
                     "BufferSize: cannot be used beside Mode=count, which takes no samples");
        assert_check(KEYS({ "HistorySec", "1h" }, { "HistorySize", "1G" }, { "Mode", "history" },), NULL, NULL);
}
END_TEST

START_TEST(test_check_target) {
        assert_check(KEYS({ "PID", "1" }, { "TID", "1" },), NULL, "TID: cannot be used beside PID=");
        assert_check(KEYS({ "PID", "1" }, { "UserID", "0" },), NULL, "UserID: cannot be used beside PID= or TID=");
        assert_check(KEYS({ "UserID", "0" }, { "CPU", "0" },), NULL, "CPU: cannot be used beside PID=, TID= or UserID=");
        assert_check(KEYS({ "Unit", "web-*" },), NULL, "Unit: can be a pattern of names for Mode=count only");
        assert_check(KEYS({ "Unit", "web-*" }, { "Mode", "count" },), NULL, NULL);
        assert_check(KEYS({ "TID", "1" }, { "Unit", "a" },), NULL, "Unit: cannot be used beside PID=, TID= or UserID=");
        assert_check(KEYS({ "TID", "1" }, { "CGroup", "a" },), NULL,
                     "CGroup: cannot be used beside PID=, TID=, UserID= or Unit=");
        assert_check(KEYS({ "Unit", "a" }, { "CGroup", "a" },), NULL,
                     "CGroup: cannot be used beside PID=, TID=, UserID= or Unit=");
        assert_check(KEYS({ "CGroup", "a" }, { "CPU", "0" }, { "AllCPUs", "no" },), NULL, NULL);
        assert_check(KEYS({ "TID", "1" }, { "AllCPUs", "yes" },), NULL,
                     "AllCPUs: cannot be yes beside PID=, TID= or UserID=");
        assert_check(KEYS({ "AllCPUs", "no" },), NULL,
                     "AllCPUs: leaves nothing to record; one of PID=, TID=, UserID=, CPU=, Unit=, CGroup= or Command= is "
                     "needed beside AllCPUs=no");
        assert_check(KEYS({ "AllCPUs", "no" }, { "Command", "true" },), NULL, NULL);
        assert_check(KEYS({ "AllCPUs", "yes" }, { "Command", "true" },), NULL, NULL);
        assert_check(KEYS({ "Unit", "a" }, { "CPU", "0" },), NULL, NULL);
}
END_TEST

CHECK_MAIN("settings", test_defaults, test_session_keys, test_empty_values_reset, test_live_keys, test_keys_of_the_recorder,
           test_refused, test_wrong_values_are_shown, test_limits, test_unknown,
           test_has_record, test_check, test_check_target);
