/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The keys of [Trigger]. */

#include <signal.h>
#include "check-main.h"
#include "setting-case.h"
#include "setting-expand.h"
#include "setting-key.h"

START_TEST(test_values) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        const TriggerSettings *t = &s->trigger;

        ck_assert_ptr_null(trigger_settings_recorder_key(t));
        assert_set(s, "Trigger", "Signal", "SIGRTMIN+1");
        ck_assert_int_eq(t->signal, SIGRTMIN + 1);
        assert_set(s, "Trigger", "Signal", "USR1");
        ck_assert_int_eq(t->signal, SIGUSR1);
        assert_set(s, "Trigger", "Event", "sched:sched_process_exit comm == \"web\"");
        assert_set(s, "Trigger", "Event", "oom:mark_victim");
        ck_assert_uint_eq(strv_length(t->events), 2);
        ck_assert_str_eq(t->events[1], "oom:mark_victim");
        assert_set(s, "Trigger", "Event", "");
        ck_assert_ptr_null(t->events);
        assert_set(s, "Trigger", "BPF", "/a/b.bpf.o:events");
        assert_set(s, "Trigger", "BPF", "/a/c.bpf.o");
        ck_assert_uint_eq(strv_length(t->bpf), 2);
        ck_assert_str_eq(t->bpf[0], "/a/b.bpf.o:events");
        assert_set(s, "Trigger", "CPUPressure", "150ms/1s");
        ck_assert_str_eq(t->cpu_pressure, "150ms/1s");
        assert_set(s, "Trigger", "MemoryPressure", "1s/2s");
        assert_set(s, "Trigger", "IOPressure", "1s/2s");
        assert_set(s, "Trigger", "IOPressure", "");
        ck_assert_ptr_null(t->io_pressure);
        assert_set(s, "Trigger", "DelaySec", "1.5");
        ck_assert_uint_eq(t->delay, 1500 * USEC_PER_MSEC);
        assert_set(s, "Trigger", "RateLimitIntervalSec", "1h");
        ck_assert_uint_eq(t->limit_interval, 60 * USEC_PER_MINUTE);
        assert_set(s, "Trigger", "RateLimitIntervalSec", "0");
        ck_assert_uint_eq(t->limit_interval, 0);
        assert_set(s, "Trigger", "RateLimitBurst", "0");
        ck_assert_uint_eq(t->limit_burst, 0);
        assert_set(s, "Trigger", "RateLimitBurst", "");
        ck_assert_uint_eq(t->limit_burst, TRIGGER_LIMIT_UNSET);
        assert_set(s, "Trigger", "Shutdown", "no");
        ck_assert_int_eq(t->shutdown, 0);
        ck_assert(!s->has_record);
        s->has_record = true;
        ck_assert_int_eq(session_settings_check(s, NULL), 0);
}
END_TEST

START_TEST(test_wrong) {
        static const char signals[] = "not one of the signals that are free for this: USR1, USR2, WINCH, URG, IO, PWR, RTMIN to RTMAX";

        assert_refused("Trigger", "Signal", "TERM", signals);
        assert_refused("Trigger", "Signal", "NONE", signals);
        assert_refused("Trigger", "Signal", "SEGV", signals);
        assert_refused("Trigger", "BPF", "b.o", "not the absolute path of an object file, with or without :MAP");
        assert_refused("Trigger", "BPF", "/a/b.o:", "not the absolute path of an object file, with or without :MAP");
        assert_refused("Trigger", "CPUPressure", "150ms", "not THRESHOLD/WINDOW, two time spans such as 150ms/1s");
        assert_refused("Trigger", "MemoryPressure", "1s/20s", "a window of pressure is from 500ms to 10s");
        assert_refused("Trigger", "IOPressure", "2s/1s", "a threshold of pressure is above 0 and not above its window");
        assert_refused("Trigger", "DelaySec", "2h", "not a time span up to an hour, such as 500ms or 5s");
        assert_refused("Trigger", "DelaySec", "soon", "not a time span up to an hour, such as 500ms or 5s");
        assert_refused("Trigger", "RateLimitIntervalSec", "infinity", "not a finite time span, such as 1min; 0 sets no limit");
        assert_refused("Trigger", "RateLimitBurst", "-1", "not a whole number from 0 to 4294967294");
        assert_refused("Trigger", "RateLimitBurst", "4294967295", "not a whole number from 0 to 4294967294");
        assert_refused("Trigger", "Shutdown", "maybe", "neither yes nor no");
}
END_TEST

/* perf has none of them. */
START_TEST(test_foreign_recorder) {
        static const char *const keys[][2] = {
                { "Signal", "USR1" }, { "Event", "cpu-clock" }, { "BPF", "/x.o" }, { "CPUPressure", "1s/2s" }, { "MemoryPressure", "1s/2s" },
                { "IOPressure", "1s/2s" }, { "DelaySec", "1" }, { "RateLimitIntervalSec", "1" }, { "RateLimitBurst", "1" },
                { "Shutdown", "yes" },
        };

        for (size_t i = 0; i < ELEMENTSOF(keys); i++) {
                _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
                _cleanup_(diagnosis_done) Diagnosis d = {};

                assert_set(s, "Record", "AllCPUs", "yes");
                assert_set(s, "Trigger", keys[i][0], keys[i][1]);
                ck_assert_int_eq(session_settings_check(s, NULL), 0);
                assert_set(s, "Session", "Recorder", "/usr/bin/perf");
                ck_assert_int_eq(session_settings_check(s, &d), -EINVAL);
                ck_assert_str_eq(d.key, keys[i][0]);
                ck_assert_str_eq(d.sentence, "cannot be used beside Recorder=; only perf-recorder's own recorder supports it");
        }
}
END_TEST

START_TEST(test_conditions) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        const TriggerSettings *t = &s->trigger;

        ck_assert_int_eq(t->socket, -1);
        assert_set(s, "Trigger", "Socket", "yes");
        ck_assert_int_eq(t->socket, 1);
        assert_set(s, "Trigger", "UnitFailure", "nginx.service web-*.service");
        assert_set(s, "Trigger", "UnitFailure", "*.mount");
        ck_assert_uint_eq(strv_length(t->unit_failure), 3);
        assert_set(s, "Trigger", "UnitFailure", "");
        ck_assert_ptr_null(t->unit_failure);
        assert_set(s, "Trigger", "Also", "sched unit@x.service");
        assert_set(s, "Trigger", "Also", "cpu");
        ck_assert_uint_eq(strv_length(s->trigger.also), 3);
        assert_set(s, "Trigger", "Also", "");
        ck_assert_ptr_null(s->trigger.also);
        assert_set(s, "Trigger", "OnDump", "upload@.service");
        ck_assert_str_eq(s->trigger.on_dump, "upload@.service");
        assert_set(s, "Trigger", "OnDump", "");
        ck_assert_ptr_null(s->trigger.on_dump);
        assert_set(s, "Trigger", "OnCalendar", "Mon *-*-* 04:00");
        assert_set(s, "Trigger", "OnCalendar", "hourly");
        ck_assert_uint_eq(strv_length(t->calendar), 2);
        assert_set(s, "Trigger", "OnCalendar", "");
        ck_assert_ptr_null(t->calendar);
        ck_assert_ptr_null(trigger_settings_recorder_key(t)); /* a foreign recorder has these */

        assert_refused("Trigger", "Socket", "perhaps", "neither yes nor no");
        assert_refused("Trigger", "UnitFailure", "/etc/nginx",
                       "/etc/nginx is not a glob for unit names, such as nginx.service or web-*.service");
        assert_refused("Trigger", "Also", "a/b", "a/b is not the name of a session");
        assert_refused("Trigger", "Also", "unit@", "unit@ is not the name of a session");
        assert_refused("Trigger", "OnDump", "upload.service", "not the name of a template unit, such as upload@.service");
        assert_refused("Trigger", "OnDump", "upload@x.service", "not the name of a template unit, such as upload@.service");
        assert_refused("Trigger", "OnDump", "/bin/x@.service", "not the name of a template unit, such as upload@.service");
}
END_TEST

/* In names of units and sessions a backslash is part of the name, as systemd-escape(1) prints it. */
START_TEST(test_backslashes) {
        static const struct {
                const char *section, *key, *value, *expected;
        } cases[] = {
                { "Record", "Unit", "%i", "my\\x2dapp.service" },
                { "Record", "CGroup", "system.slice/%i", "system.slice/my\\x2dapp.service" },
                { "Trigger", "UnitFailure", "%i", "my\\x2dapp.service" },
                { "Trigger", "UnitFailure", "my\\x2d*.service b\\", "my\\x2d*.service|b\\" },
                { "Trigger", "UnitFailure", "'my\\x2dapp.service' \"b\\x2dc.mount\"", "my\\x2dapp.service|b\\x2dc.mount" },
                { "Trigger", "Also", "u@%i", "u@my\\x2dapp.service" },
                { "Trigger", "OnDump", "my\\x2dapp@.service", "my\\x2dapp@.service" },
                { "Scope", "Slice", "my\\x2dapp.slice", "my\\x2dapp.slice" },
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                const SettingKey *key = setting_key_find(cases[i].section, cases[i].key);
                _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
                _cleanup_free_ char *expanded = NULL, *joined = NULL;
                void *field = (char *) s + key->offset;

                ck_assert_int_eq(setting_expand(cases[i].section, cases[i].key, cases[i].value, "u@my\\x2dapp.service", &expanded, NULL), 0);
                assert_set(s, cases[i].section, cases[i].key, expanded);
                joined = key->kind == SETTING_LIST ? strv_join(*(char ***) field, "|") : strdup(*(char **) field);
                ck_assert_msg(streq(joined, cases[i].expected), "%s=%s", cases[i].key, joined);
        }
}
END_TEST

CHECK_MAIN("settings-trigger", test_values, test_conditions, test_backslashes, test_wrong, test_foreign_recorder);
