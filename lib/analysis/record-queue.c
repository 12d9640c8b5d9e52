/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recording has each CPU's records in order, one CPU after the other: a round is a few ascending runs, which are
 * merged. When a round ends, nothing can follow that is older than the newest record of the previous round, so
 * everything up to that time is due.
 *
 * Records are copied to the store of their round. Invariant: when a round ends, all records of the previous round
 * are due, so that its store is emptied at once and serves the next round. */

#include "record-queue.h"

#include "array.h"

#define BLOCK_SIZE ((size_t) 1 << 20)

typedef struct QueueEntry {
        uint64_t time;
        const struct perf_event_header *record;
} QueueEntry;

/* Blocks of memory that are filled one after the other, and emptied together. */
typedef struct RecordStore {
        uint8_t **blocks;
        size_t n_blocks, allocated;
        size_t block, used; /* where the next record goes */
        size_t bytes;       /* of all records */
} RecordStore;

struct RecordQueue {
        RecordQueueUser *user;
        void *userdata;
        QueueEntry *entries, *sorted;
        size_t n, allocated, sorted_allocated;
        RecordStore stores[2];
        unsigned current;
        uint64_t newest, newest_before; /* newest: so far; newest_before: without this round */
};

int record_queue_new(RecordQueueUser *user, void *userdata, RecordQueue **ret) {
        RecordQueue *q = calloc(1, sizeof(*q));

        if (!q)
                return -ENOMEM;
        q->user = user;
        q->userdata = userdata;
        *ret = q;
        return 0;
}

static void store_done(RecordStore *s) {
        for (size_t i = 0; i < s->n_blocks; i++)
                free(s->blocks[i]);
        free(s->blocks);
        *s = (RecordStore) {};
}

RecordQueue *record_queue_free(RecordQueue *q) {
        if (!q)
                return NULL;
        store_done(q->stores);
        store_done(q->stores + 1);
        free(q->entries);
        free(q->sorted);
        free(q);
        return NULL;
}

static void store_empty(RecordStore *s) {
        s->block = s->used = s->bytes = 0;
}

static int store_next_block(RecordStore *s) {
        uint8_t *block;

        if (s->n_blocks > 0 && s->block + 1 < s->n_blocks) {
                s->block++;
                s->used = 0;
                return 0;
        }
        if (ARRAY_RESERVE(s->blocks, s->allocated, s->n_blocks + 1) < 0)
                return -ENOMEM;
        block = malloc(BLOCK_SIZE);
        if (!block)
                return -ENOMEM;
        s->blocks[s->n_blocks] = block;
        s->block = s->n_blocks++;
        s->used = 0;
        return 0;
}

/* NULL: no memory. */
static const struct perf_event_header *store_add(RecordStore *s, const struct perf_event_header *record) {
        size_t size = PERF_ALIGN_UP((size_t) record->size, sizeof(uint64_t));
        void *copy;

        if ((s->n_blocks == 0 || size > BLOCK_SIZE - s->used) && store_next_block(s) < 0)
                return NULL;
        copy = s->blocks[s->block] + s->used;
        memcpy(copy, record, record->size);
        s->used += size;
        s->bytes += size;
        return copy;
}

/* Finds the end of the ascending run that begins there. */
static size_t run_end(const QueueEntry *entries, size_t begin, size_t n) {
        size_t i = begin + 1;

        while (i < n && entries[i].time >= entries[i - 1].time)
                i++;
        return MIN_OF(i, n);
}

/* Entries of the first run come first if times are equal. */
static void merge_runs(const QueueEntry *a, size_t n_a, const QueueEntry *b, size_t n_b, QueueEntry *to) {
        while (n_a > 0 && n_b > 0)
                if (b->time < a->time) {
                        *to++ = *b++;
                        n_b--;
                } else {
                        *to++ = *a++;
                        n_a--;
                }
        if (n_a > 0)
                memcpy(to, a, n_a * sizeof(*a));
        else if (n_b > 0)
                memcpy(to, b, n_b * sizeof(*b));
}

/* Merges pairs of runs until there is only one. */
static int queue_sort(RecordQueue *q) {
        bool merged = true;

        if (ARRAY_RESERVE(q->sorted, q->sorted_allocated, q->n) < 0)
                return -ENOMEM;
        while (merged && q->n > 0) {
                size_t begin = 0, allocated = q->allocated;
                QueueEntry *entries = q->entries;

                merged = false;
                if (run_end(q->entries, 0, q->n) == q->n)
                        break;
                while (begin < q->n) {
                        size_t middle = run_end(q->entries, begin, q->n);
                        size_t end = middle < q->n ? run_end(q->entries, middle, q->n) : middle;

                        merge_runs(q->entries + begin, middle - begin, q->entries + middle, end - middle, q->sorted + begin);
                        merged = true;
                        begin = end;
                }
                q->entries = q->sorted;
                q->allocated = q->sorted_allocated;
                q->sorted = entries;
                q->sorted_allocated = allocated;
        }
        return 0;
}

/* Hands on what is not newer than that. */
static int queue_hand_on(RecordQueue *q, uint64_t until) {
        size_t i = 0;
        int r = queue_sort(q);

        while (r >= 0 && i < q->n && q->entries[i].time <= until) {
                r = q->user(q->userdata, q->entries[i].record, q->entries[i].time);
                i++;
        }
        q->n -= i;
        if (q->n > 0 && i > 0)
                memmove(q->entries, q->entries + i, q->n * sizeof(*q->entries));
        return r;
}

/* Hands on the older half, and copies the rest to the other store. */
static int queue_make_room(RecordQueue *q) {
        RecordStore *full = q->stores + q->current, *other = q->stores + !q->current;
        int r = queue_sort(q);

        if (r >= 0 && q->n > 0)
                r = queue_hand_on(q, q->entries[q->n / 2].time);
        if (r < 0)
                return r;
        for (size_t i = 0; i < q->n; i++) {
                q->entries[i].record = store_add(other, q->entries[i].record);
                if (!q->entries[i].record)
                        return -ENOMEM;
        }
        store_done(full); /* also what is left of the other store's previous round moved on */
        q->current = !q->current;
        return 0;
}

int record_queue_put(RecordQueue *q, uint64_t time, const struct perf_event_header *record) {
        RecordStore *store = q->stores + q->current;
        const struct perf_event_header *copy;

        if (time == 0 || time == UINT64_MAX)
                return q->user(q->userdata, record, time);
        if (store->bytes > RECORD_QUEUE_BYTES_MAX) {
                int r = queue_make_room(q);

                if (r < 0)
                        return r;
                store = q->stores + q->current;
        }
        if (ARRAY_RESERVE(q->entries, q->allocated, q->n + 1) < 0)
                return -ENOMEM;
        copy = store_add(store, record);
        if (!copy)
                return -ENOMEM;
        q->entries[q->n++] = (QueueEntry) { .time = time, .record = copy };
        q->newest = MAX_OF(q->newest, time);
        return 0;
}

int record_queue_finish_round(RecordQueue *q) {
        int r = q->newest_before > 0 ? queue_hand_on(q, q->newest_before) : 0;

        q->newest_before = q->newest;
        if (r < 0)
                return r;
        q->current = !q->current;
        store_empty(q->stores + q->current);
        return 0;
}

int record_queue_finish(RecordQueue *q) {
        return queue_hand_on(q, UINT64_MAX);
}
