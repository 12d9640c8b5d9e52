/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Tests of whether two numbers of samples differ by more than chance explains, if samples are independent of each other. */

#define SIGNIFICANCE_LEVEL 0.01 /* of what views mark as changed, this part is expected to be chance at most */

/* Tests whether two numbers of samples are Poisson distributed with the same rate. part: the second number's part of all chances
 * to be taken, such as of the time, 0 to 1. Returns the probability of numbers that differ as much as these or more, 0
 * to 1; 1 if both are 0. */
double significance_of_rates(uint64_t a, uint64_t b, double part);

/* a of all_a samples and b of all_b are of the same kind: Fisher's exact test of whether they are the same share. */
double significance_of_shares(uint64_t a, uint64_t all_a, uint64_t b, uint64_t all_b);

/* Finds up to which probability those of n tests are significant together, so that of all that are found so at most the part
 * "level" is expected to be chance (Benjamini and Hochberg). *ret is negative if none is. 0, -ENOMEM. */
int significance_limit(const double *p, size_t n, double level, double *ret);
