/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* At most burst events in an interval, which begins with the first of them. A limit of zeros has counted nothing
 * yet. */
typedef struct RateLimit {
        usec_t begin; /* CLOCK_MONOTONIC; 0: no interval has begun */
        unsigned n;
} RateLimit;

/* Counts one event. Returns false if the interval had burst events already. */
static inline bool rate_limit_below(RateLimit *l, usec_t interval, unsigned burst) {
        usec_t now = now_usec(CLOCK_MONOTONIC);

        if (l->begin == 0 || now - l->begin >= interval)
                *l = (RateLimit){ .begin = now };
        if (l->n >= burst)
                return false;
        l->n++;
        return true;
}
