/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Upper bounds of records. */

#include "attr.h"
#include "check-main.h"
#include "ring.h"

START_TEST(test_parts) {
        struct perf_event_attr a = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME };
        size_t plain = attr_record_max(&a, 0);

        ck_assert_uint_lt(plain, 512);
        ck_assert_uint_eq(attr_record_max(&a, 1000), plain); /* without RAW there is none of it */
        a.sample_type |= PERF_SAMPLE_RAW;
        ck_assert_uint_eq(attr_record_max(&a, 1000), plain + 1008);

        a.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
        a.sample_max_stack = 10;
        ck_assert_uint_ge(attr_record_max(&a, 0), plain + 88);
        ck_assert_uint_lt(attr_record_max(&a, 0), plain + 400);
        a.sample_max_stack = 0; /* the machine's: 127 by default */
        ck_assert_uint_gt(attr_record_max(&a, 0), plain);

        a.sample_type = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
        a.sample_regs_user = 7;
        a.sample_stack_user = 8192;
        ck_assert_uint_eq(attr_record_max(&a, 0), plain + 32 + 8208);
}
END_TEST

START_TEST(test_limit) {
        struct perf_event_attr a = { .sample_type = PERF_SAMPLE_STACK_USER, .sample_stack_user = 65528 };

        ck_assert_uint_eq(attr_record_max(&a, 0), RING_RECORD_MAX);
        a = (struct perf_event_attr) { .mmap = 1 };
        ck_assert_uint_gt(attr_record_max(&a, 0), 4096);
}
END_TEST

CHECK_MAIN("attr-record-size", test_parts, test_limit);
