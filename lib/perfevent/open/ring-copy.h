/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "ring.h"

/* A copy of what an overwrite ring holds, taken while the kernel goes on writing into it. */
typedef struct RingCopy {
        uint8_t *memory;  /* the caller's, as large as the ring; the newest record comes first */
        size_t intact;    /* bytes from there on that nothing has overtaken; the last record may lack its end */
        uint64_t head;    /* where the newest one begins in the ring: up to there a next copy needs nothing */
        bool cut;         /* something that was wanted had been overwritten, or had to be taken for it */
} RingCopy;

/* Where the newest record begins now. Whatever was finished before on that CPU is there. */
uint64_t ring_copy_mark(const Ring *r);

/* Copies the records that are newer than position until (0: all there are), and not newer than mark, to c->memory, the oldest
 * first: they are those that the kernel overwrites next. What it has overwritten by the time that a part was copied is cut
 * off, and guard bytes more: the kernel tells of records only when all are finished that were begun on that CPU, one in
 * each of four contexts, so as many may lie newer than the head that can be seen. See ring_guard(). */
void ring_copy_running(const Ring *r, uint64_t mark, uint64_t until, size_t guard, RingCopy *c);

/* The guard for rings into which events write records of at most record_max bytes. */
size_t ring_guard(size_t record_max);

/* Whether so much is cut off by the guard that the ring is better paused for the moment that it takes to copy it, which
 * then needs no guard; false where that would take too long. */
bool ring_copy_wants_pause(const Ring *r, size_t guard);
