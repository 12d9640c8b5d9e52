/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The order of a trailer's fields is the kernel's, perf_event__output_id_sample() in kernel/events/core.c: TID, TIME, ID,
 * STREAM_ID, CPU, IDENTIFIER. The record's own fields are before them and have any length, so they are found from the end. */

#include "record-trailer.h"

#define BEHIND_ID   (PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)
#define BEHIND_TIME (PERF_SAMPLE_ID | BEHIND_ID)
#define BEHIND_TID  (PERF_SAMPLE_TIME | BEHIND_TIME)

static unsigned count_fields(uint64_t sample_type, uint64_t fields) {
        return (unsigned) __builtin_popcountll(sample_type & fields);
}

size_t record_trailer_size(uint64_t sample_type) {
        return count_fields(sample_type, RECORD_TRAILER_FIELDS) * sizeof(uint64_t);
}

void record_trailer_put(ByteBuffer *b, const RecordTrailer *t) {
        if (t->sample_type & PERF_SAMPLE_TID) {
                byte_buffer_put_u32(b, t->pid);
                byte_buffer_put_u32(b, t->tid);
        }
        if (t->sample_type & PERF_SAMPLE_TIME)
                byte_buffer_put_u64(b, t->time);
        if (t->sample_type & PERF_SAMPLE_ID)
                byte_buffer_put_u64(b, t->id);
        if (t->sample_type & PERF_SAMPLE_STREAM_ID)
                byte_buffer_put_u64(b, t->stream_id);
        if (t->sample_type & PERF_SAMPLE_CPU)
                byte_buffer_put_u64(b, t->cpu);
        if (t->sample_type & PERF_SAMPLE_IDENTIFIER)
                byte_buffer_put_u64(b, t->id);
}

TrailerPlaces trailer_places(uint64_t sample_type) {
        TrailerPlaces p = {};

        if (sample_type & PERF_SAMPLE_TID)
                p.tid = 1 + count_fields(sample_type, BEHIND_TID);
        if (sample_type & PERF_SAMPLE_TIME)
                p.time = 1 + count_fields(sample_type, BEHIND_TIME);
        if (sample_type & PERF_SAMPLE_IDENTIFIER)
                p.id = 1;
        else if (sample_type & PERF_SAMPLE_ID)
                p.id = 1 + count_fields(sample_type, BEHIND_ID);
        return p;
}

TrailerPlaces trailer_places_of(const struct perf_event_attr *attr) {
        return trailer_places(attr->sample_id_all ? attr->sample_type : 0);
}
