/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "cleanup.h"

/* A table is what was counted, ready to be shown: a value for each event at each place. */

/* The places of values. The CPUs of a place add up. */
typedef enum StatPlacing {
        STAT_ALL,        /* everything is one place */
        STAT_BY_CPU,     /* -A */
        STAT_BY_CORE,
        STAT_BY_DIE,
        STAT_BY_SOCKET,
        STAT_BY_NODE,
        STAT_BY_THREAD,  /* --per-thread */
        _STAT_PLACING_MAX,
} StatPlacing;

typedef struct StatEvent {
        const char *name;   /* as perf shows it */
        const char *unit;   /* of values times scale; "" is none */
        double scale;
        const char *cgroup; /* the control group that it was counted for; NULL: it is of no list of groups */
        const struct perf_event_attr *attr;
        bool supported;     /* the kernel opened it */
} StatEvent;

typedef struct StatPlace {
        int cpu, core, die, socket, node; /* those that the placing names; -1: not known */
        uint32_t tid;
        const char *comm;   /* one line of UTF-8 */
        unsigned n_cpus;    /* that add up here */
} StatPlace;

typedef struct StatValue {
        double value;              /* times 1, not times the event's scale; multiplied already for the time that it did not run */
        uint64_t enabled, running; /* nanoseconds, of all CPUs or threads; running 0: it was not counted */
        double deviation;          /* of the mean of several runs, in the value's unit; 0 for a single run */
} StatValue;

typedef struct StatTable {
        StatPlacing placing;
        const StatEvent *events;
        size_t n_events;
        const StatPlace *places;
        size_t n_places;
        const StatValue *values; /* by event, then place */
        unsigned runs;           /* the values are means of so many */
        double elapsed;          /* nanoseconds; the mean of all runs … */
        double elapsed_deviation; /* … and its deviation */
        bool has_usage;          /* of the command and its children, in seconds: */
        double user, system;
} StatTable;
