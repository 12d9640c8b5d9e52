/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A sample whose chain waits ends in a marker and a cookie, and the user part comes in a record of its own, which has the same
 * cookie, and the thread in its trailer. All samples of one stay in the kernel share it. It comes later than they do, so these
 * records are taken in a pass of their own: each sample has its whole chain at its turn, however long it would have to wait.
 *
 * A part may never come: the ring was full, the recording ended, or the thread did. */

#include "deferred-chains.h"

#include "array.h"
#include "record-layout.h"
#include "sample.h"
#include "unwinder.h"

void deferred_chains_done(DeferredChains *d) {
        free(d->chains);
        free(d->words);
        free(d->merged);
        *d = (DeferredChains) {};
}

/* The flags of an attribute are one word, behind read_format; headers before 6.19 have no names for these. */
static bool event_may_defer(const struct perf_event_attr *attr) {
        const size_t place = offsetof(struct perf_event_attr, read_format) + sizeof(attr->read_format);
        uint64_t flags;

        memcpy(&flags, (const uint8_t *) attr + place, sizeof(flags));
        return (flags & (ATTR_FLAG_DEFER_CALLCHAIN | ATTR_FLAG_DEFER_OUTPUT)) != 0;
}

static int compare_deferred(const DeferredChain *a, const DeferredChain *b) {
        if (a->tid != b->tid)
                return a->tid < b->tid ? -1 : 1;
        return a->cookie < b->cookie ? -1 : a->cookie > b->cookie;
}

static int deferred_compare_places(const void *a, const void *b) {
        const DeferredChain *x = a, *y = b;

        return compare_deferred(x, y) ?: (x->first < y->first ? -1 : x->first > y->first);
}

static int deferred_chains_take(DeferredChains *d, const struct perf_event_header *record, uint32_t tid) {
        const PerfRecordDeferred *deferred = (const void *) record;
        size_t n = (size_t) deferred->n;

        if (n > DEFERRED_WORDS_MAX - d->n_words || d->n >= DEFERRED_CHAINS_MAX)
                return 0;
        if (ARRAY_RESERVE(d->chains, d->allocated, d->n + 1) < 0 || ARRAY_RESERVE(d->words, d->words_allocated, d->n_words + n) < 0)
                return -ENOMEM;
        d->chains[d->n++] = (DeferredChain) { .cookie = deferred->cookie, .tid = tid, .n = (uint32_t) n, .first = d->n_words };
        if (n > 0)
                memcpy(d->words + d->n_words, deferred + 1, n * sizeof(*d->words));
        d->n_words += n;
        return 0;
}

int deferred_chains_read(DeferredChains *d, PerfDataReader *reader) {
        const struct perf_event_header *record;
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events), cursor = 0;
        int r = 0, more = 1;

        d->n = d->n_words = 0;
        if (!ANY_OF(n, i, event_may_defer(&events[i].attr)))
                return 0;
        while (r >= 0 && (more = perf_data_reader_next(reader, &cursor, &record)) == 1) {
                const PerfDataEvent *e;
                PerfSample trailer;

                if (record->type != RECORD_CALLCHAIN_DEFERRED || !record_is_whole(record, 0))
                        continue;
                e = perf_data_reader_event_of(reader, record);
                if (e && sample_parse_trailer(&e->attr, record, &trailer) >= 0)
                        r = deferred_chains_take(d, record, trailer.tid);
        }
        if (d->n > 0)
                qsort(d->chains, d->n, sizeof(*d->chains), deferred_compare_places);
        return r < 0 ? r : more == -ENOMEM ? more : 0;
}

bool deferred_chain_waits(const uint64_t *chain, size_t n) {
        return n >= 2 && chain[n - 2] == CONTEXT_USER_DEFERRED;
}

static const DeferredChain *find_deferred(const DeferredChains *d, uint32_t tid, uint64_t cookie) {
        const DeferredChain key = { .tid = tid, .cookie = cookie };
        size_t found = LOWER_BOUND(d->n, i, compare_deferred(d->chains + i, &key) < 0);

        return found < d->n && compare_deferred(d->chains + found, &key) == 0 ? d->chains + found : NULL;
}

int deferred_chains_merge(DeferredChains *d, uint32_t tid, bool unwound, const uint64_t **chain, size_t *n) {
        const DeferredChain *deferred;
        size_t own = *n - 2;

        if (unwound) {
                *n = own;
                return 0;
        }
        deferred = find_deferred(d, tid, (*chain)[*n - 1]);
        if (ARRAY_RESERVE(d->merged, d->merged_allocated, own + (deferred ? deferred->n : 0) + UNWIND_END_MAX) < 0)
                return -ENOMEM;
        if (own > 0)
                memcpy(d->merged, *chain, own * sizeof(**chain));
        if (deferred && deferred->n > 0)
                memcpy(d->merged + own, d->words + deferred->first, deferred->n * sizeof(*d->words));
        *n = deferred ? own + deferred->n : unwinder_mark(d->merged, own, UNWIND_MISSING);
        *chain = d->merged;
        return 0;
}
