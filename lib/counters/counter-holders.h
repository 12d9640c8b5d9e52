/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include "counter-kind.h"

/* Finds who may hold counters, as far as it can be seen: processes with perf events. A descriptor does not say of which kind its
 * event is. */

#define COUNTER_HOLDERS_MAX 1024u

typedef struct CounterHolder {
        pid_t pid;         /* 0: it is no process */
        uid_t uid;
        char *name;        /* a line: the process's, "NMI watchdog", or "LIKWID (/var/run/likwid.lock)" */
        unsigned n_events; /* descriptors of perf events; 0: not known */
} CounterHolder;

typedef struct CounterHoldersSearch {
        CounterKind kind;
        const pid_t *except; /* processes that are left out */
        size_t n_except;
        uint64_t deadline;   /* µs of CLOCK_MONOTONIC at which it stops looking; 0: none */
        const char *root;    /* where /proc and /var are; NULL: "/" */
} CounterHoldersSearch;

/* Finds them, most events first. Of hardware counters it knows two more: the kernel's NMI watchdog (kernel.nmi_watchdog), and
 * LIKWID's lock, whose owner may measure. *ret_hidden: the processes that may have events as well, because their descriptors may
 * not be read by this process, were not read in time, or were more than COUNTER_HOLDERS_MAX. -ENOMEM; openat(2) of /proc. */
int counter_holders_find(const CounterHoldersSearch *search, CounterHolder **ret, size_t *ret_n, size_t *ret_hidden);
CounterHolder *counter_holders_free(CounterHolder *l, size_t n);

/* Names the first 8 for a sentence: "perf (PID 12, 8 events), gdb (PID 7, 1 event), the NMI watchdog". NULL without memory. */
char *counter_holders_describe(const CounterHolder *l, size_t n, size_t hidden);
