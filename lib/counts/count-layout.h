/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "header.h"
#include "record.h"

/* The shape of counts: events, CPUs and threads, with a count for each event on each CPU for each thread. It is the same for open
 * events, for a recording that is written, and for one that is read. */

typedef struct Count {
        uint64_t value;
        uint64_t enabled, running; /* ns; if running is less, the event shared its counter with others */
} Count;

typedef struct CountEvent {
        const char *name;           /* as perf shows it */
        const char *unit;           /* of values times scale; NULL or "": none */
        double scale;
        const char *cgroup;         /* that it is counted for; NULL: none is named. Recordings have no room for it */
        struct perf_event_attr attr; /* as the kernel took it */
        const int *cpus;            /* the CPUs of the layout on which it is counted, if not on all */
        size_t n_cpus;              /* 0: on all */
        unsigned group_members;     /* the leader of a group {a,b}: events in it, itself included; otherwise 0 or 1 */
        const char *group_name;     /* of a leader; NULL: none */
        bool supported;             /* false: the kernel did not open it, and its counts are zeros */
} CountEvent;

/* All is borrowed. */
typedef struct CountLayout {
        const CountEvent *events;
        size_t n_events;
        const int *cpus;            /* ascending; a single -1: any */
        size_t n_cpus;
        const RecordThread *threads; /* a single one with tid -1: all */
        size_t n_threads;
} CountLayout;

/* The place of a count in an array of all of them: by event, CPU and thread. */
static inline size_t count_layout_place(const CountLayout *l, size_t event, size_t cpu, size_t thread) {
        return (event * l->n_cpus + cpu) * l->n_threads + thread;
}

static inline size_t count_layout_places(const CountLayout *l) {
        return l->n_events * l->n_cpus * l->n_threads;
}

/* The numbers with which recordings say how counts are shown (perf's aggr_mode, as perf 6.1 counts them). */
typedef enum CountPlacing {
        COUNT_BY_CPU = 0,
        COUNT_ALL = 1,
        COUNT_BY_SOCKET = 2,
        COUNT_BY_DIE = 3,
        COUNT_BY_CORE = 4,
        COUNT_BY_THREAD = 5,
        COUNT_BY_NODE = 7,
} CountPlacing;

typedef struct CountConfig {
        CountPlacing placing;
        uint64_t interval;          /* ms between two rounds; 0: there is one at the end */
        bool no_scale;              /* counts are not multiplied for the time in which an event had no counter */
} CountConfig;
