/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "count-layout.h"
#include "event.h"
#include "event-spec.h"
#include "target.h"

/* Counters: events that are opened to be counted (perf_event_open(2)), each on each CPU and thread of a target. */

typedef struct CountMember {
        const EventSpec *spec;
        struct perf_event_attr attr; /* as the kernel took it */
        char *name;                  /* "cycles:u" where the kernel's part had to be left out */
        size_t first, n;             /* the members that the kernel counts, and that are read, together: a group */
        int error;                   /* of the opening, a negative errno: nothing is counted; 0: it is, somewhere */
} CountMember;

typedef struct CountSetOptions {
        const Target *target;        /* after target_check(); borrowed while it is opened */
        bool no_inherit;             /* -i: new processes and threads are not counted */
        bool delayed;                /* the caller enables the events, also a command's */
        const char *cgroup_root;     /* NULL: that of cgroup_find_root() */
        const char *proc_root;       /* NULL: /proc */
        const EventOps *ops;         /* NULL: the kernel */
} CountSetOptions;

typedef struct CountSet {
        CountMember *members;        /* in the specs' order */
        size_t n_members;
        int *cpus;                   /* a single -1: any */
        size_t n_cpus;
        pid_t *tids;                 /* a single -1: all */
        size_t n_tids;
        int *fds;                    /* by member, CPU and thread; -EBADF: it is not counted there */
        Count *counts;               /* likewise, as they were read last */
        CountLayout layout;          /* the same for readers of counts, once all is open */
        uint64_t *words;             /* of one read(2) */
        EventOps ops;
} CountSet;

/* Opens all events. What the kernel does not have is left out (CountMember.error); events are disabled, unless the command enables
 * them by its exec. Threads that exited in the meantime are left out. specs is borrowed for the set's life. On other failures d has
 * the reason and a remedy: errors are those of perf_event_open(2), -ESRCH, -EMFILE and -ENOMEM. */
int count_set_open(const EventSpecs *specs, const CountSetOptions *options, CountSet **ret, Diagnosis *d);
CountSet *count_set_free(CountSet *s);
DEFINE_CLEANUP(CountSet *, count_set_free);

int count_set_enable(const CountSet *s, bool enable); /* 0, or the error of ioctl(2) */

/* Reads the counts since the opening: one read(2) for each group at each place. 0, or the error of read(2). */
int count_set_read(CountSet *s);

static inline size_t count_set_place(const CountSet *s, size_t member, size_t cpu, size_t tid) {
        return (member * s->n_cpus + cpu) * s->n_tids + tid;
}
