/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Few of all rows have samples in a span, so that only those that do have an entry. A span that is not whole would have less than
 * others without a reason, so that it has no number. */

#include "span-counts.h"

#include "array.h"

void span_counts_done(SpanCounts *s) {
        free(s->counts);
        free(s->newest);
        *s = (SpanCounts) {};
}

void span_counts_begin_recording(SpanCounts *s, uint64_t begin, uint64_t end) {
        uint64_t whole = begin < end ? (end - begin) / s->length : 0;

        s->begin = begin;
        s->end = end;
        s->first_span = s->n_spans;
        s->n_spans += (uint32_t) MIN_OF(whole, (uint64_t) SPAN_COUNTS_MAX);
}

/* Finds or makes the entry. Samples come in the order of time, or in a few parts that do, so that it is mostly the newest one. */
static int span_counts_get(SpanCounts *s, uint32_t row, uint32_t span, SpanCount **ret) {
        size_t known = s->rows_allocated;
        uint32_t number;

        if (row >= known) {
                if (ARRAY_RESERVE(s->newest, s->rows_allocated, (size_t) row + 1) < 0)
                        return -ENOMEM;
                memset(s->newest + known, 0, (s->rows_allocated - known) * sizeof(*s->newest));
        }
        for (number = s->newest[row]; number > 0 && s->counts[number - 1].span != span;)
                number = s->counts[number - 1].before;
        if (number == 0) {
                if (s->n >= UINT32_MAX || ARRAY_RESERVE(s->counts, s->allocated, s->n + 1) < 0)
                        return -ENOMEM;
                s->counts[s->n++] = (SpanCount) { .row = row, .span = span, .before = s->newest[row] };
                number = s->newest[row] = (uint32_t) s->n;
        }
        *ret = s->counts + number - 1;
        return 0;
}

static void span_counts_take_record(SpanCounts *s, const Moment *m) {
        const PerfRecordLost *lost = (const void *) m->record;

        if (m->time > s->end || s->end - m->time > s->length || s->first_span > 0)
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
        uint32_t span = SPAN_NONE;
        SpanCount *count;
        uint64_t back;
        int r;

        if (!moment_is_sample(m)) {
                span_counts_take_record(s, m);
                return 0;
        }
        if (m->time < s->begin || m->time > s->end)
                return 0;
        back = s->end - m->time;
        back = (back - (back > 0)) / s->length;
        if (back < s->n_spans - s->first_span)
                span = s->first_span + (uint32_t) back;
        r = span_counts_get(s, row, span, &count);
        if (r < 0)
                return r;
        count->count++;
        count->period += (double) m->sample->period;
        return 0;
}
