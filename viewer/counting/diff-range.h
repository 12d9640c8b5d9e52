/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "counted-samples.h"

/* The two ranges that are compared: recordings, or parts of one. */
typedef enum DiffNormalize {
        DIFF_BY_TIME,  /* what there is in a second */
        DIFF_BY_TOTAL, /* shares of all of it */
        _DIFF_NORMALIZE_MAX,
} DiffNormalize;

const char *diff_normalize_word(DiffNormalize normalize);
/* For the table of options: the field is a DiffNormalize. */
int diff_take_normalize(void *field, const ViewOption *option, const char *value);

/* The time before a trigger is compared with what was recorded earlier. */
typedef struct DiffTrigger {
        bool wanted;
        usec_t span; /* 0: see time_window_incident() */
} DiffTrigger;

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

/* Without a recording, those are compared that perf record leaves. -EINVAL after an error was printed: these are not two, or one
 * with a part that is compared with the rest. 0, -ENOMEM. */
int diff_inputs_complete(RecordingNames *names, const SelectionOptions *select);

/* Opens the recordings, restricts the process and reads what they begin with. With a trigger, the first one is its dump, and others
 * are earlier ones; without, they are two or one. 0, or a negative errno after an error was printed. */
int diff_ranges_open(DiffRange *ranges, const RecordingNames *names, const SelectionOptions *select, const DiffTrigger *trigger);
/* Counts the samples of both, measures their times, and finds names. The plan needs no selection and no spans, which are each
 * range's own.
 * -ENODATA: there is no time to compare what is in a second of it; -EINTR: SIGINT came, and a part that was read would differ from
 * the whole in everything. It ends the process from then on. Likewise. */
int diff_ranges_read(DiffRange *ranges, const CountingPlan *plan, DiffNormalize normalize);

/* Returns how many samples of a range stand for one unit of what is compared, a second's weight. Two numbers of samples are the
 * same rate if they are as these are. samples, weight: of both ranges; without samples of its own, a range's would have weighed as
 * much as the baseline's, which must have some. */
double diff_exposure(const DiffRange *ranges, const uint64_t *samples, const uint64_t *weight, unsigned range);
/* Reports how much of the time of a session is in both recordings: they have the same samples of it. */
void diff_ranges_remark_common(const DiffRange *ranges);
void diff_ranges_done(DiffRange *ranges);
