/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "event.h"
#include "fd-file.h"

/* A kernel for tests: it opens memory files instead of events, so that they can be mapped and closed, notes its
 * arguments, and fails when refuse() does. */

#define FAKE_EVENTS_MAX 512
#define FAKE_PAGES 64

typedef struct FakeEvent {
        struct perf_event_attr attr;
        pid_t pid;
        int cpu, group_fd, fd;
        unsigned long flags;
        int enabled;   /* number of enablings minus disablings */
        int output_fd; /* -1: its own */
        const char *filter;
        bool paused;
} FakeEvent;

typedef struct FakeKernel {
        FakeEvent events[FAKE_EVENTS_MAX];
        size_t n_events;
        size_t n_opens; /* with the refused ones */
        int (*refuse)(struct FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd);
        int filter_error;
        EventOps ops;
} FakeKernel;

/* For refuse: a machine without counters. */
static inline int fake_no_counters(FakeKernel *k, const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd) {
        return attr->type == PERF_TYPE_HARDWARE ? -ENOENT : 0;
}

static inline int fake_open(void *userdata, struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags) {
        FakeKernel *k = userdata;
        int r, fd;

        k->n_opens++;
        r = k->refuse ? k->refuse(k, attr, pid, cpu, group_fd) : 0;
        if (r < 0)
                return r;
        fd = open_memfd("event", (FAKE_PAGES + 1) * (size_t) sysconf(_SC_PAGESIZE));
        ck_assert_int_ge(fd, 0);
        ck_assert_uint_lt(k->n_events, FAKE_EVENTS_MAX);
        k->events[k->n_events++] = (FakeEvent){
                .attr = *attr, .pid = pid, .cpu = cpu, .group_fd = group_fd, .fd = fd, .flags = flags, .output_fd = -1,
        };
        return fd;
}

/* Returns the last event with that descriptor: numbers are reused. */
static inline FakeEvent *fake_find(FakeKernel *k, int fd) {
        for (size_t i = k->n_events; i > 0; i--)
                if (k->events[i - 1].fd == fd)
                        return &k->events[i - 1];
        return NULL;
}

static inline int fake_ioctl(void *userdata, int fd, unsigned long request, unsigned long argument) {
        FakeKernel *k = userdata;
        FakeEvent *e = fake_find(k, fd);

        ck_assert_ptr_nonnull(e);
        switch (request) {
        case PERF_EVENT_IOC_ID:
                *(uint64_t *) argument = 1000 + (uint64_t) (e - k->events);
                return 0;
        case PERF_EVENT_IOC_ENABLE:
                e->enabled++;
                return 0;
        case PERF_EVENT_IOC_DISABLE:
                e->enabled--;
                return 0;
        case PERF_EVENT_IOC_SET_OUTPUT:
                e->output_fd = (int) argument;
                return 0;
        case PERF_EVENT_IOC_SET_FILTER:
                e->filter = (const char *) argument;
                return k->filter_error;
        case PERF_EVENT_IOC_PAUSE_OUTPUT:
                e->paused = argument;
                return 0;
        default:
                return -ENOTTY;
        }
}

/* k is the test's, and must not move. */
static inline const EventOps *fake_ops(FakeKernel *k) {
        k->ops = (EventOps){ .open = fake_open, .ioctl = fake_ioctl, .userdata = k };
        return &k->ops;
}
