/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <perf-recorder/dump-facts.h>

#include "daemon-fixture.h"

typedef struct Heard {
        bool done;
        unsigned n;
        Failure failure;
        char sentence[256], id[256], trigger[64], detail[256];
} Heard;

static void on_answer(Failure failure, const char *sentence, const Dump *d, void *userdata) {
        Heard *h = userdata;

        h->done = true;
        h->n++;
        h->failure = failure;
        snprintf(h->sentence, sizeof(h->sentence), "%s", sentence ?: "");
        snprintf(h->id, sizeof(h->id), "%s", d ? d->id : "");
        snprintf(h->trigger, sizeof(h->trigger), "%s", d ? d->trigger : "");
        snprintf(h->detail, sizeof(h->detail), "%s", d ? d->detail : "");
}

static void begin(const char *words, const char *more) {
        write_session("cpu", words, more);
        daemon_start();
        await_state("cpu", SESSION_RECORDING);
}

static int ask(const DumpRequest *request, Heard *h, DumpWaiter **ret) {
        return session_dump(session("cpu"), request, on_answer, h, ret);
}

static const DumpRequest plain = { .trigger = PR_TRIGGER_REQUEST, .detail = "uid 7" };

START_TEST(test_dump) {
        DumpRequest request = { .trigger = PR_TRIGGER_CALENDAR, .detail = "a line\nof two words=x", .since = 5, .until = 7,
                                .delay = 6, .has_delay = true, .fresh = true, .force = true };
        _cleanup_close_ int fd = -EBADF;
        char text[256] = "";
        DumpWaiter *w;
        Heard h = {};

        begin("", "");
        ck_assert_int_eq(ask(&request, &h, &w), 0);
        ck_assert(!h.done);
        ck_assert(private_bus_wait(&fixture.bus, &h.done));
        ck_assert_int_eq(h.failure, 0);
        ck_assert_str_eq(h.id, "cpu-2001010100000001");
        ck_assert_ptr_null(session("cpu")->dumps.first);
        ck_assert_int_eq(dump_store_open(manager_dumps(fixture.manager), dump_store_find(manager_dumps(fixture.manager), h.id), &fd), 0);
        ck_assert_int_gt(pread(fd, text, sizeof(text) - 1, 0), 0);
        ck_assert_ptr_nonnull(strstr(text, " trigger=calendar since=5 until=7 delay=6 new=1 force=1 detail=a line of two words=x"));
}
END_TEST

/* Each request has an id and an answer of its own. */
START_TEST(test_several_at_once) {
        DumpWaiter *w[3];
        Heard h[3] = {};

        begin("", "");
        for (size_t i = 0; i < 3; i++)
                ck_assert_int_eq(ask(&plain, &h[i], &w[i]), 0);
        dump_waiter_free(w[1]);
        ck_assert(private_bus_wait(&fixture.bus, &h[0].done));
        ck_assert(private_bus_wait(&fixture.bus, &h[2].done));
        ck_assert_str_ne(h[0].id, h[2].id);
        ck_assert_uint_eq(h[0].n, 1);
        ck_assert_uint_eq(h[1].n, 0);
        ck_assert_ptr_null(session("cpu")->dumps.first);
}
END_TEST

static void check_refusal(const char *option, Failure failure, const char *sentence) {
        DumpWaiter *w;
        Heard h = {};

        begin(option, "");
        ck_assert_int_eq(ask(&plain, &h, &w), 0);
        ck_assert(private_bus_wait(&fixture.bus, &h.done));
        ck_assert_int_eq(h.failure, failure);
        ck_assert_str_eq(h.sentence, sentence);
        ck_assert_str_eq(h.id, "");
}

START_TEST(test_refused) {
        check_refusal("'--fake-refuse=16 five a minute'", FAILURE_RATE_LIMIT, "five a minute");
}
END_TEST

START_TEST(test_no_space) {
        check_refusal("'--fake-refuse=28 the disk is full'", FAILURE_NO_SPACE, "the disk is full");
}
END_TEST

/* A recorder's missing directory is not a missing session. */
START_TEST(test_other_errors) {
        check_refusal("'--fake-refuse=2 the directory is gone'", FAILURE_OTHER, "the directory is gone");
}
END_TEST

START_TEST(test_nonsense) {
        check_refusal("--fake-refuse=nonsense", FAILURE_OTHER, "its recorder could not write it");
}
END_TEST

static bool is_refused(const Session *s) {
        return s->dumps.refusal_told > 0;
}

static bool is_refused_again(const Session *s) {
        return s->dumps.n_refusals > 0;
}

/* The failure of a dump that no caller waits for, of a recorder's own trigger, is reported like others, and those
 * within a short time are counted. */
START_TEST(test_refused_to_nobody) {
        begin("'--fake-refuse=16 five a minute'", "");
        ck_assert_int_eq(session_kill(session("cpu"), SIGUSR2), 0);
        await(is_refused, "cpu");
        ck_assert_uint_eq(session("cpu")->dumps.n_refusals, 0);
        ck_assert_int_eq(session_kill(session("cpu"), SIGUSR2), 0);
        await(is_refused_again, "cpu");
        ck_assert_uint_eq(session("cpu")->dumps.n_refusals, 1);
}
END_TEST

static usec_t seconds_until_timeout(const DumpWaiter *w) {
        return (dump_waiter_deadline(w) - now_usec(CLOCK_MONOTONIC) + USEC_PER_SEC / 2) / USEC_PER_SEC;
}

/* All callers of a dump wait for the longest of their delays, and that may be extended by the same time. */
START_TEST(test_time_to_wait) {
        DumpRequest at_once = plain, late = plain, later = plain;
        DumpWaiter *w[3], *first;
        Heard h = {};

        late.delay = 30 * USEC_PER_SEC;
        later.delay = 100 * USEC_PER_SEC;
        at_once.has_delay = late.has_delay = later.has_delay = true;
        begin("--fake-dumpless", "[Trigger]\nDelaySec=60s\n");
        ck_assert_int_eq(ask(&at_once, &h, &first), 0);
        ck_assert_uint_eq(seconds_until_timeout(first), 90);
        dump_waiter_free(first);
        ck_assert_int_eq(ask(&late, &h, &w[0]), 0);
        ck_assert_uint_eq(seconds_until_timeout(w[0]), 60 + 90);
        ck_assert_int_eq(ask(&plain, &h, &w[1]), 0);
        ck_assert_uint_eq(seconds_until_timeout(w[1]), 120 + 90);
        ck_assert_int_eq(ask(&later, &h, &w[2]), 0);
        for (size_t i = 0; i < 3; i++)
                ck_assert_uint_eq(seconds_until_timeout(w[i]), 200 + 90);
        for (size_t i = 0; i < 3; i++)
                dump_waiter_free(w[i]);
}
END_TEST

/* A caller that waits for less learns that it was the recorder, which then need not make the dump. */
START_TEST(test_timeout) {
        DumpRequest soon = plain, delayed = plain;
        DumpWaiter *w;
        Heard h = {}, h2 = {};

        soon.timeout = delayed.timeout = 100 * USEC_PER_MSEC;
        delayed.delay = USEC_PER_SEC;
        delayed.has_delay = true;
        begin("--fake-dumpless", "");
        ck_assert_int_eq(ask(&soon, &h, &w), 0);
        ck_assert(private_bus_wait(&fixture.bus, &h.done));
        ck_assert_int_eq(h.failure, FAILURE_TIMEOUT);
        ck_assert_str_eq(h.sentence, "its recorder did not answer in time");
        ck_assert_int_eq(ask(&delayed, &h2, &w), 0);
        ck_assert(private_bus_wait(&fixture.bus, &h2.done));
        ck_assert_int_eq(h2.failure, FAILURE_TIMEOUT);
        ck_assert_str_eq(h2.sentence, "the time to wait for the dump ended before its delay");
        ck_assert_ptr_null(session("cpu")->dumps.first);
}
END_TEST

START_TEST(test_recorder_ends) {
        DumpWaiter *w;
        Heard h = {};

        begin("--fake-dump-exit", "Restart=no");
        ck_assert_int_eq(ask(&plain, &h, &w), 0);
        ck_assert(private_bus_wait(&fixture.bus, &h.done));
        ck_assert_int_eq(h.failure, FAILURE_RECORDER);
        await_state("cpu", SESSION_FAILED);
        ck_assert_int_eq(ask(&plain, &h, &w), FAILURE_NOT_RUNNING);
        ck_assert_uint_eq(h.n, 1);
}
END_TEST

START_TEST(test_daemon_ends) {
        DumpWaiter *w;
        Heard h = {};

        begin("--fake-dumpless", "");
        ck_assert_int_eq(ask(&plain, &h, &w), 0);
        ck_assert_int_eq(session_kill(session("cpu"), SIGKILL), 0);
        daemon_leave();
        ck_assert_int_eq(h.failure, FAILURE_OTHER);
}
END_TEST

START_TEST(test_foreign_recorder) {
        DumpRequest since = { .trigger = PR_TRIGGER_REQUEST, .since = 5 };
        DumpWaiter *w, *second;
        Heard h = {}, h2 = {};

        begin("--fake-quiet", "Recorder=" PR_FAKE_RECORDER);
        ck_assert_int_eq(ask(&since, &h, &w), FAILURE_NOT_SUPPORTED);
        ck_assert_int_eq(ask(&plain, &h, &w), 0);
        ck_assert_int_eq(ask(&plain, &h2, &second), 0);
        ck_assert(private_bus_wait(&fixture.bus, &h.done));
        ck_assert(private_bus_wait(&fixture.bus, &h2.done));
        ck_assert_int_eq(h.failure, 0);
        ck_assert_str_eq(h.id, "cpu-2001010100000001");
        ck_assert_ptr_null(session("cpu")->dumps.first);
        if (*h.trigger) { /* the file system takes it */
                ck_assert_str_eq(h.trigger, PR_TRIGGER_REQUEST);
                ck_assert_str_eq(h.detail, "uid 7");
        }
}
END_TEST

START_TEST(test_does_not_run) {
        DumpWaiter *w;
        Heard h = {};

        write_session("cpu", "", "Enabled=no");
        daemon_start();
        ck_assert_int_eq(ask(&plain, &h, &w), FAILURE_NOT_RUNNING);
}
END_TEST

/* Also=: a recorder's announcements reach the named sessions, and no other message does. */
#define INCIDENT "0123456789abcdef0123456789abcdef"

static void announce(const char *name, const char *words) {
        _cleanup_free_ char *copy = strdup(words);

        session_dump_also(session(name), copy);
}

static bool has_dump(const Session *s) {
        return !s->dumps.first && dump_store_newest(manager_dumps(fixture.manager), s->name);
}

START_TEST(test_others_dump) {
        _cleanup_close_ int fd = -EBADF;
        char text[512] = "";

        write_session("cpu", "", "[Trigger]\nAlso=sched cpu nosuch");
        write_session("sched", "", "[Trigger]\nAlso=cpu");
        daemon_start();
        await_state("cpu", SESSION_RECORDING);
        await_state("sched", SESSION_RECORDING);
        announce("cpu", "incident=" INCIDENT " since=0 until=0 new=0 all=1 detail=request: uid 0: why");
        ck_assert_ptr_null(session("cpu")->dumps.first); /* it is dumping */
        await(has_dump, "sched");
        ck_assert_int_eq(dump_store_open(manager_dumps(fixture.manager), dump_store_newest(manager_dumps(fixture.manager), "sched"), &fd), 0);
        ck_assert_int_gt(pread(fd, text, sizeof(text) - 1, 0), 0);
        ck_assert_ptr_nonnull(strstr(text, " trigger=also all=1 incident=" INCIDENT " unit=cpu detail=cpu: request: uid 0: why"));
}
END_TEST

START_TEST(test_what_is_not_understood) {
        static const char *const wrong[] = {
                "", "since=5 detail=x", "incident=../../x since=0 until=0", "incident=" INCIDENT "0", "incident=" INCIDENT " since=x",
        };

        write_session("cpu", "", "[Trigger]\nAlso=sched");
        write_session("sched", "", "");
        daemon_start();
        await_state("cpu", SESSION_RECORDING);
        await_state("sched", SESSION_RECORDING);
        for (size_t i = 0; i < ELEMENTSOF(wrong); i++) {
                announce("cpu", wrong[i]);
                ck_assert_ptr_null(session("sched")->dumps.first);
        }
        announce("sched", "incident=" INCIDENT " since=0 until=0 new=0 all=0 detail=event"); /* which has no Also= */
        ck_assert_ptr_null(session("cpu")->dumps.first);
}
END_TEST

CHECK_MAIN_WITH("session-dump", daemon_fixture_setup, daemon_fixture_teardown, test_dump, test_several_at_once, test_refused,
                test_no_space, test_other_errors, test_nonsense, test_refused_to_nobody, test_time_to_wait, test_timeout,
                test_recorder_ends, test_daemon_ends, test_foreign_recorder, test_does_not_run, test_others_dump, test_what_is_not_understood);
