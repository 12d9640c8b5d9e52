/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records as some kernels write them, with garbage behind their trailer. */

#include "perfdata-test.h"
#include "record-overlong.h"
#include "sample.h"

#define TRAILER_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU)

static const RecordTrailer trailer = { .sample_type = TRAILER_TYPE, .pid = 1, .tid = 2, .time = 3, .id = 4, .cpu = 5 };

/* Copies the record to words, followed by garbage of the trailer's size. */
static struct perf_event_header *lengthen(const RecordBuffer *b, uint64_t words[static 64]) {
        struct perf_event_header *h = (struct perf_event_header *) words;

        ck_assert_uint_le(b->size + 32, 64 * sizeof(*words));
        memset(words, 0xee, 64 * sizeof(*words));
        memcpy(words, b->data, b->size);
        h->size += 32;
        return h;
}

static void check(const RecordBuffer *b) {
        struct perf_event_attr attr = { .sample_type = TRAILER_TYPE, .sample_id_all = 1 };
        uint64_t words[64];
        struct perf_event_header *h = (struct perf_event_header *) words;
        PerfSample s;

        memcpy(words, b->data, b->size);
        ck_assert_uint_eq(record_true_size(h, 32), b->size); /* unchanged: it is right */
        record_mend_trailers(h, b->size, 32);
        ck_assert_int_eq(memcmp(h, b->data, b->size), 0);

        h = lengthen(b, words);
        ck_assert_uint_eq(record_true_size(h, 32), b->size);
        record_mend_trailers(h, h->size, 32);
        ck_assert_uint_eq(h->size, b->size + 32);
        ck_assert_ok(sample_parse_trailer(&attr, h, &s));
        ck_assert(s.pid == 1 && s.tid == 2 && s.time == 3 && s.id == 4 && s.cpu == 5);
        ck_assert_int_eq(memcmp((uint8_t *) h + 8, b->data + 8, b->size - 32 - 8), 0);
        for (size_t i = b->size - 32; i < b->size; i++)
                ck_assert_uint_eq(((uint8_t *) h)[i], 0);
}

START_TEST(bpf_events) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        ck_assert_ok(record_put_bpf_program(&b, 7, (const uint8_t[8]) { 1 }, &trailer));
        check(&b);
}
END_TEST

START_TEST(kernel_symbols) {
        static const char *const names[] = { "", "bpf_prog", "bpf_prog_0123456789abcdef_filter" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                _cleanup_(record_buffer_done) RecordBuffer b = {};

                ck_assert_ok(record_put_ksymbol(&b, 0x1000, 64, PERF_RECORD_KSYMBOL_TYPE_BPF, 0, names[i], &trailer));
                check(&b);
        }
}
END_TEST

/* Other records, and broken ones, do not change. */
START_TEST(others) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        uint64_t words[64], before[64];
        struct perf_event_header *h;

        ck_assert_ok(record_put_comm(&b, 1, 1, "demo", 0, &trailer));
        h = lengthen(&b, words);
        ck_assert_uint_eq(record_true_size(h, 32), h->size);
        h->type = PERF_RECORD_KSYMBOL; /* a name without an end */
        memset(words + 3, 'x', sizeof(words) - 3 * sizeof(*words));
        memcpy(before, words, sizeof(words));
        record_mend_trailers(h, h->size, 32);
        ck_assert_int_eq(memcmp(before, words, sizeof(words)), 0);
        h->type = PERF_RECORD_TEXT_POKE; /* lengths that do not fit */
        ck_assert_uint_eq(record_true_size(h, 32), h->size);
        h->size = 8;
        ck_assert_uint_eq(record_true_size(h, 32), 8);
        h->size = 0;
        record_mend_trailers(h, sizeof(words), 32);
}
END_TEST

TEST_RUN("record-overlong", bpf_events, kernel_symbols, others);
