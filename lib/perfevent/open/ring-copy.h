/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "ring.h"

/* A copy of the contents of an overwrite ring, taken while the kernel continues to write into it. */
typedef struct RingCopy {
        uint8_t *memory;  /* the caller's, as large as the ring; the newest record comes first */
        size_t intact;    /* bytes from there on that were not overwritten; the last record may be truncated */
        uint64_t head;    /* position of the newest record in the ring; the next copy ends there */
        bool cut;         /* some of the requested records were overwritten, or may have been */
} RingCopy;

/* Returns the position of the newest record. Every record that was finished before on that CPU is in the ring. */
uint64_t ring_copy_mark(const Ring *r);

/* Copies the records that are newer than position dumped_to (0: all), and not newer than mark, to c->memory, the oldest
 * first: the kernel overwrites these next. The part that was overwritten in the meantime is cut off, and guard bytes
 * more: the kernel publishes records only when all that were begun on that CPU, one in each of four contexts, are
 * finished, so as many may be newer than the visible head. See ring_guard(). */
void ring_copy_running(const Ring *r, uint64_t mark, uint64_t dumped_to, size_t guard, RingCopy *c);

/* Returns the guard for rings with records of at most record_max bytes. */
size_t ring_guard(size_t record_max);

/* Returns whether the guard would cut off so much that the ring is better paused during the copy, which then needs no
 * guard; false if the copy would take too long. */
bool ring_copy_wants_pause(const Ring *r, size_t guard);
