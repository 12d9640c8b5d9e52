/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The reading half of the history ring: a walk over its blocks while others are added. The lock is only held to copy a
 * block as it is stored; decompressing it, checking it and handing it out happen without. So an appending thread waits
 * for one copy at most, and a block may be dropped before the walk reaches it. Such samples are counted as missed:
 * each block has the number of samples before it, which shows the gap.
 *
 * A walk keeps its position, not a pointer: the block being filled may move to the store, with more in it, between two
 * steps. */

#include "history-region.h"

#include "decompress.h"

typedef struct Walk {
        History *history;
        HistorySpan span;
        uint64_t position;  /* of the next record */
        uint64_t store_at;  /* offset in the store behind the block that was seen last */
        uint64_t samples;   /* before position; UINT64_MAX: not known */
        uint64_t samples_end; /* before span.to; 0: not known */
        uint64_t missed;
        RegionBlock block;  /* the one that was copied */
        uint8_t *stored, *records;
        SampleColumns *columns;
        ByteBuffer arranged;
} Walk;

static void walk_done(Walk *w) {
        sample_columns_free(w->columns);
        byte_buffer_done(&w->arranged);
        free(w->stored);
        free(w->records);
}

static bool walk_wants(const Walk *w, uint64_t position, uint64_t size, const HistoryCounts *c) {
        if (position + size <= w->position)
                return false;
        if (c->samples == 0 || c->last == 0)
                return true;
        return c->last >= w->span.since && (w->span.until == 0 || c->first <= w->span.until);
}

/* Copies the next block of the store that is wanted: 1, or 0 if there is none. */
static int walk_copy_stored(Walk *w) {
        const History *h = w->history;
        const RegionState *s = history_committed(h);
        uint64_t at = MAX_OF(w->store_at, s->first);
        const RegionBlock *b;

        while (at < s->end && (b = history_block(h, &at, s->end))) {
                w->store_at = at + history_block_span(b->stored);
                if (b->position >= w->span.to)
                        return 0;
                if (walk_wants(w, b->position, b->size, &b->counts)) {
                        w->block = *b;
                        memcpy(w->stored, b + 1, b->stored);
                        return 1;
                }
                w->samples = b->samples_before + b->counts.samples;
                at = w->store_at;
        }
        return 0;
}

static int walk_copy_filling(Walk *w) {
        const History *h = w->history;
        const RegionState *s = history_committed(h);

        if (s->fill_size == 0 || s->fill_position >= w->span.to)
                return 0;
        if (!walk_wants(w, s->fill_position, s->fill_size, &s->fill)) {
                w->samples = s->samples_before + s->fill.samples;
                return 0;
        }
        w->block = (RegionBlock) {
                .position = s->fill_position,
                .samples_before = s->samples_before,
                .size = (uint32_t) s->fill_size,
                .stored = (uint32_t) s->fill_size,
                .counts = s->fill,
        };
        memcpy(w->stored, h->fill, (size_t) s->fill_size);
        return 1;
}

static int walk_copy_next(Walk *w) {
        int r;

        (void) pthread_mutex_lock(&w->history->lock);
        r = walk_copy_stored(w);
        if (r == 0)
                r = walk_copy_filling(w);
        (void) pthread_mutex_unlock(&w->history->lock);
        if (r > 0 && w->samples != UINT64_MAX && w->block.samples_before > w->samples)
                w->missed += w->block.samples_before - w->samples;
        if (r > 0)
                w->samples = w->block.samples_before + w->block.counts.samples;
        return r;
}

static int walk_arrange(Walk *w) {
        const RegionBlock *b = &w->block;
        uint64_t size;
        int r;

        if (b->stored <= sizeof(size))
                return -EBADMSG;
        memcpy(&size, w->stored, sizeof(size));
        if (size > history_columns_max(b->size))
                return -EBADMSG;
        byte_buffer_reset(&w->arranged);
        if (!byte_buffer_extend(&w->arranged, (size_t) size))
                return -ENOMEM;
        r = block_decompress(w->stored + sizeof(size), b->stored - sizeof(size), w->arranged.data, (size_t) size);
        if (r >= 0 && !w->columns)
                r = sample_columns_new(&w->columns);
        return r < 0 ? r : sample_columns_unpack(w->columns, history_places(&w->history->options), w->arranged.data, (size_t) size,
                                                 w->records, b->size);
}

/* *ret are the records of the copied block: 1, or 0 if they are damaged. */
static int walk_unpack(Walk *w, uint8_t **ret) {
        const RegionBlock *b = &w->block;
        HistoryOptions look_only = w->history->options;
        HistoryCounts counts = {};
        bool bad;
        int r;

        look_only.unmark_maps = false;
        *ret = w->stored;
        if (b->stored < b->size) {
                r = b->magic == BLOCK_MAGIC_COLUMNS ? walk_arrange(w) : block_decompress(w->stored, b->stored, w->records, b->size);
                if (r < 0)
                        return r == -EBADMSG ? 0 : r;
                *ret = w->records;
        }
        return history_scan(&look_only, *ret, b->size, &counts, &bad) == b->size;
}

/* Hands out the part of the block that is in the span. */
static int walk_hand_out(Walk *w, uint8_t *records, HistoryEach each, void *userdata) {
        const RegionBlock *b = &w->block;
        uint64_t skip = w->position > b->position ? w->position - b->position : 0;
        uint64_t end = MIN_OF((uint64_t) b->size, w->span.to - b->position);
        struct iovec part = { .iov_base = records + skip, .iov_len = (size_t) (end - skip) };

        return end > skip ? each(userdata, &part) : 0;
}

static int walk_run(Walk *w, HistoryEach each, void *userdata) {
        int r = 0;

        while (w->position < w->span.to && (r = walk_copy_next(w)) > 0) {
                uint8_t *records;

                r = walk_unpack(w, &records);
                if (r < 0)
                        return r;
                if (r == 0)
                        w->missed += w->block.counts.samples;
                else
                        r = walk_hand_out(w, records, each, userdata);
                if (r < 0)
                        return r;
                w->position = w->block.position + w->block.size;
        }
        if (w->position < w->span.to && w->samples < w->samples_end) /* all blocks that were left are dropped */
                w->missed += w->samples_end - w->samples;
        return r;
}

static void walk_begin(Walk *w) {
        const RegionState *s;
        uint64_t now;

        (void) pthread_mutex_lock(&w->history->lock);
        s = history_committed(w->history);
        now = s->fill_position + s->fill_size;
        if (w->span.to >= now)
                w->samples_end = s->samples_before + s->fill.samples;
        w->span.to = MIN_OF(w->span.to, now);
        (void) pthread_mutex_unlock(&w->history->lock);
}

int history_each(History *h, const HistorySpan *span, HistoryEach each, void *userdata, uint64_t *ret_missed) {
        _cleanup_(walk_done) Walk w = { .history = h, .span = *span, .position = span->from, .samples = UINT64_MAX };
        int r;

        w.stored = malloc(h->fill_max);
        w.records = malloc(h->fill_max);
        if (!w.stored || !w.records)
                return -ENOMEM;
        walk_begin(&w);
        r = walk_run(&w, each, userdata);
        if (r >= 0 && ret_missed)
                *ret_missed = w.missed;
        return r < 0 ? r : 0;
}

void history_totals(History *h, HistoryTotals *ret) {
        HistoryTotals t = {};
        const RegionState *s;
        const RegionBlock *b;

        (void) pthread_mutex_lock(&h->lock);
        s = history_committed(h);
        for (uint64_t at = s->first; at < s->end && (b = history_block(h, &at, s->end)); at += history_block_span(b->stored)) {
                history_counts_add(&t.counts, &b->counts);
                t.bytes += b->size;
                t.stored += b->stored;
                t.blocks++;
        }
        history_counts_add(&t.counts, &s->fill);
        t.bytes += s->fill_size;
        t.stored += s->fill_size;
        t.dropped_samples = s->dropped;
        (void) pthread_mutex_unlock(&h->lock);
        *ret = t;
}

bool history_oldest(History *h, uint64_t *ret_time) {
        const RegionState *s;
        const RegionBlock *b;
        uint64_t oldest = 0;

        (void) pthread_mutex_lock(&h->lock);
        s = history_committed(h);
        for (uint64_t at = s->first; oldest == 0 && at < s->end && (b = history_block(h, &at, s->end));
             at += history_block_span(b->stored))
                oldest = b->counts.first;
        if (oldest == 0)
                oldest = s->fill.first;
        (void) pthread_mutex_unlock(&h->lock);
        if (oldest > 0)
                *ret_time = oldest;
        return oldest > 0;
}
