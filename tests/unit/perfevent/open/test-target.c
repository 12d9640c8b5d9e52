/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Targets: lists, contradictions, and their CPUs and threads with a made-up /proc. */

#include "check-main.h"
#include "scratch.h"
#include "target.h"

static void make_process(const char *proc, pid_t pid, size_t n_threads) {
        for (size_t i = 0; i < n_threads; i++) {
                _cleanup_free_ char *name = NULL;

                ck_assert_int_gt(asprintf(&name, "%d/task/%d/comm", pid, pid + (int) i), 0);
                scratch_write_text(proc, name, "x\n");
        }
}

static int resolve(const Target *t, const char *proc, size_t *n_cpus, size_t *n_tids, pid_t *first, Diagnosis *d) {
        _cleanup_free_ int *cpus = NULL;
        _cleanup_free_ pid_t *tids = NULL;
        int r;

        r = target_resolve(t, proc, &cpus, n_cpus, &tids, n_tids, d);
        if (r >= 0)
                *first = tids[0];
        return r;
}

START_TEST(test_lists) {
        _cleanup_(target_done) Target t = TARGET_EMPTY;
        _cleanup_(diagnosis_done) Diagnosis d = {};

        ck_assert_int_eq(target_set_cpus(&t, "0-1", &d), 0);
        ck_assert_uint_eq(t.n_cpus, 2);
        ck_assert_int_eq(target_set_cpus(&t, "0", &d), 0);
        ck_assert_uint_eq(t.n_cpus, 1);
        ck_assert_int_lt(target_set_cpus(&t, "x", &d), 0);
        ck_assert_ptr_nonnull(strstr(d.sentence, "\"x\""));
        diagnosis_reset(&d);
        ck_assert_int_eq(target_add_pids(&t, "1,22,1", &d), 0);
        ck_assert_uint_eq(t.n_pids, 2);
        ck_assert_int_lt(target_add_pids(&t, "1,,2", &d), 0);
        ck_assert_int_lt(target_add_tids(&t, "-5", NULL), 0);
        ck_assert_int_lt(target_add_tids(&t, "", NULL), 0);
        ck_assert_int_eq(target_set_user(&t, "root", NULL), 0);
        ck_assert_uint_eq(t.uid, 0);
        ck_assert_int_eq(target_set_user(&t, "1234", NULL), 0);
        ck_assert_uint_eq(t.uid, 1234);
        ck_assert_int_eq(target_set_user(&t, "no such user", NULL), -EINVAL);
}
END_TEST

START_TEST(test_check) {
        _cleanup_strv_free_ char **notes = NULL;
        _cleanup_(target_done) Target nothing = TARGET_EMPTY, t = TARGET_EMPTY, command = TARGET_EMPTY, cpus = TARGET_EMPTY;

        ck_assert_int_eq(target_check(&nothing, &notes), 0);
        ck_assert(nothing.all_cpus && target_has_cpu(&nothing) && !notes);

        command.command = 5;
        ck_assert_int_eq(target_check(&command, &notes), 0);
        ck_assert(!command.all_cpus && !notes);

        t.all_cpus = true;
        t.uid = 0;
        ck_assert_int_eq(target_add_pids(&t, "1", NULL), 0);
        ck_assert_int_eq(target_set_cpus(&t, "0", NULL), 0);
        ck_assert_int_eq(target_check(&t, &notes), 0);
        ck_assert(!target_has_cpu(&t) && target_has_task(&t) && t.uid == TARGET_UID_INVALID);
        ck_assert_uint_eq(strv_length(notes), 2);

        cpus.all_cpus = cpus.per_thread = true;
        ck_assert_int_eq(target_check(&cpus, &notes), 0);
        ck_assert(!cpus.per_thread && cpus.all_cpus);
        ck_assert_uint_eq(strv_length(notes), 3);
}
END_TEST

START_TEST(test_resolve) {
        _cleanup_(scratch_done) char *proc = scratch_new();
        _cleanup_(target_done) Target all = { .all_cpus = true, .uid = TARGET_UID_INVALID }, process = TARGET_EMPTY, user = TARGET_EMPTY,
                                      command = { .command = 77, .uid = TARGET_UID_INVALID };
        size_t n_cpus, n_tids, online = (size_t) sysconf(_SC_NPROCESSORS_ONLN);
        pid_t first;

        make_process(proc, 100, 3);
        make_process(proc, 200, 1);
        ck_assert_int_eq(resolve(&all, proc, &n_cpus, &n_tids, &first, NULL), 0);
        ck_assert_uint_eq(n_cpus, online);
        ck_assert(n_tids == 1 && first == -1);

        ck_assert_int_eq(target_add_pids(&process, "100", NULL), 0);
        ck_assert_int_eq(resolve(&process, proc, &n_cpus, &n_tids, &first, NULL), 0);
        ck_assert(n_cpus == online && n_tids == 3 && first >= 100);
        process.per_thread = true;
        ck_assert_int_eq(resolve(&process, proc, &n_cpus, &n_tids, &first, NULL), 0);
        ck_assert(n_cpus == 1 && n_tids == 3);

        user.uid = getuid();
        ck_assert_int_eq(resolve(&user, proc, &n_cpus, &n_tids, &first, NULL), 0);
        ck_assert_uint_eq(n_tids, 4);

        ck_assert_int_eq(resolve(&command, proc, &n_cpus, &n_tids, &first, NULL), 0);
        ck_assert(n_cpus == online && n_tids == 1 && first == 77);
        command.all_cpus = true;
        ck_assert_int_eq(resolve(&command, proc, &n_cpus, &n_tids, &first, NULL), 0);
        ck_assert_int_eq(first, -1);
}
END_TEST

START_TEST(test_absent) {
        _cleanup_(scratch_done) char *proc = scratch_new();
        _cleanup_(target_done) Target t = TARGET_EMPTY, user = { .uid = 4000000000U }, cpu = TARGET_EMPTY;
        _cleanup_(diagnosis_done) Diagnosis d = {}, e = {}, f = {};
        size_t n_cpus, n_tids;
        pid_t first;

        ck_assert_int_eq(target_add_pids(&t, "4242", NULL), 0);
        ck_assert_int_eq(resolve(&t, proc, &n_cpus, &n_tids, &first, &d), -ESRCH);
        ck_assert_ptr_nonnull(strstr(d.sentence, "4242"));
        ck_assert_int_eq(resolve(&user, proc, &n_cpus, &n_tids, &first, &e), -ESRCH);
        ck_assert_ptr_nonnull(strstr(e.sentence, "4000000000"));
        ck_assert_int_eq(target_set_cpus(&cpu, "8191", NULL), 0);
        ck_assert_int_eq(resolve(&cpu, proc, &n_cpus, &n_tids, &first, &f), -ENODEV);
        ck_assert_ptr_nonnull(strstr(f.sentence, "CPU 8191"));
}
END_TEST

/* One of the CPUs of -C is offline. */
START_TEST(test_online_only) {
        Target t = TARGET_EMPTY;
        size_t n_cpus, n_tids;
        pid_t first;

        ck_assert_int_eq(target_set_cpus(&t, "0,8191", NULL), 0);
        ck_assert_int_eq(resolve(&t, NULL, &n_cpus, &n_tids, &first, NULL), -ENODEV);
        t.online_only = true;
        ck_assert_int_eq(resolve(&t, NULL, &n_cpus, &n_tids, &first, NULL), 0);
        ck_assert_uint_eq(n_cpus, 1);
        ck_assert_int_eq(target_set_cpus(&t, "8191", NULL), 0);
        ck_assert_int_eq(resolve(&t, NULL, &n_cpus, &n_tids, &first, NULL), -ENODEV);
        target_done(&t);
}
END_TEST

START_TEST(test_many_threads) {
        _cleanup_(target_done) Target t = TARGET_EMPTY;
        size_t n_cpus, n_tids;
        pid_t first;
        _cleanup_free_ char *self = NULL;

        ck_assert_int_gt(asprintf(&self, "%d", getpid()), 0);
        ck_assert_int_eq(target_add_pids(&t, self, NULL), 0);
        ck_assert_int_eq(resolve(&t, NULL, &n_cpus, &n_tids, &first, NULL), 0);
        ck_assert_int_eq(first, getpid());
}
END_TEST

CHECK_MAIN("target", test_lists, test_check, test_resolve, test_absent, test_online_only, test_many_threads);
