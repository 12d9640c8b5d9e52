/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "parse-time.h"

/* The times at which events are enabled and disabled, counted from the start: -D. */

#define ENABLE_RANGES_MAX 1024

typedef struct EnableRange {
        usec_t from, to; /* USEC_INFINITY: never, or to the end */
} EnableRange;

typedef struct EnableTimes {
        EnableRange *ranges; /* ascending, none is empty; no ranges: enabled from the start on */
        size_t n_ranges;
} EnableTimes;

/* "500", "-1" (not by time at all), "10-20,30-40"; milliseconds. What t held is replaced. -EINVAL with d filled. */
int enable_times_parse(EnableTimes *t, const char *value, Diagnosis *d);
void enable_times_done(EnableTimes *t);

/* True if the events are disabled when the recording begins. */
static inline bool enable_times_delay(const EnableTimes *t) {
        return t->n_ranges > 0;
}
