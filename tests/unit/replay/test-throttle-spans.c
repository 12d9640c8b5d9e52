/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "perfdata-test.h"
#include "throttle-spans.h"

static PerfRecordThrottle at(uint64_t stream, uint64_t time) {
        return (PerfRecordThrottle) { .time = time, .stream_id = stream };
}

START_TEST(spans) {
        _cleanup_(throttle_spans_done) ThrottleSpans t = {};

        throttle_spans_end(&t, &(PerfRecordThrottle) { .time = 50, .stream_id = 1 }); /* it began before the recording */
        for (uint64_t i = 0; i < 3; i++) {
                PerfRecordThrottle begin = at(1, 100 + i * 100), end = at(1, 110 + i * 100);

                ck_assert_ok(throttle_spans_begin(&t, &begin));
                throttle_spans_end(&t, &end);
                throttle_spans_end(&t, &end);
        }
        ck_assert_ok(throttle_spans_begin(&t, &(PerfRecordThrottle) { .time = 1000, .stream_id = 2 }));
        throttle_spans_end(&t, &(PerfRecordThrottle) { .time = 900, .stream_id = 2 });
        ck_assert_uint_eq(t.times, 4);
        ck_assert_uint_eq(t.total, 30);
}
END_TEST

START_TEST(bounded) {
        _cleanup_(throttle_spans_done) ThrottleSpans t = {};

        for (uint64_t i = 0; i < 2 * THROTTLE_STREAMS_MAX; i++) {
                PerfRecordThrottle record = at(i, i);

                ck_assert_ok(throttle_spans_begin(&t, &record));
        }
        ck_assert_uint_eq(t.n, THROTTLE_STREAMS_MAX);
        ck_assert_uint_eq(t.times, 2 * THROTTLE_STREAMS_MAX);
}
END_TEST

TEST_RUN("throttle-spans", spans, bounded);
