/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "diagnosis.h"

/* The events of this machine, grouped as perf list does. */

typedef enum EventGroup {
        EVENT_GROUP_HARDWARE,
        EVENT_GROUP_SOFTWARE,
        EVENT_GROUP_CACHE,
        EVENT_GROUP_PMU,
        EVENT_GROUP_PFM, /* libpfm's names: for --pfm-events, not for -e */
        EVENT_GROUP_RAW,
        EVENT_GROUP_BREAKPOINT,
        EVENT_GROUP_PROBE,
        EVENT_GROUP_TRACEPOINT,
        EVENT_GROUP_SDT,
        _EVENT_GROUP_MAX,
        _EVENT_GROUP_INVALID = -EINVAL,
} EventGroup;

const char *event_group_to_string(EventGroup g); /* "hw", "sw", "cache" … */
EventGroup event_group_from_string(const char *s); /* perf list's other words too: "hardware", "hwcache" … */
const char *event_group_title(EventGroup g);     /* "Hardware" */

typedef struct EventRow {
        char *name;        /* as -e takes it; of a form its syntax: "rNNN" */
        char *alias;       /* another name for it, or NULL */
        EventGroup group;
        bool is_form;      /* a syntax for events, not an event */
        char *pmu;         /* or NULL */
        char *unit;        /* of its counts; or NULL */
        double scale;      /* of a count to that unit; 0: not known */
        char *description; /* what it counts; of a PMU's event the terms of sysfs, of a form its purpose; or NULL */
        char **fields;     /* of a tracepoint, if they are wanted: "char prev_comm[16]" …; or NULL */
        struct perf_event_attr attr; /* type, config, config1 and config2 are what it stands for; size 0: not known */
        int error;         /* why it can't be recorded: a negative errno; 0: it can */
        char *reason;      /* the same in a sentence; or NULL */
} EventRow;

typedef struct EventList {
        EventRow *rows;
        size_t n_rows;
} EventList;

typedef struct GrammarSources GrammarSources;
typedef struct EventOps EventOps;

/* The sources of events; those that are NULL are the running system's. */
typedef struct EventListOptions {
        const GrammarSources *sources;
        const EventOps *ops;
        const char *pfm_library;
        bool fields; /* of tracepoints are wanted: a file each */
} EventListOptions;

/* Appends the events that match one of the patterns, or all if there are none: a word of event_group_from_string(), or
 * a shell pattern for the name, in any case; one without a colon may match any part of it. Each is opened briefly,
 * except tracepoints, which are slow to close: for these a readable number is enough. An error with a sentence:
 * tracepoints can't be read (-EACCES, -ENOENT), and are left out; without one -ENOMEM. */
int event_list_add_matching(EventList *l, char *const *patterns, const EventListOptions *o, Diagnosis *d);

/* Appends the events that -e would record for these words, and opens each briefly. Errors are those of
 * event_specs_parse(): then nothing is appended. */
int event_list_add_named(EventList *l, const char *words, const EventListOptions *o, Diagnosis *d);

/* Returns whether the row matches the pattern, as above. */
bool event_row_matches(const EventRow *row, const char *pattern);

bool event_list_is_pattern(const char *s); /* has one of * ? [ */
void event_list_done(EventList *l);
