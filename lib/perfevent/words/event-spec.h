/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "call-graph.h"
#include "diagnosis.h"

/* Events to record, as a user named them and before anything is opened. */

#define EVENT_SPECS_MAX 4096 /* of one list, patterns expanded */

/* What a PMU of probes stands for. */
typedef enum ProbeKind {
        PROBE_NONE,
        PROBE_USER,
        PROBE_KERNEL,
        _PROBE_KIND_MAX,
        _PROBE_KIND_INVALID = -EINVAL,
} ProbeKind;

/* Terms that say how to record, not what; each beats the options of all events. */
typedef struct EventTerms {
        bool has_period, has_frequency, has_inherit, has_overwrite, has_time, has_call_graph, has_branch_type;
        uint64_t period, frequency;
        bool inherit, overwrite, time;
        CallGraph call_graph;
        unsigned max_stack;  /* 0: not set; implies call-graph=fp, as with perf */
        unsigned stack_size; /* 0: not set; of the copies for dwarf, where that is how call stacks are recorded */
        uint64_t branch_type; /* PERF_SAMPLE_BRANCH_*; 0: branch_type=no */
} EventTerms;

/* One event to open. */
typedef struct EventSpec {
        char *name;                  /* as perf shows it: "cpu-clock:u", "sched:sched_switch", or the name= term */
        struct perf_event_attr attr; /* type, config, config1, config2, bp_*, exclude_*, precise_ip, pinned, exclusive and
                                      * what the kind of event brings along (a tracepoint: sample_period 1, RAW …) */
        EventTerms terms;
        char *tracepoint_system, *tracepoint_name; /* of tracepoints, else NULL */
        ProbeKind probe_kind;        /* of uprobes and kprobes, which can't be inherited: the kernel would read probe_text in */
        char *probe_text;            /* the forking process. What attr.config1 points to, a path or a function; or NULL */
        char *filter;                /* --filter, or NULL */
        char *cgroup;                /* -G: a path below the cgroup root, or NULL */
        int *cpus;                   /* the PMU opens on these only; n_cpus 0: on all */
        size_t n_cpus;
        char *core;                  /* the PMU of a hybrid machine whose event it is, where its name didn't say so; or NULL */
        char *unit;                  /* what its counts are in, times scale: "MiB", "msec"; or NULL */
        double scale;                /* 1: none */
        char *group_name;            /* of leaders: name{a,b}; or NULL */
        unsigned group;              /* 0: none; the events of one group have one number and stand together */
        unsigned group_size;         /* events in the group; 0: none */
        bool leader;                 /* first of its group, or alone */
        bool weak;                   /* :W, may be taken apart when the group can't be opened */
        bool precise_max;            /* :P, and the default event: the highest precise_ip that the kernel takes */
        bool keep_guest;             /* :G or :H was said, so it can't be dropped */
        bool sample_read;            /* :S */
        size_t column;               /* where it stands in its -e, from 1 */
} EventSpec;

typedef struct EventSpecs {
        EventSpec *specs;
        size_t n_specs;
        size_t last_begin;           /* the first one of the last -e: --filter is for these */
        size_t n_cgroups;            /* names that -G gave so far, empty ones too */
        unsigned n_groups;
} EventSpecs;

/* Appends an empty one: alone, exclude_guest as perf has it. -E2BIG, -ENOMEM. *ret is valid until the next. */
int event_specs_add(EventSpecs *list, uint32_t type, uint64_t config, EventSpec **ret);

/* Copies. */
int event_spec_set_unit(EventSpec *s, const char *unit, double scale);
int event_spec_set_cpus(EventSpec *s, const int *cpus, size_t n_cpus);

/* Makes one group of those from first on. */
void event_specs_group(EventSpecs *list, size_t first);

/* What is left for the default events of somebody who may not see the kernel: programs alone, "cycles:u". */
int event_specs_leave_out_kernel(EventSpecs *list);

/* perf's --filter: for the events of the last -e, joined by && with an earlier one. -EINVAL: there is none, or one of them
 * has no filters (only tracepoints do). */
int event_specs_set_filter(EventSpecs *list, const char *filter, Diagnosis *d);

/* perf's -G A,B: the Nth name for the Nth event, an empty one for none; a single name is for all. Further calls go on
 * with the next event. -EINVAL. */
int event_specs_set_cgroups(EventSpecs *list, const char *names, Diagnosis *d);

/* perf's --group: one group of all of them, whatever groups there were. */
void event_specs_group_all(EventSpecs *list);

void event_specs_truncate(EventSpecs *list, size_t n);

/* The end of one -e. before: a copy of the list from its beginning; what has come since is what a --filter is for, or goes
 * if r is an error. Answers r. */
int event_specs_end(EventSpecs *list, const EventSpecs *before, int r);
void event_specs_done(EventSpecs *list);
