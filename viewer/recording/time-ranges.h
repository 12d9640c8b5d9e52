/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sample-table.h"

/* One range of --time, which is that of perf report. */
typedef struct TimeRange {
        bool is_part;    /* "from" and "to" count, as parts of the recording's time: 0 to 1 */
        double from, to;
        SampleSpan span; /* otherwise */
} TimeRange;

/* Parses "[SINCE],[UNTIL]", in seconds of the recording's clock, several of them between blanks; or "FROM%-TO%", "PERCENT%/NUMBER"
 * and "PERCENT%", several of them between commas. *ret is a new array. 0, -EINVAL, -ENOMEM. */
int time_ranges_parse(const char *text, TimeRange **ret, size_t *ret_n);

/* Returns true if the times of the recording's samples are needed. */
bool time_ranges_have_parts(const TimeRange *ranges, size_t n);

/* Computes the spans of ranges, in a new array with room for one more. first, last: the times of the recording's samples. NULL
 * without memory. */
SampleSpan *time_ranges_spans(const TimeRange *ranges, size_t n, uint64_t first, uint64_t last);
