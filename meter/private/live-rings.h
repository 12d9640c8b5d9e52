/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <poll.h>
#include <signal.h>
#include <time.h>

#include "event-set.h"
#include "hash-index.h"
#include "record-order.h"

/* The rings of open events, read in rounds while the events happen: records come in the order of time, those of a round after the
 * next one, behind which none can be older. Zero-initialise. */
typedef struct LiveRings {
        EventSet *set;     /* NULL: there are none, and only a descriptor is waited for */
        HashIndex by_id;   /* of its events: number + 1 */
        RecordOrder order; /* of all records that were read */
        struct pollfd *fds; /* of rings, then of the caller */
        size_t n_fds;
} LiveRings;

/* Begins with the rings of an open set, which must outlive l, unless it is NULL. fd: another one that is waited for; -1: none. 0,
 * -ENOMEM. */
int live_rings_init(LiveRings *l, EventSet *set, int fd);
void live_rings_done(LiveRings *l);

/* Returns the number of the set's member that a record is of, and in *ret_attr what it is read by. A record without an id that is
 * known is the first one's. */
size_t live_rings_member(const LiveRings *l, const struct perf_event_header *record, const struct perf_event_attr **ret_attr);

/* Waits until a ring fills, the other descriptor is ready, a signal comes, or that long. waiting: of stop_signals_catch(). Returns
 * whether the other descriptor is ready. */
bool live_rings_wait(LiveRings *l, const struct timespec *timeout, const sigset_t *waiting);

/* Reads all rings, which ends a round: record_order_next() has what is due. 0, -ENOMEM. */
int live_rings_read(LiveRings *l);
