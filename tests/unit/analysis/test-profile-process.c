/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "profile-process.h"

static void expect(const NamedProcesses *p, size_t i, uint32_t pid, const char *comm, uint64_t samples) {
        ck_assert_uint_lt(i, p->n);
        ck_assert_uint_eq(p->processes[i].pid, pid);
        ck_assert_str_eq(p->processes[i].comm, comm);
        ck_assert_uint_eq(p->processes[i].samples, samples);
}

START_TEST(a_program_and_the_next) {
        _cleanup_(named_processes_done) NamedProcesses p = {};

        ck_assert_ok(named_processes_rename(&p, 10, "sh"));
        ck_assert_ok(named_processes_fork(&p, &(PerfRecordTask) { .pid = 11, .ppid = 10, .tid = 11, .ptid = 10 }));
        ck_assert_ok(named_processes_fork(&p, &(PerfRecordTask) { .pid = 10, .ppid = 10, .tid = 12, .ptid = 10 })); /* a thread */
        ck_assert_ok(named_processes_rename(&p, 11, "never sampled"));
        ck_assert_ok(named_processes_rename(&p, 11, "a name that is much longer"));
        ck_assert_ok(named_processes_count(&p, 11));
        ck_assert_ok(named_processes_rename(&p, 11, "make"));
        ck_assert_ok(named_processes_count(&p, 11));
        ck_assert_ok(named_processes_count(&p, 11));
        ck_assert_uint_eq(p.n, 3);
        expect(&p, 0, 10, "sh", 0);
        expect(&p, 1, 11, "a name that is ", 1);
        expect(&p, 2, 11, "make", 2);
}
END_TEST

START_TEST(known_by_a_sample_first) {
        _cleanup_(named_processes_done) NamedProcesses p = {};

        ck_assert_ok(named_processes_count(&p, 10));
        ck_assert_ok(named_processes_rename(&p, 10, "late"));
        ck_assert_ok(named_processes_fork(&p, &(PerfRecordTask) { .pid = 12, .ppid = 99, .tid = 12, .ptid = 99 }));
        ck_assert_uint_eq(p.n, 1);
        expect(&p, 0, 10, "late", 1);
}
END_TEST

START_TEST(many) {
        _cleanup_(named_processes_done) NamedProcesses p = {};

        for (uint32_t i = 0; i < 20000; i++)
                ck_assert_ok(named_processes_rename(&p, i, "x"));
        for (uint32_t i = 0; i < 20000; i++)
                ck_assert_ok(named_processes_count(&p, i));
        ck_assert_uint_eq(p.n, 20000);
        expect(&p, 19999, 19999, "x", 1);
}
END_TEST

TEST_RUN("profile-process", a_program_and_the_next, known_by_a_sample_first, many);
