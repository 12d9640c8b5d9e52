/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records that wait until no older one can come from another ring. They are kept as they came, one behind the other,
 * with a list of their places that is sorted by time at the end of a round. The sort is stable: compare() breaks ties
 * by offset, and sideband_queue_drop() keeps the order of arrival. */

#include "array.h"
#include "sideband-queue.h"

#define KEPT_WHEN_EMPTY ((size_t) 256 * 1024) /* bytes */

void sideband_queue_done(SidebandQueue *q) {
        free(q->bytes);
        free(q->items);
        *q = (SidebandQueue) {};
}

int sideband_queue_add(SidebandQueue *q, const struct perf_event_header *record, uint64_t time) {
        if (ARRAY_RESERVE(q->items, q->items_allocated, q->n + 1) < 0 ||
            ARRAY_RESERVE(q->bytes, q->bytes_allocated, q->size + record->size) < 0)
                return -ENOMEM;
        memcpy(q->bytes + q->size, record, record->size);
        q->items[q->n++] = (SidebandQueueItem) { .time = time, .offset = q->size };
        q->size += record->size;
        q->sorted = false;
        q->newest = MAX_OF(q->newest, time);
        return 0;
}

static int compare(const void *a, const void *b) {
        const SidebandQueueItem *x = a, *y = b;

        if (x->time != y->time)
                return x->time < y->time ? -1 : 1;
        return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void sideband_queue_sort(SidebandQueue *q) {
        if (q->n > 1 && !q->sorted)
                qsort(q->items, q->n, sizeof(*q->items), compare);
        q->sorted = true;
}

static int compare_offsets(const void *a, const void *b) {
        const SidebandQueueItem *x = a, *y = b;

        return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The remaining records move to the front, in the order in which they came. A block that a burst made large is
 * freed. */
void sideband_queue_drop(SidebandQueue *q, size_t n) {
        size_t to = 0;

        if (n == 0)
                return;
        q->n -= n;
        memmove(q->items, q->items + n, q->n * sizeof(*q->items));
        if (q->n > 1)
                qsort(q->items, q->n, sizeof(*q->items), compare_offsets);
        for (size_t i = 0; i < q->n; i++) {
                size_t size = sideband_queue_record(q, i)->size;

                memmove(q->bytes + to, q->bytes + q->items[i].offset, size);
                q->items[i].offset = to;
                to += size;
        }
        q->size = to;
        q->sorted = false;
        if (q->n == 0 && q->bytes_allocated > KEPT_WHEN_EMPTY) {
                uint64_t newest = q->newest, before = q->newest_before;

                sideband_queue_done(q);
                q->newest = newest;
                q->newest_before = before;
        }
}

size_t sideband_queue_bytes(const SidebandQueue *q) {
        return q->bytes_allocated + q->items_allocated * sizeof(*q->items);
}
