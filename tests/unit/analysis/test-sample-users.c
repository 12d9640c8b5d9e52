/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-samples.h"
#include "sample-users.h"

static void expect_user(const SampleUser *u, const char *name, uint64_t processes, uint64_t count, uint64_t period) {
        ck_assert_str_eq(u->name, name);
        ck_assert_uint_eq(u->processes, processes);
        ck_assert_uint_eq(u->count, count);
        ck_assert_uint_eq(u->period, period);
}

/* Threads count for their process, by the name of its main thread; processes of one name are one user. Idle time is nobody's. */
START_TEST(processes) {
        const RecordTrailer none = { .sample_type = TEST_SAMPLE_TYPE };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        _cleanup_free_ SampleUser *users = NULL, *units = NULL;
        _cleanup_free_ uint32_t *order = NULL;
        size_t n, n_rows;

        for (uint32_t pid = 7; pid <= 9; pid++)
                ck_assert_ok(record_put_comm(&b, pid, pid, pid < 9 ? "web" : "db", 0, &none));
        ck_assert_ok(record_put_fork(&b, 8, 8, 80, 8, 0, 0, &none));
        ck_assert_ok(record_put_comm(&b, 8, 80, "helper", 0, &none));
        test_put_sample(&b, 11, PERF_RECORD_MISC_KERNEL, 0, UINT64_C(0xffffffff81000100), 50);
        MADE_SAMPLE(&b, 7, 7, 100, 0x400010);
        MADE_SAMPLE(&b, 8, 8, 101, 0x400010);
        MADE_SAMPLE(&b, 8, 80, 102, 0x400010);
        made_sample(&b, 9, 9, 103, 5, (const uint64_t[]) { 0x400010 }, 1);
        MADE_SAMPLE(&b, 10, 10, 104, 0x400010);
        t = made_table(&b, NULL, SAMPLE_BY_THREAD | SAMPLE_BY_CGROUP);
        order = sample_table_order(t);
        (void) sample_table_rows(t, &n_rows);
        ck_assert_ok(sample_users_by_process(t, order, n_rows, &users, &n));
        ck_assert_uint_eq(n, 3);
        expect_user(users, "db", 1, 1, 5);
        expect_user(users + 1, "web", 2, 3, 3);
        expect_user(users + 2, ":10", 1, 1, 1);
        ck_assert_ok(sample_users_by_unit(t, order, n_rows, &units, &n));
        ck_assert_uint_eq(n, 0);
}
END_TEST

TEST_RUN("sample-users", processes);
