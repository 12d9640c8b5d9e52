/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/counters.h>
#include "event-set.h"

/* The shortfall of a recording, in sentences for people: samples and other records that were lost, times when the kernel throttled
 * sampling, events that shared a counter and so counted only for a part of the time. */
typedef struct Shortfall {
        uint64_t samples;   /* that were written, for comparison */
        uint64_t lost;
        uint64_t lost_records; /* of tasks and maps; PR_COUNTERS_UNKNOWN: they are part of lost */
        uint64_t throttled; /* PERF_RECORD_THROTTLE records */
} Shortfall;

/* Appends a line for each kind of shortfall that there is. Reads the set's events, which should be disabled. */
int shortfall_describe(const Shortfall *s, const EventSet *set, char ***lines);
