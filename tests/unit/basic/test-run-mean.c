/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "cleanup.h"
#include "run-mean.h"

/* 2, 4, 4, 4, 5, 5, 7, 9: their distances from the mean, squared, are 32 in all. */
START_TEST(test_values) {
        static const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
        RunMean m = {};

        for (size_t i = 0; i < ELEMENTSOF(values); i++)
                run_mean_add(&m, values[i]);
        ck_assert_double_eq_tol(m.mean, 5, 1e-12);
        ck_assert_double_eq_tol(m.squares, 32, 1e-12);
        ck_assert_double_eq_tol(run_mean_deviation(&m), 0.755928946018454, 1e-12); /* the root of 32 / 7 / 8 */
        ck_assert_double_eq_tol(run_mean_percentage(&m), 15.11857892036909, 1e-12);
}
END_TEST

/* The same values in two parts, and with an empty one. */
START_TEST(test_merged) {
        static const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
        RunMean m = {}, parts[2] = {};

        for (size_t i = 0; i < ELEMENTSOF(values); i++)
                run_mean_add(&parts[i >= 3], values[i]);
        run_mean_merge(&m, &parts[0]);
        run_mean_merge(&m, &parts[1]);
        run_mean_merge(&m, &(RunMean) {});
        ck_assert_uint_eq(m.n, 8);
        ck_assert_double_eq_tol(m.mean, 5, 1e-12);
        ck_assert_double_eq_tol(m.squares, 32, 1e-12);
}
END_TEST

START_TEST(test_few) {
        RunMean m = {};

        ck_assert_double_eq(run_mean_percentage(&m), 0);
        run_mean_add(&m, 3);
        ck_assert_double_eq(m.mean, 3);
        ck_assert_double_eq(run_mean_deviation(&m), 0);
}
END_TEST

CHECK_MAIN("run-mean", test_values, test_merged, test_few);
