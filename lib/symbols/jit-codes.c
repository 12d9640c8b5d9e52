/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Functions are an array by time. The addresses at which they begin and end are the borders of intervals, and a tree lies above
 * these, in the order of a heap. A function is in the lists of the few nodes that cover its intervals together. So an address has
 * the functions in the lists of a leaf and of the nodes above it, and in each list a binary search finds the last one up to a time:
 * how many functions an address had does not count.
 *
 * Without comparable times, the place in the file is the time, and every search is at the end of time. */

#include "jit-codes.h"

#include "array.h"
#include "hash-index.h"
#include "jit-dump.h"

typedef struct JitCode {
        uint64_t start, end, time;
        uint64_t place;
        uint64_t index; /* of the function */
} JitCode;

struct JitCodes {
        JitCode *codes;     /* by time, then by place */
        size_t n, allocated;
        uint64_t *borders;  /* in ascending order */
        size_t n_borders;
        size_t n_leaves;    /* the leaf of the interval behind borders[i] is the node n_leaves + i */
        size_t *lists;      /* for each node: where its numbers begin; those of the next one follow */
        uint32_t *numbers;  /* of codes, in ascending order in each list */
        bool timed;
};

JitCodes *jit_codes_free(JitCodes *c) {
        if (!c)
                return NULL;
        free(c->codes);
        free(c->borders);
        free(c->lists);
        free(c->numbers);
        free(c);
        return NULL;
}

size_t jit_codes_n(const JitCodes *c) {
        return c->n;
}

/* The codes in the order of the file, and the last of each index. */
typedef struct Reading {
        JitCodes *codes;
        HashIndex by_index; /* of number + 1 */
} Reading;

static uint64_t index_hash(uint64_t index) {
        return hash_mix(0, index);
}

static uint64_t index_hash_of(const void *owner, uintptr_t entry) {
        return index_hash(((const JitCodes *) owner)->codes[entry - 1].index);
}

static int reading_add(Reading *reading, const JitRecord *record) {
        JitCodes *c = reading->codes;
        uint64_t hash = index_hash(record->index), place = record->place;
        uintptr_t before = HASH_INDEX_FIND(&reading->by_index, hash, entry, c->codes[entry - 1].index == record->index);

        if (record->kind == JIT_RECORD_MOVE) {
                const JitCode *moved = before > 0 ? c->codes + before - 1 : NULL;

                if (!moved || moved->end - moved->start < record->size)
                        return 0;
                place = moved->place;
        }
        if (c->n >= JIT_CODES_MAX)
                return -E2BIG;
        if (ARRAY_RESERVE(c->codes, c->allocated, c->n + 1) < 0)
                return -ENOMEM;
        c->codes[c->n] = (JitCode) {
                .start = record->start, .end = record->start + record->size, .time = c->timed ? record->time : c->n, .place = place,
                .index = record->index,
        };
        c->n++;
        if (before == 0)
                return hash_index_add(&reading->by_index, hash, c->n, index_hash_of, c);
        hash_index_replace(&reading->by_index, hash, before, c->n);
        return 0;
}

static int compare_codes(const void *a, const void *b) {
        const JitCode *x = a, *y = b;

        if (x->time != y->time)
                return x->time < y->time ? -1 : 1;
        return x->place < y->place ? -1 : x->place > y->place;
}

static int compare_borders(const void *a, const void *b) {
        uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

        return x < y ? -1 : x > y;
}

static int find_borders(JitCodes *c) {
        size_t n = 0;

        c->borders = calloc(2 * c->n + 1, sizeof(*c->borders));
        if (!c->borders)
                return -ENOMEM;
        for (size_t i = 0; i < c->n; i++) {
                c->borders[2 * i] = c->codes[i].start;
                c->borders[2 * i + 1] = c->codes[i].end;
        }
        qsort(c->borders, 2 * c->n, sizeof(*c->borders), compare_borders);
        for (size_t i = 0; i < 2 * c->n; i++)
                if (n == 0 || c->borders[i] != c->borders[n - 1])
                        c->borders[n++] = c->borders[i];
        c->n_borders = n;
        for (c->n_leaves = 1; c->n_leaves < n;)
                c->n_leaves *= 2;
        return 0;
}

static size_t border_of(const JitCodes *c, uint64_t address) {
        return LOWER_BOUND(c->n_borders, k, c->borders[k] < address);
}

/* Goes over the nodes that cover the function, and advances places[] of each; writes its number there if there are numbers. */
static void put_code(JitCodes *c, size_t number, size_t *places) {
        size_t low = c->n_leaves + border_of(c, c->codes[number].start), high = c->n_leaves + border_of(c, c->codes[number].end);

        for (; low < high; low /= 2, high /= 2) {
                size_t nodes[2], n = 0;

                if (low % 2 == 1)
                        nodes[n++] = low++;
                if (high % 2 == 1)
                        nodes[n++] = --high;
                while (n > 0) {
                        size_t place = places[nodes[--n]]++;

                        if (c->numbers)
                                c->numbers[place] = (uint32_t) number;
                }
        }
}

/* Counts the numbers of each list first. */
static int make_lists(JitCodes *c) {
        _cleanup_free_ size_t *places = calloc(2 * c->n_leaves + 1, sizeof(*places));

        c->lists = calloc(2 * c->n_leaves + 1, sizeof(*c->lists));
        if (!places || !c->lists)
                return -ENOMEM;
        for (size_t i = 0; i < c->n; i++)
                put_code(c, i, places);
        for (size_t node = 0; node < 2 * c->n_leaves; node++) {
                c->lists[node + 1] = c->lists[node] + places[node];
                places[node] = c->lists[node];
        }
        c->numbers = calloc(c->lists[2 * c->n_leaves] + 1, sizeof(*c->numbers));
        if (!c->numbers)
                return -ENOMEM;
        for (size_t i = 0; i < c->n; i++)
                put_code(c, i, places);
        return 0;
}

int jit_codes_read(int fd, bool timed, JitCodes **ret) {
        _cleanup_(jit_codes_freep) JitCodes *c = calloc(1, sizeof(*c));
        _cleanup_(jit_reader_freep) JitReader *reader = NULL;
        Reading reading = { .codes = c };
        JitRecord record;
        int r = c ? jit_reader_new(fd, &reader) : -ENOMEM;

        if (r < 0)
                return r;
        c->timed = timed && !jit_reader_counts_cycles(reader);
        while (r >= 0 && (r = jit_reader_next(reader, &record)) > 0)
                r = reading_add(&reading, &record);
        hash_index_done(&reading.by_index);
        if (r < 0 && r != -E2BIG)
                return r;
        if (c->n > 0)
                qsort(c->codes, c->n, sizeof(*c->codes), compare_codes);
        r = find_borders(c);
        if (r >= 0)
                r = make_lists(c);
        if (r < 0)
                return r;
        *ret = steal_ptr(c);
        return 0;
}

size_t jit_codes_until(const JitCodes *c, uint64_t time) {
        return c->timed ? LOWER_BOUND(c->n, i, c->codes[i].time <= time) : c->n;
}

bool jit_codes_find(const JitCodes *c, uint64_t address, uint64_t time, uint64_t *ret_place) {
        size_t until = jit_codes_until(c, time), behind = 0;
        size_t border = LOWER_BOUND(c->n_borders, k, c->borders[k] <= address);

        if (border == 0)
                return false;
        for (size_t node = c->n_leaves + border - 1; node > 0; node /= 2) {
                const uint32_t *numbers = c->numbers + c->lists[node];
                size_t n = LOWER_BOUND(c->lists[node + 1] - c->lists[node], k, numbers[k] < until);

                if (n > 0)
                        behind = MAX_OF(behind, (size_t) numbers[n - 1] + 1);
        }
        if (behind == 0)
                return false;
        *ret_place = c->codes[behind - 1].place + (address - c->codes[behind - 1].start);
        return true;
}
