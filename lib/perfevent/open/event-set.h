/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "attr.h"
#include "event.h"
#include "event-spec.h"
#include "lendings.h"
#include "ring.h"
#include "target.h"

/* All events of a recording: each spec on each CPU and thread of the target, opened, and their rings. */

/* One spec as it was opened. */
typedef struct SetMember {
        char *name;                  /* "cpu-clock" where cycles fell back to it */
        struct perf_event_attr attr; /* as the kernel accepted it, for the file */
        const EventSpec *spec;       /* the set's own for the added tracking event */
        bool tracking;               /* carries the side band: mmap, comm, fork, … */
        bool only_sideband;          /* the "dummy" that has no samples, added by the set */
        bool immediate;              /* enabled from its opening */
        bool enabled;                /* from its opening, by event_set_enable(), or on exec */
        unsigned group;              /* 0: none */
        bool leader;                 /* first of its group, or in none */
        uint64_t cgroup;             /* inode of the control group that it was opened for; 0: all groups */
        bool closed;                 /* while its counters are lent: event-set-lending.h */
        uint64_t *former_ids;        /* of its events that were closed and opened again, the oldest first */
        size_t n_former_ids;
} SetMember;

typedef struct EventSetOptions {
        AttrOptions attr;
        const Target *target;        /* after target_check(); borrowed during the opening */
        bool delayed;                /* -D: the caller enables the events later, also a command's */
        unsigned pages;              /* per ring, 0: ring_default_pages() */
        unsigned sideband_pages;     /* of a normal ring per CPU for the side band only, so that it can be followed all
                                      * the time; 0: it goes to the samples' rings, as with perf */
        const uint64_t *locked_left; /* limit in bytes for all rings, above it -ENOBUFS; NULL: only the kernel's */
        bool no_sideband;            /* without records of tasks and maps */
        char *const *groups;         /* control groups for each of which all events are opened; one that has gone has events
                                      * without descriptors, which count nothing. NULL: the specs have their own */
        const Lendings *lendings;    /* what is lent is not opened, and may be lent later; borrowed for the set's life; NULL:
                                      * nothing ever is */
        const char *cgroup_root;     /* NULL: that of cgroup_find_root() */
        const char *proc_root;       /* NULL: /proc */
        const EventOps *ops;         /* NULL: the kernel */
} EventSetOptions;

/* The size of a flight recorder's side band ring on each CPU, in bytes. */
#define EVENT_SET_SIDEBAND_SIZE (512u * 1024)

#define EVENT_SET_OPTIONS_DEFAULT { .attr = ATTR_OPTIONS_DEFAULT }

typedef struct EventSet {
        SetMember *members;          /* in the specs' order, an added tracking event last */
        size_t n_members;
        Event *events;               /* by CPU, then thread, then member: perf's order of ids */
        size_t n_events;
        Ring *rings;                 /* by CPU or thread; .overwrite and .sideband are their kinds. None: events are counted */
        size_t n_rings;
        int *cpus;                   /* of the target; a single -1: any */
        size_t n_cpus;
        pid_t *tids;                 /* of the target, without those that exited; a single -1: all */
        size_t n_tids;
        const Lendings *lendings;    /* the options' */
        char **groups;               /* likewise; event-set-groups.h has what is made of them */
        EventSpec *group_specs;      /* the members', with groups */
        char **notes;                /* deviations from the request, as sentences for users */
        AttrMissing missing;
        EventOps ops;
        EventSpec added_spec;
} EventSet;

/* Opens all events or none: checks the limits first (descriptors, memory, CPUs, control groups), raises RLIMIT_NOFILE
 * as far as needed, opens, maps, sets filters. Events are disabled then, except for SetMember.immediate and
 * enable_on_exec. specs is borrowed for the set's life. On failure d has the reason and a remedy; errors are those of
 * perf_event_open(2). */
int event_set_open(const EventSpecs *specs, const EventSetOptions *options, EventSet **ret, Diagnosis *d);
/* Closes all descriptors and unmaps all rings; members and events stay readable. */
void event_set_close(EventSet *s);
EventSet *event_set_free(EventSet *s);
DEFINE_CLEANUP(EventSet *, event_set_free);

/* Enables or disables all events (name NULL), or those of that name: perf's control words. Those that are closed because their
 * counters are lent are what they were made when they are opened again. -ENOENT: no such name. */
int event_set_enable(EventSet *s, const char *name, bool enable);
/* Enables the added event that carries the side band, if there is one, so that tasks and maps are known before the
 * other events are enabled. */
int event_set_enable_tracking(EventSet *s);
bool event_set_is_enabled(const EventSet *s); /* any that was asked for, not an added one */

/* The events take no samples, and have no rings (AttrOptions.counting). A member that the machine does not have has no events. */
static inline bool event_set_counts(const EventSet *s) {
        return s->n_rings == 0;
}

/* The id that files have for an event. Those of counters are numbers of their own, since the kernel's change when an event that was
 * closed is opened again. */
static inline uint64_t event_set_file_id(const EventSet *s, size_t event) {
        return event_set_counts(s) ? event + 1 : s->events[event].id;
}

/* Gets the ids of one member in the file's order, then those of events that were closed before; a new array. */
int event_set_ids(const EventSet *s, size_t member, uint64_t **ret, size_t *ret_n);

/* Reads the times that a member was enabled and counting, summed over CPUs or threads; both are 0 if its format lacks
 * them. A thread's events on several CPUs count as one: the kernel has each of them enabled while the thread runs
 * anywhere, and counting while it runs on that CPU. */
void event_set_read_times(const EventSet *s, size_t member, uint64_t *ret_enabled, uint64_t *ret_running);

/* False: the set is of tasks, and all of their threads are gone. */
bool event_set_has_threads(const EventSet *s);

/* Pauses or resumes writing into one overwrite ring. */
int event_set_pause(EventSet *s, size_t ring, bool pause);

/* Returns whether a lost sample is told from other lost records, because no ring or count of the kernel has both: Linux 6.0
 * counts what each event lost, which is of one kind unless an event that samples carries the side band or context switches. */
bool event_set_tells_lost(const EventSet *s);

uint64_t event_set_ring_bytes(const EventSet *s); /* data pages of all rings */

/* One line an event, as perf's "evlist" control word: names, with attributes (-v), as groups (-g), with rates (-F). A new
 * string, or NULL without memory. */
typedef enum EventSetPrint {
        EVENT_SET_PRINT_VERBOSE   = 1 << 0,
        EVENT_SET_PRINT_GROUP     = 1 << 1,
        EVENT_SET_PRINT_FREQUENCY = 1 << 2,
} EventSetPrint;
char *event_set_describe(const EventSet *s, EventSetPrint flags);

/* Returns the text that perf record -vv prints for each event that is opened. */
char *event_set_describe_opening(const EventSet *s);
