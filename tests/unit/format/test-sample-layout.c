/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "sample.h"
#include "sample-layout.h"

/* The layout finds in a sample what the parser finds, for every combination of the fields before the chain. */
START_TEST(as_the_parser) {
        static const uint64_t fields = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                                       PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
                                       PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN;
        static const uint64_t formats[] = { 0, PERF_FORMAT_ID | PERF_FORMAT_LOST,
                                            PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING };
        uint64_t record[32];

        for (uint64_t type = fields; type; type = (type - 1) & fields)
                for (size_t f = 0; f < ELEMENTSOF(formats); f++) {
                        struct perf_event_attr attr = { .sample_type = type, .read_format = formats[f] };
                        struct perf_event_header *h = (struct perf_event_header *) record;
                        SampleLayout l;
                        PerfSample s;

                        for (size_t i = 1; i < ELEMENTSOF(record); i++)
                                record[i] = i;
                        *h = (struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .size = sizeof(record) };
                        sample_layout_init(&l, &attr);
                        ck_assert_ok(sample_parse(&attr, h, &s));
                        ck_assert(l.ip < 0 ? s.ip == 0 : s.ip == record[1 + l.ip]);
                        ck_assert(l.time < 0 ? s.time == 0 : s.time == record[1 + l.time]);
                        ck_assert(l.tid < 0 ? s.pid == 0 : s.pid == record[1 + l.tid]);
                        if (!(type & PERF_SAMPLE_IDENTIFIER && type & PERF_SAMPLE_ID)) /* which are the same in real samples */
                                ck_assert(l.id < 0 ? s.id == 0 : s.id == record[1 + l.id]);
                        ck_assert(!l.callchain_floats);
                        ck_assert_int_eq(l.callchain >= 0, !!(type & PERF_SAMPLE_CALLCHAIN));
                        if (l.callchain >= 0) {
                                ck_assert_uint_eq(s.n_callchain, record[1 + l.callchain]);
                                ck_assert_ptr_eq(s.callchain, record + 2 + l.callchain);
                                ck_assert_uint_eq(l.words, (unsigned) l.callchain + 1);
                        }
                }
}
END_TEST

START_TEST(groups) {
        SampleLayout l;

        sample_layout_init(&l, &(struct perf_event_attr) {
                .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN, .read_format = PERF_FORMAT_GROUP,
        });
        ck_assert(l.callchain_floats);
        ck_assert_int_eq(l.callchain, -1);
        ck_assert_int_eq(l.ip, 0);
        sample_layout_init(&l, &(struct perf_event_attr) {
                .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_READ, .read_format = PERF_FORMAT_GROUP,
        });
        ck_assert(!l.callchain_floats);
}
END_TEST

/* Call chains may come before the control group, pages and AUX data after it. */
START_TEST(control_group) {
        static const uint64_t fields = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE |
                                       PERF_SAMPLE_CODE_PAGE_SIZE;
        SampleLayout l;

        for (uint64_t type = fields; type; type = (type - 1) & fields) {
                uint64_t record[16] = {};
                struct perf_event_header *h = (struct perf_event_header *) record;
                const struct perf_event_attr attr = { .sample_type = type };
                const uint64_t *word;
                PerfSample s;
                size_t n = 1;

                if (type & PERF_SAMPLE_IP)
                        record[n++] = 1000;
                if (type & PERF_SAMPLE_CALLCHAIN) {
                        record[n] = 2;
                        n += 3;
                }
                for (uint64_t late = type & ~(uint64_t) (PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN); late; late &= late - 1) {
                        record[n] = 100 + n;
                        n++;
                }
                *h = (struct perf_event_header) { .type = PERF_RECORD_SAMPLE, .size = (uint16_t) (n * sizeof(uint64_t)) };
                ck_assert_ok(sample_parse(&attr, h, &s));
                sample_layout_init(&l, &attr);
                word = record_word_from_end(h, l.cgroup);
                ck_assert(type & PERF_SAMPLE_CGROUP ? *word == s.cgroup && s.cgroup > 100 : !word);
                ck_assert(!l.cgroup_floats);
        }
        sample_layout_init(&l, &(struct perf_event_attr) { .sample_type = PERF_SAMPLE_CGROUP | PERF_SAMPLE_AUX });
        ck_assert(l.cgroup_floats && l.cgroup == 0);
}
END_TEST

TEST_RUN("sample-layout", as_the_parser, groups, control_group);
