/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "ring.h"

/* The relation of the samples' times to the wall clock. Without a clock of their own (perf's -k), these are the
 * scheduler's, which no system call returns: so we make the kernel write it into a record of an event of our own. */
typedef struct SampleClock {
        int fd;          /* of that event; -EBADF: the clock is known, and read */
        Ring ring;
        clockid_t clock;
} SampleClock;

#define SAMPLE_CLOCK_EMPTY { .fd = -EBADF, .ring = RING_EMPTY }

/* Opens it for samples of such events, for use by this thread only. Errors are those of perf_event_open(2) and
 * mmap(2). */
int sample_clock_open(SampleClock *c, const struct perf_event_attr *attr);
void sample_clock_done(SampleClock *c);

/* Gets CLOCK_REALTIME minus the samples' clock, now, in ns. The two drift apart when the wall clock is adjusted, so
 * call it each time. -ENODATA: there was no record. */
int sample_clock_offset(SampleClock *c, int64_t *ret);
