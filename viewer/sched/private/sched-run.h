/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-run.h"
#include "sched-model.h"
#include "sched-options.h"

#define LOCK_CONTENTION_BEGIN "lock:contention_begin"

/* A recording of the scheduler that is read, from its first moment to its last. */
typedef struct SchedRun {
        const SchedOptions *options;
        RecordingRun *recording;
        SchedModel *model;
        uint64_t first, last;      /* times of its first and last event of the scheduler */
} SchedRun;

/* A consumer shows what happens. Functions may be NULL; they return 0 or a negative errno, which ends all. */
typedef struct SchedConsumer {
        int (*begin)(void *userdata, SchedRun *run);
        int (*step)(void *userdata, SchedRun *run, const Moment *m, const SchedStep *s); /* of all threads and times */
        int (*sample)(void *userdata, SchedRun *run, const Moment *m); /* of other events */
        int (*record)(void *userdata, SchedRun *run, const Moment *m); /* of the kernel, that is no sample */
        int (*end)(void *userdata, SchedRun *run);
        void *userdata;
        bool names; /* it needs the names of functions */
        const char *event; /* it needs this event; NULL: SCHED_SWITCH */
} SchedConsumer;

/* Opens the recordings that the options name, and reads one after the other. What is missing in them is reported on standard error.
 * Returns the exit status. */
int sched_run_all(const SchedOptions *o, const SchedConsumer *c);

/* Returns whether a thread is selected; idle tasks are only if nothing selects threads. */
bool sched_run_wants_thread(const SchedRun *run, uint32_t thread);

/* Cuts the time from "since", 0: not known, to "until" down to what is selected of it. Returns false if that is nothing. */
bool sched_run_cut(const SchedRun *run, uint64_t *since, uint64_t *until);

#define SCHED_TEXT_SIZE 64u

/* Put the name of a thread, of valid UTF-8 in one line, and what perf shows for it: "name[tid]", "name[tid/pid]", "<idle>". buf is
 * returned. */
const char *sched_thread_name(const SchedThread *t, char buf[static SCHED_TEXT_SIZE]);
const char *sched_thread_text(const SchedThread *t, char buf[static SCHED_TEXT_SIZE]);

#define SCHED_LABEL_SIZE 256u

/* Puts what --by sums up the thread by: its name, "name:tid", "name:pid" of its process, or its unit, "" if that is not known.
 * buf is returned. */
const char *sched_run_label(const SchedRun *run, uint32_t thread, char buf[static SCHED_LABEL_SIZE]);
