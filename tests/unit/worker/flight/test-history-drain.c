/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From rings in plain memory to a history. */

#include "check-main.h"
#include "history-drain.h"
#include "made-recording.h"

typedef struct Seen {
        uint64_t samples, others, last;
} Seen;

static int see(void *userdata, const struct iovec *records) {
        Seen *s = userdata;

        for (size_t at = 0; at < records->iov_len;) {
                const MadeSample *m = (const void *) ((const uint8_t *) records->iov_base + at);

                if (m->header.type == PERF_RECORD_SAMPLE) {
                        s->samples++;
                        s->last = m->time;
                } else
                        s->others++;
                at += m->header.size;
        }
        return 0;
}

static Seen all_of(History *h) {
        Seen s = {};

        ck_assert_int_eq(history_each(h, &(HistorySpan) { .to = UINT64_MAX }, see, &s, NULL), 0);
        return s;
}

static History *new_history(void) {
        History *h = NULL;

        ck_assert_int_eq(history_for_set(&made.set, HISTORY_SIZE_MIN, USEC_INFINITY, 3, &h), 0);
        return h;
}

START_TEST(test_rings) {
        _cleanup_(history_freep) History *h = new_history();
        uint64_t n = 0;

        ck_assert_int_eq(history_drain(h, &made.set, NULL), 0);
        ck_assert_uint_eq(all_of(h).samples, 0);
        for (unsigned i = 0; i < 100; i++) {
                for (unsigned k = 0; k < 37; k++, n++)
                        made_ring_sample(i % 2, n + 1);
                ck_assert_int_eq(history_drain(h, &made.set, NULL), 0);
                ck_assert_uint_eq(made.pages[i % 2].data_tail, made.pages[i % 2].data_head);
                ck_assert_uint_eq(history_tail(h, i % 2), made.pages[i % 2].data_head);
        }
        ck_assert_uint_eq(all_of(h).samples, n);
        ck_assert_uint_eq(all_of(h).last, n);
}
END_TEST

/* A recorder died between the commit and the moving of the tails: records that were read are not read again. */
START_TEST(test_taken_over) {
        _cleanup_(history_freep) History *dead = new_history(), *h = NULL;
        uint64_t tails[MADE_CPUS];

        made_ring_sample(0, 1);
        made_ring_sample(1, 2);
        ck_assert_int_eq(history_drain(dead, &made.set, NULL), 0);
        for (unsigned i = 0; i < MADE_CPUS; i++)
                tails[i] = made.pages[i].data_tail;
        made_ring_sample(0, 3);
        ck_assert_int_eq(history_drain(dead, &made.set, NULL), 0);
        for (unsigned i = 0; i < MADE_CPUS; i++)
                made.rings[i].position = made.pages[i].data_tail = tails[i];
        made_ring_sample(0, 4);

        ck_assert_int_eq(history_take_over(history_fd(dead), &h), 0);
        history_skip_read(h, &made.set);
        ck_assert_int_eq(history_drain(h, &made.set, NULL), 0);
        ck_assert_uint_eq(all_of(h).samples, 4);
        ck_assert_uint_eq(all_of(h).last, 4);
        ck_assert_uint_eq(made.pages[0].data_tail, made.pages[0].data_head);
}
END_TEST

/* The side band's rings and overwrite rings are not drained here. */
START_TEST(test_other_rings) {
        _cleanup_(history_freep) History *h = new_history();

        made.rings[0].sideband = true;
        made_ring_sample(0, 1);
        made_ring_sample(1, 2);
        ck_assert_int_eq(history_drain(h, &made.set, NULL), 0);
        ck_assert_uint_eq(all_of(h).samples, 1);
        ck_assert_uint_eq(made.pages[0].data_tail, 0);
}
END_TEST

START_TEST(test_no_time) {
        History *h = NULL;

        made.members[0].attr.sample_type &= ~(uint64_t) PERF_SAMPLE_TIME;
        ck_assert_int_eq(history_for_set(&made.set, HISTORY_SIZE_MIN, USEC_INFINITY, 3, &h), -ENODATA);
        made.members[0].attr.sample_type |= PERF_SAMPLE_TIME;
        made.members[1].attr.sample_type |= PERF_SAMPLE_IDENTIFIER; /* one word more before it */
        ck_assert_int_eq(history_for_set(&made.set, HISTORY_SIZE_MIN, USEC_INFINITY, 3, &h), -ENODATA);
        made.members[1].only_sideband = true; /* which has no samples */
        ck_assert_int_eq(history_for_set(&made.set, HISTORY_SIZE_MIN, USEC_INFINITY, 3, &h), 0);
        ck_assert_int_eq(history_options(h)->time_word, 2);
        ck_assert_uint_eq(history_options(h)->switch_word, 0);
        history_free(h);
        made.members[0].attr.context_switch = true;
        ck_assert_int_eq(history_for_set(&made.set, HISTORY_SIZE_MIN, USEC_INFINITY, 3, &h), 0);
        ck_assert_uint_eq(history_options(h)->switch_word, 2); /* the id is behind it */
        history_free(h);
}
END_TEST

/* A ring has an invalid record. */
START_TEST(test_junk) {
        _cleanup_(history_freep) History *h = new_history();

        made_ring_sample(0, 1);
        made_ring_sample(0, 2);
        ((struct perf_event_header *) (made.data[0] + sizeof(MadeSample)))->size = 3;
        made_ring_sample(1, 3);
        ck_assert_int_eq(history_drain(h, &made.set, NULL), 0);
        ck_assert_uint_eq(all_of(h).samples, 2);
        ck_assert_uint_eq(made.pages[0].data_tail, made.pages[0].data_head);
}
END_TEST

CHECK_MAIN_WITH("history-drain", made_setup, made_teardown, test_rings, test_taken_over, test_other_rings, test_no_time, test_junk);
