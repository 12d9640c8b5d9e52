/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Limits: Check runs each test in a process of its own, so lowering them affects no other. */

#include <sys/resource.h>
#include "check-main.h"
#include "resource-limits.h"
#include "skip.h"

START_TEST(test_raise) {
        struct rlimit l;

        ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &l), 0);
        if (l.rlim_max < 600)
                SKIP("only %llu descriptors are allowed here", (unsigned long long) l.rlim_max);
        l.rlim_cur = 100;
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &l), 0);
        ck_assert_int_eq(resource_limits_raise_descriptors(10, NULL), 0);
        ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &l), 0);
        ck_assert_uint_eq(l.rlim_cur, 100); /* enough already */
        ck_assert_int_eq(resource_limits_raise_descriptors(500, NULL), 0);
        ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &l), 0);
        ck_assert_uint_ge(l.rlim_cur, 500);
}
END_TEST

START_TEST(test_raise_refused) {
        _cleanup_(diagnosis_done) Diagnosis d = {};

        /* This is above any fs.nr_open, also for root. */
        ck_assert_int_eq(resource_limits_raise_descriptors(SIZE_MAX / 2, &d), -EMFILE);
        ck_assert_ptr_nonnull(strstr(d.sentence, "LimitNOFILE="));
}
END_TEST

START_TEST(test_rings) {
        _cleanup_(diagnosis_done) Diagnosis d = {}, e = {};

        ck_assert_int_eq(resource_limits_check_rings(1, 1, &d), 0);
        ck_assert_ptr_null(d.sentence);
        ck_assert_int_eq(resource_limits_check_rings(1000000, 1 << 20, &d), -E2BIG);
        ck_assert_ptr_nonnull(strstr(d.sentence, "(-m)"));
        ck_assert_int_eq(resource_limits_check_rings(SIZE_MAX, UINT32_MAX, &e), -E2BIG);
}
END_TEST

START_TEST(test_locked) {
        struct rlimit none = {};
        _cleanup_(diagnosis_done) Diagnosis d = {};
        unsigned pages = 1U << 14; /* 64 MiB, above any usual kernel.perf_event_mlock_kb */

        if (geteuid() == 0 && setresuid(65534, 65534, 65534) < 0)
                SKIP("root can't become another user here");
        ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &none), 0);
        if (resource_limits_check_rings(1, pages, &d) == 0)
                SKIP("the kernel has no limit here");
        ck_assert_ptr_nonnull(strstr(d.sentence, "perf_event_mlock_kb"));
}
END_TEST

CHECK_MAIN("resource-limits", test_raise, test_raise_refused, test_rings, test_locked);
