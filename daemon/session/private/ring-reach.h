/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* A set of overwrite rings reaches so far back: the age of the oldest byte that the kernel has not overwritten, in the
 * ring where it is youngest. It follows from how much was written into each ring by which time; no record is looked
 * at. */

typedef struct RingFill {
        uint64_t size;    /* bytes of the ring */
        uint64_t written; /* bytes that the kernel wrote into it since it was made */
} RingFill;

/* About how many samples rings were given, which cannot be known of records that were not seen: what came since the previous note
 * is taken to be of the size of the newest records. So the sum does not go down. Zero-initialise. */
typedef struct RingSamples {
        uint64_t written; /* bytes, into all rings, at the last note */
        double samples;
} RingSamples;

/* mean: how many samples they were given if all of them were like the newest (kept_rings_fill()). Rings that have less in them
 * than at the previous note were made again; the samples of the previous rings stay counted. */
void ring_samples_note(RingSamples *s, const RingFill *rings, size_t n, uint64_t mean);

typedef struct RingReach RingReach;

RingReach *ring_reach_free(RingReach *r);
DEFINE_CLEANUP(RingReach *, ring_reach_free);

/* Notes how full the rings are. *begin: when they were made; it becomes now if they are other rings than those of the last call.
 * Times are of one monotonic clock. 0 or -ENOMEM. */
int ring_reach_note(RingReach **r, usec_t *begin, usec_t now, const RingFill *rings, size_t n);

/* In µs; exact within what was noted, and in between as if the rings filled evenly. rings: as the last call had them, or
 * fuller. 0: not known. */
usec_t ring_reach_get(const RingReach *r, usec_t now, const RingFill *rings, size_t n);
