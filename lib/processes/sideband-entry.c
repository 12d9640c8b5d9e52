/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records taken apart and put together again, byte for byte. Of each type, the words that differ from record to record
 * stay in the entry; the rest of the body (a path with its inode and protection, a comm, the links of namespaces) goes to
 * the pool, as do the ids and the CPU of the trailer, of which there are a few. Layouts: linux/perf_event.h. */

#include "map-record.h"
#include "sample.h"
#include "sideband-parts.h"

typedef struct Shape {
        uint8_t words;   /* of the body in the entry; 0: not one of ours */
        uint8_t minimum; /* bytes of the body behind them */
        uint8_t string;  /* where a string begins that the body must hold to its end; 0: none */
} Shape;

static const Shape shapes[] = {
        [PERF_RECORD_MMAP] = { 4, 8, 40 },       [PERF_RECORD_COMM] = { 1, 8, 16 },    [PERF_RECORD_EXIT] = { 3, 0, 0 },
        [PERF_RECORD_FORK] = { 3, 0, 0 },        [PERF_RECORD_MMAP2] = { 4, 40, 72 },  [PERF_RECORD_NAMESPACES] = { 1, 8, 0 },
        [PERF_RECORD_KSYMBOL] = { 2, 8, 24 },    [PERF_RECORD_BPF_EVENT] = { 2, 0, 0 }, [PERF_RECORD_CGROUP] = { 1, 8, 16 },
        [PERF_RECORD_TEXT_POKE] = { 1, 8, 0 },
};

static size_t entry_words(const SidebandTable *t, uint16_t type) {
        return shapes[type].words + !!(t->sample_type & PERF_SAMPLE_TID);
}

static size_t body_size(const SidebandTable *t, const struct perf_event_header *record) {
        return record->size - t->trailer_size;
}

static bool check_map(const struct perf_event_header *record) {
        uint64_t start = record_u64(record, 16), length = record_u64(record, 24);

        return length > 0 && start + length > start;
}

static bool check_links(const struct perf_event_header *record, size_t body) {
        uint64_t n = record_u64(record, 16);

        return n <= body / sizeof(struct perf_ns_link_info) && 24 + n * sizeof(struct perf_ns_link_info) <= body;
}

static bool check_poke(const struct perf_event_header *record, size_t body) {
        uint32_t lengths = record_u32(record, 16);

        return 20 + (lengths & UINT16_MAX) + (lengths >> 16) <= body;
}

bool sideband_record_check(const SidebandTable *t, const struct perf_event_header *record) {
        const Shape *s = record->type < ELEMENTSOF(shapes) ? shapes + record->type : NULL;
        size_t body;

        if (!s || s->words == 0 || record->size % sizeof(uint64_t) != 0)
                return false;
        if (record->size < sizeof(*record) + s->words * sizeof(uint64_t) + s->minimum + t->trailer_size)
                return false;
        body = body_size(t, record);
        if (s->string > 0 && !memchr((const char *) record + s->string, 0, body - s->string))
                return false;
        switch (record->type) {
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                return check_map(record);
        case PERF_RECORD_NAMESPACES:
                return check_links(record, body);
        case PERF_RECORD_TEXT_POKE:
                return check_poke(record, body);
        default:
                return true;
        }
}

/* Words of the trailer before the time. */
static size_t time_word(const SidebandTable *t) {
        return !!(t->sample_type & PERF_SAMPLE_TID);
}

static const uint64_t *trailer_of(const SidebandTable *t, const struct perf_event_header *record) {
        return (const uint64_t *) ((const uint8_t *) record + body_size(t, record));
}

uint64_t sideband_record_time(const SidebandTable *t, const struct perf_event_header *record) {
        return sideband_has_times(t) ? trailer_of(t, record)[time_word(t)] : 0;
}

/* A mapping's object has its type and misc too: it outlives the entry. */
static int intern_tail(SidebandTable *t, const struct perf_event_header *record, uint32_t *ret) {
        size_t begin = sizeof(*record) + shapes[record->type].words * sizeof(uint64_t), size = body_size(t, record) - begin;
        uint8_t bytes[UINT16_MAX + 1] __attribute__((aligned(8)));
        struct perf_event_header h = { .type = record->type, .misc = record->misc };

        *ret = 0;
        if (size == 0)
                return 0;
        if (record->type != PERF_RECORD_MMAP && record->type != PERF_RECORD_MMAP2)
                return byte_pool_intern(&t->pool, (const uint8_t *) record + begin, size, ret);
        memcpy(bytes, &h, sizeof(h));
        memcpy(bytes + sizeof(h), (const uint8_t *) record + begin, size);
        return byte_pool_intern(&t->pool, bytes, sizeof(h) + size, ret);
}

static int intern_origin(SidebandTable *t, const struct perf_event_header *record, uint32_t *ret) {
        size_t begin = time_word(t) + sideband_has_times(t), n = t->trailer_size / sizeof(uint64_t);

        *ret = 0;
        if (begin >= n)
                return 0;
        return byte_pool_intern(&t->pool, trailer_of(t, record) + begin, (n - begin) * sizeof(uint64_t), ret);
}

int sideband_entry_new(SidebandTable *t, const struct perf_event_header *record, SidebandEntry **ret) {
        size_t words = shapes[record->type].words, all = entry_words(t, (uint16_t) record->type);
        uint32_t tail, origin;
        SidebandEntry *e;
        int r;

        r = intern_tail(t, record, &tail);
        if (r >= 0)
                r = intern_origin(t, record, &origin);
        if (r < 0)
                return r;
        e = malloc(sizeof(*e) + all * sizeof(uint64_t));
        if (!e)
                return -ENOMEM;
        *e = (SidebandEntry) {
                .time = sideband_record_time(t, record),
                .tail = tail, .origin = origin,
                .type = (uint16_t) record->type, .misc = record->misc, .size = record->size,
        };
        memcpy(e->words, record + 1, words * sizeof(uint64_t));
        if (all > words)
                e->words[words] = *trailer_of(t, record);
        *ret = e;
        return 0;
}

SidebandEntry *sideband_entry_free(SidebandEntry *e) {
        free(e);
        return NULL;
}

size_t sideband_entry_size(const SidebandTable *t, const SidebandEntry *e) {
        return sizeof(*e) + entry_words(t, e->type) * sizeof(uint64_t) + SIDEBAND_MALLOC_OVERHEAD;
}

uint32_t sideband_entry_u32(const SidebandEntry *e, size_t i) {
        uint32_t v;

        memcpy(&v, (const uint8_t *) e->words + i * sizeof(v), sizeof(v));
        return v;
}

/* Mappings of the kernel, and of guests, whose processes nobody follows. */
bool sideband_entry_is_kernel(const SidebandEntry *e) {
        switch (e->type) {
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
                return (e->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER ||
                       sideband_entry_u32(e, 0) == MAP_RECORD_KERNEL_PID;
        case PERF_RECORD_KSYMBOL:
        case PERF_RECORD_BPF_EVENT:
        case PERF_RECORD_CGROUP:
        case PERF_RECORD_TEXT_POKE:
                return true;
        default:
                return false;
        }
}

static void put_trailer(const SidebandTable *t, const SidebandEntry *like, uint8_t *p) {
        const ByteBlock *origin = like->origin > 0 ? byte_pool_get(&t->pool, like->origin) : NULL;
        size_t words = time_word(t);

        if (words > 0)
                memcpy(p, like->words + shapes[like->type].words, sizeof(uint64_t));
        if (sideband_has_times(t))
                memcpy(p + words++ * sizeof(uint64_t), &like->time, sizeof(like->time));
        if (origin)
                memcpy(p + words * sizeof(uint64_t), origin->data, origin->size);
}

int sideband_record_put(const SidebandTable *t, uint16_t type, uint16_t misc, const uint64_t *words, const void *tail,
                        size_t tail_size, const SidebandEntry *like, RecordBuffer *b) {
        size_t fixed = shapes[type].words * sizeof(uint64_t), start = b->size;
        size_t size = sizeof(struct perf_event_header) + fixed + tail_size + t->trailer_size;
        struct perf_event_header h = { .type = type, .misc = misc, .size = (uint16_t) size };
        uint8_t *p = byte_buffer_extend(b, size);
        int r = b->error;

        if (!p) {
                b->size = start;
                b->error = 0;
                return r;
        }
        memcpy(p, &h, sizeof(h));
        memcpy(p + sizeof(h), words, fixed);
        if (tail_size > 0)
                memcpy(p + sizeof(h) + fixed, tail, tail_size);
        if (like)
                put_trailer(t, like, p + size - t->trailer_size);
        return byte_buffer_relieve(b);
}

int sideband_entry_put(const SidebandTable *t, const SidebandEntry *e, bool base, RecordBuffer *b) {
        bool map = e->type == PERF_RECORD_MMAP || e->type == PERF_RECORD_MMAP2;
        const ByteBlock *tail = e->tail > 0 ? byte_pool_get(&t->pool, e->tail) : NULL;
        size_t skip = map ? sizeof(struct perf_event_header) : 0;

        return sideband_record_put(t, e->type, e->misc, e->words, tail ? tail->data + skip : NULL, tail ? tail->size - skip : 0,
                                   base ? NULL : e, b);
}
