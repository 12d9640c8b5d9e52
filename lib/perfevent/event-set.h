/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "attr.h"
#include "event.h"
#include "grammar.h"
#include "ring.h"
#include "target.h"

/* All events of a recording: each spec on each CPU and thread of the target, opened, and their rings. */

/* One spec as it was opened. */
typedef struct SetMember {
        char *name;                  /* "cpu-clock" where cycles fell back to it */
        struct perf_event_attr attr; /* as the kernel took it: goes into the file */
        const EventSpec *spec;       /* NULL: the tracking event that the set added */
        bool tracking;               /* carries the side band */
        bool immediate;              /* enabled from its opening on */
        bool enabled;                /* by event_set_enable(), or on exec */
        bool sideband;               /* its records go to the side band's own rings */
        int cgroup_fd;
} SetMember;

typedef struct EventSetOptions {
        AttrOptions attr;
        const Target *target;        /* after target_check(); borrowed during the opening */
        unsigned pages;              /* per ring, 0: ring_default_pages() */
        unsigned sideband_pages;     /* overwrite only: a normal ring per CPU that the side band alone is written to, so
                                      * that it can be followed all the time; 0: as perf, all in the overwrite ring */
        bool initial_delay;          /* -D: nothing starts on exec */
        const char *cgroup_root;     /* NULL: /sys/fs/cgroup */
        const char *proc_root;       /* NULL: /proc */
        const EventOps *ops;         /* NULL: the kernel */
} EventSetOptions;

#define EVENT_SET_OPTIONS_DEFAULT { .attr = ATTR_OPTIONS_DEFAULT }

typedef struct EventSet {
        SetMember *members;
        size_t n_members;
        Event *events;               /* by CPU, then thread, then member: perf's order of ids */
        size_t n_events;
        Ring *rings;                 /* the side band's own ones last */
        size_t n_rings;
        int *cpus;                   /* of the target; -1 alone: any */
        size_t n_cpus;
        pid_t *tids;                 /* of the target; -1 alone: all */
        size_t n_tids;
        char **notes;                /* what was done differently than asked for, sentences for people */
        AttrMissing missing;
        const EventOps *ops;
} EventSet;

/* Opens everything or nothing: checks what can be known first (descriptors, locked memory, perf_event_paranoid, CPUs),
 * raises RLIMIT_NOFILE as far as needed, opens, maps, sets filters. Events are disabled then (see SetMember.immediate).
 * specs is borrowed for the set's life. On failure d says what was wrong and what would help; errors are those of
 * perf_event_open(2). */
int event_set_open(const EventSpecs *specs, const EventSetOptions *options, EventSet **ret, Diagnosis *d);
EventSet *event_set_free(EventSet *s);
DEFINE_CLEANUP(EventSet *, event_set_free);

/* All events (name NULL), or those of that name: perf's control words. -ENOENT: no such name. */
int event_set_enable(EventSet *s, const char *name, bool enable);
bool event_set_is_enabled(const EventSet *s); /* any but the tracking event */

/* Ids of one member in the file's order; a new array. */
int event_set_ids(const EventSet *s, size_t member, uint64_t **ret, size_t *ret_n);

/* Pauses or resumes the writing into one overwrite ring: around ring_snapshot(). */
int event_set_pause(EventSet *s, size_t ring, bool pause);

uint64_t event_set_ring_bytes(const EventSet *s); /* data pages of all rings */

/* One line an event, as perf's "evlist" control word: names, with attributes (-v), with groups (-g), with rates (-F). */
typedef enum EventSetPrint {
        EVENT_SET_PRINT_VERBOSE   = 1 << 0,
        EVENT_SET_PRINT_GROUP     = 1 << 1,
        EVENT_SET_PRINT_FREQUENCY = 1 << 2,
} EventSetPrint;
char *event_set_describe(const EventSet *s, EventSetPrint flags);

/* What perf record -vv prints for each event that is opened. */
char *event_set_describe_opening(const EventSet *s);
