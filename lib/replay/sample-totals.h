/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "throttle-spans.h"

/* Sums of the samples of recordings, and of what is missing. */
typedef struct SampleTotals {
        uint64_t lost_samples; /* as the kernel counted them by event */
        uint64_t lost_records; /* that a ring had no room for */
        uint64_t throttled;    /* times that the kernel stopped an event for a while */
        uint64_t throttled_time; /* the length of these spans in ns, as far as it is known, added up for all CPUs or threads */
        uint64_t unreadable;   /* samples that do not have the fields that their event promises */
        uint64_t period;       /* of all samples and events, at most UINT64_MAX … */
        uint64_t lightened;    /* … since so many samples count with a part of their period only */
} SampleTotals;

/* Takes a whole record into the sums: LOST, LOST_SAMPLES, and THROTTLE and UNTHROTTLE, whose spans are those of one recording.
 * 0, -ENOMEM. */
int sample_totals_take(SampleTotals *t, ThrottleSpans *spans, const struct perf_event_header *record);

/* Adds those of another recording. */
void sample_totals_add(SampleTotals *t, const SampleTotals *other);
