/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "record-layout.h"

/* Brings records into the order of time, as far as their rounds show it; records of the same time stay in the order in which they
 * were put. The caller puts a record or ends a round, and then takes all that is due:
 *
 *         while ((next = record_order_next(&order)))
 *                 …
 *
 * Records are copied, unless the caller keeps them where they are. */

typedef struct OrderedRecord {
        uint64_t time;                          /* 0 or UINT64_MAX: not known */
        const struct perf_event_header *record; /* aligned to 8 bytes */
        uint32_t source;                        /* a number of the caller's */
        uint32_t block;                         /* the order's: which has the copy; 0: none */
} OrderedRecord;

typedef struct RecordBlock {
        uint8_t *bytes;
        uint32_t n;    /* records in it that were not taken */
        uint32_t next; /* the next free block */
} RecordBlock;

/* Zero-initialise. Blocks have numbers from 1 on. */
typedef struct RecordOrder {
        size_t limit;                   /* bytes of copies; 0: RECORD_ORDER_BYTES_MAX */
        uint64_t newest, newest_before; /* time of the newest record ever, and of the newest at the end of the previous round */
        size_t size;                    /* bytes of the copied records that were not taken */
        OrderedRecord *entries, *sorted;
        size_t first, due, n;           /* entries before "first" were taken, those before "due" are due */
        size_t allocated, sorted_allocated;
        bool taken;                     /* the entry before "first" is still in the caller's hands */
        RecordBlock *blocks;
        size_t n_blocks, blocks_allocated;
        uint32_t current, free;         /* current: is being filled */
        size_t used;                    /* of the current one */
} RecordOrder;

#define RECORD_ORDER_BYTES_MAX ((size_t) 1 << 30)

void record_order_done(RecordOrder *o);

/* kept: the record stays as it is until it was taken, and is not copied. A record whose time is not known is due at once, as in
 * perf, behind those that are due already. When copies have reached the limit, the older half of all records by time becomes
 * due; what is put later and is older is out of order. 0 or -ENOMEM, and then the order has what it had. */
int record_order_put(RecordOrder *o, const OrderedRecord *r, bool kept);

/* Ends a round (FINISHED_ROUND): nothing can follow that is older than the newest record of the previous round, so everything up
 * to that time is due. 0 or -ENOMEM, and then nothing more is due. */
int record_order_finish_round(RecordOrder *o);
int record_order_finish(RecordOrder *o);                      /* everything is due */
int record_order_finish_until(RecordOrder *o, uint64_t time); /* everything up to that time is due */

/* Takes the next record that is due; NULL: none is. It is valid until the next call for the order. */
const OrderedRecord *record_order_next(RecordOrder *o);
/* Has record_order_next() return the record again that it returned last. */
void record_order_put_back(RecordOrder *o);
/* Frees what a burst took, if nothing waits. */
void record_order_trim(RecordOrder *o);

/* Puts records that are not due yet into the order of time, for record_order_at(). 0 or -ENOMEM. */
int record_order_sort(RecordOrder *o);
/* Returns a record that was not taken, and leaves it; NULL: there are not so many. */
const OrderedRecord *record_order_at(const RecordOrder *o, size_t i);

size_t record_order_memory(const RecordOrder *o); /* bytes allocated */
