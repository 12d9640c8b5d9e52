/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "daemon-fixture.h"

static int start(const char *name, const char *assignment) {
        char *const assignments[] = { (char *) assignment, NULL };

        begin_transient(name, assignments);
        return finish_verb();
}

START_TEST(test_lives_until_it_stops) {
        daemon_start();
        ck_assert_int_eq(start("t", "Session.Run=-e cpu-clock"), 0);
        ck_assert_int_eq(session_object_state(session("t")), SESSION_RECORDING);
        ck_assert(session_object_is_transient(session("t")));
        ck_assert_str_eq(session_object_fragment_path(session("t")), "");
        ck_assert_int_eq(run_verb(manager_stop, "t"), 0);
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_ptr_null(manager_find_session(fixture.manager, "t"));
        ck_assert_int_eq(start("t", "Record.Event=cpu-clock"), 0);
}
END_TEST

START_TEST(test_one_that_fails_is_gone) {
        daemon_start();
        ck_assert_int_eq(start("t", "Session.Run=-e cpu-clock --fake-fail=reason"), -EPROTO);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "reason"));
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_uint_eq(manager_n_sessions(fixture.manager), 0);
}
END_TEST

START_TEST(test_refused_settings) {
        static const char *const refused[] = {
                "Session.Recorder=/bin/sh", "Session.Run=-e x -o /etc/passwd", "Session.Run=-e x -o/etc/passwd",
                "Session.Run=-e x -ao /etc/passwd", "Session.Run=-e x --output=/etc/passwd", "Session.Run=-e x --out /etc/passwd",
                "Session.Run=-e x --control=fifo:/tmp/x", "Session.Run=-e x --trigger-bpf=/x.o", "Trigger.BPF=/x.o",
                "Session.Run=-e 'x", "Session.Bogus=1", "Bogus.Run=-e x", "Session=1",
                "Run", "", "Session.Restart=perhaps",
        };

        daemon_start();
        for (size_t i = 0; i < ELEMENTSOF(refused); i++)
                ck_assert_msg(start("t", refused[i]) == -EBADMSG, "%s", refused[i]);
        ck_assert_uint_eq(manager_n_sessions(fixture.manager), 0);
        ck_assert_int_eq(start("t", "Session.Run=-e cpu-clock -- prog -o file"), 0); /* the program's own */
}
END_TEST

START_TEST(test_names) {
        write_session("there", "", "Enabled=no");
        write_session("unit@", "", "");
        daemon_start();
        ck_assert_int_eq(start("there", "Session.Run=-e x"), -EALREADY);
        ck_assert_int_eq(start("unit@x", "Session.Run=-e x"), -EALREADY);
        ck_assert_int_eq(start("../x", "Session.Run=-e x"), -EBADMSG);
        ck_assert_int_eq(start("", "Session.Run=-e x"), -EBADMSG);
        ck_assert_int_eq(start("new@", "Session.Run=-e x"), -EBADMSG);
}
END_TEST

CHECK_MAIN_WITH("manager-transient", daemon_fixture_setup, daemon_fixture_teardown, test_lives_until_it_stops,
                test_one_that_fails_is_gone, test_refused_settings, test_names);
