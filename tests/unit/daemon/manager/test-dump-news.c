/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "daemon-fixture.h"
#include "scratch.h"

#define NAME "perf.data.2026112110531842"
#define ID "cpu-2026112110531842"

static unsigned n_new, n_removed, n_changes;

static void on_new(const Dump *d, void *userdata) {
        n_new++;
}

static void on_removed(const Dump *d, void *userdata) {
        n_removed++;
}

static void on_changed(Session *s, SessionChange mask, void *userdata) {
        n_changes += (mask & SESSION_CHANGE_DUMP) != 0;
}

static void observe(void) {
        n_new = n_removed = n_changes = 0;
        manager_set_observer(fixture.manager, &(ManagerObserver) { .dump_new = on_new, .dump_removed = on_removed,
                                                                   .session_changed = on_changed });
}

static void write_dump(void) {
        scratch_write_text(fixture.dir, "base/session-cpu/" NAME, "samples");
}

/* A dump exists without its session, and after the daemon. */
START_TEST(test_they_stay) {
        size_t n;

        write_dump();
        daemon_start();
        ck_assert_ptr_nonnull(manager_find_dump(fixture.manager, ID));
        daemon_leave();
        daemon_start();
        observe();
        (void) manager_dumps(fixture.manager, &n);
        ck_assert_uint_eq(n, 1);
        ck_assert_ptr_eq(manager_newest_dump(fixture.manager, "cpu"), manager_find_dump(fixture.manager, ID));
        ck_assert_int_eq(manager_remove_dump(fixture.manager, manager_find_dump(fixture.manager, ID)), 0);
        ck_assert_uint_eq(n_removed, 1);
        ck_assert_uint_eq(n_changes, 0);
        (void) manager_dumps(fixture.manager, &n);
        ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(test_a_recorder_tells) {
        _cleanup_free_ char *path = NULL;

        write_session("cpu", "", "Enabled=no");
        daemon_start();
        observe();
        write_dump();
        ck_assert_int_gt(asprintf(&path, "%s/" NAME, session_directory(session("cpu"))), 0);
        ck_assert(manager_take_dump(fixture.manager, session("cpu"), path));
        ck_assert_uint_eq(n_new, 1);
        ck_assert_uint_eq(n_changes, 1);
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_uint_eq(n_new, 1);
        ck_assert(!manager_take_dump(fixture.manager, session("cpu"), "/tmp/" NAME));
        ck_assert(!manager_take_dump(fixture.manager, session("cpu"), "../session-cpu/" NAME));
}
END_TEST

CHECK_MAIN_WITH("manager-dumps", daemon_fixture_setup, daemon_fixture_teardown, test_they_stay, test_a_recorder_tells);
