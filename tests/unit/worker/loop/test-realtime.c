/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each test is a process of its own, so its changes to itself end with it. */

#include "realtime.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include "check-main.h"

START_TEST(test_priority) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(realtime_check_priority(1, &d), 0);
        ck_assert_int_eq(realtime_check_priority(99, &d), 0);
        ck_assert_int_eq(realtime_check_priority(0, &d), -ERANGE);
        ck_assert_int_eq(realtime_check_priority(100, &d), -ERANGE);
        ck_assert_ptr_nonnull(strstr(d.sentence, "from 1 to 99"));
}
END_TEST

START_TEST(test_begin) {
        struct sched_param parameter;
        pid_t child;
        int status;

        if (realtime_try(3, NULL) < 0)
                return; /* not allowed here, which test_refused covers */
        ck_assert_int_eq(sched_getscheduler(0) & ~SCHED_RESET_ON_FORK, SCHED_OTHER);
        ck_assert_int_eq(realtime_begin(3, NULL), 0);
        ck_assert_int_eq(sched_getscheduler(0) & ~SCHED_RESET_ON_FORK, SCHED_FIFO);
        ck_assert_int_eq(sched_getparam(0, &parameter), 0);
        ck_assert_int_eq(parameter.sched_priority, 3);

        child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0)
                _exit(sched_getscheduler(0) == SCHED_OTHER ? 0 : 1);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(test_refused) {
        const struct rlimit none = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(setrlimit(RLIMIT_RTPRIO, &none), 0);
        if (geteuid() == 0)
                ck_assert_int_eq(seteuid(65534), 0); /* drops the effective capabilities */
        ck_assert_int_eq(realtime_try(3, &d), -EPERM);
        ck_assert_ptr_nonnull(startswith(d.sentence, "Could not set realtime priority: "));
        ck_assert_ptr_nonnull(strstr(d.sentence, "LimitRTPRIO="));
        if (getuid() == 0)
                ck_assert_int_eq(seteuid(0), 0); /* the sanitizers read the process at its exit */
}
END_TEST

CHECK_MAIN("realtime", test_priority, test_begin, test_refused);
