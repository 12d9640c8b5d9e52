/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "daemon-fixture.h"

static size_t n_changes;
static char *last_change; /* "+PATH" or "-PATH" */

static void on_enabled(Failure failure, const char *sentence, const FileChanges *changes, void *userdata) {
        n_changes = changes->n;
        if (changes->n > 0) {
                const FileChange *c = &changes->changes[changes->n - 1];

                free(last_change);
                ck_assert_int_gt(asprintf(&last_change, "%c%s", c->created ? '+' : '-', c->path + strlen(fixture.dir)), 0);
        }
        fixture_done(failure, sentence, userdata);
}

static void setup(void) {
        daemon_fixture_setup();
        write_session("off", "", "Enabled=no");
        write_session("unit@", "", "Enabled=yes");
        daemon_start();
}

static void teardown(void) {
        daemon_fixture_teardown();
        free(last_change);
        last_change = NULL;
}

static int enable(const char *name, bool on, bool now) {
        char *const names[] = { (char *) name, NULL };

        fixture.done = false;
        manager_enable(fixture.manager, names, on, now, on_enabled, NULL);
        return finish_verb();
}

static void expect_file_state(const char *name, const char *state) {
        ck_assert_str_eq(manager_file_state(fixture.manager, name), state);
}

/* A daemon that starts later starts it. */
START_TEST(test_enabling_starts_nothing) {
        expect_file_state("off", "disabled");
        ck_assert_int_eq(enable("off", true, false), 0);
        ck_assert_str_eq(last_change, "+/sessions/off.session.d/50-enabled.conf");
        expect_file_state("off", "enabled");
        run_loop(400 * USEC_PER_MSEC); /* the change of the files is noticed */
        ck_assert_int_eq(session_view(session("off")).state, SESSION_INACTIVE);
        ck_assert(session("off")->config.enabled);
        daemon_leave();
        daemon_start();
        await_state("off", SESSION_RECORDING);

        ck_assert_int_eq(enable("off", false, false), 0);
        ck_assert_str_eq(last_change, "-/sessions/off.session.d/50-enabled.conf");
        run_loop(400 * USEC_PER_MSEC);
        ck_assert_int_eq(session_view(session("off")).state, SESSION_RECORDING);
        ck_assert(!session("off")->config.enabled);
}
END_TEST

START_TEST(test_now) {
        ck_assert_int_eq(enable("off", true, true), 0);
        ck_assert_int_eq(session_view(session("off")).state, SESSION_RECORDING);
        ck_assert_int_eq(enable("off", false, true), 0);
        ck_assert_int_eq(session_view(session("off")).state, SESSION_INACTIVE);
        ck_assert_uint_eq(n_changes, 1);
        ck_assert_int_eq(enable("off", false, true), 0);
        ck_assert_uint_eq(n_changes, 0);
}
END_TEST

/* A session that records is not restarted. */
START_TEST(test_what_runs_goes_on) {
        pid_t pid;

        ck_assert_int_eq(run_verb(manager_start, "off"), 0);
        pid = session_view(session("off")).main_pid;
        for (unsigned on = 0; on < 4; on++) {
                ck_assert_int_eq(enable("off", on % 2 == 0, on % 4 == 0), 0);
                ck_assert_uint_eq(n_changes, 1);
                run_loop(400 * USEC_PER_MSEC);
                ck_assert_int_eq(session_view(session("off")).main_pid, pid);
                ck_assert_int_eq(session_view(session("off")).state, SESSION_RECORDING);
        }
}
END_TEST

START_TEST(test_an_instance) {
        expect_file_state("unit@a", "disabled");
        ck_assert_int_eq(enable("unit@a", true, false), 0);
        ck_assert_str_eq(last_change, "+/sessions/unit@a.session");
        run_loop(400 * USEC_PER_MSEC);
        ck_assert_int_eq(session_view(session("unit@a")).state, SESSION_INACTIVE);
        ck_assert_int_eq(enable("unit@b", true, true), 0);
        ck_assert_int_eq(session_view(session("unit@b")).state, SESSION_RECORDING);
        ck_assert_int_eq(enable("unit@b", false, true), 0);
        ck_assert_str_eq(last_change, "-/sessions/unit@b.session");
        expect_file_state("unit@b", "disabled");
        /* a session that was never loaded is not stopped, and no other is */
        ck_assert_int_eq(enable("unit@a", true, true), 0);
        ck_assert_int_eq(enable("unit@never", false, true), 0);
        ck_assert_int_eq(session_view(session("unit@a")).state, SESSION_RECORDING);
}
END_TEST

START_TEST(test_failures) {
        ck_assert_int_eq(enable("nosuch", true, true), FAILURE_NO_SUCH_SESSION);
        ck_assert_int_eq(enable("nosuch", false, false), FAILURE_NO_SUCH_SESSION);
        ck_assert_str_eq(fixture.sentence, "There is no session 'nosuch': 'perfctl list' shows all");
        ck_assert_ptr_null(manager_file_state(fixture.manager, "nosuch"));
        write_session("bad", "", "Restart=perhaps");
        manager_catch_up(fixture.manager);
        ck_assert_int_eq(enable("bad", true, false), FAILURE_BAD_SETTING);
        ck_assert_ptr_nonnull(strstr(fixture.sentence, "Restart"));
        expect_file_state("bad", "bad");
        write_session_file("off.session.d/90-off.conf", "[Session]\nEnabled=no\n");
        ck_assert_int_eq(enable("off", true, true), FAILURE_OTHER);
        ck_assert_int_eq(session_view(session("off")).state, SESSION_INACTIVE);
}
END_TEST

CHECK_MAIN_WITH("manager-enable", setup, teardown, test_enabling_starts_nothing, test_now, test_what_runs_goes_on,
                test_an_instance, test_failures);
