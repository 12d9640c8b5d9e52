/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "daemon-fixture.h"

typedef struct Heard {
        bool done;
        unsigned n;
        Failure failure;
        uint64_t until;
        char sentence[256], text[64];
} Heard;

static void on_answer(Failure failure, const char *sentence, int fd, uint64_t until, void *userdata) {
        Heard *h = userdata;

        h->done = true;
        h->n++;
        h->failure = failure;
        h->until = until;
        snprintf(h->sentence, sizeof(h->sentence), "%s", sentence ?: "");
        if (fd >= 0)
                ck_assert_int_ge(pread(fd, h->text, sizeof(h->text) - 1, 0), 0);
}

static void begin(const char *words) {
        write_session("cpu", words, "");
        daemon_start();
        await_state("cpu", SESSION_RECORDING);
}

static Heard ask(uint64_t since, bool whole) {
        Heard h = {};

        ck_assert_int_eq(session_open_window(session("cpu"), since, whole, on_answer, &h), 0);
        ck_assert(!h.done);
        ck_assert(private_bus_wait(&fixture.bus, &h.done));
        ck_assert_uint_eq(h.n, 1);
        ck_assert_ptr_null(session("cpu")->dumps.windows);
        return h;
}

START_TEST(test_window) {
        Heard h;
        size_t n;

        begin("");
        h = ask(0, true);
        ck_assert_int_eq(h.failure, 0);
        ck_assert_uint_eq(h.until, 77);
        ck_assert_str_eq(h.text, "0 whole");
        ck_assert_str_eq(ask(77, false).text, "77");
        (void) dump_store_of(manager_dumps(fixture.manager), "cpu", &n);
        ck_assert_uint_eq(n, 0);
}
END_TEST

/* Each is answered by itself, but for those that nobody waits for. */
START_TEST(test_several_at_once) {
        Heard h[3] = {};

        begin("");
        for (size_t i = 0; i < 3; i++)
                ck_assert_int_eq(session_open_window(session("cpu"), i, false, on_answer, &h[i]), 0);
        session_withdraw_windows(session("cpu"), &h[1]);
        ck_assert(private_bus_wait(&fixture.bus, &h[0].done));
        ck_assert(private_bus_wait(&fixture.bus, &h[2].done));
        ck_assert_uint_eq(h[0].n + h[2].n, 2);
        ck_assert_uint_eq(h[1].n, 0);
        ck_assert_ptr_null(session("cpu")->dumps.windows);
}
END_TEST

START_TEST(test_too_many) {
        Heard h = {};

        begin("--fake-dumpless");
        for (size_t i = 0; i < SESSION_WINDOWS_MAX; i++)
                ck_assert_int_eq(session_open_window(session("cpu"), i, false, on_answer, &h), 0);
        ck_assert_int_eq(session_open_window(session("cpu"), 0, false, on_answer, &h), FAILURE_BUSY);
        session_withdraw_windows(session("cpu"), &h);
        ck_assert_uint_eq(h.n, 0);
}
END_TEST

START_TEST(test_refused) {
        Heard h;

        begin("'--fake-refuse=95 it counts'");
        h = ask(0, true);
        ck_assert_int_eq(h.failure, FAILURE_NOT_SUPPORTED);
        ck_assert_str_eq(h.sentence, "it counts");
}
END_TEST

/* A descriptor by which the file could be changed is handed to nobody. */
START_TEST(test_writable) {
        Heard h;

        begin("--fake-overwrite");
        h = ask(0, true);
        ck_assert_int_eq(h.failure, FAILURE_OTHER);
        ck_assert_str_eq(h.text, "");
}
END_TEST

START_TEST(test_recorder_ends) {
        Heard h = {};

        begin("--fake-dumpless");
        ck_assert_int_eq(session_open_window(session("cpu"), 0, true, on_answer, &h), 0);
        session_stop(session("cpu"), NULL);
        ck_assert(private_bus_wait(&fixture.bus, &h.done));
        ck_assert_int_eq(h.failure, FAILURE_NOT_RUNNING);
        ck_assert_str_eq(h.sentence, "its recorder ended");
        ck_assert_int_eq(session_open_window(session("cpu"), 0, true, on_answer, &h), FAILURE_NOT_RUNNING);
}
END_TEST

START_TEST(test_paused) {
        begin("");
        fixture.done = false;
        manager_pause(fixture.manager, (char *const[]) { (char *) "cpu", NULL }, fixture_done, NULL);
        ck_assert_int_eq(finish_verb(), 0);
        await_state("cpu", SESSION_PAUSED);
        ck_assert_int_eq(ask(77, false).failure, 0);
}
END_TEST

static Heard of_manager(const char *name) {
        Heard h = {};

        manager_open_window(fixture.manager, name, 5, false, on_answer, &h);
        ck_assert(private_bus_wait(&fixture.bus, &h.done));
        return h;
}

START_TEST(test_manager) {
        begin("");
        ck_assert_str_eq(of_manager("cpu").text, "5");
        ck_assert_int_eq(of_manager("nosuch").failure, FAILURE_NO_SUCH_SESSION);
        session_stop(session("cpu"), NULL);
        await_state("cpu", SESSION_INACTIVE);
        ck_assert_int_eq(of_manager("cpu").failure, FAILURE_NOT_RUNNING);
        ck_assert_str_eq(of_manager("cpu").sentence, "it is not running: start it first");
}
END_TEST

START_TEST(test_manager_withdraws) {
        Heard h = {};

        begin("--fake-dumpless");
        manager_open_window(fixture.manager, "cpu", 5, false, on_answer, &h);
        ck_assert_ptr_nonnull(session("cpu")->dumps.windows);
        manager_withdraw_window(fixture.manager, &h);
        ck_assert_ptr_null(session("cpu")->dumps.windows);
        ck_assert_uint_eq(h.n, 0);
}
END_TEST

CHECK_MAIN_WITH("session-window", daemon_fixture_setup, daemon_fixture_teardown, test_window, test_several_at_once, test_too_many,
                test_refused, test_writable, test_recorder_ends, test_paused, test_manager, test_manager_withdraws);
