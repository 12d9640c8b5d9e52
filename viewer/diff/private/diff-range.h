/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "counted-samples.h"
#include "diff-options.h"

/* The two ranges that are compared: recordings, or parts of one. */
enum { DIFF_BASELINE, DIFF_COMPARED, _DIFF_RANGES };

/* Zero-initialise. */
typedef struct DiffRange {
        CountedSamples samples;
        SelectionOptions select; /* its parts are those of the options */
        char *session;           /* of what is compared before a trigger, see RecordingInput */
        char *part;              /* which part of the recording it is, in words; "" for all */
        uint64_t first, last;    /* the times of the recording's samples */
        double seconds;          /* of the range; 0: not known, or none */
        SpanCounts spans;        /* with a trigger, as long as what is before it */
} DiffRange;

/* Opens the recordings, restricts the process and reads what they begin with. 0, or a negative errno after an error was printed. */
int diff_ranges_open(DiffRange *ranges, const DiffOptions *o);
/* Counts the samples of a range, measures its time, and finds names. Likewise. */
int diff_range_read(DiffRange *range, const DiffOptions *o);
/* Reports how much of the time of a session is in both recordings: they have the same samples of it. */
void diff_ranges_remark_common(const DiffRange *ranges);
void diff_ranges_done(DiffRange *ranges);
