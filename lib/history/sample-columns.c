/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A sample of a profile is mostly its call chain, and chains of a program are much alike. So a block's chains are one tree, from
 * the outermost caller on: a sample has the number of the innermost node that is there already, and how many are new. An address
 * that is new is a step from its caller. Steps are the same in all processes of a program, wherever it was loaded; so those that
 * were taken from a place of that offset in a page lately are known by how long ago that was. Others are counted from the last
 * address nearby.
 *
 * A column is a list of numbers, which is written byte by byte: the lowest byte of all, then the next one. Both directions keep the
 * same state, and change it in the same order: code here comes in pairs.
 *
 * Invariant: what was packed comes back to the last bit, or was refused. Nothing that is read is trusted. */

#include "sample-columns.h"

#include <linux/perf_event.h>

#include "array.h"
#include "hash-index.h"

#define NEAR_BITS 23u          /* addresses nearby have fewer bits of distance */
#define RECENT_MAX 64u
#define PAGE_OFFSETS 4096u
#define CONTEXT_FIRST ((uint64_t) PERF_CONTEXT_MAX) /* from here on, words of a chain are no addresses */

typedef enum ColumnId {
        COLUMN_HEADERS,
        COLUMN_TIMES,    /* distances */
        COLUMN_NODES,    /* the innermost that is there */
        COLUMN_NEW,      /* numbers of new nodes */
        COLUMN_STEPS,    /* of new nodes: how recent the step is; RECENT_MAX: it is not */
        COLUMN_REGIONS,  /* of steps that are not recent: where they lead to */
        COLUMN_NEAR,     /* distances within a region */
        COLUMN_FAR,      /* other steps */
        COLUMN_WORDS,    /* that are not recent */
        COLUMN_REST,     /* behind call chains, and other records */
        COLUMN_FRONT,    /* in front of call chains: how recent a word is */
        _COLUMN_MAX = COLUMN_FRONT + SAMPLE_COLUMNS_FRONT_MAX,
} ColumnId;

/* The age of a word in front that is the innermost address of the chain. */
#define WORD_IS_INNERMOST (RECENT_MAX + 1)

enum { REGION_CALLER, REGION_FIRST, REGION_FAR = REGION_FIRST + RECENT_MAX };

typedef struct Column {
        uint64_t *numbers;
        size_t n, allocated;
        size_t next; /* to be read */
} Column;

/* The latest comes first. */
typedef struct RecentWords {
        uint64_t words[RECENT_MAX];
        unsigned n;
} RecentWords;

typedef struct ChainNode {
        uint64_t word;
        uint64_t address; /* the word, or, if that is none, its caller's */
        uint32_t caller, depth;
} ChainNode;

struct SampleColumns {
        SamplePlaces places;
        Column columns[_COLUMN_MAX];
        int error;        /* of putting a number */
        ChainNode *nodes; /* 0: the root */
        size_t n_nodes, nodes_allocated;
        HashIndex index;  /* of nodes, for packing */
        RecentWords steps[PAGE_OFFSETS]; /* by the place in its page of the address that calls */
        RecentWords regions; /* addresses */
        RecentWords headers, front[SAMPLE_COLUMNS_FRONT_MAX];
        uint64_t time;
};

int sample_columns_new(SampleColumns **ret) {
        SampleColumns *c = calloc(1, sizeof(*c));

        if (!c)
                return -ENOMEM;
        *ret = c;
        return 0;
}

SampleColumns *sample_columns_free(SampleColumns *c) {
        if (!c)
                return NULL;
        for (size_t i = 0; i < _COLUMN_MAX; i++)
                free(c->columns[i].numbers);
        hash_index_done(&c->index);
        free(c->nodes);
        free(c);
        return NULL;
}

static int columns_begin(SampleColumns *c, SamplePlaces places) {
        if (places.chain > SAMPLE_COLUMNS_FRONT_MAX)
                return -E2BIG;
        c->places = places;
        c->error = 0;
        c->time = 0;
        for (size_t i = 0; i < _COLUMN_MAX; i++)
                c->columns[i].n = c->columns[i].next = 0;
        for (size_t i = 0; i < PAGE_OFFSETS; i++)
                c->steps[i].n = 0;
        for (size_t i = 0; i < SAMPLE_COLUMNS_FRONT_MAX; i++)
                c->front[i].n = 0;
        c->regions.n = c->headers.n = 0;
        hash_index_done(&c->index);
        if (ARRAY_RESERVE(c->nodes, c->nodes_allocated, 1) < 0)
                return -ENOMEM;
        c->nodes[0] = (ChainNode) {};
        c->n_nodes = 1;
        return 0;
}

static void put(SampleColumns *c, size_t column, uint64_t number) {
        Column *to = c->columns + column;

        if (ARRAY_RESERVE(to->numbers, to->allocated, to->n + 1) < 0)
                c->error = -ENOMEM;
        else
                to->numbers[to->n++] = number;
}

/* A column that is too short ends in zeros, and is an error. */
static uint64_t take(SampleColumns *c, size_t column) {
        Column *from = c->columns + column;

        if (from->next < from->n)
                return from->numbers[from->next++];
        c->error = -EBADMSG;
        return 0;
}

/* A small number for a small distance in either direction. */
static uint64_t fold(uint64_t distance) {
        return distance << 1 ^ (distance >> 63 ? UINT64_MAX : 0);
}

static uint64_t unfold(uint64_t folded) {
        return folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0);
}

/* The word is put first, in place of the one of that age; RECENT_MAX: in place of none. */
static void recent_renew(RecentWords *r, unsigned age, uint64_t word) {
        if (age >= r->n)
                age = r->n < RECENT_MAX ? r->n++ : RECENT_MAX - 1;
        memmove(r->words + 1, r->words, age * sizeof(*r->words));
        r->words[0] = word;
}

static unsigned recent_find(const RecentWords *r, uint64_t word) {
        for (unsigned i = 0; i < r->n; i++)
                if (r->words[i] == word)
                        return i;
        return RECENT_MAX;
}

/* The age of the latest address nearby. */
static unsigned recent_find_near(const RecentWords *r, uint64_t address) {
        for (unsigned i = 0; i < r->n; i++)
                if (fold(address - r->words[i]) >> NEAR_BITS == 0)
                        return i;
        return RECENT_MAX;
}

static void pack_word(SampleColumns *c, size_t column, RecentWords *recent, uint64_t word) {
        unsigned age = recent_find(recent, word);

        put(c, column, age);
        if (age == RECENT_MAX)
                put(c, COLUMN_WORDS, word);
        recent_renew(recent, age, word);
}

static uint64_t unpack_word(SampleColumns *c, uint64_t age, RecentWords *recent) {
        uint64_t word = 0;

        if (age == RECENT_MAX)
                word = take(c, COLUMN_WORDS);
        else if (age < recent->n)
                word = recent->words[age];
        else
                c->error = -EBADMSG;
        recent_renew(recent, (unsigned) MIN_OF(age, (uint64_t) RECENT_MAX), word);
        return word;
}

/* The lowest bit marks words that are no addresses. */
static uint64_t step_to(SampleColumns *c, uint64_t caller, uint64_t word) {
        uint64_t folded = fold(word - caller);

        if (word >= CONTEXT_FIRST)
                return (UINT64_MAX - word) << 1 | 1;
        if (folded >> 63)
                c->error = -E2BIG;
        return folded << 1;
}

static uint64_t step_from(SampleColumns *c, uint64_t caller, uint64_t step) {
        uint64_t word = step & 1 ? UINT64_MAX - (step >> 1) : caller + unfold(step >> 1);

        if ((step & 1) != (word >= CONTEXT_FIRST))
                c->error = -EBADMSG;
        return word;
}

static void pack_far_step(SampleColumns *c, uint64_t caller, uint64_t step) {
        uint64_t address = caller + unfold(step >> 1);
        unsigned region = recent_find_near(&c->regions, address);

        if (step & 1) {
                put(c, COLUMN_REGIONS, REGION_FAR);
                put(c, COLUMN_FAR, step);
                return;
        }
        if (step >> 1 >> NEAR_BITS == 0) {
                put(c, COLUMN_REGIONS, REGION_CALLER);
                put(c, COLUMN_NEAR, step >> 1);
        } else if (region < RECENT_MAX) {
                put(c, COLUMN_REGIONS, REGION_FIRST + region);
                put(c, COLUMN_NEAR, fold(address - c->regions.words[region]));
        } else {
                put(c, COLUMN_REGIONS, REGION_FAR);
                put(c, COLUMN_FAR, step);
        }
        recent_renew(&c->regions, region, address);
}

static uint64_t unpack_far_step(SampleColumns *c, uint64_t caller) {
        uint64_t region = take(c, COLUMN_REGIONS), step, address;

        if (region == REGION_FAR)
                step = take(c, COLUMN_FAR);
        else if (region == REGION_CALLER)
                step = take(c, COLUMN_NEAR) << 1;
        else if (region - REGION_FIRST < c->regions.n)
                step = fold(c->regions.words[region - REGION_FIRST] + unfold(take(c, COLUMN_NEAR)) - caller) << 1;
        else {
                c->error = -EBADMSG;
                return 0;
        }
        address = caller + unfold(step >> 1);
        if (!(step & 1))
                recent_renew(&c->regions, recent_find_near(&c->regions, address), address);
        return step;
}

static void pack_step(SampleColumns *c, uint64_t caller, uint64_t word) {
        RecentWords *recent = c->steps + caller % PAGE_OFFSETS;
        uint64_t step = step_to(c, caller, word);
        unsigned age = recent_find(recent, step);

        put(c, COLUMN_STEPS, age);
        if (age == RECENT_MAX)
                pack_far_step(c, caller, step);
        recent_renew(recent, age, step);
}

static uint64_t unpack_step(SampleColumns *c, uint64_t caller) {
        RecentWords *recent = c->steps + caller % PAGE_OFFSETS;
        uint64_t age = take(c, COLUMN_STEPS), step;

        if (age >= recent->n && age != RECENT_MAX) {
                c->error = -EBADMSG;
                return 0;
        }
        step = age == RECENT_MAX ? unpack_far_step(c, caller) : recent->words[age];
        recent_renew(recent, (unsigned) age, step);
        return step_from(c, caller, step);
}

static int add_node(SampleColumns *c, uint32_t caller, uint64_t word) {
        const ChainNode *from;

        if (ARRAY_RESERVE(c->nodes, c->nodes_allocated, c->n_nodes + 1) < 0)
                return -ENOMEM;
        from = c->nodes + caller;
        c->nodes[c->n_nodes++] = (ChainNode) {
                .word = word, .address = word >= CONTEXT_FIRST ? from->address : word, .caller = caller, .depth = from->depth + 1,
        };
        return 0;
}

static uint64_t hash_of_callee(uint32_t caller, uint64_t word) {
        return hash_mix(caller, word);
}

static uint64_t hash_of_node(const void *owner, uintptr_t entry) {
        const SampleColumns *c = owner;

        return hash_of_callee(c->nodes[entry].caller, c->nodes[entry].word);
}

/* Returns the node of a callee that is there; 0: it is not. */
static uint32_t find_node(const SampleColumns *c, uint32_t caller, uint64_t word) {
        return (uint32_t) HASH_INDEX_FIND(&c->index, hash_of_callee(caller, word), entry,
                                          c->nodes[entry].caller == caller && c->nodes[entry].word == word);
}

/* The innermost address comes first. */
static int pack_chain(SampleColumns *c, const uint64_t *chain, size_t n) {
        uint32_t node = 0, next;

        while (n > 0 && (next = find_node(c, node, chain[n - 1])) > 0) {
                node = next;
                n--;
        }
        put(c, COLUMN_NODES, node);
        put(c, COLUMN_NEW, n);
        while (n > 0) {
                uint64_t word = chain[--n];
                int r;

                pack_step(c, c->nodes[node].address, word);
                r = add_node(c, node, word);
                if (r >= 0)
                        r = hash_index_add(&c->index, hash_of_callee(node, word), c->n_nodes - 1, hash_of_node, c);
                if (r < 0)
                        return r;
                node = (uint32_t) c->n_nodes - 1;
        }
        return c->error;
}

/* Makes the new nodes of a chain, of at most max words. */
static int unpack_chain(SampleColumns *c, size_t max, uint32_t *ret) {
        uint64_t node = take(c, COLUMN_NODES), n = take(c, COLUMN_NEW);

        if (c->error < 0 || node >= c->n_nodes || n > max || c->nodes[node].depth > max - n)
                return -EBADMSG;
        for (; n > 0; n--) {
                int r = add_node(c, (uint32_t) node, unpack_step(c, c->nodes[node].address));

                if (r < 0 || c->error < 0)
                        return r < 0 ? r : c->error;
                node = c->n_nodes - 1;
        }
        *ret = (uint32_t) node;
        return 0;
}

static uint64_t innermost(const uint64_t *chain, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (chain[i] < CONTEXT_FIRST)
                        return chain[i];
        return 0;
}

static void pack_front(SampleColumns *c, const uint64_t *words, uint64_t address) {
        for (unsigned i = 0; i < c->places.chain; i++)
                if (i == c->places.time) {
                        put(c, COLUMN_TIMES, fold(words[i] - c->time));
                        c->time = words[i];
                } else if (words[i] == address)
                        put(c, COLUMN_FRONT + i, WORD_IS_INNERMOST);
                else
                        pack_word(c, COLUMN_FRONT + i, c->front + i, words[i]);
}

static void unpack_front(SampleColumns *c, uint64_t *words, uint64_t address) {
        for (unsigned i = 0; i < c->places.chain; i++)
                if (i == c->places.time)
                        words[i] = c->time += unfold(take(c, COLUMN_TIMES));
                else {
                        uint64_t age = take(c, COLUMN_FRONT + i);

                        words[i] = age == WORD_IS_INNERMOST ? address : unpack_word(c, age, c->front + i);
                }
}

/* A header as a word, with a size that leaves out so many words. */
static uint64_t header_without(const struct perf_event_header *record, size_t words) {
        struct perf_event_header h = *record;
        uint64_t word;

        h.size = (uint16_t) (h.size - words * sizeof(uint64_t));
        memcpy(&word, &h, sizeof(word));
        return word;
}

static int pack_record(SampleColumns *c, const uint64_t *words, size_t n) {
        const struct perf_event_header *h = (const void *) words;
        const unsigned front = 1 + c->places.chain;
        size_t chain = 0, behind = 1;

        if (h->type == PERF_RECORD_SAMPLE) {
                if (n <= front || words[front] > n - front - 1)
                        return -E2BIG;
                chain = (size_t) words[front];
                behind = front + 1 + chain;
        }
        pack_word(c, COLUMN_HEADERS, &c->headers, header_without(h, chain));
        if (h->type == PERF_RECORD_SAMPLE) {
                int r = pack_chain(c, words + front + 1, chain);

                if (r < 0)
                        return r;
                pack_front(c, words + 1, innermost(words + front + 1, chain));
        }
        for (size_t i = behind; i < n; i++)
                put(c, COLUMN_REST, words[i]);
        return c->error;
}

/* Puts the call chain of a node, with its number of words. */
static void put_chain(const SampleColumns *c, uint32_t node, uint64_t *to) {
        *to++ = c->nodes[node].depth;
        for (; node > 0; node = c->nodes[node].caller)
                *to++ = c->nodes[node].word;
}

/* *ret_n: the words of the record, of at most max. */
static int unpack_record(SampleColumns *c, uint64_t *words, size_t max, size_t *ret_n) {
        uint64_t word = unpack_word(c, take(c, COLUMN_HEADERS), &c->headers);
        const unsigned front = 1 + c->places.chain;
        struct perf_event_header h;
        size_t n, chain = 0, behind = 1;
        uint32_t node;
        int r;

        memcpy(&h, &word, sizeof(h));
        n = h.size / sizeof(uint64_t);
        if (c->error < 0 || n == 0 || n > max || h.size % sizeof(uint64_t) != 0 || (h.type == PERF_RECORD_SAMPLE && n <= front))
                return -EBADMSG;
        if (h.type == PERF_RECORD_SAMPLE) {
                r = unpack_chain(c, MIN_OF(max, UINT16_MAX / sizeof(uint64_t)) - n, &node);
                if (r < 0)
                        return r;
                chain = c->nodes[node].depth;
                put_chain(c, node, words + front);
                unpack_front(c, words + 1, innermost(words + front + 1, chain));
                behind = front + 1 + chain;
        }
        n += chain;
        h.size = (uint16_t) (n * sizeof(uint64_t));
        memcpy(words, &h, sizeof(h));
        for (size_t i = behind; i < n; i++)
                words[i] = take(c, COLUMN_REST);
        *ret_n = n;
        return c->error;
}

/* Bytes that the largest number takes. */
static unsigned column_width(const Column *column) {
        uint64_t all = 0;
        unsigned width = 0;

        for (size_t i = 0; i < column->n; i++)
                all |= column->numbers[i];
        for (; all > 0; all >>= 8)
                width++;
        return width;
}

/* Copies of stacks, which are behind call chains, are not taken apart. */
static void write_column(const Column *column, bool apart, ByteBuffer *to) {
        unsigned width = apart ? column_width(column) : sizeof(uint64_t);
        uint8_t *p;

        byte_buffer_put_u32(to, (uint32_t) column->n);
        byte_buffer_put_u32(to, width);
        if (!apart) {
                byte_buffer_put(to, column->numbers, column->n * sizeof(uint64_t));
                return;
        }
        p = byte_buffer_extend(to, column->n * width);
        for (unsigned byte = 0; p && byte < width; byte++)
                for (size_t i = 0; i < column->n; i++)
                        *p++ = (uint8_t) (column->numbers[i] >> 8 * byte);
}

/* Returns the bytes of the column; 0: it is damaged. */
static size_t read_column(Column *column, bool apart, const uint8_t *p, size_t size, int *ret_error) {
        uint32_t n, width;

        *ret_error = -EBADMSG;
        if (size < sizeof(n) + sizeof(width))
                return 0;
        memcpy(&n, p, sizeof(n));
        memcpy(&width, p + sizeof(n), sizeof(width));
        p += sizeof(n) + sizeof(width);
        if (width > sizeof(uint64_t) || (!apart && width < sizeof(uint64_t)) || n > size ||
            (size_t) n * width > size - sizeof(n) - sizeof(width))
                return 0;
        *ret_error = ARRAY_RESERVE(column->numbers, column->allocated, (size_t) n + 1) < 0 ? -ENOMEM : 0;
        if (*ret_error < 0)
                return 0;
        column->n = n;
        if (!apart)
                memcpy(column->numbers, p, n * sizeof(uint64_t));
        else
                memset(column->numbers, 0, n * sizeof(uint64_t));
        for (unsigned byte = 0; apart && byte < width; byte++)
                for (size_t i = 0; i < n; i++)
                        column->numbers[i] |= (uint64_t) *p++ << 8 * byte;
        return sizeof(n) + sizeof(width) + (size_t) n * width;
}

static bool is_taken_apart(size_t column) {
        return column != COLUMN_REST;
}

static bool header_is_odd(const uint64_t *words) {
        return ((const struct perf_event_header *) words)->size % sizeof(uint64_t) != 0;
}

int sample_columns_pack(SampleColumns *c, SamplePlaces places, const void *records, size_t size, ByteBuffer *to) {
        const uint64_t *words = records, *end = words + size / sizeof(uint64_t);
        int r = columns_begin(c, places);

        while (r >= 0 && words < end) {
                size_t n = ((const struct perf_event_header *) words)->size / sizeof(uint64_t);

                if (n == 0 || n > (size_t) (end - words) || header_is_odd(words))
                        return -E2BIG;
                r = pack_record(c, words, n);
                words += n;
        }
        for (size_t i = 0; r >= 0 && i < COLUMN_FRONT + places.chain; i++)
                write_column(c->columns + i, is_taken_apart(i), to);
        return r < 0 ? r : to->error;
}

static int read_columns(SampleColumns *c, const uint8_t *p, size_t size) {
        for (size_t i = 0; i < COLUMN_FRONT + c->places.chain; i++) {
                int r;
                size_t n = read_column(c->columns + i, is_taken_apart(i), p, size, &r);

                if (r < 0)
                        return r;
                p += n;
                size -= n;
        }
        return size == 0 ? 0 : -EBADMSG;
}

int sample_columns_unpack(SampleColumns *c, SamplePlaces places, const void *columns, size_t size, void *records,
                          size_t records_size) {
        uint64_t *words = records;
        size_t left = records_size / sizeof(uint64_t);
        int r = columns_begin(c, places);

        if (r >= 0)
                r = read_columns(c, columns, size);
        while (r >= 0 && left > 0) {
                size_t n = 0;

                r = unpack_record(c, words, left, &n);
                words += n;
                left -= n;
        }
        return r == -E2BIG ? -EBADMSG : r;
}
