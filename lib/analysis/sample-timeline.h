/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-pool.h"
#include "sample-moments.h"
#include "sample-table.h"
#include "time-axis.h"

/* Samples one by one, with their times, and what else happened: for formats that have an axis of time. A sample takes 24 bytes. */

typedef struct TimelineSample {
        uint64_t time; /* see TimeAxis */
        uint64_t period;
        uint32_t row;  /* of the sample table */
} TimelineSample;

typedef enum TimelineMarkKind {
        TIMELINE_LOST,        /* the kernel had no room for so many records */
        TIMELINE_THROTTLED,   /* it stopped an event for a while */
        TIMELINE_UNTHROTTLED,
        TIMELINE_EXEC,        /* the thread runs another program */
        TIMELINE_SWITCHED_OUT, /* it leaves a CPU … */
        TIMELINE_SWITCHED_IN, /* … and comes to one */
} TimelineMarkKind;

typedef struct TimelineMark {
        TimelineMarkKind kind;
        uint32_t pid, tid;    /* TIMELINE_NO_THREAD: it is no thread's */
        uint64_t time;
        uint64_t value;       /* lost: how many; exec: the program's name, see timeline_name() */
} TimelineMark;

#define TIMELINE_NO_THREAD UINT32_MAX

/* Zero-initialise. */
typedef struct Timeline {
        uint32_t records;        /* the caller's: those whose moments it takes beside samples, see ReplayNeeds */
        bool without_samples;    /* the caller's: it takes no samples, … */
        SampleMoments *moments;  /* … or these take them in place of it */
        TimelineSample *samples; /* as they came, or see timeline_sort_samples() */
        size_t n, allocated;
        TimelineMark *marks;     /* by thread, then by time, once they are sorted; those of no thread come last */
        size_t n_marks, allocated_marks;
        BytePool names;
        TimeAxis axis;
} Timeline;

/* Records of which it makes marks: those that say what samples lack, and all. */
#define TIMELINE_LOSSES (1u << PERF_RECORD_LOST | 1u << PERF_RECORD_LOST_SAMPLES | 1u << PERF_RECORD_THROTTLE | \
                         1u << PERF_RECORD_UNTHROTTLE)
#define TIMELINE_RECORDS (TIMELINE_LOSSES | 1u << PERF_RECORD_COMM | 1u << PERF_RECORD_SWITCH | 1u << PERF_RECORD_SWITCH_CPU_WIDE)

void timeline_done(Timeline *t);

/* Begins another recording. 0; -EOPNOTSUPP: only one of it and of those before knows the time of day. */
int timeline_begin_recording(Timeline *t, const PerfDataReader *reader);

/* Takes a moment; row: of a sample. 0, -ENOMEM. */
int timeline_take(Timeline *t, const Moment *m, uint32_t row);

/* Sorts the samples by thread, then by time. table: that of their rows, which has SAMPLE_BY_THREAD. */
void timeline_sort_samples(Timeline *t, const SampleTable *table);

/* Sorts the marks. */
void timeline_sort_marks(Timeline *t);

/* Returns the first mark of a thread and their number. */
const TimelineMark *timeline_marks(const Timeline *t, uint32_t pid, uint32_t tid, size_t *ret_n);

/* Returns the earliest time of all; 0: there is none. */
uint64_t timeline_first(const Timeline *t);

/* A line of valid UTF-8. */
static inline const char *timeline_name(const Timeline *t, const TimelineMark *m) {
        return (const char *) byte_pool_get(&t->names, (uint32_t) m->value)->data;
}
