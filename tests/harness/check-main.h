/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>
#include <stddef.h>
#include <stdlib.h>

/* The main function of a Check program: CHECK_MAIN("strv", test_extend, test_join) runs these START_TESTs, each in a child
 * of its own, and exits non-zero if one failed. CHECK_MAIN_WITH("bus", setup, teardown, …) runs these two around each. */

static inline int check_main(const char *name, SFun setup, SFun teardown, const TTest *const *tests, size_t n_tests) {
        Suite *suite = suite_create(name);
        TCase *tcase = tcase_create(name);
        SRunner *runner;
        int n_failed;

        tcase_add_checked_fixture(tcase, setup, teardown);
        for (size_t i = 0; i < n_tests; i++)
                tcase_add_test(tcase, tests[i]);
        tcase_set_timeout(tcase, 60); /* seconds; sanitizers on a loaded machine are slow */
        suite_add_tcase(suite, tcase);
        runner = srunner_create(suite);
        srunner_run_all(runner, CK_NORMAL);
        n_failed = srunner_ntests_failed(runner);
        srunner_free(runner);
        return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#define CHECK_MAIN(name, ...) CHECK_MAIN_WITH(name, NULL, NULL, __VA_ARGS__)

#define CHECK_MAIN_WITH(name, setup, teardown, ...)                                              \
        int main(void) {                                                                         \
                const TTest *const tests[] = { __VA_ARGS__ };                                    \
                return check_main(name, setup, teardown, tests, sizeof(tests) / sizeof(*tests)); \
        }                                                                                        \
        struct check_main_needs_a_semicolon
