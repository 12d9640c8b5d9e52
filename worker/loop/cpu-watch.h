/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "loop.h"

/* Reports recorded CPUs that go offline, and CPUs that are online (again) without being recorded: the kernel takes a
 * CPU's events off it when it goes offline, and does not put them back. */
typedef struct CpuWatch CpuWatch;

/* cpus: "CPU 3" or "CPUs 1-3,5", for people; valid during the call. A negative result ends the loop. */
typedef struct CpuWatchHandlers {
        int (*gone)(void *userdata, const char *cpus);
        int (*come)(void *userdata, const char *cpus); /* 1: they are recorded now; 0: call again after the next change */
        void *userdata;
} CpuWatchHandlers;

typedef struct CpuWatchOptions {
        const int *recorded;  /* CPUs that have events */
        size_t n_recorded;
        const int *wanted;    /* CPUs that are to have events; none: all that are online */
        size_t n_wanted;
        /* For tests. */
        const char *root;     /* of /sys; NULL: the machine's own */
        int uevents;          /* a socket with uevents; -EBADF: the kernel's */
        int (*open_clock)(int cpu); /* opens the event that shows it; NULL: a dummy event */
} CpuWatchOptions;

#define CPU_WATCH_OPTIONS_EMPTY { .uevents = -EBADF }
#define CPU_WATCH_SETTLE_USEC (500 * USEC_PER_MSEC) /* after a change: a resume brings one CPU after the other */

/* Copies the lists. -EAFNOSUPPORT and others: changes are not reported to this process (a sandbox without netlink). */
int cpu_watch_new(Loop *loop, const CpuWatchOptions *options, const CpuWatchHandlers *handlers, CpuWatch **ret);
CpuWatch *cpu_watch_free(CpuWatch *w); /* before its loop */
DEFINE_CLEANUP(CpuWatch *, cpu_watch_free);
