/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Side band of any shape: the table's own counts stay right, and it puts valid records. The first word has the fields
 * of the trailers (low byte), the limit (next byte, KiB), whether pids and times are reduced so that they collide
 * often, and the share of a process (64 bytes). Records follow; those of types above 200 are calls. */

#include <string.h>

#include "fuzz.h"
#include "sideband-parts.h"

enum {
        CALL_ROUND = 201,
        CALL_FORGET,
        CALL_KEEP,
        CALL_PUT,
        CALL_ROUND_ALL,
};

typedef struct Recount {
        size_t processes, ended, threads, log_bytes, log_records, base_records, refs, linked;
} Recount;

static Recount recount(const SidebandTable *t) {
        Recount c = {};

        for (const SidebandProcess *p = t->first; p; p = p->next) {
                FUZZ_ASSERT(!p->then && (!p->maps || p->maps->refs > 0));
                FUZZ_ASSERT(p->refs > 0 || !p->ended || !sideband_has_times(t));
                c.processes++;
                c.ended += p->ended;
                c.threads += p->n_threads;
                c.base_records += p->maps ? p->maps->bytes : 0;
                c.refs += p->refs;
                c.linked += !!p->parent + !!p->replaced;
        }
        for (const SidebandEntry *e = t->log.first; e; e = e->next) {
                c.log_bytes += sideband_entry_size(t, e);
                c.log_records += e->header.size;
                c.linked += !!e->process;
                FUZZ_ASSERT(e->next || e == t->log.last);
        }
        return c;
}

static void check(const SidebandTable *t) {
        Recount c = recount(t);

        FUZZ_ASSERT(c.processes == t->n_processes && c.ended == t->n_ended && c.threads == t->n_threads);
        FUZZ_ASSERT(c.log_bytes == t->log.bytes && c.log_records == t->log.records);
        FUZZ_ASSERT(c.base_records == t->base_records);
        FUZZ_ASSERT(c.refs == c.linked);
        FUZZ_ASSERT(t->log.first || !t->log.last);
        FUZZ_ASSERT(sideband_table_memory(t) < 64 << 20);
}

static void put(SidebandTable *t, const uint32_t *pids, size_t n) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const struct perf_event_header *h;
        size_t cursor = 0;
        int r;

        FUZZ_ASSERT(sideband_table_put(t, &(SidebandSamples) { .pids = pids, .n_pids = n }, &b) == 0);
        while ((r = record_next(b.data, b.size, &cursor, &h)) == 1)
                FUZZ_ASSERT(sideband_record_check(t, h));
        FUZZ_ASSERT(r == 0);
}

static void call(SidebandTable *t, const struct perf_event_header *h) {
        const uint32_t *pids = (const uint32_t *) (h + 1);
        size_t n = (h->size - sizeof(*h)) / sizeof(*pids);
        uint64_t time = 0;

        if (n >= 2)
                memcpy(&time, pids, sizeof(time));
        switch (h->type) {
        case CALL_ROUND:
        case CALL_ROUND_ALL:
                FUZZ_ASSERT(sideband_table_round(t, h->type == CALL_ROUND_ALL) == 0);
                break;
        case CALL_FORGET:
                FUZZ_ASSERT(sideband_table_forget_before(t, time) == 0);
                break;
        case CALL_KEEP:
                FUZZ_ASSERT(sideband_table_keep_only(t, pids, n) == 0);
                break;
        case CALL_PUT:
                put(t, h->misc & 1 ? pids : NULL, h->misc & 1 ? n : 0);
                break;
        default:
                FUZZ_ASSERT(sideband_table_feed(t, h, h->size) == 0);
        }
}

/* Reduces a record to eight processes with eight threads, and two hundred times. */
static void cut(const SidebandTable *t, struct perf_event_header *h) {
        uint32_t *words = (uint32_t *) (h + 1);
        size_t n = (h->size - sizeof(*h)) / sizeof(*words), ids = h->type == PERF_RECORD_FORK || h->type == PERF_RECORD_EXIT ? 4 : 2;
        size_t time = (t->trailer_size - (t->sample_type & PERF_SAMPLE_TID ? 8 : 0)) / sizeof(*words);

        if (h->type == PERF_RECORD_KSYMBOL || h->type == PERF_RECORD_CGROUP || h->type == PERF_RECORD_TEXT_POKE)
                ids = 0;
        for (size_t i = 0; i < MIN_OF(ids, n); i++)
                words[i] &= 7;
        if (sideband_has_times(t) && h->type < CALL_ROUND && time < n) {
                words[n - time] &= 0x7f;
                words[n - time + 1] = 0;
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static const uint64_t types[] = { PERF_SAMPLE_TIME, PERF_SAMPLE_TIME | PERF_SAMPLE_TID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER,
                                          PERF_SAMPLE_TID | PERF_SAMPLE_ID, 0 };
        _cleanup_sideband_table_free_ SidebandTable *t = NULL;
        _cleanup_free_ uint8_t *copy = malloc(size + 1);
        const struct perf_event_header *h;
        size_t cursor = 8;

        FUZZ_ASSERT(copy);
        memcpy(copy, data, size);
        if (size < 8)
                return 0;
        FUZZ_ASSERT(sideband_table_new(types[data[0] % ELEMENTSOF(types)], &t) == 0);
        if (data[1] > 0)
                t->limit = (size_t) data[1] * 1024;
        if (data[3] > 0) {
                t->share = (size_t) data[3] * 64;
                t->total = (size_t) data[3] * 256;
        }
        while (record_next(copy, size, &cursor, &h) == 1) {
                if (data[2] & 1)
                        cut(t, (struct perf_event_header *) h);
                call(t, h);
                check(t);
        }
        put(t, NULL, 0);
        FUZZ_ASSERT(sideband_table_round(t, true) == 0);
        FUZZ_ASSERT(sideband_table_forget_before(t, UINT64_MAX) == 0);
        check(t);
        put(t, NULL, 0);
        return 0;
}
