/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"

/* What a recording lacks, in sentences for people: samples that were lost, times when the kernel held sampling back, events
 * that shared a counter and so counted for a part of the time only. */
typedef struct Shortfall {
        uint64_t samples;   /* that were written, for comparison */
        uint64_t lost;
        uint64_t throttled; /* PERF_RECORD_THROTTLE records */
} Shortfall;

/* Appends one line for each to *lines, nothing where nothing is missing. The set is read, its events should be at rest. */
int shortfall_describe(const Shortfall *s, const EventSet *set, char ***lines);
