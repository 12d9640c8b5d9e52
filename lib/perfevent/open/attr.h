/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "call-graph.h"
#include "diagnosis.h"
#include "strv.h"

/* Builds struct perf_event_attr (perf_event_open(2)) from options, with the defaults of perf record 6.1. */

#define ATTR_DEFAULT_FREQUENCY 4000 /* Hz */

typedef struct EventSpec EventSpec;

/* What the command line says of all events. ATTR_OPTIONS_DEFAULT is perf record's defaults. */
typedef struct AttrOptions {
        uint64_t frequency;     /* Hz; 0 when period is set */
        uint64_t period;        /* events per sample; 0: frequency counts */
        bool user_rate;         /* -F or -c was given: it beats what an event brings along (a tracepoint's period of 1) */
        CallGraph call_graph;   /* -g, --call-graph */
        bool kernel_callchains, user_callchains; /* only that part of call chains */
        bool inherit;           /* -i unsets it; a per-thread target too, see event-set.h */
        bool overwrite;         /* --overwrite: write_backward */
        bool all_user, all_kernel;
        bool no_samples;        /* -n: count only */
        bool no_buffering;      /* a wake-up for each sample */

        /* What samples carry besides; -1 in a tristate: not said. */
        int sample_time;        /* -T */
        int sample_period;      /* -P */
        bool address;           /* -d, and with it DATA_SRC and the maps of data; dwarf call graphs do the same */
        bool physical_address, data_page_size, code_page_size;
        bool sample_id;         /* of the event, even where there is only one: streams */
        bool sample_cpu, identifier, raw, weight, transaction;
        uint64_t user_registers, intr_registers; /* masks as in asm/perf_regs.h, 0: none */
        uint64_t branch_type;   /* PERF_SAMPLE_BRANCH_*, 0: no branch stacks */

        /* What the side band tells besides. */
        bool namespaces, cgroups, switches, no_bpf_event;
        bool build_ids;         /* --buildid-mmap */
        bool stat;              /* -s: counts of each thread at its end */
        bool running_time;      /* how long an event counted, in the reads of :S */

        bool use_clock;         /* -k */
        int clock;              /* CLOCK_* */

        bool has_cpu;           /* set by event_set_open() from the target: CPUs, which adds PERF_SAMPLE_CPU */
        bool per_thread;        /* … --per-thread */
        bool enable_on_exec;    /* … a command that is held before its exec */
} AttrOptions;

#define ATTR_OPTIONS_DEFAULT { .frequency = ATTR_DEFAULT_FREQUENCY, .inherit = true, .sample_time = -1, .sample_period = -1 }

/* -F and -c: 0 is "not given", frequency UINT64_MAX is "max". Lowers a frequency above kernel.perf_event_max_sample_rate
 * as perf does and appends the sentences that say so to *notes; strict: -ERANGE then. -EINVAL: both given. */
int attr_options_set_rate(AttrOptions *o, uint64_t frequency, uint64_t period, bool strict, char ***notes, Diagnosis *d);

/* What this kernel was found not to know. All false at first; attr_give_up_feature() sets them one by one. */
typedef struct AttrMissing {
        bool read_lost, build_id, weight_struct, exclude_guest, branch_flags, group_read;
} AttrMissing;

/* Fills *ret from spec and o. tracking: this event carries the side band (mmap, comm, fork, …). Looks at this one event
 * only: what depends on others is attr_follow_leader()'s and attr_unify()'s. */
void attr_build(const EventSpec *spec, const AttrOptions *o, bool tracking, struct perf_event_attr *ret);

/* The one deviation from perf's bits: a hardware event is asked for its times, which tell at the end whether it had a
 * counter all the while. Software events always have. The layout of samples does not change by it but for
 * PERF_SAMPLE_READ, so events with that are left as perf has them. The other way, the times on a ring's first page, knows
 * one event of each ring alone. */
void attr_ask_times(struct perf_event_attr *attr, const EventSpec *spec);

/* cpu-clock instead of a counter that is not there. */
void attr_fall_back_to_clock(struct perf_event_attr *attr, const AttrOptions *o);

/* For the members of a group that is sampled as a whole ({a,b}:S): only the leader makes samples. */
void attr_follow_leader(struct perf_event_attr *attr, const EventSpec *spec, const struct perf_event_attr *leader);

/* Sets sample ids where one reader must tell the events apart: ID if all have the same sample_type, else IDENTIFIER, which
 * identifier asks for in any case. */
void attr_unify(struct perf_event_attr *const attrs[], size_t n, bool identifier);

/* Takes out of attr what the kernel does not know. */
void attr_drop_missing(struct perf_event_attr *attr, const AttrMissing *missing);

/* After EINVAL: marks the next feature of attr as missing, newest first as perf does. True: worth another try
 * after attr_drop_missing(). False: nothing is left but what was asked for; *ret_why then says what it probably is (a
 * constant, NULL if not known). keep_guest: exclude_guest and exclude_host were asked for. */
bool attr_give_up_feature(AttrMissing *missing, const struct perf_event_attr *attr, bool keep_guest, const char **ret_why);

/* Bytes that no record of such an event exceeds. raw_max: of what its kind puts into RAW. */
size_t attr_record_max(const struct perf_event_attr *attr, size_t raw_max);

/* One field a line, "  NAME   VALUE\n", as perf record -vv shows them (lines), or "NAME: VALUE, …" as perf evlist -v
 * does. A new string, or NULL without memory. */
char *attr_describe(const struct perf_event_attr *attr, bool lines);

/* Sets d to what error (a negative errno of perf_event_open(2)) means for the event called name, and what would help.
 * Answers error. */
int attr_diagnose_open(Diagnosis *d, int error, const char *name, const struct perf_event_attr *attr, int cpu, pid_t tid);
int attr_diagnose_mmap(Diagnosis *d, int error, unsigned pages);