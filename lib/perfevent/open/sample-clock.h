/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "ring.h"

/* How the times of samples relate to the wall clock. Without a clock of their own (perf's -k), they are the scheduler's,
 * which nobody can ask for: so the kernel is made to note it, in a record of an event of our own. */
typedef struct SampleClock {
        int fd;          /* of that event; -EBADF: the clock is known, and asked */
        Ring ring;
        clockid_t clock;
} SampleClock;

#define SAMPLE_CLOCK_EMPTY { .fd = -EBADF, .ring = RING_EMPTY }

/* For samples of such events. The answers are right for the thread that opens it. What perf_event_open(2) and mmap(2)
 * answer. */
int sample_clock_open(SampleClock *c, const struct perf_event_attr *attr);
void sample_clock_done(SampleClock *c);

/* CLOCK_REALTIME less the samples' time, now, in ns. They drift apart as the wall clock is adjusted, so ask anew. -ENODATA:
 * there was no answer. */
int sample_clock_offset(SampleClock *c, int64_t *ret);
