/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The event that is polled for a ring, with pipes in place of events: closing the other end is the exit of a
 * thread. */

#include "check-main.h"
#include "made-recording.h"
#include "ring-watch.h"

typedef struct Seen {
        Loop *loop;
        unsigned data, all_gone;
} Seen;

static void on_data(void *userdata) {
        Seen *s = userdata;

        s->data++;
        loop_stop(s->loop);
}

static void on_all_gone(void *userdata) {
        Seen *s = userdata;

        s->all_gone++;
        loop_stop(s->loop);
}

static RingWatch *watch(Seen *s) {
        const RingWatchHandlers handlers = { .data = on_data, .all_gone = on_all_gone, .userdata = s };
        RingWatch *w = NULL;

        ck_assert_int_eq(loop_new(&s->loop), 0);
        ck_assert_int_eq(ring_watch_new(&made.set, s->loop, &handlers, &w), 0);
        return w;
}

START_TEST(test_data) {
        Seen s = {};
        _cleanup_(ring_watch_freep) RingWatch *w = watch(&s);

        ck_assert_int_eq(write(made.hangup[0], "x", 1), 1);
        ck_assert_int_eq(loop_run(s.loop), 0);
        ck_assert_uint_eq(s.data, 1);
        ck_assert_uint_eq(s.all_gone, 0);
        w = ring_watch_free(w);
        s.loop = loop_free(s.loop);
}
END_TEST

START_TEST(test_all_gone) {
        Seen s = {};
        _cleanup_(ring_watch_freep) RingWatch *w = watch(&s);

        (void) close(made.hangup[0]);
        ck_assert_int_eq(loop_run(s.loop), 0);
        ck_assert_uint_eq(s.all_gone, 0);
        (void) close(made.hangup[MADE_MEMBERS]);
        while (s.all_gone == 0)
                ck_assert_int_eq(loop_run(s.loop), 0);
        ck_assert_uint_eq(s.all_gone, 1);
        w = ring_watch_free(w);
        s.loop = loop_free(s.loop);
}
END_TEST

/* The event that was polled for its ring ended: another one of the ring is polled from then on. */
START_TEST(test_another_takes_its_place) {
        Seen s = {};
        _cleanup_(ring_watch_freep) RingWatch *w = watch(&s);
        unsigned before;

        (void) close(made.hangup[0]);
        ck_assert_int_eq(loop_run(s.loop), 0);
        before = s.data;
        ck_assert_int_eq(write(made.hangup[1], "x", 1), 1);
        ck_assert_int_eq(loop_run(s.loop), 0);
        ck_assert_uint_eq(s.data, before + 1);
        w = ring_watch_free(w);
        s.loop = loop_free(s.loop);
}
END_TEST

CHECK_MAIN_WITH("ring-watch", made_setup, made_teardown, test_data, test_all_gone, test_another_takes_its_place);
