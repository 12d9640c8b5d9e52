/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "daemon-fixture.h"
#include "fd-file.h"

static int start(const char *name, const char *assignment) {
        char *const assignments[] = { (char *) assignment, NULL };

        begin_transient(name, assignments);
        return finish_verb();
}

START_TEST(test_lives_until_it_stops) {
        daemon_start();
        ck_assert_int_eq(start("t", "Session.Run=-e cpu-clock"), 0);
        ck_assert_int_eq(session_view(session("t")).state, SESSION_RECORDING);
        ck_assert(session_view(session("t")).is_transient);
        ck_assert_str_eq(session_view(session("t")).fragment_path, "");
        ck_assert_int_eq(run_verb(manager_stop, "t"), 0);
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_ptr_null(sessions_find(manager_sessions(fixture.manager), "t"));
        ck_assert_int_eq(start("t", "Record.Event=cpu-clock"), 0);
}
END_TEST

START_TEST(test_one_that_fails_is_gone) {
        daemon_start();
        ck_assert_int_eq(start("t", "Session.Run=-e cpu-clock --fake-fail=reason"), FAILURE_RECORDER);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "reason"));
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_uint_eq(manager_sessions(fixture.manager)->n, 0);
}
END_TEST

START_TEST(test_refused_settings) {
        static const char *const refused[] = {
                "Session.Recorder=/bin/sh", "Trigger.BPF=/x.o", "Trigger.OnDump=x@.service", "Session.Run=-e 'x", "Session.Bogus=1",
                "Bogus.Run=-e x", "Session=1",
                "Run", "", "Session.Restart=perhaps",
        };

        daemon_start();
        for (size_t i = 0; i < ELEMENTSOF(refused); i++)
                ck_assert_msg(start("t", refused[i]) == FAILURE_BAD_SETTING, "%s", refused[i]);
        ck_assert_uint_eq(manager_sessions(fixture.manager)->n, 0);
}
END_TEST

/* The recorder parses the words: it is told not to trust them, and its error is the caller's answer. */
START_TEST(test_words_are_not_trusted) {
        _cleanup_free_ char *path = NULL, *text = NULL;
        static const char expected[] = "--control=fifo:control,ack\0--untrusted\0-e\0cpu-clock\0--overwrite";
        size_t size;

        daemon_start();
        ck_assert_int_eq(start("t", "Session.Run=-e cpu-clock --overwrite"), 0);
        ck_assert_int_gt(asprintf(&path, "/proc/%d/cmdline", (int) session_view(session("t")).main_pid), 0);
        ck_assert_int_eq(read_file(path, 65536, &text, &size), 0);
        ck_assert_ptr_nonnull(memmem(text, size, expected, sizeof(expected)));

        ck_assert_int_eq(start("wrong", "Session.Run=\"--fake-fail=-o names a file\" --fake-errno=74"), FAILURE_BAD_SETTING);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "-o names a file"));
}
END_TEST

START_TEST(test_names) {
        write_session("there", "", "Enabled=no");
        write_session("unit@", "", "");
        daemon_start();
        ck_assert_int_eq(start("there", "Session.Run=-e x"), FAILURE_ALREADY_RUNNING);
        ck_assert_str_eq(fixture.sentence, "there is a session there already: take another name");
        ck_assert_int_eq(start("unit@x", "Session.Run=-e x"), FAILURE_ALREADY_RUNNING);
        ck_assert_int_eq(start("../x", "Session.Run=-e x"), FAILURE_BAD_SETTING);
        ck_assert_int_eq(start("", "Session.Run=-e x"), FAILURE_BAD_SETTING);
        ck_assert_int_eq(start("new@", "Session.Run=-e x"), FAILURE_BAD_SETTING);
}
END_TEST

CHECK_MAIN_WITH("manager-transient", daemon_fixture_setup, daemon_fixture_teardown, test_lives_until_it_stops,
                test_one_that_fails_is_gone, test_refused_settings, test_words_are_not_trusted, test_names);
