/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "program.h"

static int run(const char *script, usec_t timeout, char **output, char **errors) {
        char *argv[] = { (char *) "sh", (char *) "-c", (char *) script, NULL };
        const ProgramRun r = { .argv = argv, .timeout = timeout, .output_max = 8, .errors = errors };

        return program_run(&r, output);
}

START_TEST(test_output) {
        _cleanup_free_ char *both = NULL, *output = NULL, *errors = NULL;

        ck_assert_int_eq(run("echo a; echo b >&2; exit 3", USEC_PER_MINUTE, &both, NULL), 3);
        ck_assert_str_eq(both, "a\nb\n");
        ck_assert_int_eq(run("cat; echo 0123456789; echo b >&2", USEC_PER_MINUTE, &output, &errors), 0);
        ck_assert_str_eq(output, "01234567");
        ck_assert_str_eq(errors, "b\n");
}
END_TEST

START_TEST(test_failures) {
        char *argv[] = { (char *) "/no/such/program", NULL };
        const ProgramRun none = { .argv = argv, .timeout = USEC_PER_MINUTE, .output_max = 8 };
        char *output = NULL;

        ck_assert_int_eq(program_run(&none, &output), -ENOENT);
        ck_assert_int_eq(run("kill -9 $$", USEC_PER_MINUTE, &output, NULL), -EPROTO);
        ck_assert_ptr_null(output);
}
END_TEST

START_TEST(test_timeout) {
        usec_t begin = now_usec(CLOCK_MONOTONIC);
        char *output = NULL;

        ck_assert_int_eq(run("exec sleep 1000", 50 * USEC_PER_MSEC, &output, NULL), -ETIMEDOUT);
        ck_assert_uint_ge(now_usec(CLOCK_MONOTONIC) - begin, 50 * USEC_PER_MSEC);
        ck_assert_ptr_null(output);
}
END_TEST

CHECK_MAIN("program", test_output, test_failures, test_timeout);
