/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-set.h"
#include "loop.h"

/* The descriptors of events that the loop waits for: one per ring for data, one per thread for its end. */
typedef struct RingWatch RingWatch;

typedef struct RingWatchHandlers {
        void (*data)(void *userdata);     /* a ring has data */
        void (*all_gone)(void *userdata); /* every thread that was recorded has ended */
        void *userdata;
} RingWatchHandlers;

int ring_watch_new(const EventSet *set, Loop *loop, const RingWatchHandlers *handlers, RingWatch **ret);
RingWatch *ring_watch_free(RingWatch *w);
DEFINE_CLEANUP(RingWatch *, ring_watch_free);
