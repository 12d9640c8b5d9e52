/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "record-trailer.h"
#include "sample.h"

#define ALL_FIELDS (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
                    PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN)

START_TEST(the_order_of_the_fields) {
        RecordTrailer t = { .sample_type = ALL_FIELDS, .pid = 1, .tid = 2, .time = 3, .id = 4, .stream_id = 5, .cpu = 6 };
        static const uint64_t expected[] = { UINT64_C(2) << 32 | 1, 3, 4, 5, 6, 4 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_uint_eq(record_trailer_size(t.sample_type), 48);
        ck_assert_uint_eq(record_trailer_size(PERF_SAMPLE_IP), 0);
        ck_assert_ok(record_put_comm(&b, 1, 2, "x", 0, &t));
        ck_assert_uint_eq(b.size, 24 + 48);
        ck_assert_mem_eq(b.data + 24, expected, sizeof(expected));
}
END_TEST

/* For every set of fields the places are those where the parser finds time and id. */
START_TEST(places_are_those_of_the_parser) {
        static const uint64_t fields[] = {
                PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER,
        };

        for (unsigned set = 0; set < 1u << ELEMENTSOF(fields); set++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};
                struct perf_event_attr attr = { .sample_id_all = 1 };
                const uint64_t *time, *id, *tid;
                TrailerPlaces places;
                PerfSample s = {};

                for (size_t i = 0; i < ELEMENTSOF(fields); i++)
                        attr.sample_type |= set & 1u << i ? fields[i] : 0;
                ck_assert_ok(record_put_comm(&b, 1, 2, "x", 0,
                                             &(RecordTrailer) { .sample_type = attr.sample_type, .pid = 22, .time = 33, .id = 44, .cpu = 5 }));
                (void) sample_parse_trailer(&attr, (const void *) b.data, &s);
                places = trailer_places_of(&attr);
                time = record_word_from_end((const void *) b.data, places.time);
                id = record_word_from_end((const void *) b.data, places.id);
                tid = record_word_from_end((const void *) b.data, places.tid);
                ck_assert_uint_eq(tid ? *tid & UINT32_MAX : 0, s.pid);
                ck_assert_uint_eq(time ? *time : 0, s.time);
                ck_assert_uint_eq(id ? *id : 0, s.id);
        }
}
END_TEST

START_TEST(no_trailer) {
        struct perf_event_attr attr = { .sample_type = ALL_FIELDS };
        struct perf_event_header short_one[2] = { { .size = 16 } };
        TrailerPlaces places = trailer_places_of(&attr);

        ck_assert(places.tid == 0 && places.time == 0 && places.id == 0);
        ck_assert_ptr_null(record_word_from_end(short_one, 0));
        ck_assert_ptr_eq(record_word_from_end(short_one, 1), short_one + 1);
        ck_assert_ptr_null(record_word_from_end(short_one, 2)); /* the header is not a field */
        ck_assert_ptr_null(record_word_from_end(short_one, 5));
}
END_TEST

TEST_RUN("record-trailer", the_order_of_the_fields, places_are_those_of_the_parser, no_trailer);
