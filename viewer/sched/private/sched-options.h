/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "name-options.h"
#include "recording-inputs.h"
#include "selection-options.h"
#include "view-options.h"

typedef enum SchedBy {
        SCHED_BY_COMM, /* of threads */
        SCHED_BY_THREAD,
        SCHED_BY_PROCESS,
        SCHED_BY_UNIT,
        SCHED_BY_CPU,
        _SCHED_BY_MAX,
} SchedBy;

const char *sched_by_word(SchedBy by);

typedef enum SchedSortKey {
        SCHED_SORT_AVG,
        SCHED_SORT_MAX,
        SCHED_SORT_SWITCH,
        SCHED_SORT_RUNTIME,
        SCHED_SORT_P50,
        SCHED_SORT_P95,
        SCHED_SORT_P99,
        SCHED_SORT_PID,
        _SCHED_SORT_MAX,
} SchedSortKey;

/* Numbers of an option, in the order in which they were named. Zero-initialise; free numbers. */
typedef struct SchedNumbers {
        uint32_t *numbers;
        size_t n;
} SchedNumbers;

typedef struct TimehistOptions {
        bool summary_only, summary, cpus, wakeups, migrations, next, state, idle, chains;
        unsigned max_stack;
} TimehistOptions;

typedef struct LatencyOptions {
        SchedSortKey sort[_SCHED_SORT_MAX];
        size_t n_sort;
        bool histogram;
} LatencyOptions;

typedef struct MapOptions {
        SchedNumbers color_cpus, color_pids;
        bool compact;
} MapOptions;

typedef struct BlameOptions {
        usec_t longer;
        unsigned limit;
} BlameOptions;

typedef struct WorkOptions {
        unsigned repeat;
} WorkOptions;

typedef enum LockBy {
        LOCK_BY_CALLER,
        LOCK_BY_LOCK,
        LOCK_BY_THREAD,
        LOCK_BY_PROCESS,
        LOCK_BY_COMM,
        LOCK_BY_UNIT,
        _LOCK_BY_MAX,
} LockBy;

const char *lock_by_word(LockBy by);

typedef enum LockKey {
        LOCK_KEY_WAIT_TOTAL,
        LOCK_KEY_CONTENDED,
        LOCK_KEY_WAIT_MAX,
        LOCK_KEY_WAIT_MIN,
        LOCK_KEY_AVG_WAIT,
        _LOCK_KEY_MAX,
} LockKey;

typedef struct LockOptions {
        LockBy by; /* of threads, SchedOptions.by says the same */
        LockKey key;
        unsigned entries; /* 0: all */
} LockOptions;

/* The options of all verbs of sched, and of lock contention; a verb has what is in its rows (lib/view-words/sched-VIEW-rows.h). */
typedef struct SchedOptions {
        RecordingNames inputs;
        SelectionOptions select;
        NameOptions names;
        TimehistOptions timehist;
        LatencyOptions latency;
        MapOptions map;
        BlameOptions blame;
        WorkOptions replay;
        LockOptions lock;
        SchedBy by;
        bool json, verbose;
} SchedOptions;

typedef enum SchedVerb {
        SCHED_TIMEHIST,
        SCHED_LATENCY,
        SCHED_MAP,
        SCHED_BLAME,
        SCHED_REPLAY,
        LOCK_CONTENTION,
        _SCHED_VERB_MAX,
} SchedVerb;

/* argv[0] is the verb. 0; 1: help was printed; a negative errno after an error was printed. */
int sched_options_parse(SchedOptions *o, SchedVerb verb, int argc, char **argv);
void sched_options_done(SchedOptions *o);
