/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <signal.h>

#include <perf-recorder/dump-facts.h>

#include "daemon-fixture.h"

static size_t n_rows;
static char first[256];
static bool readable;

static void on_dumped(Failure failure, const char *sentence, const DumpRow *rows, size_t n, void *userdata) {
        char byte;

        n_rows = n;
        readable = true;
        for (size_t i = 0; i < n; i++)
                readable = readable && pread(rows[i].fd, &byte, 1, 0) == 1 && dump_store_find(manager_dumps(fixture.manager), rows[i].dump);
        snprintf(first, sizeof(first), "%s", n > 0 ? rows[0].session : "");
        fixture_done(failure, sentence, userdata);
}

static int run_dump(char *const *names) {
        const DumpRequest request = { .trigger = PR_TRIGGER_REQUEST };

        fixture.done = false;
        manager_dump(fixture.manager, names, &request, on_dumped, NULL);
        return finish_verb();
}

START_TEST(test_all_that_record) {
        write_session("off", "", "Enabled=no");
        start_a_and_b("", "");
        ck_assert_int_eq(run_dump(NULL), 0);
        ck_assert_uint_eq(n_rows, 2);
        ck_assert_str_eq(first, "a");
        ck_assert(readable);
}
END_TEST

START_TEST(test_none) {
        write_session("off", "", "Enabled=no");
        daemon_start();
        ck_assert_int_eq(run_dump(NULL), 0);
        ck_assert_uint_eq(n_rows, 0);
        ck_assert_int_eq(run_dump((char *const[]) { (char *) "off", NULL }), FAILURE_NOT_RUNNING);
        ck_assert_str_eq(fixture.sentence, "it is not running: start it first");
        ck_assert_int_eq(run_dump((char *const[]) { (char *) "nosuch", NULL }), FAILURE_NO_SUCH_SESSION);
}
END_TEST

/* The others are dumped nevertheless. */
START_TEST(test_one_fails) {
        size_t n;

        start_a_and_b("'--fake-refuse=28 the disk is full'", "");
        ck_assert_int_eq(run_dump(NULL), FAILURE_NO_SPACE);
        ck_assert_str_eq(fixture.sentence, "a: the disk is full");
        ck_assert_uint_eq(n_rows, 1);
        ck_assert_str_eq(first, "b");
        ck_assert(readable);
        (void) dump_store_of(manager_dumps(fixture.manager), "b", &n);
        ck_assert_uint_eq(n, 1);
        ck_assert_int_eq(run_dump((char *const[]) { (char *) "nosuch", (char *) "b", NULL }), FAILURE_NO_SUCH_SESSION);
        ck_assert_str_eq(fixture.sentence, "There is no session 'nosuch': 'perfctl list' shows all");
        ck_assert_uint_eq(n_rows, 1);
        ck_assert_str_eq(first, "b");
}
END_TEST

/* The error names each of them. */
START_TEST(test_several_fail) {
        write_session("c", "", "Enabled=no");
        start_a_and_b("'--fake-refuse=28 the disk is full'", "'--fake-refuse=61 nothing of that time'");
        ck_assert_int_eq(run_dump((char *const[]) { (char *) "c", (char *) "b", NULL }), FAILURE_NOT_RUNNING);
        ck_assert_str_eq(fixture.sentence, "c: it is not running: start it first\nb: nothing of that time");
        ck_assert_int_eq(run_dump(NULL), FAILURE_NO_SPACE);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "a: the disk is full"));
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "b: nothing of that time"));
}
END_TEST

/* Sessions that have samples are dumped. */
START_TEST(test_one_has_nothing) {
        start_a_and_b("'--fake-refuse=61 nothing of that time'", "");
        ck_assert_int_eq(run_dump(NULL), 0);
        ck_assert_uint_eq(n_rows, 1);
        ck_assert_str_eq(first, "b");
        ck_assert(readable);
        ck_assert_int_eq(run_dump((char *const[]) { (char *) "a", NULL }), FAILURE_NOTHING);
        ck_assert_str_eq(fixture.sentence, "nothing of that time");
}
END_TEST

/* The error depends on the reason why the session does not record, since the caller's remedy does. */
START_TEST(test_not_up) {
        write_session("a", "", "RestartSec=1min");
        write_session("late", "--fake-late=60000", "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        ck_assert_int_eq(session_kill(session("a"), SIGKILL), 0);
        await_state("a", SESSION_WAITING);
        ck_assert_int_eq(run_dump((char *const[]) { (char *) "a", NULL }), FAILURE_NOT_RUNNING);
        ck_assert_str_eq(fixture.sentence, "its recorder ended and is about to be started again: try again in a moment");
        ck_assert_int_eq(run_dump((char *const[]) { (char *) "late", NULL }), FAILURE_NOT_RUNNING);
        ck_assert_str_eq(fixture.sentence, "its recorder is being started: try again in a moment");
        session_stop(session("late"), NULL);
        ck_assert_int_eq(run_dump((char *const[]) { (char *) "late", NULL }), FAILURE_NOT_RUNNING);
        ck_assert_str_eq(fixture.sentence, "it is being stopped");
}
END_TEST

CHECK_MAIN_WITH("manager-dump", daemon_fixture_setup, daemon_fixture_teardown, test_all_that_record, test_none, test_one_fails,
                test_several_fail, test_one_has_nothing, test_not_up);
