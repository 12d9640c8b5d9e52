/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records that wait until no older one can come. A recording has each CPU's records in order, one CPU after the other, as rings
 * have: a round is a few ascending runs, which are merged. The merge is stable.
 *
 * Copies lie in blocks, in the order in which they came. A block is used again once all its records were taken; since
 * a round's records are all due at the end of the next one, few blocks are held up by a record that waits.
 *
 * Invariant: entries [0, first) were taken, [first, due) are due, in the order in which they are returned, and [due, n) wait. */

#include "record-order.h"

#include "array.h"

#define BLOCK_SIZE ((size_t) 64 << 10) /* the largest record fits */
#define KEPT_WHEN_EMPTY ((size_t) 256 << 10)

static void order_free_memory(RecordOrder *o) {
        for (size_t i = 0; i < o->n_blocks; i++)
                free(o->blocks[i].bytes);
        free(o->blocks);
        free(o->entries);
        free(o->sorted);
}

void record_order_done(RecordOrder *o) {
        order_free_memory(o);
        *o = (RecordOrder) {};
}

/* Finds the end of the ascending run that begins there. */
static size_t run_end(const OrderedRecord *entries, size_t begin, size_t n) {
        size_t i = begin + 1;

        while (i < n && entries[i].time >= entries[i - 1].time)
                i++;
        return MIN_OF(i, n);
}

/* Entries of the first run come first if times are equal. */
static void merge_runs(const OrderedRecord *a, size_t n_a, const OrderedRecord *b, size_t n_b, OrderedRecord *to) {
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

/* The caller has done with the record that was taken last. */
static void order_release(RecordOrder *o) {
        const OrderedRecord *e;
        RecordBlock *block;

        if (!o->taken)
                return;
        o->taken = false;
        e = o->entries + o->first - 1;
        if (e->block == 0)
                return;
        o->size -= e->record->size;
        block = o->blocks + e->block - 1;
        if (--block->n > 0)
                return;
        if (e->block == o->current)
                o->used = 0;
        else {
                block->next = o->free;
                o->free = e->block;
        }
}

/* Merges pairs of runs until there is only one. */
int record_order_sort(RecordOrder *o) {
        order_release(o);
        if (o->first > 0) {
                o->n -= o->first;
                o->due -= o->first;
                memmove(o->entries, o->entries + o->first, o->n * sizeof(*o->entries));
                o->first = 0;
        }
        while (run_end(o->entries, o->due, o->n) < o->n) {
                OrderedRecord *entries = o->entries;
                size_t allocated = o->allocated;

                if (o->sorted_allocated < allocated) { /* record_order_put() counts on the same room */
                        if (ARRAY_RESIZE(o->sorted, allocated) < 0)
                                return -ENOMEM;
                        o->sorted_allocated = allocated;
                }
                memcpy(o->sorted, entries, o->due * sizeof(*entries));
                for (size_t begin = o->due, end; begin < o->n; begin = end) {
                        size_t middle = run_end(entries, begin, o->n);

                        end = middle < o->n ? run_end(entries, middle, o->n) : middle;
                        merge_runs(entries + begin, middle - begin, entries + middle, end - middle, o->sorted + begin);
                }
                o->entries = o->sorted;
                o->allocated = o->sorted_allocated;
                o->sorted = entries;
                o->sorted_allocated = allocated;
        }
        return 0;
}

int record_order_finish_until(RecordOrder *o, uint64_t time) {
        int r = record_order_sort(o);

        if (r >= 0)
                o->due += LOWER_BOUND(o->n - o->due, i, o->entries[o->due + i].time <= time);
        return r;
}

int record_order_finish_round(RecordOrder *o) {
        int r = o->newest_before > 0 ? record_order_finish_until(o, o->newest_before) : 0;

        if (r >= 0)
                o->newest_before = o->newest;
        return r;
}

int record_order_finish(RecordOrder *o) {
        int r = record_order_finish_until(o, UINT64_MAX);

        if (r >= 0)
                o->newest_before = o->newest;
        return r;
}

/* The limit is reached when the last block is begun, so that others are free again when it is full. */
static int order_next_block(RecordOrder *o) {
        int r;

        if (o->free == 0) {
                uint8_t *bytes;

                if (ARRAY_RESERVE(o->blocks, o->blocks_allocated, o->n_blocks + 1) < 0)
                        return -ENOMEM;
                bytes = malloc(BLOCK_SIZE);
                if (!bytes)
                        return -ENOMEM;
                o->blocks[o->n_blocks++] = (RecordBlock) { .bytes = bytes };
                o->free = (uint32_t) o->n_blocks;
        }
        o->current = o->free;
        o->free = o->blocks[o->current - 1].next;
        o->used = 0;
        if (o->free > 0 || o->n_blocks < (o->limit ?: RECORD_ORDER_BYTES_MAX) / BLOCK_SIZE)
                return 0;
        r = record_order_sort(o);
        if (r < 0 || o->due == o->n)
                return r;
        return record_order_finish_until(o, o->entries[o->due + (o->n - o->due) / 2].time);
}

static int order_copy(RecordOrder *o, OrderedRecord *e) {
        size_t size = PERF_ALIGN_UP((size_t) e->record->size, sizeof(uint64_t));
        RecordBlock *block;

        if ((o->current == 0 || size > BLOCK_SIZE - o->used) && order_next_block(o) < 0)
                return -ENOMEM;
        block = o->blocks + o->current - 1;
        e->record = memcpy(block->bytes + o->used, e->record, e->record->size);
        e->block = o->current;
        block->n++;
        o->used += size;
        o->size += e->record->size;
        return 0;
}

/* Adds an entry behind those that are due, where the last one that was taken leaves room, if there is one. */
static void order_place_due(RecordOrder *o, const OrderedRecord *e) {
        if (o->first > 0) {
                o->first--;
                memmove(o->entries + o->first, o->entries + o->first + 1, (o->due - o->first - 1) * sizeof(*e));
        } else {
                memmove(o->entries + o->due + 1, o->entries + o->due, (o->n++ - o->due) * sizeof(*e));
                o->due++;
        }
        o->entries[o->due - 1] = *e;
}

int record_order_put(RecordOrder *o, const OrderedRecord *r, bool kept) {
        OrderedRecord e = *r;

        order_release(o);
        e.block = 0;
        if (ARRAY_RESERVE(o->entries, o->allocated, o->n + 1) < 0 || (!kept && order_copy(o, &e) < 0))
                return -ENOMEM;
        if (e.time == 0 || e.time == UINT64_MAX)
                order_place_due(o, &e);
        else {
                o->entries[o->n++] = e;
                o->newest = MAX_OF(o->newest, e.time);
        }
        return 0;
}

const OrderedRecord *record_order_next(RecordOrder *o) {
        order_release(o);
        if (o->first < o->due) {
                o->taken = true;
                return o->entries + o->first++;
        }
        if (o->first == o->n)
                o->first = o->due = o->n = 0;
        return NULL;
}

void record_order_put_back(RecordOrder *o) {
        if (o->taken)
                o->first--;
        o->taken = false;
}

void record_order_trim(RecordOrder *o) {
        order_release(o);
        if (o->first < o->n || o->n_blocks * BLOCK_SIZE <= KEPT_WHEN_EMPTY)
                return;
        order_free_memory(o);
        *o = (RecordOrder) { .limit = o->limit, .newest = o->newest, .newest_before = o->newest_before };
}

const OrderedRecord *record_order_at(const RecordOrder *o, size_t i) {
        return i < o->n - o->first ? o->entries + o->first + i : NULL;
}

size_t record_order_memory(const RecordOrder *o) {
        return o->n_blocks * BLOCK_SIZE + o->blocks_allocated * sizeof(*o->blocks) +
               (o->allocated + o->sorted_allocated) * sizeof(*o->entries);
}
