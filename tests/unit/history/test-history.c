/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A history returns all samples from some record on, none twice, by position and by time. */

#include <pthread.h>

#include "history-test.h"

static History *new_history(const HistoryOptions *o) {
        History *h = NULL;

        ck_assert_ok(history_new(o, &h));
        return h;
}

static void fill(History *h, uint64_t from, uint64_t to, uint64_t step) {
        for (uint64_t i = from; i < to; i++) {
                ck_assert_ok(numbered_append(h, i, (i + 1) * step));
                if (i % 10 == 9)
                        ck_assert_ok(history_commit(h));
        }
        ck_assert_ok(history_commit(h));
}

START_TEST(nothing_yet) {
        const HistoryOptions o = NUMBERED_OPTIONS;
        _cleanup_(history_freep) History *h = new_history(&o);
        uint64_t oldest = 1;
        HistoryTotals t;
        Numbers n;

        n = numbers_of(h, (HistorySpan) HISTORY_ALL);
        ck_assert_uint_eq(n.first, UINT64_MAX);
        ck_assert(!history_oldest(h, &oldest));
        ck_assert_uint_eq(oldest, 1);
        history_totals(h, &t);
        ck_assert_uint_eq(t.counts.samples + t.blocks + t.bytes + t.dropped_samples, 0);
        ck_assert_uint_eq(history_position(h), 0);
        ck_assert_uint_eq(history_tail(h, 0), 0);
        ck_assert_uint_eq(history_tail(h, 7), 0);
        ck_assert_uint_eq(history_options(h)->n_rings, 2);
}
END_TEST

START_TEST(wrong_options) {
        const HistoryOptions ok = NUMBERED_OPTIONS;
        History *h = NULL;

#define REFUSED(field, value)                                   \
        do {                                                    \
                HistoryOptions o = ok;                          \
                o.field = value;                                \
                ck_assert_int_eq(history_new(&o, &h), -EINVAL); \
        } while (0)
        REFUSED(size, HISTORY_SIZE_MIN - 4096);
        REFUSED(size, HISTORY_SIZE_MAX + 1);
        REFUSED(size, UINT64_MAX);
        REFUSED(level, -1);
        REFUSED(level, 23);
        REFUSED(n_rings, HISTORY_RINGS_MAX + 1);
        REFUSED(n_rings, HISTORY_RINGS_MAX); /* too many for this size */
        REFUSED(time_word, -2);
        REFUSED(time_word, 64);
        REFUSED(switch_word, 64);
}
END_TEST

/* Samples that are not committed are not in the history. */
START_TEST(committed) {
        const HistoryOptions o = NUMBERED_OPTIONS;
        _cleanup_(history_freep) History *h = new_history(&o);
        Numbers n;

        ck_assert_ok(numbered_append(h, 0, 100));
        ck_assert_uint_eq(history_position(h), 0);
        ck_assert_uint_eq(history_tail(h, 0), 0);
        n = numbers_of(h, (HistorySpan) HISTORY_ALL);
        ck_assert_uint_eq(n.first, UINT64_MAX);
        ck_assert_ok(history_commit(h));
        ck_assert_uint_eq(history_position(h), sizeof(NumberedSample));
        ck_assert_uint_eq(history_tail(h, 0), sizeof(NumberedSample));
        n = numbers_of(h, (HistorySpan) HISTORY_ALL);
        ck_assert_uint_eq(n.next, 1);
        ck_assert_ok(history_commit(h));
        ck_assert_uint_eq(numbers_of(h, (HistorySpan) HISTORY_ALL).next, 1);
        ck_assert_int_eq(history_append(h, 2, NULL, 0, 0), -EINVAL);
}
END_TEST

/* Ten times its capacity is appended, compressed and not. */
START_TEST(goes_round) {
        static const int levels[] = { 0, 1, 3 };

        for (size_t i = 0; i < ELEMENTSOF(levels); i++) {
                HistoryOptions o = NUMBERED_OPTIONS;
                _cleanup_(history_freep) History *h = NULL;
                uint64_t oldest = 0, total = 10 * HISTORY_SIZE_MIN / sizeof(NumberedSample);
                HistoryTotals t;
                Numbers n;

                o.level = levels[i];
                h = new_history(&o);
                fill(h, 0, total, 1000000);
                n = numbers_of(h, (HistorySpan) HISTORY_ALL);
                ck_assert_uint_eq(n.next, total);
                ck_assert_uint_gt(n.first, 0);
                history_totals(h, &t);
                ck_assert_uint_eq(t.counts.samples, n.next - n.first);
                ck_assert_uint_eq(t.dropped_samples, n.first);
                ck_assert_uint_eq(t.counts.last, total * 1000000);
                ck_assert(history_oldest(h, &oldest));
                ck_assert_uint_eq(oldest, (n.first + 1) * 1000000);
                ck_assert_uint_eq(oldest, t.counts.first);
                ck_assert_uint_le(t.stored, HISTORY_SIZE_MIN);
                ck_assert_uint_gt(t.stored, HISTORY_SIZE_MIN * 3 / 4);
        }
}
END_TEST

/* One call appends more than a block, in segments that split records, of all sizes. */
START_TEST(large_appends) {
        const HistoryOptions o = NUMBERED_OPTIONS;
        _cleanup_(history_freep) History *h = new_history(&o);
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        HistoryTotals t;

        for (uint64_t i = 0; i < 3000; i++) {
                NumberedSample s = numbered_sample(i, 1000 + i);

                byte_buffer_put(&b, &s, sizeof(s));
        }
        for (size_t cut = 8; cut < b.size; cut += b.size / 7 / 8 * 8) {
                const struct iovec segments[] = { { b.data, cut }, { b.data + cut, b.size - cut } };
                uint64_t from = history_position(h);
                Numbers n;

                ck_assert_ok(history_append(h, 1, segments, 2, 5000000 + cut));
                ck_assert_ok(history_commit(h));
                ck_assert_uint_eq(history_tail(h, 1), 5000000 + cut);
                ck_assert_uint_eq(history_tail(h, 0), 0);
                n = numbers_of(h, (HistorySpan) { .from = from, .to = UINT64_MAX });
                ck_assert_uint_eq(n.first, 0);
                ck_assert_uint_eq(n.next, 3000);
        }
        history_totals(h, &t);
        ck_assert_uint_gt(t.blocks, 3);
}
END_TEST

START_TEST(spans) {
        const HistoryOptions o = NUMBERED_OPTIONS;
        _cleanup_(history_freep) History *h = new_history(&o);
        uint64_t positions[51] = {};
        Numbers n;

        for (uint64_t i = 0; i < 50; i++) {
                fill(h, i * 100, i * 100 + 100, 10);
                positions[i + 1] = history_position(h);
        }
        for (uint64_t i = 0; i < 50; i += 3) {
                n = numbers_of(h, (HistorySpan) { .from = positions[i], .to = positions[50] });
                ck_assert_uint_eq(n.first, i * 100);
                ck_assert_uint_eq(n.next, 5000);
                n = numbers_of(h, (HistorySpan) { .to = positions[i + 1] });
                ck_assert_uint_eq(n.first, 0);
                ck_assert_uint_eq(n.next, i * 100 + 100);
                n = numbers_of(h, (HistorySpan) { .from = positions[i], .to = positions[i + 1] });
                ck_assert_uint_eq(n.first, i * 100);
                ck_assert_uint_eq(n.next, i * 100 + 100);
                n = numbers_of(h, (HistorySpan) { .since = i * 1000 + 1, .to = UINT64_MAX }); /* whole blocks */
                ck_assert_uint_le(n.first, i * 100);
                ck_assert_uint_gt(n.first + 1000, i * 100);
                ck_assert_uint_eq(n.next, 5000);
        }
        n = numbers_of(h, (HistorySpan) { .from = positions[50], .to = UINT64_MAX });
        ck_assert_uint_eq(n.first, UINT64_MAX);
}
END_TEST

START_TEST(greatest_age) {
        HistoryOptions o = NUMBERED_OPTIONS;
        _cleanup_(history_freep) History *h = NULL;
        Numbers n;

        o.max_age = 60 * USEC_PER_SEC;
        h = new_history(&o);
        fill(h, 0, 1000, NSEC_PER_SEC / 2); /* 500 s, in far less than a block */
        n = numbers_of(h, (HistorySpan) HISTORY_ALL);
        ck_assert_uint_eq(n.next, 1000);
        ck_assert_uint_le(n.first, 1000 - 120);
        ck_assert_uint_ge(n.first, 1000 - 140);

        history_tell_time(h, 530 * NSEC_PER_SEC); /* no sample came for half a minute */
        ck_assert_ok(history_commit(h));
        n = numbers_of(h, (HistorySpan) HISTORY_ALL);
        ck_assert_uint_eq(n.next, 1000);
        ck_assert_uint_le(n.first, 1000 - 60);
        ck_assert_uint_ge(n.first, 1000 - 80);
        history_tell_time(h, 1); /* the newest sample is later */
        ck_assert_ok(history_commit(h));
        ck_assert_uint_eq(numbers_of(h, (HistorySpan) HISTORY_ALL).first, n.first);
}
END_TEST

/* Their age counts like that of samples, otherwise blocks with nothing else would be dropped as soon as they are
 * full. */
START_TEST(context_switches) {
        struct {
                struct perf_event_header header;
                uint64_t task, tid, time, id;
        } s = { .header = { .type = PERF_RECORD_SWITCH_CPU_WIDE, .size = sizeof(s) } };
        HistoryOptions o = NUMBERED_OPTIONS;
        _cleanup_(history_freep) History *h = NULL, *taken = NULL;
        const struct iovec segment = { .iov_base = &s, .iov_len = sizeof(s) };
        HistoryTotals t;

        o.max_age = 60 * USEC_PER_SEC;
        o.switch_word = 2;
        h = new_history(&o);
        for (uint64_t i = 0; i < 200; i++) {
                s.time = (i + 1) * NSEC_PER_SEC;
                ck_assert_ok(history_append(h, 0, &segment, 1, (i + 1) * sizeof(s)));
                ck_assert_ok(history_commit(h));
        }
        history_totals(h, &t);
        ck_assert_uint_eq(t.counts.samples, 0);
        ck_assert_uint_eq(t.counts.last, 200 * NSEC_PER_SEC);
        ck_assert_uint_le(t.counts.first, 140 * NSEC_PER_SEC);
        ck_assert_uint_ge(t.counts.first, 130 * NSEC_PER_SEC);
        ck_assert_ok(history_take_over(history_fd(h), &taken));
        ck_assert_uint_eq(history_options(taken)->switch_word, 2);
        ck_assert_uint_ge(numbers_of(h, (HistorySpan) { .to = UINT64_MAX, .since = 195 * NSEC_PER_SEC }).others, 6);
}
END_TEST

START_TEST(no_records) {
        const HistoryOptions o = NUMBERED_OPTIONS;
        _cleanup_(history_freep) History *h = new_history(&o);
        NumberedSample s[3] = { numbered_sample(0, 1), numbered_sample(1, 2), numbered_sample(2, 3) };
        struct iovec segment = { .iov_base = s, .iov_len = sizeof(s) };

        s[1].header.size = 12;
        ck_assert_int_eq(history_append(h, 0, &segment, 1, 1000), -EBADMSG);
        ck_assert_ok(history_commit(h));
        ck_assert_uint_eq(history_tail(h, 0), 1000); /* consumed */
        ck_assert_uint_eq(numbers_of(h, (HistorySpan) HISTORY_ALL).next, 1);
        segment.iov_len = sizeof(s[0]) - 8; /* truncated */
        ck_assert_int_eq(history_append(h, 0, &segment, 1, 2000), -EBADMSG);
        ck_assert_ok(numbered_append(h, 1, 7));
        ck_assert_ok(history_commit(h));
        ck_assert_uint_eq(numbers_of(h, (HistorySpan) HISTORY_ALL).next, 2);
}
END_TEST

START_TEST(what_records_tell) {
        HistoryOptions o = NUMBERED_OPTIONS;
        _cleanup_(history_freep) History *h = NULL;
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        const struct {
                struct perf_event_header header;
                uint64_t id, lost;
        } lost = { .header = { .type = PERF_RECORD_LOST, .size = sizeof(lost) }, .id = 100, .lost = 42 };
        const struct perf_event_header throttle = { .type = PERF_RECORD_THROTTLE, .size = 8 };
        const struct perf_event_header map = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_MMAP_BUILD_ID | 2, .size = 8 };
        struct iovec segment;
        HistoryTotals t;

        o.unmark_maps = true;
        h = new_history(&o);
        byte_buffer_put(&b, &lost, sizeof(lost));
        ck_assert_ok(record_put_lost_samples(&b, 8, NULL));
        byte_buffer_put(&b, &throttle, sizeof(throttle));
        byte_buffer_put(&b, &map, sizeof(map));
        segment = record_buffer_iovec(&b);
        ck_assert_ok(history_append(h, 0, &segment, 1, b.size));
        ck_assert_ok(history_commit(h));
        history_totals(h, &t);
        ck_assert_uint_eq(t.counts.lost, 50);
        ck_assert_uint_eq(t.counts.throttled, 1);
        ck_assert_uint_eq(t.counts.samples, 0);
        ck_assert_uint_eq(numbers_of(h, (HistorySpan) HISTORY_ALL).others, 4);
        ck_assert_ok(numbered_append(h, 0, 5));
        ck_assert_ok(history_commit(h));
}
END_TEST

/* Samples come while it is read: the walk ends at the end that it had at its beginning. */
typedef struct Growing {
        Numbers numbers;
        History *history;
        uint64_t next;
        unsigned by; /* samples for each block that is read */
} Growing;

static int see_and_add(void *userdata, const struct iovec *records) {
        Growing *g = userdata;

        fill(g->history, g->next, g->next + g->by, 10);
        g->next += g->by;
        return numbers_see(&g->numbers, records);
}

START_TEST(grows_meanwhile) {
        const HistoryOptions o = NUMBERED_OPTIONS;
        const HistorySpan all = HISTORY_ALL;
        _cleanup_(history_freep) History *h = new_history(&o);
        Growing g = { .numbers = NUMBERS_EMPTY, .history = h, .next = 3000, .by = 100 };
        uint64_t missed = 1;
        Numbers n;

        fill(h, 0, 3000, 10);
        ck_assert_ok(history_each(h, &all, see_and_add, &g, &missed));
        ck_assert_uint_eq(missed, 0);
        ck_assert_uint_eq(g.numbers.first, 0);
        ck_assert_uint_eq(g.numbers.next, 3000);
        ck_assert(!g.numbers.wrong);
        n = numbers_of(h, all);
        ck_assert_uint_eq(n.next, g.next);
}
END_TEST

/* The walk is overtaken: samples that were dropped before they were read are counted. */
START_TEST(overtaken) {
        const HistoryOptions o = NUMBERED_OPTIONS;
        const HistorySpan all = HISTORY_ALL;
        _cleanup_(history_freep) History *h = new_history(&o);
        Growing g = { .numbers = NUMBERS_EMPTY, .history = h, .next = 15000, .by = 3000 };
        uint64_t missed = 0;
        HistoryTotals t;

        fill(h, 0, g.next, 10);
        history_totals(h, &t);
        ck_assert_ok(history_each(h, &all, see_and_add, &g, &missed));
        ck_assert(g.numbers.wrong);
        ck_assert_uint_gt(missed, 1000);
        ck_assert_uint_eq(missed + (g.numbers.next - g.numbers.first), t.counts.samples);
}
END_TEST

static int refuse(void *userdata, const struct iovec *records) {
        return -ENOSPC;
}

START_TEST(walk_ends) {
        const HistoryOptions o = NUMBERED_OPTIONS;
        const HistorySpan all = HISTORY_ALL;
        _cleanup_(history_freep) History *h = new_history(&o);

        fill(h, 0, 100, 10);
        ck_assert_int_eq(history_each(h, &all, refuse, NULL, NULL), -ENOSPC);
}
END_TEST

static void *read_all(void *userdata) {
        for (unsigned i = 0; i < 30; i++) {
                const HistorySpan all = HISTORY_ALL;
                Numbers n = NUMBERS_EMPTY;

                if (history_each(userdata, &all, numbers_see, &n, NULL) < 0 || (n.wrong && n.first == 0))
                        return (void *) "wrong";
        }
        return NULL;
}

START_TEST(two_threads) {
        HistoryOptions o = NUMBERED_OPTIONS;
        _cleanup_(history_freep) History *h = NULL;
        void *answer = NULL;
        pthread_t thread;

        o.size = 8 << 20;
        h = new_history(&o);
        fill(h, 0, 1000, 10);
        ck_assert_int_eq(pthread_create(&thread, NULL, read_all, h), 0);
        fill(h, 1000, 40000, 10);
        ck_assert_int_eq(pthread_join(thread, &answer), 0);
        ck_assert_ptr_null(answer);
        ck_assert_uint_eq(numbers_of(h, (HistorySpan) HISTORY_ALL).next, 40000);
}
END_TEST

TEST_RUN("history", nothing_yet, wrong_options, committed, goes_round, large_appends, spans, greatest_age, context_switches,
         no_records, what_records_tell, grows_meanwhile, overtaken, walk_ends, two_threads);
