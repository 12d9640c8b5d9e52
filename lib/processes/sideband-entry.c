/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A record is taken apart when it enters the table; for a dump it is put together again, byte for byte. The words that differ
 * from record to record stay in the entry, which begins as the record does, so that the layouts of record-layout.h fit it. The rest
 * of the body (a path with its inode and protection, a comm, the links of namespaces) goes to the pool, as do the ids and the CPU
 * of the trailer: thousands of records share them. */

#include "sideband-parts.h"

#define WORDS_BEFORE(layout, field) ((offsetof(layout, field) - sizeof(struct perf_event_header)) / sizeof(uint64_t))

/* Words of the body that stay in the entry; 0: the table ignores such records. */
static const uint8_t kept_words[] = {
        [PERF_RECORD_MMAP] = WORDS_BEFORE(PerfRecordMmap, path),
        [PERF_RECORD_MMAP2] = WORDS_BEFORE(PerfRecordMmap2, major),
        [PERF_RECORD_COMM] = WORDS_BEFORE(PerfRecordComm, name),
        [PERF_RECORD_EXIT] = sizeof(PerfRecordTask) / sizeof(uint64_t) - 1,
        [PERF_RECORD_FORK] = sizeof(PerfRecordTask) / sizeof(uint64_t) - 1,
        [PERF_RECORD_NAMESPACES] = WORDS_BEFORE(PerfRecordNamespaces, n),
        [PERF_RECORD_KSYMBOL] = WORDS_BEFORE(PerfRecordKsymbol, name),
        [PERF_RECORD_BPF_EVENT] = sizeof(PerfRecordBpfEvent) / sizeof(uint64_t) - 1,
        [PERF_RECORD_CGROUP] = WORDS_BEFORE(PerfRecordCgroup, path),
        [PERF_RECORD_TEXT_POKE] = WORDS_BEFORE(PerfRecordTextPoke, old_length),
};

static size_t entry_words(const SidebandTable *t, uint32_t type) {
        return kept_words[type] + !!(t->sample_type & PERF_SAMPLE_TID);
}

bool sideband_record_check(const SidebandTable *t, const struct perf_event_header *record) {
        return record->type < ELEMENTSOF(kept_words) && kept_words[record->type] > 0 && record_is_whole(record, t->trailer_size);
}

static size_t body_size(const SidebandTable *t, const struct perf_event_header *record) {
        return record->size - t->trailer_size;
}

static const uint64_t *trailer_of(const SidebandTable *t, const struct perf_event_header *record) {
        return (const uint64_t *) ((const uint8_t *) record + body_size(t, record));
}

uint64_t sideband_record_time(const SidebandTable *t, const struct perf_event_header *record) {
        return sideband_has_times(t) ? *record_word_from_end(record, t->places.time) : 0;
}

/* A mapping's tail begins with type and misc of its record, since the mapping outlives the entry. */
static int intern_tail(SidebandTable *t, const struct perf_event_header *record, uint32_t *ret) {
        size_t begin = sizeof(*record) + kept_words[record->type] * sizeof(uint64_t), size = body_size(t, record) - begin;
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

int sideband_entry_new(SidebandTable *t, const struct perf_event_header *record, SidebandEntry **ret) {
        size_t words = kept_words[record->type], all = entry_words(t, record->type);
        /* The pid, tid and time of the trailer stay in the entry. */
        size_t kept = !!(t->sample_type & PERF_SAMPLE_TID) + sideband_has_times(t), n = t->trailer_size / sizeof(uint64_t);
        uint32_t tail, origin = 0;
        SidebandEntry *e;
        int r = intern_tail(t, record, &tail);

        if (r >= 0 && kept < n)
                r = byte_pool_intern(&t->pool, trailer_of(t, record) + kept, (n - kept) * sizeof(uint64_t), &origin);
        if (r < 0)
                return r;
        e = malloc(sizeof(*e) + all * sizeof(uint64_t));
        if (!e)
                return -ENOMEM;
        *e = (SidebandEntry) { .time = sideband_record_time(t, record), .tail = tail, .origin = origin, .header = *record };
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
        return sizeof(*e) + entry_words(t, e->header.type) * sizeof(uint64_t) + SIDEBAND_MALLOC_OVERHEAD;
}

static void put_trailer(const SidebandTable *t, const SidebandEntry *like, uint8_t *p) {
        const ByteBlock *origin = like->origin > 0 ? byte_pool_get(&t->pool, like->origin) : NULL;

        if (t->sample_type & PERF_SAMPLE_TID) {
                memcpy(p, like->words + kept_words[like->header.type], sizeof(uint64_t));
                p += sizeof(uint64_t);
        }
        if (sideband_has_times(t)) {
                memcpy(p, &like->time, sizeof(like->time));
                p += sizeof(uint64_t);
        }
        if (origin)
                memcpy(p, origin->data, origin->size);
}

int sideband_record_put(const SidebandTable *t, const void *record, const void *tail, size_t tail_size,
                        const SidebandEntry *like, RecordBuffer *b) {
        struct perf_event_header h = *(const struct perf_event_header *) record;
        size_t fixed = sizeof(h) + kept_words[h.type] * sizeof(uint64_t), start = b->size;
        size_t size = fixed + tail_size + t->trailer_size;
        uint8_t *p = byte_buffer_extend(b, size);
        int r = b->error;

        if (!p) {
                b->size = start;
                b->error = 0;
                return r;
        }
        h.size = (uint16_t) size;
        memcpy(p, record, fixed);
        memcpy(p, &h, sizeof(h));
        if (tail_size > 0)
                memcpy(p + fixed, tail, tail_size);
        if (like)
                put_trailer(t, like, p + size - t->trailer_size);
        return byte_buffer_relieve(b);
}

int sideband_entry_put(const SidebandTable *t, const SidebandEntry *e, bool base, RecordBuffer *b) {
        bool map = e->header.type == PERF_RECORD_MMAP || e->header.type == PERF_RECORD_MMAP2;
        const ByteBlock *tail = e->tail > 0 ? byte_pool_get(&t->pool, e->tail) : NULL;
        size_t skip = map ? sizeof(struct perf_event_header) : 0;

        return sideband_record_put(t, sideband_entry_record(e), tail ? tail->data + skip : NULL, tail ? tail->size - skip : 0,
                                   base ? NULL : e, b);
}
