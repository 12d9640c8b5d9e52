/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "sample.h"

typedef struct Words {
        _Alignas(8) uint8_t bytes[4096];
        size_t n;
} Words;

static void put(Words *w, uint64_t v) {
        memcpy(w->bytes + 8 + 8 * w->n++, &v, sizeof(v));
}

static const struct perf_event_header *record(Words *w, uint32_t type) {
        struct perf_event_header h = { .type = type, .size = (uint16_t) (8 + 8 * w->n) };

        memcpy(w->bytes, &h, sizeof(h));
        return (const struct perf_event_header *) w->bytes;
}

#define BRANCH_COUNTERS (UINT64_C(1) << 19) /* PERF_SAMPLE_BRANCH_COUNTERS of Linux 6.8 */

/* Every field that a sample can have, each with a value of its own. */
static const struct perf_event_attr everything = {
        .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
                       PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ |
                       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER |
                       PERF_SAMPLE_STACK_USER | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION |
                       PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |
                       PERF_SAMPLE_CODE_PAGE_SIZE | PERF_SAMPLE_AUX,
        .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED,
        .branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX | BRANCH_COUNTERS,
        .sample_regs_user = 7, .sample_regs_intr = 3, .sample_id_all = 1,
};

static void put_everything(Words *w) {
        put(w, 100);                      /* identifier */
        put(w, 1);                        /* ip */
        put(w, UINT64_C(3) << 32 | 2);    /* pid, tid */
        put(w, 4);                        /* time */
        put(w, 5);                        /* addr */
        put(w, 100);                      /* id */
        put(w, 6);                        /* stream id */
        put(w, 7);                        /* cpu */
        put(w, 8);                        /* period */
        put(w, 2);                        /* read: a group of two, time, then value and id each */
        for (uint64_t i = 0; i < 5; i++)
                put(w, 40 + i);
        put(w, 3);                        /* call chain */
        put(w, PERF_CONTEXT_USER);
        put(w, 0x1000);
        put(w, 0x2000);
        put(w, UINT64_C(0x11223344) << 32 | 12); /* raw: 12 bytes */
        put(w, 0x5566);
        put(w, 1);                        /* branches, their index */
        put(w, 9);
        put(w, 0xa);
        put(w, 0xb);
        put(w, 0xc);
        put(w, 0xd);                      /* its counters */
        put(w, PERF_SAMPLE_REGS_ABI_64);  /* user registers */
        put(w, 50);
        put(w, 51);
        put(w, 52);
        put(w, 16);                       /* stack: 16 bytes, 9 of them used */
        put(w, 60);
        put(w, 61);
        put(w, 9);
        put(w, 70);                       /* weight */
        put(w, 71);                       /* data source */
        put(w, 72);                       /* transaction */
        put(w, PERF_SAMPLE_REGS_ABI_NONE);
        put(w, 73);                       /* physical address */
        put(w, 74);                       /* cgroup */
        put(w, 75);                       /* data page size */
        put(w, 76);                       /* code page size */
        put(w, 9);                        /* aux: 9 bytes */
        put(w, 77);
        put(w, 78);
}

START_TEST(every_field) {
        PerfSample s = {};
        Words w = {};

        put_everything(&w);
        ck_assert_ok(sample_parse(&everything, record(&w, PERF_RECORD_SAMPLE), &s));
        ck_assert_uint_eq(s.id, 100);
        ck_assert_uint_eq(s.ip, 1);
        ck_assert_uint_eq(s.pid, 2);
        ck_assert_uint_eq(s.tid, 3);
        ck_assert_uint_eq(s.time, 4);
        ck_assert_uint_eq(s.address, 5);
        ck_assert_uint_eq(s.stream_id, 6);
        ck_assert_uint_eq(s.cpu, 7);
        ck_assert_uint_eq(s.period, 8);
        ck_assert_uint_eq(s.n_read, 6);
        ck_assert_uint_eq(s.read[5], 44);
        ck_assert_uint_eq(s.n_callchain, 3);
        ck_assert_uint_eq(s.callchain[2], 0x2000);
        ck_assert_uint_eq(s.raw_size, 12);
        ck_assert_uint_eq(*(const uint8_t *) s.raw, 0x44);
        ck_assert_uint_eq(s.n_branches, 1);
        ck_assert_uint_eq(s.branches[0].to, 0xb);
        ck_assert_uint_eq(s.branch_index, 9);
        ck_assert_uint_eq(s.branch_counters[0], 0xd);
        ck_assert_uint_eq(s.n_user_registers, 3);
        ck_assert_uint_eq(s.user_registers[2], 52);
        ck_assert_uint_eq(s.stack_size, 9);
        ck_assert_uint_eq(*(const uint64_t *) s.stack, 60);
        ck_assert_uint_eq(s.weight, 70);
        ck_assert_uint_eq(s.data_source, 71);
        ck_assert_uint_eq(s.transaction, 72);
        ck_assert_uint_eq(s.n_intr_registers, 0);
        ck_assert_uint_eq(s.physical_address, 73);
        ck_assert_uint_eq(s.cgroup, 74);
        ck_assert_uint_eq(s.data_page_size, 75);
        ck_assert_uint_eq(s.code_page_size, 76);
        ck_assert_uint_eq(s.aux_size, 9);
        ck_assert_uint_eq(*(const uint64_t *) s.aux, 77);
}
END_TEST

START_TEST(cut_anywhere) {
        PerfSample s = {};
        Words w = {};
        size_t n;

        put_everything(&w);
        n = w.n;
        for (w.n = 0; w.n < n; w.n++)
                ck_assert_int_eq(sample_parse(&everything, record(&w, PERF_RECORD_SAMPLE), &s), -EBADMSG);
        ck_assert_uint_eq(s.sample_type, 0);
}
END_TEST

/* Each word in turn becomes a huge number: nothing outside is read (the sanitizer checks it), with an error or
 * without. */
START_TEST(huge_counts) {
        static const uint64_t huge[] = { UINT64_MAX, UINT64_MAX / 3 + 1, UINT64_C(1) << 61, UINT32_MAX, UINT64_C(1) << 32 };
        Words w = {}, bad;

        put_everything(&w);
        for (size_t i = 0; i < w.n; i++)
                for (size_t k = 0; k < ELEMENTSOF(huge); k++) {
                        _cleanup_free_ void *copy = malloc(8 + 8 * w.n);
                        PerfSample s = {};
                        int r;

                        bad = w;
                        memcpy(bad.bytes + 8 + 8 * i, huge + k, 8);
                        record(&bad, PERF_RECORD_SAMPLE);
                        memcpy(copy, bad.bytes, 8 + 8 * w.n);
                        r = sample_parse(&everything, copy, &s);
                        ck_assert(r == 0 || r == -EBADMSG);
                        if (r == 0 && s.raw_size > 0)
                                ck_assert((const uint8_t *) s.raw + s.raw_size <= (const uint8_t *) copy + 8 + 8 * w.n);
                }
}
END_TEST

/* Each field is tested by itself, with a field behind it that shows its size. */
START_TEST(one_field) {
        static const struct {
                uint64_t field;
                size_t offset;
                size_t n;
                uint64_t words[4];
                uint64_t expected;
        } cases[] = {
#define FIELD(bit, member, ...) { PERF_SAMPLE_##bit, offsetof(PerfSample, member), __VA_ARGS__ }
                FIELD(IDENTIFIER, id, 1, { 5 }, 5),
                FIELD(IP, ip, 1, { 6 }, 6),
                FIELD(TIME, time, 1, { 7 }, 7),
                FIELD(ADDR, address, 1, { 8 }, 8),
                FIELD(ID, id, 1, { 9 }, 9),
                FIELD(STREAM_ID, stream_id, 1, { 10 }, 10),
                FIELD(PERIOD, period, 1, { 11 }, 11),
                FIELD(READ, n_read, 1, { 12 }, 1),
                FIELD(CALLCHAIN, n_callchain, 3, { 2, 1, 2 }, 2),
                FIELD(BRANCH_STACK, n_branches, 4, { 1, 1, 2, 3 }, 1),
                FIELD(REGS_USER, n_user_registers, 3, { PERF_SAMPLE_REGS_ABI_64, 1, 2 }, 2),
                FIELD(REGS_USER, n_user_registers, 1, { PERF_SAMPLE_REGS_ABI_NONE }, 0),
                FIELD(STACK_USER, stack_size, 1, { 0 }, 0),
                FIELD(STACK_USER, stack_size, 3, { 8, 1, 8 }, 8),
                FIELD(STACK_USER, stack_size, 3, { 8, 1, 100 }, 8), /* more than there is */
                FIELD(WEIGHT, weight, 1, { 13 }, 13),
                FIELD(WEIGHT_STRUCT, weight, 1, { 14 }, 14),
                FIELD(DATA_SRC, data_source, 1, { 15 }, 15),
                FIELD(TRANSACTION, transaction, 1, { 16 }, 16),
                FIELD(REGS_INTR, n_intr_registers, 2, { PERF_SAMPLE_REGS_ABI_32, 1 }, 1),
                FIELD(PHYS_ADDR, physical_address, 1, { 17 }, 17),
                FIELD(CGROUP, cgroup, 1, { 18 }, 18),
                FIELD(DATA_PAGE_SIZE, data_page_size, 1, { 19 }, 19),
#undef FIELD
        };

        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                struct perf_event_attr a = { .sample_type = cases[i].field | PERF_SAMPLE_CODE_PAGE_SIZE,
                                             .sample_regs_user = 0x101, .sample_regs_intr = 0x80 };
                PerfSample s = {};
                Words w = {};
                uint64_t v;

                for (size_t k = 0; k < cases[i].n; k++)
                        put(&w, cases[i].words[k]);
                put(&w, 4096);
                ck_assert_msg(sample_parse(&a, record(&w, PERF_RECORD_SAMPLE), &s) == 0, "case %zu", i);
                memcpy(&v, (const uint8_t *) &s + cases[i].offset, sizeof(v));
                ck_assert_msg(v == cases[i].expected, "case %zu", i);
                ck_assert_uint_eq(s.code_page_size, 4096);
        }
}
END_TEST

START_TEST(read_formats) {
        struct perf_event_attr a = { .sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_CGROUP };
        PerfSample s = {};
        Words w = {};

        for (uint64_t i = 0; i < 5; i++)
                put(&w, 10 + i);
        put(&w, 99);
        a.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        ck_assert_ok(sample_parse(&a, record(&w, PERF_RECORD_SAMPLE), &s));
        ck_assert_uint_eq(s.n_read, 5);
        ck_assert_uint_eq(s.cgroup, 99);
}
END_TEST

START_TEST(trailers) {
        struct perf_event_attr a = {
                .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
                .sample_id_all = 1,
        };
        RecordTrailer t = { .sample_type = a.sample_type, .pid = 1, .tid = 2, .time = 3, .cpu = 4, .id = 5 };
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        PerfSample s = {};
        struct perf_event_header *h;

        ck_assert_ok(record_put_comm(&b, 10, 11, "x", 0, &t));
        h = (struct perf_event_header *) b.data;
        ck_assert_ok(sample_parse_trailer(&a, h, &s));
        ck_assert_uint_eq(s.pid, 1);
        ck_assert_uint_eq(s.tid, 2);
        ck_assert_uint_eq(s.time, 3);
        ck_assert_uint_eq(s.cpu, 4);
        ck_assert_uint_eq(s.id, 5);
        ck_assert_uint_eq(s.ip, 0);
        h->size = 24;
        ck_assert_int_eq(sample_parse_trailer(&a, h, &s), -EBADMSG);
        h->size = 0;
        ck_assert_int_eq(sample_parse_trailer(&a, h, &s), -EBADMSG);
        h->size = (uint16_t) b.size;
        h->type = PERF_RECORD_FINISHED_ROUND;
        ck_assert_int_eq(sample_parse_trailer(&a, h, &s), -ENODATA);
        h->type = PERF_RECORD_COMM;
        a.sample_id_all = 0;
        ck_assert_int_eq(sample_parse_trailer(&a, h, &s), -ENODATA);
}
END_TEST

TEST_RUN("sample", every_field, one_field, cut_anywhere, huge_counts, read_formats, trailers);
