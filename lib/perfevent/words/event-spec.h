/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "call-graph.h"
#include "diagnosis.h"

/* Events to record, as a user named them, before anything is opened. */

#define EVENT_SPECS_MAX 4096 /* of one list, patterns expanded */

/* The kind of probes of a PMU. */
typedef enum ProbeKind {
        PROBE_NONE,
        PROBE_USER,
        PROBE_KERNEL,
        _PROBE_KIND_MAX,
        _PROBE_KIND_INVALID = -EINVAL,
} ProbeKind;

typedef struct ProbePlace ProbePlace;

/* Terms that select how to record, not what; each overrules the options of all events. */
typedef struct EventTerms {
        bool has_period, has_frequency, has_inherit, has_overwrite, has_time, has_call_graph, has_branch_type;
        uint64_t period, frequency;
        bool inherit, overwrite, time;
        CallGraph call_graph;
        unsigned max_stack;  /* 0: not set; implies call-graph=fp, as with perf */
        unsigned stack_size; /* 0: not set; of the stack copies for dwarf call graphs */
        uint64_t branch_type; /* PERF_SAMPLE_BRANCH_*; 0: branch_type=no */
} EventTerms;

/* One event to open. */
typedef struct EventSpec {
        char *name;                  /* as perf shows it: "cpu-clock:u", "sched:sched_switch", or the name= term */
        struct perf_event_attr attr; /* type, config, config1, config2, bp_*, exclude_*, precise_ip, pinned, exclusive
                                      * and the kind's own fields (a tracepoint: sample_period 1, RAW …) */
        EventTerms terms;
        char *tracepoint_system, *tracepoint_name; /* of tracepoints, otherwise NULL */
        ProbeKind probe_kind;        /* of uprobes and kprobes, which can't be inherited: the kernel would read probe_text in */
        char *probe_text;            /* the forking process. What attr.config1 points to, a path or a function; or NULL */
        ProbePlace *probe_place;     /* of uprobes: what probe_text and config2 were made of; otherwise NULL */
        char *filter;                /* --filter, or NULL */
        char *cgroup;                /* -G: a path below the cgroup root, or NULL */
        int *cpus;                   /* CPUs that the PMU opens on; n_cpus 0: all */
        size_t n_cpus;
        char *core;                  /* the event's PMU on a hybrid machine, if its name lacks it; or NULL */
        char *unit;                  /* unit of its counts times scale: "MiB", "msec"; or NULL */
        double scale;                /* 1: none */
        char *group_name;            /* of leaders: name{a,b}; or NULL */
        unsigned group;              /* 0: none; the events of one group have one number and stand together */
        unsigned group_size;         /* events in the group; 0: none */
        bool leader;                 /* first of its group, or in none */
        bool weak;                   /* :W, the group may be dissolved if it can't be opened */
        bool by_default;             /* nobody named it: it is "cycles", whatever the name says about levels */
        bool precise_max;            /* :P, and the default event: the highest precise_ip that the kernel takes */
        bool keep_guest;             /* :G or :H was given, so it can't be dropped */
        bool sample_read;            /* :S */
        size_t column;               /* position in its -e, from 1 */
} EventSpec;

typedef struct EventSpecs {
        EventSpec *specs;
        size_t n_specs;
        size_t last_begin;           /* the first event of the last -e, to which --filter applies */
        size_t n_cgroups;            /* names given by -G so far, with empty ones */
        unsigned n_groups;
} EventSpecs;

/* Appends an event that is in no group, with exclude_guest as perf sets it. -E2BIG, -ENOMEM. *ret is valid until the
 * next call. */
int event_specs_add(EventSpecs *list, uint32_t type, uint64_t config, EventSpec **ret);

/* Both copy their arguments. */
int event_spec_set_unit(EventSpec *s, const char *unit, double scale);
int event_spec_set_cpus(EventSpec *s, const int *cpus, size_t n_cpus);

/* Makes one group of the events from first on. */
void event_specs_group(EventSpecs *list, size_t first);

/* Reduces the default events to user space, "cycles:u", for users who may not record the kernel. */
int event_specs_leave_out_kernel(EventSpecs *list);

/* perf's --filter: applies to the events of the last -e; an earlier one is joined by &&. -EINVAL: there is no event,
 * or one that can't be filtered (only tracepoints can). */
int event_specs_set_filter(EventSpecs *list, const char *filter, Diagnosis *d);

/* perf's -G A,B: the Nth name is for the Nth event, an empty one for none; a single name is for all. Further calls
 * continue with the next event. -EINVAL. */
int event_specs_set_cgroups(EventSpecs *list, const char *names, Diagnosis *d);

/* perf's --group: makes one group of all events, whatever groups they were in. */
void event_specs_group_all(EventSpecs *list);

void event_specs_truncate(EventSpecs *list, size_t n);

/* Ends one -e. before: a copy of the list from its beginning; a --filter applies to the events added since. If r is an
 * error, these are removed. Returns r. */
int event_specs_end(EventSpecs *list, const EventSpecs *before, int r);
void event_specs_done(EventSpecs *list);
