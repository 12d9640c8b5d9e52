/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"
#include "format.h"

/* Selects the samples of a recording that are looked at. */

/* In nanoseconds of the recording's clock, both inclusive; until 0: no limit. */
typedef struct SampleSpan {
        uint64_t since, until;
} SampleSpan;

/* A sample is in a row if it matches everything that is set. The times and CPUs decide whether it is counted at all;
 * one that does not match the rest still counts in the totals, of which shares are parts. */
typedef struct SampleSelection {
        const uint32_t *pids, *tids;
        const int *cpus;
        size_t n_pids, n_tids, n_cpus; /* 0: all */
        char *const *comms;            /* names of threads; NULL: all */
        bool comm_patterns;            /* comms are patterns, too: fnmatch(3) */
        char *const *units;            /* patterns of units (cgroup-names.h); NULL: all */
        bool user_units;               /* they are those of user managers, and not the system's */
        const SampleSpan *spans;       /* a sample's time is in one of them */
        size_t n_spans;                /* 0: all */
        bool no_idle;                  /* without the time of idle CPUs: such a sample does not count in the totals either */
} SampleSelection;

/* Leaves a span out of the spans, of which no one (*n is 0) is all of the time; then there is at least one, of no time if nothing
 * is left. *spans is replaced. 0, -ENOMEM. */
int sample_spans_leave_out(SampleSpan **spans, size_t *n, SampleSpan out);

/* Returns whether a sample is of the idle task, which each CPU has with the PID 0. That task has no user space: a sample of
 * PID 0 in user space is of a process that the recorder's PID namespace does not see. */
static inline bool sample_is_idle(uint32_t pid, uint16_t cpumode) {
        return pid == 0 && cpumode == PERF_RECORD_MISC_KERNEL;
}

bool sample_selection_has_time(const SampleSelection *s, uint64_t time);
bool sample_selection_has_cpu(const SampleSelection *s, uint32_t cpu);
/* comm: the thread's name at the time of the sample. */
bool sample_selection_has_thread(const SampleSelection *s, uint32_t pid, uint32_t tid, const char *comm);
