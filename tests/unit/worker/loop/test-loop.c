/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The event loop. */

#include <signal.h>
#include <sys/epoll.h>
#include "check-main.h"
#include "loop.h"

typedef struct Seen {
        Loop *loop;
        int count, stop_at, remove_fd, last, answer, rounds;
} Seen;

static int on_input(void *userdata, int fd, uint32_t events) {
        Seen *s = userdata;
        char byte;

        ck_assert_int_eq(read(fd, &byte, 1), 1);
        s->last = fd;
        if (s->remove_fd > 0)
                loop_remove(s->loop, s->remove_fd);
        if (++s->count >= s->stop_at)
                loop_stop(s->loop);
        return s->answer;
}

static int after(void *userdata, int fd, uint32_t events) {
        Seen *s = userdata;

        s->rounds++;
        return 0;
}

static Loop *make(Seen *s) {
        Loop *l = NULL;

        ck_assert_int_eq(loop_new(&l), 0);
        s->loop = l;
        return l;
}

START_TEST(test_descriptors) {
        Seen s = { .stop_at = 2 };
        _cleanup_(loop_freep) Loop *l = make(&s);
        int a[2], b[2];

        ck_assert_int_eq(pipe(a), 0);
        ck_assert_int_eq(pipe(b), 0);
        ck_assert_int_eq(loop_add(l, a[0], EPOLLIN, on_input, &s), 0);
        ck_assert_int_eq(loop_add(l, b[0], EPOLLIN, on_input, &s), 0);
        ck_assert_int_eq(loop_add(l, b[0], EPOLLIN, on_input, &s), -EEXIST);
        loop_set_after(l, after, &s);
        ck_assert_int_eq(write(a[1], "x", 1), 1);
        ck_assert_int_eq(write(b[1], "x", 1), 1);
        ck_assert_int_eq(loop_run(l), 0);
        ck_assert_int_eq(s.count, 2);
        ck_assert_int_eq(s.rounds, (int) loop_wakeups(l));
}
END_TEST

/* Pending epoll events of a descriptor that a handler removed are not reported. */
START_TEST(test_removal_within_a_batch) {
        Seen s = { .stop_at = 1 };
        _cleanup_(loop_freep) Loop *l = make(&s);
        int a[2], b[2];

        ck_assert_int_eq(pipe(a), 0);
        ck_assert_int_eq(pipe(b), 0);
        ck_assert_int_eq(loop_add(l, a[0], EPOLLIN, on_input, &s), 0);
        ck_assert_int_eq(loop_add(l, b[0], EPOLLIN, on_input, &s), 0);
        ck_assert_int_eq(write(a[1], "x", 1), 1);
        ck_assert_int_eq(write(b[1], "x", 1), 1);
        s.remove_fd = b[0];
        ck_assert_int_eq(loop_run(l), 0);
        if (s.last == a[0])
                ck_assert_int_eq(s.count, 1);
        ck_assert_int_eq(loop_add(l, b[0], EPOLLIN, on_input, &s), 0);
        loop_remove(l, b[0]);
        loop_remove(l, b[0]);
        loop_remove(l, -1);
        loop_remove(l, 4000);
}
END_TEST

START_TEST(test_error_ends_it) {
        Seen s = { .stop_at = 100, .answer = -EPROTO };
        _cleanup_(loop_freep) Loop *l = make(&s);
        int a[2];

        ck_assert_int_eq(pipe(a), 0);
        ck_assert_int_eq(loop_add(l, a[0], EPOLLIN, on_input, &s), 0);
        ck_assert_int_eq(write(a[1], "xx", 2), 2);
        ck_assert_int_eq(loop_run(l), -EPROTO);
        ck_assert_int_eq(s.count, 1);
}
END_TEST

static int on_timer(void *userdata, int fd, uint32_t events) {
        Seen *s = userdata;

        if (++s->count >= s->stop_at)
                loop_stop(s->loop);
        return 0;
}

START_TEST(test_timers) {
        Seen s = { .stop_at = 3 };
        _cleanup_(loop_freep) Loop *l = make(&s);
        usec_t begin = now_usec(CLOCK_MONOTONIC);
        int never = loop_add_timer(l, 3600 * USEC_PER_SEC, false, on_timer, &s), often;

        ck_assert_int_ge(never, 0);
        often = loop_add_timer(l, 10 * USEC_PER_MSEC, true, on_timer, &s);
        ck_assert_int_ge(often, 0);
        ck_assert_int_eq(loop_run(l), 0);
        ck_assert_uint_ge(now_usec(CLOCK_MONOTONIC) - begin, 30 * USEC_PER_MSEC);
        loop_remove_timer(l, often);
        loop_remove_timer(l, -EBADF);
}
END_TEST

static int on_signal(void *userdata, int sig, uint32_t events) {
        Seen *s = userdata;

        s->last = sig;
        return on_timer(userdata, -1, 0);
}

START_TEST(test_signals) {
        static const int signals[] = { SIGUSR2, SIGTERM, 0 };
        Seen s = { .stop_at = 2 };
        _cleanup_(loop_freep) Loop *l = make(&s);

        ck_assert_int_eq(loop_add_signals(l, signals, on_signal, &s), 0);
        ck_assert_int_eq(raise(SIGTERM), 0);
        ck_assert_int_eq(raise(SIGUSR2), 0);
        ck_assert_int_eq(loop_run(l), 0);
        ck_assert(s.last == SIGTERM || s.last == SIGUSR2);
}
END_TEST

CHECK_MAIN("loop", test_descriptors, test_removal_within_a_batch, test_error_ends_it, test_timers, test_signals);
