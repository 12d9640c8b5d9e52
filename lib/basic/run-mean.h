/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* A mean of several values, and their spread (Welford, Technometrics 4.3, 1962). Zero-initialise. */
typedef struct RunMean {
        double mean, squares; /* squares: of the distances from the mean, added up */
        uint64_t n;
} RunMean;

static inline void run_mean_add(RunMean *m, double value) {
        double distance = value - m->mean;

        m->mean += distance / (double) ++m->n;
        m->squares += distance * (value - m->mean);
}

/* Adds the values of another one (Chan, Golub and LeVeque, 1979). */
static inline void run_mean_merge(RunMean *m, const RunMean *other) {
        double n = (double) m->n + (double) other->n, distance = other->mean - m->mean;

        if (other->n == 0)
                return;
        m->mean += distance * (double) other->n / n;
        m->squares += other->squares + distance * distance * (double) m->n * (double) other->n / n;
        m->n += other->n;
}

/* Returns the standard deviation of the mean; 0 for less than two values. */
double run_mean_deviation(const RunMean *m);
/* Returns it in percent of the mean; 0 if that is 0. */
double run_mean_percentage(const RunMean *m);
