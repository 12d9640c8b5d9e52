/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "daemon-fixture.h"
#include "fd-file.h"

START_TEST(test_tables) {
        for (SessionState i = 0; i < _SESSION_STATE_MAX; i++) {
                ck_assert_ptr_nonnull(session_state_to_string(i));
                ck_assert_int_eq(session_state_from_string(session_state_to_string(i)), i);
        }
        for (SessionResult i = 0; i < _SESSION_RESULT_MAX; i++) {
                ck_assert_ptr_nonnull(session_result_to_string(i));
                ck_assert_int_eq(session_result_from_string(session_result_to_string(i)), i);
        }
        for (RecorderPhase i = 0; i < _PHASE_MAX; i++) {
                ck_assert_ptr_nonnull(recorder_phase_to_string(i));
                ck_assert_int_eq(recorder_phase_from_string(recorder_phase_to_string(i)), i);
        }
        ck_assert_int_eq(session_state_from_string("flying"), _SESSION_STATE_INVALID);
        ck_assert_int_eq(session_result_from_string(""), _SESSION_RESULT_INVALID);
        ck_assert_ptr_null(session_state_to_string(_SESSION_STATE_MAX));
        ck_assert_ptr_null(session_state_to_string(_SESSION_STATE_INVALID));
}
END_TEST

START_TEST(test_what_is_shown) {
        _cleanup_free_ char *directory = path_join(fixture.dir, "base/session-a"),
                            *file = path_join(fixture.dir, "sessions/a.session"),
                            *drop_in = path_join(fixture.dir, "sessions/a.session.d/10-x.conf");
        const Session *s;
        PrCounters c;

        write_session("a", "-F 10", "Enabled=no");
        write_session_file("a.session.d/10-x.conf", "[Session]\nDescription=An example\n");
        write_session("b", "", "Enabled=no");
        daemon_start();
        s = session("a");
        ck_assert_str_eq(session_name(s), "a");
        ck_assert_str_eq(session_view(s).description, "An example");
        ck_assert_str_eq(session_view(session("b")).description, "b");
        ck_assert_str_eq(session_view(s).command, "-e cpu-clock -F 10");
        ck_assert_str_eq(session_view(s).fragment_path, file);
        ck_assert_str_eq(session_view(s).drop_in_paths[0], drop_in);
        ck_assert_str_eq(session_view(s).directory, directory);
        ck_assert(startswith(session_view(s).control_path, directory));
        ck_assert(startswith(session_view(s).ack_path, directory));
        ck_assert(startswith(session_view(s).output_path, directory));
        ck_assert_str_eq(session_view(s).error, "");
        ck_assert_int_eq(session_view(s).main_pid, 0);
        ck_assert_uint_eq(session_view(s).start_timestamp, 0);
        session_counters(s, &c);
        ck_assert_uint_eq(c.magic, 0);
        ck_assert_uint_eq(c.samples, 0);
}
END_TEST

static SessionUpdate set_file(Session *s, const char *more) {
        SessionFile *f = NULL;
        SessionUpdate update;

        write_session("a", "", more);
        ck_assert_int_eq(session_file_load(&fixture.manager->path, "a", &f), 0);
        ck_assert_int_eq(session_take_file(s, f, &update), 0);
        return update;
}

START_TEST(test_updates) {
        Session *s;

        write_session("a", "", "Enabled=no");
        daemon_start();
        s = session("a");
        ck_assert_int_eq(set_file(s, "Enabled=no"), SESSION_SAME);
        ck_assert_int_eq(set_file(s, "Restart=no"), SESSION_RETAINED);
        ck_assert(s->config.enabled);
        ck_assert_int_eq(set_file(s, "Restart=perhaps"), SESSION_TURNED_BAD);
        ck_assert_int_eq(set_file(s, "Restart=perhaps"), SESSION_SAME);
        ck_assert_int_eq(set_file(s, "Restart=perhaps\nRestartSec=x"), SESSION_SAME); /* the first error counts */
        ck_assert_int_eq(set_file(s, "RestartSec=x"), SESSION_TURNED_BAD);
        ck_assert_int_eq(session_view(s).state, SESSION_BAD_SETTING);
        ck_assert_int_eq(session_view(s).result, SESSION_RESULT_BAD_SETTING);
        ck_assert_int_eq(set_file(s, "Restart=no"), SESSION_CHANGED);
        ck_assert_int_eq(session_view(s).state, SESSION_INACTIVE);
        ck_assert_int_eq(session_view(s).result, SESSION_RESULT_SUCCESS);
}
END_TEST

START_TEST(test_a_running_one_is_mended) {
        Session *s;

        write_session("a", "", "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
        s = session("a");
        ck_assert_int_eq(set_file(s, "Restart=perhaps"), SESSION_TURNED_BAD);
        ck_assert_int_eq(session_view(s).state, SESSION_RECORDING);
        ck_assert_int_eq(set_file(s, ""), SESSION_MENDED);
        ck_assert_str_eq(session_view(s).error, "");
}
END_TEST

CHECK_MAIN_WITH("session", daemon_fixture_setup, daemon_fixture_teardown, test_tables, test_what_is_shown, test_updates,
                test_a_running_one_is_mended);
