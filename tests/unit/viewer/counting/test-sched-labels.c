/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Raw data of made tracepoints. */

#include "made-switches.h"
#include "sched-labels.h"
#include "thread-waits.h"

static PerfDataReader *made(const char *waking) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *path = test_path("sched.data");
        const MadeSwitch all[] = {
                { 1, 0, 7, 8, 0, { 0 }, NULL }, { 2, 0, 8, 0, 2, { 0 }, NULL }, { 3, 0, 7, 8, 0x20, { 0 }, NULL },
                { 4, 0, 7, 8, 0x100, { 0 }, NULL }, { 5, 0, 0, 9, 0, { 0 }, "a\nb<\xff" }, { 6, 0, 7, 9, 0, { 0 }, "0123456789abcdefg" },
        };
        PerfDataReader *r = NULL;

        made_switches(&b, all, waking ? 6 : 4);
        made_sched_recording(path, &b, waking, NULL);
        ck_assert_ok(perf_data_reader_new(AT_FDCWD, path, &r));
        return r;
}

/* Each is the event's kind, threads and state, then its label; NULL: it is none. */
static void expect(const char *waking, bool wakers, const char *const *expected, size_t n) {
        _cleanup_perf_data_reader_free_ PerfDataReader *r = made(waking);
        _cleanup_(sched_labels_freep) SchedLabels *labels = NULL;
        const struct perf_event_header *record;
        const PerfDataEvent *events;
        size_t cursor = 0, i = 0;

        ck_assert_ok(sched_labels_new(r, wakers, &labels));
        (void) perf_data_reader_events(r, &events);
        for (; perf_data_reader_next(r, &cursor, &record) == 1; i++) {
                const PerfDataEvent *e = perf_data_reader_event_of(r, record);
                PerfSample s;
                const Moment m = { .number = (size_t) (e - events), .sample = &s };
                SchedEvent event;

                ck_assert_uint_lt(i, n);
                ck_assert_ok(sample_parse(&e->attr, record, &s));
                if (!sched_labels_event_of(labels, &m, &event))
                        ck_assert_ptr_null(expected[i]);
                else {
                        SampleLabel label = sched_labels_label(labels, &m, &event);
                        _cleanup_free_ char *text = NULL;

                        ck_assert_int_gt(asprintf(&text, "%c %u %u %c|%s", (char) event.kind, event.out, event.in, event.state ?: '-',
                                                  label.texts), 0);
                        ck_assert_str_eq(text, expected[i]);
                        ck_assert_uint_eq(label.size, strlen(label.texts) + 1);
                }
                s.raw_size = 20; /* cut off */
                ck_assert(!sched_labels_event_of(labels, &m, &event));
                s.raw = NULL;
                ck_assert(!sched_labels_event_of(labels, &m, &event));
        }
        ck_assert_uint_eq(i, n);
}

#define EXPECT(waking, wakers, ...)                                 \
        expect(waking, wakers, (const char *const[]) { __VA_ARGS__ }, \
               sizeof((const char *const[]) { __VA_ARGS__ }) / sizeof(char *))

START_TEST(switches) {
        EXPECT(NULL, false, "r 7 8 R|ready (R)", "s 8 0 D|uninterruptible (D)", "x 7 8 Z|exiting (X)",
               "r 7 8 R|ready (R)");
        EXPECT("sched:sched_waking", false, "r 7 8 R|ready (R)", "s 8 0 D|uninterruptible (D)", "x 7 8 Z|exiting (X)",
               "r 7 8 R|ready (R)", NULL, NULL);
}
END_TEST

/* Names are lines of UTF-8; one that has no zero byte ends. */
START_TEST(wakings) {
        EXPECT("sched:sched_waking", true, "r 7 8 R|ready (R)", "s 8 0 D|uninterruptible (D)", "x 7 8 Z|exiting (X)",
               "r 7 8 R|ready (R)", "w 0 9 -|a b<\xef\xbf\xbd", "w 7 9 -|0123456789abcdef");
        EXPECT("sched:sched_wakeup", true, "r 7 8 R|ready (R)", "s 8 0 D|uninterruptible (D)", "x 7 8 Z|exiting (X)",
               "r 7 8 R|ready (R)", "w 0 9 -|a b<\xef\xbf\xbd", "w 7 9 -|0123456789abcdef");
        EXPECT("sched:sched_wakeup_new", true, "r 7 8 R|ready (R)", "s 8 0 D|uninterruptible (D)", "x 7 8 Z|exiting (X)",
               "r 7 8 R|ready (R)", NULL, NULL);
}
END_TEST

START_TEST(events) {
        _cleanup_perf_data_reader_free_ PerfDataReader *waking = made("sched:sched_waking"), *none = made(NULL);

        ck_assert_str_eq(sched_labels_event(waking, false), "sched:sched_switch");
        ck_assert_str_eq(sched_labels_event(waking, true), "sched:sched_waking");
        ck_assert_ptr_null(sched_labels_event(none, true));
}
END_TEST

TEST_RUN("sched-labels", switches, wakings, events);
