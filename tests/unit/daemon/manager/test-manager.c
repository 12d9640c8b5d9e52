/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/stat.h>

#include "daemon-fixture.h"
#include "scratch.h"

static unsigned n_new, n_removed, n_changed;
static SessionChange changes;

static void on_new(Session *s, void *userdata) {
        n_new++;
}

static void on_removed(Session *s, void *userdata) {
        ck_assert_ptr_eq(sessions_find(manager_sessions(fixture.manager), session_name(s)), s);
        n_removed++;
}

static void on_changed(Session *s, SessionChange mask, void *userdata) {
        n_changed++;
        changes |= mask;
}

static const ManagerObserver observer = { .session_new = on_new, .session_removed = on_removed, .session_changed = on_changed };

START_TEST(test_sorted) {
        static const char *const names[] = { "m", "a", "z", "b-1", "b", "B" };

        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                write_session(names[i], "", "Enabled=no");
        daemon_start();
        ck_assert_uint_eq(manager_sessions(fixture.manager)->n, ELEMENTSOF(names));
        for (size_t i = 0; i + 1 < ELEMENTSOF(names); i++)
                ck_assert_int_lt(strcmp(session_name(manager_sessions(fixture.manager)->all[i]),
                                        session_name(manager_sessions(fixture.manager)->all[i + 1])), 0);
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                ck_assert_str_eq(session_name(session(names[i])), names[i]);
        ck_assert_ptr_null(sessions_find(manager_sessions(fixture.manager), "nosuch"));
        ck_assert_ptr_null(sessions_find(manager_sessions(fixture.manager), ""));
}
END_TEST

START_TEST(test_add_and_sweep) {
        Session *s, *twin;

        daemon_start();
        manager_set_observer(fixture.manager, &observer);
        ck_assert_int_eq(session_new(&fixture.manager->host, "x", &s), 0);
        ck_assert_int_eq(session_new(&fixture.manager->host, "x", &twin), 0);
        ck_assert_int_eq(sessions_add(&fixture.manager->sessions, s), 0);
        ck_assert_int_eq(sessions_add(&fixture.manager->sessions, twin), -EEXIST);
        ck_assert_uint_eq(n_new, 1);
        session_leave(s);
        ck_assert_uint_eq(manager_sessions(fixture.manager)->n, 1);
        run_loop(10 * USEC_PER_MSEC);
        ck_assert_uint_eq(manager_sessions(fixture.manager)->n, 0);
        ck_assert_uint_eq(n_removed, 1);
}
END_TEST

START_TEST(test_an_observer_hears_of_a_start) {
        write_session("a", "", "Enabled=no");
        daemon_start();
        manager_set_observer(fixture.manager, &observer);
        n_changed = changes = 0;
        ck_assert_int_eq(run_verb(manager_start, "a"), 0);
        ck_assert_uint_eq(n_changed, 2); /* starting, recording */
        ck_assert_uint_eq(changes, SESSION_CHANGE_STATE | SESSION_CHANGE_PROCESS);
        n_changed = 0;
        ck_assert_int_eq(run_verb(manager_stop, "a"), 0);
        ck_assert_uint_eq(n_changed, 2); /* stopping, inactive */
}
END_TEST

static int try_new(const char *base) {
        const ManagerOptions options = { .base_directory = base };
        Manager *m = NULL;
        int r;

        r = manager_new(fixture.bus.event, &options, &m);
        ck_assert_ptr_null(m);
        return r;
}

START_TEST(test_a_base_that_is_taken) {
        _cleanup_free_ char *base = path_join(fixture.dir, "base");

        daemon_start();
        ck_assert_int_eq(try_new(base), -EBUSY);
}
END_TEST

START_TEST(test_a_base_that_cannot_be) {
        _cleanup_free_ char *file = path_join(fixture.dir, "file");

        ck_assert_int_eq(try_new("/proc/nothing/here"), -ENOENT);
        scratch_write_text(fixture.dir, "file", "");
        ck_assert_int_eq(try_new(file), -ENOTDIR);
}
END_TEST

START_TEST(test_settings_that_are_wrong) {
        _cleanup_free_ char *base = path_join(fixture.dir, "base");

        scratch_write_text(fixture.dir, "configuration/perf-recorderd.conf", "[Recorder]\nMaxSessions=many\n");
        ck_assert_int_lt(try_new(base), 0);
}
END_TEST

START_TEST(test_strange_files) {
        _cleanup_free_ char *dir = path_join(fixture.dir, "sessions/dir.session"),
                            *fifo = path_join(fixture.dir, "sessions/fifo.session"),
                            *link = path_join(fixture.dir, "sessions/link.session");

        write_session("good", "", "");
        ck_assert_int_eq(mkdir(dir, 0755), 0);
        ck_assert_int_eq(mkfifo(fifo, 0644), 0);
        ck_assert_int_eq(symlink("/no/such/file", link), 0);
        daemon_start();
        await_state("good", SESSION_RECORDING);
        ck_assert_int_eq(session_view(session("dir")).state, SESSION_BAD_SETTING);
        ck_assert_int_eq(session_view(session("fifo")).state, SESSION_BAD_SETTING);
}
END_TEST

CHECK_MAIN_WITH("manager", daemon_fixture_setup, daemon_fixture_teardown, test_sorted, test_add_and_sweep,
                test_an_observer_hears_of_a_start, test_a_base_that_is_taken, test_a_base_that_cannot_be,
                test_settings_that_are_wrong, test_strange_files);
