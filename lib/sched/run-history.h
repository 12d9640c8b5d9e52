/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sched-model.h"

/* The last runs of each CPU, so that it is known who ran while another thread waited there. Zero-initialise. */

#define RUN_HISTORY_MAX 4096u /* runs of a CPU */

typedef struct CpuRun {
        uint32_t thread; /* SCHED_NOBODY: not known */
        uint64_t since, until;
} CpuRun;

typedef struct CpuHistory {
        CpuRun *runs; /* a ring once it is full */
        size_t n, allocated, next;
        uint64_t until; /* the end of the last run */
} CpuHistory;

typedef struct RunHistory {
        CpuHistory *cpus;
        size_t n, allocated;
} RunHistory;

/* A thread that had a CPU while another one waited, and for how long. */
typedef struct RunShare {
        uint32_t thread; /* SCHED_NOBODY: not known */
        uint64_t nsec;
} RunShare;

#define RUN_SHARES_MAX 64u /* the rest is in that of SCHED_NOBODY, which is the first one */

typedef struct RunShares {
        RunShare shares[RUN_SHARES_MAX];
        size_t n;
} RunShares;

void run_history_done(RunHistory *h);

/* Adds the run that a switch ends. 0, -ENOMEM. */
int run_history_take(RunHistory *h, const SchedStep *s);

/* Adds up who ran on a CPU from one time to another, which is at most that of the last step. running: the thread that it has
 * now. */
void run_history_share(const RunHistory *h, uint32_t cpu, uint32_t running, uint64_t since, uint64_t until, RunShares *shares);
