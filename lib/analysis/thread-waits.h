/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "record-losses.h"
#include "sample-table.h"
#include "sched-events.h"

/* The waits of threads, out of samples of sched:sched_switch and sched:sched_waking: from the switch in which a thread leaves its
 * CPU until that in which it comes to one again, or until it is woken. */

typedef struct WaitEvent {
        uint64_t time;
        SchedEvent threads; /* kind 0: a thread "in" begins or exits */
        uint32_t row, cpu;  /* row: SAMPLE_NO_ROW: it is not selected; cpu: UINT32_MAX: not known */
} WaitEvent;

typedef struct WaitTotals {
        uint64_t switches, wakings; /* samples of them */
        uint64_t waits;    /* that are in the sums */
        uint64_t open;     /* threads that still waited at the end */
        uint64_t doubtful; /* waits during which records were lost, or are not in the dump, or whose end was not recorded */
} WaitTotals;

#define WAKER_UNKNOWN UINT32_MAX

/* A part of a wait: a thread sleeps until it is woken, then is ready until it comes to a CPU. */
typedef struct WaitSpan {
        uint32_t row;   /* of the sample with which the thread left its CPU */
        uint32_t waker; /* the thread that woke it; 0: none did, but an interrupt of an idle CPU */
        char state;     /* 'R': ready */
        bool open;      /* it had not ended with the recording */
        uint64_t nsec;
} WaitSpan;

/* Zero-initialise, but for what is wanted. Without wakers, a wait counts for the sample with which a thread left the CPU, if that
 * is selected; its end is sought in all samples. With wakers it counts for the sample in which the thread was woken. */
typedef struct ThreadWaits {
        bool wakers;       /* waits end when a thread is woken */
        bool spans_wanted; /* each wait is kept, too */
        WaitEvent *events; /* of the recording that is read, in any order */
        size_t n, allocated;
        RecordLosses losses;
        bool rounds;       /* it was written in rounds; a dump is not */
        bool overwritten;  /* its events are those of rings that the kernel overwrites */
        WaitSpan *spans;
        size_t n_spans, spans_allocated;
        uint64_t *times;   /* nanoseconds of each row, by its number */
        size_t n_times, times_allocated;
        WaitTotals totals;
} ThreadWaits;

/* The records whose moments it takes, see ReplayNeeds; of samples it takes all, MOMENT_OTHER_TIME too. */
#define THREAD_WAITS_RECORDS (1u << PERF_RECORD_FORK | 1u << PERF_RECORD_EXIT | 1u << PERF_RECORD_LOST)

void thread_waits_done(ThreadWaits *w);

/* Ends the recording before, and begins another one. 0, -ENOMEM. */
int thread_waits_begin_recording(ThreadWaits *w, const PerfDataReader *reader);

/* Takes a sample of a switch or a waking, and its row. 0, -ENOMEM. */
int thread_waits_take_sample(ThreadWaits *w, const Moment *m, const SchedEvent *event, uint32_t row);

/* Takes a moment that is no sample. 0, -ENOMEM. */
int thread_waits_take_record(ThreadWaits *w, const Moment *m);

/* Ends the last recording, and makes *ret a new array of the microseconds of each of n_rows rows. 0, -ENOMEM. */
int thread_waits_finish(ThreadWaits *w, size_t n_rows, uint64_t **ret);
