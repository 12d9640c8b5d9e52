/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The interval in which a share lies with a confidence of 95 %, if samples are taken at random moments: Wilson's, which is good for
 * small shares and few samples too. share: 0 to 1, as it was measured by n samples, which need not be a whole number. */
typedef struct ShareInterval {
        double from, to;
} ShareInterval;

ShareInterval share_interval(double share, double n);

/* The number of samples of equal weight that say as much as those whose weights, and their squares, have these sums. */
double share_samples(double sum, double squares);
