/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tracepoints of a made-up tracefs, patterns, and the real one where it can be read. */

#include <fnmatch.h>

#include "check-main.h"
#include "skip.h"
#include "tracepoint.h"

#define ROOT TEST_DATA "/tracefs"

static size_t count(const char *system, const char *name) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        Tracepoint *t = NULL;
        size_t n = 0;
        int r = tracepoint_expand(ROOT, system, name, &t, &n, &d);

        ck_assert_msg(r == 0 || (r == -ENOENT && d.sentence), "%s:%s: %d", system, name, r);
        for (size_t i = 0; i < n; i++)
                ck_assert(t[i].id > 0 && fnmatch(system, t[i].system, 0) == 0 && fnmatch(name, t[i].name, 0) == 0);
        (void) tracepoints_free(t, n);
        return n;
}

START_TEST(test_expand) {
        ck_assert_uint_eq(count("sched", "sched_switch"), 1);
        ck_assert_uint_eq(count("sched", "sched_*"), 4);
        ck_assert_uint_eq(count("sched", "*_process_ex??"), 2);
        ck_assert_uint_eq(count("sc*", "*"), 4);
        ck_assert_uint_eq(count("s*", "*"), 6);
        ck_assert_uint_eq(count("*", "*"), 7);
        ck_assert_uint_eq(count("*", "sys_enter_read"), 1);
        ck_assert_uint_eq(count("ftrace", "*"), 0); /* without a number: not for perf */
        ck_assert_uint_eq(count("sched", "nosuch"), 0);
        ck_assert_uint_eq(count("nosuch", "*"), 0);
        ck_assert_uint_eq(count("nosuch*", "*"), 0);
        ck_assert_uint_eq(count("sched", "enable"), 0);
}
END_TEST

START_TEST(test_bad_names) {
        static const char *const bad[] = { "", ".", "..", "../sched", "a/b" };
        uint64_t id;

        for (size_t i = 0; i < ELEMENTSOF(bad); i++) {
                _cleanup_(diagnosis_done) Diagnosis d = {};
                Tracepoint *t;
                size_t n;

                ck_assert_int_eq(tracepoint_expand(ROOT, bad[i], "x", &t, &n, &d), -EINVAL);
                ck_assert_int_eq(tracepoint_expand(ROOT, "sched", bad[i], &t, &n, NULL), -EINVAL);
                ck_assert_int_eq(tracepoint_id(ROOT, "sched", bad[i], &id), -EINVAL);
                ck_assert_ptr_nonnull(d.sentence);
        }
}
END_TEST

START_TEST(test_fields) {
        _cleanup_strv_free_ char **fields = NULL, **pointers = NULL;
        _cleanup_free_ char *joined = NULL;

        ck_assert_int_eq(tracepoint_fields(ROOT, "sched", "sched_switch", &fields), 0);
        joined = strv_join(fields, ",");
        ck_assert_str_eq(joined, "common_type,common_pid,prev_comm,prev_pid,next_name");
        ck_assert_int_eq(tracepoint_fields(ROOT, "syscalls", "sys_enter_read", &pointers), 0);
        ck_assert(strv_contains(pointers, "buf"));
        ck_assert_int_eq(tracepoint_fields(ROOT, "sched", "nosuch", &pointers), -ENOENT);
}
END_TEST

START_TEST(test_real) {
        _cleanup_free_ char *root = NULL;
        Tracepoint *t = NULL;
        size_t n = 0;
        int r;

        r = tracefs_find(&root);
        if (r < 0)
                SKIP("tracefs is not mounted");
        r = tracepoint_expand(root, "sched", "sched_process_*", &t, &n, NULL);
        if (r == -EACCES)
                SKIP("%s is for root only", root);
        ck_assert_int_eq(r, 0);
        ck_assert_uint_ge(n, 3);
        (void) tracepoints_free(t, n);
}
END_TEST

CHECK_MAIN("tracepoint", test_expand, test_bad_names, test_fields, test_real);
