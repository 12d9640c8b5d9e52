/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sums of what the kernel says about samples that it did not record. */

#include "sample-totals.h"

#include "record-layout.h"
#include "saturate.h"

int sample_totals_take(SampleTotals *t, ThrottleSpans *spans, const struct perf_event_header *record) {
        const ThrottleSpans before = *spans;
        int r = 0;

        switch (record->type) {
        case PERF_RECORD_LOST:
                t->lost_records = saturate_sum(t->lost_records, ((const PerfRecordLost *) record)->lost);
                break;
        case PERF_RECORD_LOST_SAMPLES:
                t->lost_samples = saturate_sum(t->lost_samples, ((const PerfRecordLostSamples *) record)->lost);
                break;
        case PERF_RECORD_THROTTLE:
                r = throttle_spans_begin(spans, (const void *) record);
                break;
        case PERF_RECORD_UNTHROTTLE:
                throttle_spans_end(spans, (const void *) record);
                break;
        default:
                return 0;
        }
        t->throttled += spans->times - before.times;
        t->throttled_time = saturate_sum(t->throttled_time, spans->total - before.total);
        return r;
}

void sample_totals_add(SampleTotals *t, const SampleTotals *other) {
        t->lost_samples = saturate_sum(t->lost_samples, other->lost_samples);
        t->lost_records = saturate_sum(t->lost_records, other->lost_records);
        t->throttled = saturate_sum(t->throttled, other->throttled);
        t->throttled_time = saturate_sum(t->throttled_time, other->throttled_time);
        t->unreadable = saturate_sum(t->unreadable, other->unreadable);
        t->period = saturate_sum(t->period, other->period);
        t->lightened = saturate_sum(t->lightened, other->lightened);
}
