/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "attr-kind.h"
#include "call-graph.h"
#include "diagnosis.h"
#include "strv.h"

/* Builds struct perf_event_attr (perf_event_open(2)) from options, with the defaults of perf record 6.1. */

#define ATTR_DEFAULT_FREQUENCY 4000 /* Hz */

typedef struct EventSpec EventSpec;

/* Options for all events. ATTR_OPTIONS_DEFAULT has perf record's defaults. */
typedef struct AttrOptions {
        uint64_t frequency;     /* Hz; 0 when period is set */
        uint64_t period;        /* events per sample; 0: frequency counts */
        bool user_rate;         /* -F or -c was given: it overrules an event's own period (1 for a tracepoint) */
        CallGraph call_graph;   /* -g, --call-graph */
        bool kernel_callchains, user_callchains; /* only this part of call chains */
        bool inherit;           /* -i unsets it; a per-thread target too, see event-set.h */
        bool overwrite;         /* --overwrite: write_backward */
        bool all_user, all_kernel;
        bool no_samples;        /* -n: count only */
        bool counting;          /* no samples at all, and no rings: the counts are read */
        bool no_buffering;      /* a wake-up for each sample */

        /* Further fields of samples; -1 in a tristate: not set. */
        int sample_time;        /* -T */
        int sample_period;      /* -P */
        bool address;           /* -d, with DATA_SRC and the maps of data; dwarf call graphs imply it */
        bool physical_address, data_page_size, code_page_size;
        bool sample_id;         /* also for a single event: streams */
        bool sample_cpu, identifier, raw, weight, transaction;
        uint64_t user_registers, intr_registers; /* masks as in asm/perf_regs.h, 0: none */
        uint64_t branch_type;   /* PERF_SAMPLE_BRANCH_*, 0: no branch stacks */

        /* Further records of the side band. */
        bool namespaces, cgroups, switches, no_bpf_event;
        bool build_ids;         /* --buildid-mmap */
        bool stat;              /* -s: counts of each thread at its exit */
        bool running_time;      /* the time that an event counted, in the reads of :S */

        bool use_clock;         /* -k */
        int clock;              /* CLOCK_* */

        bool has_cpu;           /* set by event_set_open() from the target: CPUs, which adds PERF_SAMPLE_CPU */
        bool per_thread;        /* from the target: --per-thread */
        bool enable_on_exec;    /* from the target: a command that waits before its exec */
} AttrOptions;

#define ATTR_OPTIONS_DEFAULT { .frequency = ATTR_DEFAULT_FREQUENCY, .inherit = true, .sample_time = -1, .sample_period = -1 }

/* Sets the rate from -F and -c: 0 is "not given", frequency UINT64_MAX is "max". Lowers a frequency above
 * kernel.perf_event_max_sample_rate as perf does and appends a sentence about it to *notes; strict: -ERANGE instead.
 * -EINVAL: both are given. */
int attr_options_set_rate(AttrOptions *o, uint64_t frequency, uint64_t period, bool strict, char ***notes, Diagnosis *d);

/* Features that this kernel turned out to lack. All false at first; attr_give_up_feature() sets them one by one. */
typedef struct AttrMissing {
        bool read_lost, build_id, weight_struct, exclude_guest, branch_flags, group_read;
} AttrMissing;

/* Fills *ret from spec and o. tracking: this event carries the side band (mmap, comm, fork, …). Depends on this event
 * only: attr_follow_leader() and attr_unify() add the dependencies on others. */
void attr_build(const EventSpec *spec, const AttrOptions *o, bool tracking, struct perf_event_attr *ret);

/* The one deviation from perf's bits: requests the times of a hardware event, which show at the end whether it had a
 * counter all the time. Software events always have one. This changes the layout of samples only with
 * PERF_SAMPLE_READ, so events with that are left as perf has them. The alternative, the times on a ring's first page,
 * covers only one event of each ring. */
void attr_ask_times(struct perf_event_attr *attr, const EventSpec *spec);

/* Replaces a counter that does not exist by cpu-clock. */
void attr_fall_back_to_clock(struct perf_event_attr *attr, const AttrOptions *o);

/* Adapts a member of a group that is sampled as a whole ({a,b}:S): only the leader has samples. */
void attr_follow_leader(struct perf_event_attr *attr, const EventSpec *spec, const struct perf_event_attr *leader);

/* Sets sample ids if a reader must distinguish several events: ID if all have the same sample_type, otherwise
 * IDENTIFIER. identifier: IDENTIFIER in any case. */
void attr_unify(struct perf_event_attr *const attrs[], size_t n, bool identifier);

/* Removes the missing features from attr. */
void attr_drop_missing(struct perf_event_attr *attr, const AttrMissing *missing);

/* After EINVAL: marks the next feature of attr as missing, newest first as perf does. True: try again after
 * attr_drop_missing(). False: only features that were asked for remain; *ret_why is the probable one (a constant, NULL
 * if not known). keep_guest: exclude_guest and exclude_host were asked for. */
bool attr_give_up_feature(AttrMissing *missing, const struct perf_event_attr *attr, bool keep_guest, const char **ret_why);

/* Returns the largest size of a record of such an event, in bytes. raw_max: that of its RAW data. */
size_t attr_record_max(const struct perf_event_attr *attr, size_t raw_max);

/* Sets d to the meaning of error (a negative errno of perf_event_open(2)) for the event called name, with a remedy.
 * Returns error. */
int attr_diagnose_open(Diagnosis *d, int error, const char *name, const struct perf_event_attr *attr, int cpu, pid_t tid);
int attr_diagnose_mmap(Diagnosis *d, int error, unsigned pages);