/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Processes as /proc shows them, in a made-up tree and in the real one. */

#include <sys/prctl.h>
#include "check-main.h"
#include "process.h"
#include "scratch.h"

START_TEST(test_stat) {
        char user[] = "1234 (perf (x) y) S 17 1 2 3 4 4194304 1 2 3 4 5 6 7 8 20 0 12 0 99 1000 2000";
        char kernel[] = "2 (kworker/R-rcu_gp-with-a-long-name) I 0 0 0 0 -1 69238880 0 0 0 0 0 0 0 0 0 -20 1 0 5 0 0\n";
        Process p;

        ck_assert_int_eq(process_parse_stat(user, &p), 0);
        ck_assert_int_eq(p.pid, 1234);
        ck_assert_int_eq(p.ppid, 17);
        ck_assert_str_eq(p.comm, "perf (x) y");
        ck_assert(!p.kernel);
        ck_assert_uint_eq(p.n_threads, 12);

        ck_assert_int_eq(process_parse_stat(kernel, &p), 0);
        ck_assert(p.kernel);
        ck_assert_str_eq(p.comm, "kworker/R-rcu_g");
        ck_assert_uint_eq(p.n_threads, 1);
}
END_TEST

START_TEST(test_wrong_stat) {
        static const char *const wrong[] = { "", "1", "1 (x", "1 x) S", "1 )x( S 1", "x (x) S 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "1 (x) S 1 2 3" };

        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                _cleanup_free_ char *text = strdup(wrong[i]);
                Process p;

                ck_assert_msg(process_parse_stat(text, &p) == -EBADMSG, "%s", wrong[i]);
        }
}
END_TEST

START_TEST(test_tree) {
        _cleanup_(scratch_done) char *root = scratch_new();
        _cleanup_free_ pid_t *pids = NULL, *tids = NULL;
        char comm[PROCESS_COMM_SIZE];
        size_t n;
        pid_t pid;

        scratch_write_text(root, "proc/10/status", "Name:\tx\nTgid:\t10\nPid:\t10\n");
        scratch_write_text(root, "proc/12/status", "Name:\tx\nTgid:\t10\nPid:\t12\n");
        scratch_write_text(root, "proc/10/task/10/comm", "main\n");
        scratch_write_text(root, "proc/10/task/12/comm", "a name longer than fits\n");
        scratch_write_text(root, "proc/uptime", "");
        scratch_write_text(root, "proc/1x/comm", "");

        ck_assert_int_eq(process_list(root, 0, &pids, &n), 0);
        ck_assert_uint_eq(n, 2);
        ck_assert_int_eq(pids[0] + pids[1], 22);
        ck_assert_int_eq(process_list(root, 10, &tids, &n), 0);
        ck_assert_uint_eq(n, 1);
        ck_assert_int_eq(tids[0], 12);
        ck_assert_int_eq(process_read_comm(root, 10, 12, comm), 0);
        ck_assert_str_eq(comm, "a name longer t");
        ck_assert_int_eq(process_of_thread(root, 12, &pid), 0);
        ck_assert_int_eq(pid, 10);
        ck_assert_int_eq(process_of_thread(root, 13, &pid), -ENOENT);
        ck_assert_int_eq(process_read_comm(root, 10, 13, comm), -ENOENT);
}
END_TEST

START_TEST(test_ourselves) {
        char comm[PROCESS_COMM_SIZE];
        Process p;
        pid_t pid;

        ck_assert_int_eq(prctl(PR_SET_NAME, "a) test (b"), 0);
        ck_assert_int_eq(process_read("", getpid(), &p), 0);
        ck_assert_int_eq(p.pid, getpid());
        ck_assert_int_eq(p.ppid, getppid());
        ck_assert_str_eq(p.comm, "a) test (b");
        ck_assert(!p.kernel);
        ck_assert_uint_ge(p.n_threads, 1);
        ck_assert_int_eq(process_read_comm("", getpid(), getpid(), comm), 0);
        ck_assert_str_eq(comm, "a) test (b");
        ck_assert_int_eq(process_of_thread("", getpid(), &pid), 0);
        ck_assert_int_eq(pid, getpid());
}
END_TEST

CHECK_MAIN("process", test_stat, test_wrong_stat, test_tree, test_ourselves);
