/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A ring is counted each time that it is read, so this must be fast. Nearly all records are samples, of which only the
 * header is read. */

#include "record-counts.h"

#include "record-cursor.h"
#include "saturate.h"

static uint64_t lost_of(const struct perf_event_header *record) {
        if (!record_is_whole(record, 0))
                return 0;
        return record->type == PERF_RECORD_LOST ? ((const PerfRecordLost *) record)->lost :
                                                  ((const PerfRecordLostSamples *) record)->lost;
}

void record_counts_add(RecordCounts *c, const struct perf_event_header *record) {
        c->records++;
        switch (record->type) {
        case PERF_RECORD_SAMPLE:
                c->samples++;
                break;
        case PERF_RECORD_LOST:
        case PERF_RECORD_LOST_SAMPLES:
                c->lost = saturate_sum(c->lost, lost_of(record));
                c->lost_samples = saturate_sum(c->lost_samples, record->type == PERF_RECORD_LOST_SAMPLES ? lost_of(record) : 0);
                break;
        case PERF_RECORD_THROTTLE:
                c->throttled++;
                break;
        case PERF_RECORD_MMAP2:
                c->build_ids += !!(record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
                break;
        case PERF_RECORD_KSYMBOL:
        case PERF_RECORD_BPF_EVENT:
        case PERF_RECORD_TEXT_POKE:
                c->symbols++;
                break;
        default:
                break;
        }
}

void record_counts_add_segments(RecordCounts *c, const struct iovec *segments, size_t n_segments) {
        const struct perf_event_header *record;
        RecordCursor cursor;
        uint64_t samples = 0;

        record_cursor_init(&cursor, segments, n_segments, NULL);
        while (record_cursor_next(&cursor, &record) > 0)
                if (record->type == PERF_RECORD_SAMPLE)
                        samples++;
                else
                        record_counts_add(c, record);
        c->samples += samples;
        c->records += samples;
}

void record_counts_merge(RecordCounts *c, const RecordCounts *other) {
        c->records += other->records;
        c->samples += other->samples;
        c->lost = saturate_sum(c->lost, other->lost);
        c->lost_samples = saturate_sum(c->lost_samples, other->lost_samples);
        c->throttled += other->throttled;
        c->build_ids += other->build_ids;
        c->symbols += other->symbols;
}
