/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Children exit, are killed, cannot be run, and do not write what their parent has printed. */

#include <fcntl.h>
#include <signal.h>

#include "capture.h"
#include "check-main.h"
#include "child-process.h"

static void run_shell(void *userdata) {
        char *const words[] = { (char *) "sh", (char *) "-c", userdata, NULL };

        child_exec(words, 42);
}

static void run_nothing(void *userdata) {
        char *const words[] = { (char *) "/nonexistent", NULL };

        (void) dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
        child_exec(words, 42);
}

static void do_nothing(void *userdata) {
}

START_TEST(test_exit) {
        ck_assert_int_eq(child_run(run_shell, (char *) "exit 0"), 0);
        ck_assert_int_eq(child_run(run_shell, (char *) "exit 7"), 7);
        ck_assert_int_eq(child_run(run_nothing, NULL), 42);
        ck_assert_int_eq(child_run(do_nothing, NULL), EXIT_FAILURE);
}
END_TEST

START_TEST(test_killed) {
        pid_t pid = child_start(run_shell, (char *) "kill -TERM $$");
        int sig = 0;

        ck_assert_int_gt(pid, 0);
        ck_assert_int_eq(child_wait(pid, &sig), -EPROTO);
        ck_assert_int_eq(sig, SIGTERM);
        ck_assert_int_eq(child_wait(pid, &sig), -ECHILD);
        ck_assert_int_eq(child_run(run_shell, (char *) "kill -KILL $$"), -EPROTO);
}
END_TEST

START_TEST(test_output_is_in_order) {
        _cleanup_free_ char *text = NULL;
        int saved = capture_begin(STDOUT_FILENO);

        (void) printf("before, ");
        ck_assert_int_eq(child_run(run_shell, (char *) "printf 'in it, '"), 0);
        (void) printf("behind");
        text = capture_end(STDOUT_FILENO, saved);
        ck_assert_str_eq(text, "before, in it, behind");
}
END_TEST

CHECK_MAIN("child-process", test_exit, test_killed, test_output_is_in_order);
