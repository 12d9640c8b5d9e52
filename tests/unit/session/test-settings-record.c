/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The keys of [Record]. */

#include "check-main.h"
#include "setting-case.h"

START_TEST(test_events_and_filters) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        assert_set(s, "Record", "Event", "sched:*");
        assert_set(s, "Record", "Filter", "prev_pid == 0");
        assert_set(s, "Record", "Event", "cycles:u");
        ck_assert_uint_eq(strv_length(s->record.events), 2);
        ck_assert_uint_eq(strv_length(s->record.filters), 2);
        ck_assert_str_eq(s->record.events[1], "cycles:u");
        ck_assert_str_eq(s->record.filters[0], "prev_pid == 0");
        ck_assert_str_eq(s->record.filters[1], "");

        assert_set(s, "Record", "Filter", "a");
        assert_set(s, "Record", "Filter", "b");
        ck_assert_str_eq(s->record.filters[1], "b");
        assert_set(s, "Record", "Filter", "");
        ck_assert_str_eq(s->record.filters[1], "");

        assert_set(s, "Record", "Event", "");
        ck_assert_ptr_null(s->record.events);
        ck_assert_ptr_null(s->record.filters);
        assert_set(s, "Record", "Filter", "");
        assert_refused("Record", "Filter", "a", "there is no Event= before it that it could be for");
}
END_TEST

START_TEST(test_limit_of_events) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        _cleanup_(diagnosis_done) Diagnosis d = {};

        for (unsigned i = 0; i < 1024; i++)
                assert_set(s, "Record", "Event", "cycles");
        ck_assert_int_eq(session_settings_set(s, "Record", "Event", "cycles", &d), -E2BIG);
        ck_assert_str_eq(d.sentence, "more than 1024 of them");
        ck_assert_uint_eq(strv_length(s->record.filters), 1024);
}
END_TEST

START_TEST(test_sampling) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        static const char frequency[] = "neither samples per second, a whole number above 0, nor max";

        assert_set(s, "Record", "Frequency", "99");
        ck_assert_uint_eq(s->record.frequency, 99);
        assert_set(s, "Record", "Frequency", "max");
        ck_assert_uint_eq(s->record.frequency, UINT64_MAX);
        assert_set(s, "Record", "Period", "1000000");
        ck_assert_uint_eq(s->record.period, 1000000);
        assert_set(s, "Record", "CallGraph", "fp");
        ck_assert_str_eq(s->record.call_graph, "fp");
        assert_set(s, "Record", "CallGraph", "no");
        ck_assert_ptr_null(s->record.call_graph);
        assert_set(s, "Record", "CallGraph", "dwarf:16K");
        ck_assert_str_eq(s->record.call_graph, "dwarf,16384");
        assert_set(s, "Record", "ClockID", "CLOCK_BOOTTIME");
        ck_assert_str_eq(s->record.clock_id, "CLOCK_BOOTTIME");
        assert_set(s, "Record", "SampleFields", "addr,phys_addr code-page-size");
        ck_assert_uint_eq(strv_length(s->record.sample_fields), 3);
        assert_set(s, "Record", "MaxStack", "65535");
        ck_assert_uint_eq(s->record.max_stack, 65535);
        assert_set(s, "Record", "Inherit", "no");
        ck_assert_int_eq(s->record.inherit, 0);

        assert_refused("Record", "Frequency", "0", frequency);
        assert_refused("Record", "Frequency", "18446744073709551615", frequency);
        assert_refused("Record", "Frequency", "99Hz", frequency);
        assert_refused("Record", "Period", "0", "not a whole number above 0");
        assert_refused("Record", "CallGraph", "dwarf:65529", "neither no, fp, dwarf, dwarf:SIZE with at most 65528 bytes, nor lbr");
        assert_refused("Record", "CallGraph", "yes", "neither no, fp, dwarf, dwarf:SIZE with at most 65528 bytes, nor lbr");
        assert_refused("Record", "ClockID", "sundial", "unknown clockid sundial: realtime, monotonic, monotonic_raw, boottime, "
                       "tai or a number, see clock_gettime(2)");
        assert_refused("Record", "SampleFields", "addr,ipc", "ipc is not a field of samples; the fields are: addr, data-src, phys-addr, "
                       "data-page-size, code-page-size, time, period, cpu, identifier, raw, weight, transaction, brstack, uregs, "
                       "iregs, cgroup, namespaces, switches");
        assert_refused("Record", "MaxStack", "0", "not a number of frames from 1 to 65535");
        assert_refused("Record", "MaxStack", "65536", "not a number of frames from 1 to 65535");
        assert_refused("Record", "Inherit", "2", "neither yes nor no");
}
END_TEST

START_TEST(test_targets) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        _cleanup_free_ char *pids = NULL;

        assert_set(s, "Record", "AllCPUs", "yes");
        ck_assert_int_eq(s->record.all_cpus, 1);
        assert_set(s, "Record", "CPU", "0-3,5");
        ck_assert_str_eq(s->record.cpus, "0-3,5");
        assert_set(s, "Record", "PID", "1, 22 333");
        assert_set(s, "Record", "PID", "4444");
        pids = strv_join(s->record.pids, " ");
        ck_assert_str_eq(pids, "1 22 333 4444");
        assert_set(s, "Record", "TID", "7");
        ck_assert_str_eq(s->record.tids[0], "7");
        assert_set(s, "Record", "UserID", "www-data");
        ck_assert_str_eq(s->record.user, "www-data");
        assert_set(s, "Record", "UserID", "machine$");
        assert_set(s, "Record", "UserID", "1000");

        assert_refused("Record", "AllCPUs", "all", "neither yes nor no");
        assert_refused("Record", "CPU", "3-0", "not a list of CPUs, such as 0-3,5");
        assert_refused("Record", "CPU", "9999", "not a list of CPUs, such as 0-3,5");
        assert_refused("Record", "PID", "0", "not a list of process or thread ids, whole numbers above 0");
        assert_refused("Record", "TID", "self", "not a list of process or thread ids, whole numbers above 0");
        assert_refused("Record", "UserID", "-x", "neither the name nor the number of a user");
        assert_refused("Record", "UserID", "a b", "neither the name nor the number of a user");
}
END_TEST

START_TEST(test_unit) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        static const char no_processes[] = "not a unit that has processes, such as a service, scope or slice";

        assert_set(s, "Record", "Unit", "nginx.service");
        ck_assert_str_eq(s->record.unit, "nginx.service");
        assert_set(s, "Record", "Unit", "nginx");
        ck_assert_str_eq(s->record.unit, "nginx.service");
        assert_set(s, "Record", "Unit", "user@1000.service");
        assert_set(s, "Record", "Unit", "system.slice");
        ck_assert_str_eq(s->record.unit, "system.slice");

        assert_refused("Record", "Unit", "a/../b", "not the name of a unit, such as nginx.service");
        assert_refused("Record", "Unit", "/sys/fs/cgroup", "not the name of a unit, such as nginx.service");
        assert_refused("Record", "Unit", "logrotate.timer", no_processes);
        assert_refused("Record", "Unit", "web-*.timer", no_processes);
        assert_refused("Record", "Unit", "multi-user.target", no_processes);
}
END_TEST

START_TEST(test_cgroup) {
        static const char dots[] = "has a \"..\" in it; a control group is named by its path from the root";
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        assert_set(s, "Record", "CGroup", "/machine.slice");
        ck_assert_str_eq(s->record.cgroup, "/machine.slice");
        assert_set(s, "Record", "CGroup", "a..b/..c/d..");
        assert_set(s, "Record", "CGroup", "");
        ck_assert_ptr_null(s->record.cgroup);

        assert_refused("Record", "CGroup", "a,b", "not the path of a control group, such as system.slice/nginx.service");
        assert_refused("Record", "CGroup", "..", dots);
        assert_refused("Record", "CGroup", "a/../b", dots);
        assert_refused("Record", "CGroup", "a..b/..", dots);
}
END_TEST

START_TEST(test_realtime_priority) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        assert_set(s, "Record", "RealtimePriority", "99");
        ck_assert_uint_eq(s->record.realtime_priority, 99);
        assert_refused("Record", "RealtimePriority", "0", "not a real-time priority from 1 to 99");
        assert_refused("Record", "RealtimePriority", "100", "not a real-time priority from 1 to 99");
        assert_refused("Record", "RealtimePriority", "high", "not a real-time priority from 1 to 99");
}
END_TEST

START_TEST(test_command) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        assert_set(s, "Record", "Command", "stress-ng --cpu 1");
        assert_set(s, "Record", "Command", "sh -c 'sleep 1; true'");
        ck_assert_uint_eq(strv_length(s->record.command), 3);
        ck_assert_str_eq(s->record.command[2], "sleep 1; true");
        assert_refused("Record", "Command", "sh -c 'x", "a quote without its end, or a backslash at the end");
}
END_TEST

START_TEST(test_output) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        static const char *const no_compression[] = { "yes", "gzip", "zstd:", "zstd:0", "zstd:23", "zstd:-1", "zstd3", "3" };
        static const char rotate[] = "neither a size with its unit B, K, M or G, nor a time span with its unit, in whole seconds, "
                                     "such as 100M or 1h, nor infinity";

        assert_set(s, "Record", "BufferSize", "8M");
        ck_assert_uint_eq(s->record.buffer_size, 8 << 20);
        assert_set(s, "Record", "Mode", "overwrite");
        ck_assert_int_eq(s->record.mode, RECORD_MODE_OVERWRITE);
        assert_set(s, "Record", "Mode", "history");
        ck_assert_int_eq(s->record.mode, RECORD_MODE_HISTORY);
        assert_set(s, "Record", "HistorySize", "1.5G");
        ck_assert_uint_eq(s->record.history_size, UINT64_C(1536) << 20);
        assert_set(s, "Record", "HistorySec", "1h 30min");
        ck_assert_uint_eq(s->record.history_usec, 5400 * USEC_PER_SEC);
        assert_set(s, "Record", "Interval", "1min");
        ck_assert_uint_eq(s->record.interval, USEC_PER_MINUTE);
        assert_set(s, "Record", "HistorySec", "infinity");
        ck_assert_uint_eq(s->record.history_usec, USEC_INFINITY);
        assert_set(s, "Record", "KeepSec", "5min");
        ck_assert_uint_eq(s->record.keep_usec, 300 * USEC_PER_SEC);
        assert_set(s, "Record", "KeepSec", "");
        ck_assert_uint_eq(s->record.keep_usec, 0);
        ck_assert_int_eq(s->record.compression, -1);
        assert_set(s, "Record", "Compress", "zstd");
        ck_assert_int_eq(s->record.compression, 1);
        assert_set(s, "Record", "Compress", "zstd:19");
        ck_assert_int_eq(s->record.compression, 19);
        assert_set(s, "Record", "Compress", "no");
        ck_assert_int_eq(s->record.compression, 0);
        assert_set(s, "Record", "Rotate", "100M");
        ck_assert_str_eq(s->record.rotate, "100M");
        assert_set(s, "Record", "Rotate", "1h 30min");
        ck_assert_str_eq(s->record.rotate, "5400s");
        assert_set(s, "Record", "Rotate", "10s");
        ck_assert_str_eq(s->record.rotate, "10s");

        assert_refused("Record", "BufferSize", "300T", "too large for a ring buffer of 2^24 pages at most");
        assert_refused("Record", "BufferSize", "0", "not a size above 0, such as 512K or 8M");
        for (size_t i = 0; i < ELEMENTSOF(no_compression); i++)
                assert_refused("Record", "Compress", no_compression[i], "neither no nor zstd, nor zstd:LEVEL from 1 to 22");
        assert_refused("Record", "HistorySize", "1000K", "not a size from 1M to 1T");
        assert_refused("Record", "HistorySize", "2T", "not a size from 1M to 1T");
        assert_refused("Record", "Interval", "5ms", "not a time span from 10ms to 1d, in whole milliseconds");
        assert_refused("Record", "Interval", "10500us", "not a time span from 10ms to 1d, in whole milliseconds");
        assert_refused("Record", "HistorySec", "500ms", "not a time span in whole seconds, such as 30min, nor infinity");
        assert_refused("Record", "KeepSec", "0", "not a time span above 0, such as 5min");
        assert_refused("Record", "KeepSec", "infinity", "not a time span above 0, such as 5min");
        assert_refused("Record", "Mode", "file", "neither stream, overwrite, history nor count");
        assert_set(s, "Record", "Rotate", "infinity");
        ck_assert_str_eq(s->record.rotate, "signal");
        assert_refused("Record", "Rotate", "100", rotate);
        assert_refused("Record", "Rotate", "1.5G", rotate);
        assert_refused("Record", "Rotate", "0M", rotate);
        assert_refused("Record", "Rotate", "500ms", rotate);
        assert_refused("Record", "Rotate", "1500ms", rotate);
        assert_refused("Record", "Rotate", "signal", rotate);
}
END_TEST

CHECK_MAIN("settings-record", test_events_and_filters, test_limit_of_events, test_sampling, test_targets, test_unit, test_cgroup,
           test_realtime_priority, test_command, test_output);
