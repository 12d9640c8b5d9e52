/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>
#include "diagnosis.h"

/* One open event on one CPU and one thread. */

/* The system calls, which tests replace. Both return a negative errno on failure. */
typedef struct EventOps {
        int (*open)(void *userdata, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags);
        int (*ioctl)(void *userdata, int fd, unsigned long request, unsigned long argument);
        void *userdata;
} EventOps;

extern const EventOps event_ops_kernel;

typedef struct Event {
        int fd;
        int cpu;         /* -1: any */
        pid_t tid;       /* -1: all */
        uint64_t id;     /* PERF_EVENT_IOC_ID; 0 without PERF_FORMAT_ID */
        unsigned member; /* index in the set */
        unsigned ring;   /* index in the set, of the ring for its records */
        bool watch_input;  /* poll its descriptor for EPOLLIN: it owns a ring that fills */
        bool watch_hangup; /* poll it for EPOLLHUP: its thread has exited; one event per thread has this */
} Event;

#define EVENT_EMPTY { .fd = -EBADF, .cpu = -1, .tid = -1 }

/* Opens an event and reads its id. pid is a thread, or a control group's descriptor with PERF_FLAG_PID_CGROUP. */
int event_open(Event *e, const EventOps *ops, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags);
void event_done(Event *e);

int event_enable(const Event *e, const EventOps *ops, bool enable);
int event_set_output(const Event *e, const EventOps *ops, const Event *owner);
int event_pause_output(const Event *e, const EventOps *ops, bool pause);

/* d has the reason why the kernel refuses the filter, as far as it is known. */
int event_set_filter(const Event *e, const EventOps *ops, const char *filter, const char *name, Diagnosis *d);
