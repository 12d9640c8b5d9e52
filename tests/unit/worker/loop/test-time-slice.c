/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each test is a process of its own, so its changes to itself end with it. */

#include "time-slice.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "check-main.h"

static struct sched_attr attributes(void) {
        struct sched_attr a = { .size = sizeof(a) };

        ck_assert_int_eq(syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0), 0);
        return a;
}

START_TEST(test_shorter) {
        struct sched_attr before, after;

        ck_assert_int_eq(setpriority(PRIO_PROCESS, 0, 5), 0);
        before = attributes();
        time_slice_shorten();
        after = attributes();
        ck_assert_uint_eq(after.sched_policy, SCHED_NORMAL);
        ck_assert_int_eq(after.sched_nice, 5);
        if (before.sched_runtime == 0) /* before Linux 6.12 */
                ck_assert_uint_eq(after.sched_runtime, 0);
        else
                ck_assert_uint_lt(after.sched_runtime, before.sched_runtime);
}
END_TEST

START_TEST(test_other_policies_stay) {
        struct sched_attr batch = { .size = sizeof(batch), .sched_policy = SCHED_BATCH }, before, after;

        ck_assert_int_eq(syscall(SYS_sched_setattr, 0, &batch, 0), 0);
        before = attributes();
        time_slice_shorten();
        after = attributes();
        ck_assert_uint_eq(after.sched_policy, SCHED_BATCH);
        ck_assert_uint_eq(after.sched_runtime, before.sched_runtime);
}
END_TEST

CHECK_MAIN("time-slice", test_shorter, test_other_policies_stay);
