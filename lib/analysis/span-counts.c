/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Few of all rows have samples in a span, so that only those that do have an entry. A span that is not whole would have less than
 * others without a reason, so that it has no number. */

#include "span-counts.h"

#include "array.h"

void span_counts_done(SpanCounts *s) {
        free(s->counts);
        hash_index_done(&s->index);
        *s = (SpanCounts) {};
}

void span_counts_begin_recording(SpanCounts *s, uint64_t begin, uint64_t end) {
        uint64_t whole = begin < end ? (end - begin) / s->length : 0;

        s->begin = begin;
        s->end = end;
        s->first_span = s->n_spans;
        s->n_spans += (uint32_t) MIN_OF(whole, (uint64_t) SPAN_COUNTS_MAX);
}

static uint64_t span_counts_hash(uint32_t row, uint32_t span) {
        return hash_mix(0, (uint64_t) row << 32 | span);
}

static uint64_t span_counts_hash_of(const void *owner, uintptr_t entry) {
        const SpanCount *c = ((const SpanCounts *) owner)->counts + entry - 1;

        return span_counts_hash(c->row, c->span);
}

static void span_counts_take_record(SpanCounts *s, const Moment *m) {
        const PerfRecordLost *lost = (const void *) m->record;

        if (m->time > s->end || s->end - m->time >= s->length || s->first_span > 0)
                return;
        switch (m->record->type) {
        case PERF_RECORD_LOST:
                s->lost += lost->lost;
                break;
        case PERF_RECORD_LOST_SAMPLES:
                s->lost += ((const PerfRecordLostSamples *) m->record)->lost;
                break;
        case PERF_RECORD_THROTTLE:
                s->throttled++;
                break;
        default:
                break;
        }
}

int span_counts_take(SpanCounts *s, const Moment *m, uint32_t row) {
        uint64_t back = s->end - m->time, hash;
        uint32_t span = SPAN_NONE;
        uintptr_t number;

        if (!moment_is_sample(m)) {
                span_counts_take_record(s, m);
                return 0;
        }
        if (m->time < s->begin || m->time > s->end)
                return 0;
        if (back / s->length < s->n_spans - s->first_span)
                span = s->first_span + (uint32_t) (back / s->length);
        hash = span_counts_hash(row, span);
        number = HASH_INDEX_FIND(&s->index, hash, entry, s->counts[entry - 1].row == row && s->counts[entry - 1].span == span);
        if (number == 0) {
                if (ARRAY_RESERVE(s->counts, s->allocated, s->n + 1) < 0)
                        return -ENOMEM;
                s->counts[s->n] = (SpanCount) { .row = row, .span = span };
                if (hash_index_add(&s->index, hash, s->n + 1, span_counts_hash_of, s) < 0)
                        return -ENOMEM;
                number = ++s->n;
        }
        s->counts[number - 1].count++;
        s->counts[number - 1].period += (double) m->sample->period;
        return 0;
}
