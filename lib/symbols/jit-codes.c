/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Functions are an array by address. Above it lies a tree of the highest ends, in the order of a heap, by which a search passes
 * over those that end before the address, so that one function that reaches over all others costs nothing.
 *
 * Without comparable times, the place in the file is the time, and every search is at the end of time. */

#include "jit-codes.h"

#include "array.h"
#include "hash-index.h"
#include "jit-dump.h"

#define VISITS_MAX 65536u /* functions that one address may have had; a file that has more of them is not one to trust */

typedef struct JitCode {
        uint64_t start, end, time;
        uint64_t place;
        uint64_t index; /* of the function */
} JitCode;

struct JitCodes {
        JitCode *codes;    /* by start, then by time */
        size_t n, allocated;
        uint64_t *times;   /* in ascending order */
        uint64_t *ends;    /* the tree; its leaves are those from n_leaves on */
        size_t n_leaves;
        bool timed;
};

JitCodes *jit_codes_free(JitCodes *c) {
        if (!c)
                return NULL;
        free(c->codes);
        free(c->times);
        free(c->ends);
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

        if (x->start != y->start)
                return x->start < y->start ? -1 : 1;
        if (x->time != y->time)
                return x->time < y->time ? -1 : 1;
        return x->place < y->place ? -1 : x->place > y->place;
}

static int compare_times(const void *a, const void *b) {
        uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

        return x < y ? -1 : x > y;
}

static int jit_codes_sort(JitCodes *c) {
        size_t leaves = 1;

        while (leaves < c->n)
                leaves *= 2;
        c->n_leaves = leaves;
        c->times = calloc(c->n + 1, sizeof(*c->times));
        c->ends = calloc(2 * leaves, sizeof(*c->ends));
        if (!c->times || !c->ends)
                return -ENOMEM;
        if (c->n > 0)
                qsort(c->codes, c->n, sizeof(*c->codes), compare_codes);
        for (size_t i = 0; i < c->n; i++) {
                c->times[i] = c->codes[i].time;
                c->ends[leaves + i] = c->codes[i].end;
        }
        qsort(c->times, c->n, sizeof(*c->times), compare_times);
        for (size_t i = leaves - 1; i > 0; i--)
                c->ends[i] = MAX_OF(c->ends[2 * i], c->ends[2 * i + 1]);
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
        if (r >= 0 || r == -E2BIG)
                r = jit_codes_sort(c);
        if (r < 0)
                return r;
        *ret = steal_ptr(c);
        return 0;
}

size_t jit_codes_until(const JitCodes *c, uint64_t time) {
        return c->timed ? LOWER_BOUND(c->n, i, c->times[i] <= time) : c->n;
}

typedef struct Search {
        const JitCodes *codes;
        uint64_t address, time;
        size_t n;            /* codes before it begin up to the address */
        unsigned visits;
        const JitCode *best;
} Search;

static void search_visit(Search *s, const JitCode *code) {
        s->visits++;
        if (code->time > s->time)
                return;
        if (!s->best || code->time > s->best->time || (code->time == s->best->time && code->place > s->best->place))
                s->best = code;
}

/* Goes through the codes below a node of the tree that reach over the address. */
static void search_node(Search *s, size_t node, size_t first, size_t width) {
        if (first >= s->n || s->codes->ends[node] <= s->address || s->visits >= VISITS_MAX)
                return;
        if (width == 1) {
                search_visit(s, s->codes->codes + first);
                return;
        }
        search_node(s, 2 * node + 1, first + width / 2, width / 2);
        search_node(s, 2 * node, first, width / 2);
}

bool jit_codes_find(const JitCodes *c, uint64_t address, uint64_t time, uint64_t *ret_place) {
        Search s = { .codes = c, .address = address, .time = c->timed ? time : UINT64_MAX };

        s.n = LOWER_BOUND(c->n, i, c->codes[i].start <= address);
        if (s.n == 0)
                return false;
        search_node(&s, 1, 0, c->n_leaves);
        if (!s.best || s.visits >= VISITS_MAX)
                return false;
        *ret_place = s.best->place + (address - s.best->start);
        return true;
}
