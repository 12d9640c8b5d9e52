/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-buffer.h"
#include "format.h"

/* The kernel appends this to each record that is not a sample when attr.sample_id_all is set: those of TID, TIME, ID,
 * STREAM_ID, CPU, IDENTIFIER that sample_type has, a word of 8 bytes each. sample_type 0: nothing is appended. */
typedef struct RecordTrailer {
        uint64_t sample_type;
        uint32_t pid, tid;
        uint64_t time;
        uint64_t id;
        uint64_t stream_id;
        uint32_t cpu;
} RecordTrailer;

#define RECORD_TRAILER_FIELDS (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
                               PERF_SAMPLE_IDENTIFIER)

size_t record_trailer_size(uint64_t sample_type); /* bytes */
void record_trailer_put(ByteBuffer *b, const RecordTrailer *t);

/* The places of fields in the trailer, in words from the end of the record, the last being 1; 0: it has none. tid is the word
 * of pid and tid, the id that of IDENTIFIER, or of ID. */
typedef struct TrailerPlaces {
        unsigned tid, time, id;
} TrailerPlaces;

TrailerPlaces trailer_places(uint64_t sample_type);
TrailerPlaces trailer_places_of(const struct perf_event_attr *attr); /* none without sample_id_all */

/* Returns the word at such a place of a kernel's record, whose size is a multiple of 8; NULL: place is 0, or the
 * record is too short for it. The word is writable if the record is. */
static inline uint64_t *record_word_from_end(const struct perf_event_header *record, unsigned place) {
        size_t n = record->size / sizeof(uint64_t);

        return place > 0 && place < n ? (uint64_t *) record + (n - place) : NULL;
}
