/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The keys of [Scope]. */

#include "check-main.h"
#include "setting-case.h"

START_TEST(test_values) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();

        assert_set(s, "Scope", "Slice", "perf-recorder-heavy.slice");
        ck_assert_str_eq(s->scope.slice, "perf-recorder-heavy.slice");
        assert_set(s, "Scope", "CPUQuota", "20%");
        ck_assert_uint_eq(s->scope.cpu_quota_per_sec, 200 * USEC_PER_MSEC);
        assert_set(s, "Scope", "CPUQuota", "0.25%");
        ck_assert_uint_eq(s->scope.cpu_quota_per_sec, 2500);
        assert_set(s, "Scope", "CPUQuota", "250%");
        ck_assert_uint_eq(s->scope.cpu_quota_per_sec, 2500 * USEC_PER_MSEC);
        assert_set(s, "Scope", "CPUWeight", "10000");
        ck_assert_uint_eq(s->scope.cpu_weight, 10000);
        assert_set(s, "Scope", "IOWeight", "1");
        ck_assert_uint_eq(s->scope.io_weight, 1);
        assert_set(s, "Scope", "MemoryMax", "64M");
        ck_assert_uint_eq(s->scope.memory_max, 64 << 20);
        assert_set(s, "Scope", "MemoryMax", "infinity");
        ck_assert_uint_eq(s->scope.memory_max, UINT64_MAX);
        assert_set(s, "Scope", "TasksMax", "16");
        ck_assert_uint_eq(s->scope.tasks_max, 16);
        assert_set(s, "Scope", "TasksMax", "infinity");
        ck_assert_uint_eq(s->scope.tasks_max, UINT64_MAX);
        assert_set(s, "Scope", "Nice", "-20");
        ck_assert_int_eq(s->scope.nice, -20);
        ck_assert(!s->has_record);
}
END_TEST

START_TEST(test_memory_percentage) {
        _cleanup_(session_settings_freep) SessionSettings *s = new_settings();
        uint64_t memory = (uint64_t) sysconf(_SC_PHYS_PAGES) * (uint64_t) sysconf(_SC_PAGESIZE);

        assert_set(s, "Scope", "MemoryHigh", "50%");
        ck_assert_uint_le(s->scope.memory_high, memory / 2);
        ck_assert_uint_ge(s->scope.memory_high, memory / 100 * 49);
}
END_TEST

START_TEST(test_refused) {
        static const char quota[] = "not a percentage above 0 of one CPU's time, such as 20%",
                          weight[] = "not a weight from 1 to 10000", nice[] = "not a whole number from -20 to 19",
                          memory[] = "not a size above 0, such as 64M, a percentage of the memory, or infinity";

        assert_refused("Scope", "Slice", "system", "not the name of a slice, such as perf-recorder.slice");
        assert_refused("Scope", "Slice", "nginx.service", "not the name of a slice, such as perf-recorder.slice");
        assert_refused("Scope", "CPUQuota", "20", quota);
        assert_refused("Scope", "CPUQuota", "0%", quota);
        assert_refused("Scope", "CPUQuota", "%", quota);
        assert_refused("Scope", "CPUQuota", "-5%", quota);
        assert_refused("Scope", "CPUQuota", "99999999999999999999%", quota);
        assert_refused("Scope", "CPUWeight", "0", weight);
        assert_refused("Scope", "IOWeight", "10001", weight);
        assert_refused("Scope", "MemoryMax", "0", memory);
        assert_refused("Scope", "MemoryMax", "101%", memory);
        assert_refused("Scope", "MemoryHigh", "much", memory);
        assert_refused("Scope", "TasksMax", "0", "not a whole number above 0 or infinity");
        assert_refused("Scope", "TasksMax", "10%", "not a whole number above 0 or infinity");
        assert_refused("Scope", "Nice", "20", nice);
        assert_refused("Scope", "Nice", "-21", nice);
        assert_refused("Scope", "Nice", "low", nice);
}
END_TEST

CHECK_MAIN("settings-scope", test_values, test_memory_percentage, test_refused);
