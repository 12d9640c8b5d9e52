/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tests of numbers of samples: values that can be computed by hand, and loads drawn by a generator that always draws the same ones. */

#include "significance.h"

#include <math.h>

#include "perfdata-test.h"

#define FUNCTIONS 100u
#define SAMPLES 10000u
#define PAIRS 200u
#define QUIET_MIN 190u /* pairs of the same load of which nothing is marked */
#define LEVEL 0.01

START_TEST(small_numbers) {
        ck_assert_double_eq_tol(significance_of_rates(0, 10, 0.5), 2.0 / 1024, 1e-12);
        ck_assert_double_eq_tol(significance_of_rates(10, 0, 0.5), 2.0 / 1024, 1e-12);
        ck_assert_double_eq_tol(significance_of_rates(1, 9, 0.5), 2.0 * 11 / 1024, 1e-12);
        ck_assert_double_eq_tol(significance_of_rates(0, 3, 0.25), 2.0 / 64, 1e-12); /* the second had a quarter of the time */
        ck_assert_double_eq_tol(significance_of_shares(0, 5, 5, 5), 2.0 / 252, 1e-12); /* ways to choose 5 of 10 */
        ck_assert_double_eq_tol(significance_of_shares(1, 5, 4, 5), 2.0 * 26 / 252, 1e-12);
}
END_TEST

START_TEST(no_difference) {
        ck_assert_double_eq(significance_of_rates(0, 0, 0.5), 1);
        ck_assert_double_eq(significance_of_rates(500, 500, 0.5), 1);
        ck_assert_double_eq(significance_of_rates(1000, 10, 10.0 / 1010), 1);
        ck_assert_double_eq(significance_of_shares(0, 0, 5, 5), 1);
        ck_assert_double_eq(significance_of_shares(7, 7, 5, 5), 1); /* all of both */
        ck_assert_double_eq(significance_of_shares(50, 100, 5000, 10000), 1);
        ck_assert_double_eq(significance_of_rates(UINT64_C(1) << 40, UINT64_C(1) << 40, 0.5), 1);
}
END_TEST

/* Large numbers are distributed normally; these are 5.77 and 5.95 deviations apart. */
START_TEST(large_numbers) {
        ck_assert_double_eq_tol(log10(significance_of_rates(500, 700, 0.5)), log10(erfc(200 / sqrt(2.0 * 1200))), 0.1);
        ck_assert_double_eq_tol(log10(significance_of_shares(500, SAMPLES, 700, SAMPLES)),
                                log10(erfc(0.02 / sqrt(2 * 2 * 0.06 * 0.94 / SAMPLES))), 0.1);
        ck_assert_double_lt(significance_of_rates(1, 100000000, 0.5), 1e-300);
        ck_assert_double_eq(significance_of_rates(0, 1000, 1), 1);
        ck_assert_double_lt(significance_of_rates(1, 1000, 1), 1e-9);
        ck_assert_double_lt(significance_of_rates(1000, 1, 0), 1e-300);
}
END_TEST

/* The third is below the level, but not below its part of it. */
START_TEST(several_tests) {
        const double p[] = { 0.039, 0.001, 0.074, 0.008, 0.041, 0.205, 0.042, 0.06 }, high[] = { 0.06, 1 };
        double limit;

        ck_assert_ok(significance_limit(p, ELEMENTSOF(p), 0.05, &limit));
        ck_assert_double_eq(limit, 0.008);
        ck_assert_ok(significance_limit(high, ELEMENTSOF(high), 0.05, &limit));
        ck_assert_double_lt(limit, 0);
        ck_assert_ok(significance_limit(NULL, 0, 0.05, &limit));
        ck_assert_double_lt(limit, 0);
}
END_TEST

/* Draws samples of functions, of which the first one has that share, and each of the others less than the one before it. */
static void draw(unsigned *seed, double first, uint64_t counts[static FUNCTIONS]) {
        double sum = 0, x;

        for (unsigned i = 1; i < FUNCTIONS; i++)
                sum += 1.0 / i;
        memset(counts, 0, FUNCTIONS * sizeof(*counts));
        for (unsigned k = 0; k < SAMPLES; k++) {
                unsigned i = 0;

                for (x = rand_r(seed) / (RAND_MAX + 1.0) - first; x >= 0 && i + 1 < FUNCTIONS; x -= (1 - first) / sum / i)
                        i++;
                counts[i]++;
        }
}

/* Returns how many functions are marked; *ret_first: whether the first one is. */
static unsigned marked(const uint64_t *a, const uint64_t *b, bool by_total, bool *ret_first) {
        double p[FUNCTIONS], limit;
        unsigned n = 0;

        for (unsigned i = 0; i < FUNCTIONS; i++)
                p[i] = by_total ? significance_of_shares(a[i], SAMPLES, b[i], SAMPLES) : significance_of_rates(a[i], b[i], 0.5);
        ck_assert_ok(significance_limit(p, FUNCTIONS, LEVEL, &limit));
        for (unsigned i = 0; i < FUNCTIONS; i++)
                n += p[i] <= limit;
        *ret_first = p[0] <= limit;
        return n;
}

START_TEST(same_load) {
        unsigned seed = 1, quiet[2] = {};

        for (unsigned k = 0; k < PAIRS; k++) {
                uint64_t a[FUNCTIONS], b[FUNCTIONS];
                bool first;

                draw(&seed, 0.05, a);
                draw(&seed, 0.05, b);
                for (unsigned by_total = 0; by_total < 2; by_total++)
                        quiet[by_total] += marked(a, b, by_total, &first) == 0;
        }
        ck_assert_uint_ge(quiet[0], QUIET_MIN);
        ck_assert_uint_ge(quiet[1], QUIET_MIN);
}
END_TEST

START_TEST(grown) {
        unsigned seed = 2;

        for (unsigned k = 0; k < 20; k++) {
                uint64_t a[FUNCTIONS], b[FUNCTIONS];

                draw(&seed, 0.05, a);
                draw(&seed, 0.07, b);
                for (unsigned by_total = 0; by_total < 2; by_total++) {
                        bool first;

                        ck_assert_uint_le(marked(a, b, by_total, &first), 2);
                        ck_assert(first);
                }
        }
}
END_TEST

TEST_RUN("significance", small_numbers, no_difference, large_numbers, several_tests, same_load, grown);
