/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "cleanup.h"

/* Records of the side band that wait for their time, since rings of other CPUs may still have older ones. */

typedef struct SidebandQueueItem {
        uint64_t time;
        size_t offset; /* of the record among the bytes */
} SidebandQueueItem;

/* Zero-initialise. */
typedef struct SidebandQueue {
        uint8_t *bytes; /* the records as they came */
        size_t size, bytes_allocated;
        SidebandQueueItem *items;
        size_t n, items_allocated;
        bool sorted;
        uint64_t newest, newest_before; /* time of the newest ever, and of the newest at the end of the previous round */
} SidebandQueue;

/* Copies the record. 0 or -ENOMEM. */
int sideband_queue_add(SidebandQueue *q, const struct perf_event_header *record, uint64_t time);
/* Puts the items in the order of time; those of one time stay in the order in which they came. */
void sideband_queue_sort(SidebandQueue *q);
/* Drops the first n items. The rest is not sorted any more. */
void sideband_queue_drop(SidebandQueue *q, size_t n);
size_t sideband_queue_bytes(const SidebandQueue *q); /* bytes allocated */
void sideband_queue_done(SidebandQueue *q);

static inline const struct perf_event_header *sideband_queue_record(const SidebandQueue *q, size_t i) {
        return (const void *) (q->bytes + q->items[i].offset);
}
