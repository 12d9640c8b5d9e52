/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A damaged region of a history: the input has the changes, and whether the checksums are corrected, so that the code
 * behind them is reached too. Such a region is refused, or can be read and appended to without harm.
 *
 * 6 bytes a change: where (2: a part of the region, a word in it), how (1), and 3 of a value. The input's first byte
 * is the level of compression, its second whether checksums are made right. */

#include "fuzz.h"
#include "history-region.h"
#include "record-counts.h"
#include "record-cursor.h"

enum { CHANGE = 6, SAMPLES = 14000 };

typedef struct Sample {
        struct perf_event_header header;
        uint64_t time, words[8];
} Sample;

static void append(History *h, uint64_t n) {
        for (uint64_t i = 0; i < n; i++) {
                Sample s = { .header = { .type = i % 50 == 7 ? PERF_RECORD_LOST : PERF_RECORD_SAMPLE, .size = sizeof(s) }, .time = i };
                struct iovec segment = { .iov_base = &s, .iov_len = sizeof(s) };

                for (unsigned k = 0; k < 8; k++)
                        s.words[k] = (i + 1) * (k + 3) * UINT64_C(0x9e3779b97f4a7c15);
                FUZZ_ASSERT(history_append(h, i % 2, &segment, 1, i * sizeof(s)) == 0);
                if (i % 20 == 0)
                        FUZZ_ASSERT(history_commit(h) == 0);
        }
        FUZZ_ASSERT(history_commit(h) == 0);
}

static History *new_region(int level) {
        const HistoryOptions o = { .size = HISTORY_SIZE_MIN, .max_age = 1000, .level = level, .n_rings = 2, .time_word = 0 };
        History *h = NULL;

        FUZZ_ASSERT(history_new(&o, &h) == 0);
        append(h, SAMPLES);
        return h;
}

/* The region is made once for each level, and copied for each input. */
static History *copy_of_region(int level) {
        static History *made[2];
        History *h = NULL;

        if (!made[level])
                made[level] = new_region(level);
        FUZZ_ASSERT(history_new(history_options(made[level]), &h) == 0);
        memcpy(h->region, made[level]->region, (size_t) h->options.size);
        memcpy(h->state, made[level]->state, h->state_size);
        return h;
}

static uint8_t *part(History *h, uint8_t which, size_t *ret_size) {
        const RegionState *s = h->state;
        uint64_t at = s->first;

        *ret_size = h->state_size;
        if (which < 64)
                return *ret_size = sizeof(RegionHead), (uint8_t *) h->head;
        if (which < 128)
                return h->slots[s->sequence & 1];
        if (which < 144)
                return *ret_size = (size_t) s->fill_size, h->fill;
        for (unsigned i = which % 16; i > 0 && history_block(h, &at, s->end); i--)
                at += history_block_span(((RegionBlock *) (h->store + at % h->store_size))->stored);
        if (at >= s->end || !history_block(h, &at, s->end))
                at = s->first;
        *ret_size = which < 224 ? sizeof(RegionBlock) : 4096;
        return h->store + at % h->store_size;
}

static void change(History *h, const uint8_t *p) {
        size_t size;
        uint8_t *to = part(h, p[0], &size);
        uint64_t value, given = p[3] | (uint64_t) p[4] << 8 | (uint64_t) p[5] << 16;

        to += (size_t) p[1] * sizeof(value) % (size & ~(sizeof(value) - 1));
        memcpy(&value, to, sizeof(value));
        switch (p[2] % 5) {
        case 0: value = given; break;
        case 1: value += given; break;
        case 2: value -= given; break;
        case 3: value ^= given << p[2] % 41; break;
        default: value = ~given; break;
        }
        memcpy(to, &value, sizeof(value));
}

static void mend(History *h) {
        RegionState *s = (RegionState *) h->slots[h->state->sequence & 1];

        for (uint64_t at = h->state->first; at < h->state->end;) {
                RegionBlock *b;

                if (h->store_size - at % h->store_size < sizeof(*b))
                        break;
                b = (RegionBlock *) (h->store + at % h->store_size);
                history_seal_block(b);
                at += history_block_span(b->stored);
        }
        s->checksum = history_checksum(&s->sequence, h->state_size - offsetof(RegionState, sequence));
        history_seal_head(h->head);
}

static int see(void *userdata, const struct iovec *records) {
        const struct perf_event_header *record;
        RecordCursor c;
        int r;

        record_cursor_init(&c, records, 1, NULL);
        while ((r = record_cursor_next(&c, &record)) > 0)
                record_counts_add(userdata, record);
        FUZZ_ASSERT(r == 0);
        return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_(history_freep) History *source = NULL, *h = NULL;
        const HistorySpan all = { .to = UINT64_MAX };
        RecordCounts counts = {};
        HistoryTotals totals;
        uint64_t missed = 0, oldest;

        if (size < 2)
                return 0;
        source = copy_of_region(data[0] % 2);
        for (size_t i = 2; size - i >= CHANGE; i += CHANGE)
                change(source, data + i);
        if (data[1] % 2 == 0)
                mend(source);
        if (history_take_over(history_fd(source), &h) < 0)
                return 0;
        history_totals(h, &totals);
        (void) history_oldest(h, &oldest);
        FUZZ_ASSERT(history_each(h, &all, see, &counts, &missed) == 0);
        FUZZ_ASSERT(counts.records <= HISTORY_SIZE_MIN * 64);
        append(h, 100);
        counts = (RecordCounts) {};
        FUZZ_ASSERT(history_each(h, &all, see, &counts, &missed) == 0);
        FUZZ_ASSERT(counts.records >= 100);
        return 0;
}
