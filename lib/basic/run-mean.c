/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf stat and perf sched show the deviation of the mean, which falls with the number of values. */

#include "run-mean.h"

#include <math.h>

double run_mean_deviation(const RunMean *m) {
        return m->n < 2 ? 0 : sqrt(m->squares / (double) (m->n - 1) / (double) m->n);
}

double run_mean_percentage(const RunMean *m) {
        return m->mean > 0 ? 100 * run_mean_deviation(m) / m->mean : 0;
}
