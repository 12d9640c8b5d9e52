/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "replay.h"

/* The samples of a table's rows by spans of time of one length. Spans of a recording are numbered backwards from the one that ends
 * last, and go on with those of the next recording. A moment between two spans is in the later one. */

#define SPAN_COUNTS_MAX 64u /* spans of a recording; samples before the oldest one count, without a span */
#define SPAN_NONE UINT32_MAX

typedef struct SpanCount {
        uint32_t row;
        uint32_t span; /* SPAN_NONE: it is in none that is whole */
        uint32_t before; /* the number + 1 of the entry that the row got before; 0: none */
        uint64_t count;
        double period; /* the sum of what a hostile recording claims has no limit */
} SpanCount;

/* Zero-initialise, and set the length. */
typedef struct SpanCounts {
        uint64_t length;          /* in nanoseconds; not 0 */
        SpanCount *counts;
        size_t n, allocated;
        uint32_t n_spans;         /* of all recordings */
        uint64_t lost, throttled; /* samples and records lost, and times throttled, in the first span */
        uint64_t begin, end;      /* of the recording that is read */
        uint32_t first_span;      /* its own */
        uint32_t *newest;         /* of each row: the number + 1 of its newest entry */
        size_t rows_allocated;
} SpanCounts;

/* The records whose moments it takes, see ReplayNeeds. */
#define SPAN_COUNTS_RECORDS (1u << PERF_RECORD_LOST | 1u << PERF_RECORD_LOST_SAMPLES | 1u << PERF_RECORD_THROTTLE)

void span_counts_done(SpanCounts *s);

/* Begins a recording, whose samples from begin to end count; both are times of its clock. */
void span_counts_begin_recording(SpanCounts *s, uint64_t begin, uint64_t end);

/* Takes a moment; row: of a sample. 0, -ENOMEM. */
int span_counts_take(SpanCounts *s, const Moment *m, uint32_t row);
