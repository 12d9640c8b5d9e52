/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/notify-fields.h>
#include <sys/xattr.h>

#include "daemon-fixture.h"
#include "fd-file.h"
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
        ck_assert_ptr_nonnull(dump_store_find(manager_dumps(fixture.manager), ID));
        daemon_leave();
        daemon_start();
        observe();
        (void) dump_store_all(manager_dumps(fixture.manager), &n);
        ck_assert_uint_eq(n, 1);
        ck_assert_ptr_eq(dump_store_newest(manager_dumps(fixture.manager), "cpu"), dump_store_find(manager_dumps(fixture.manager), ID));
        ck_assert_int_eq(manager_remove_dump(fixture.manager, dump_store_find(manager_dumps(fixture.manager), ID)), 0);
        ck_assert_uint_eq(n_removed, 1);
        ck_assert_uint_eq(n_changes, 0);
        (void) dump_store_all(manager_dumps(fixture.manager), &n);
        ck_assert_uint_eq(n, 0);
}
END_TEST

static void report(const char *directory) {
        _cleanup_free_ char *text = NULL;
        NotifyMessage m = {};

        ck_assert_int_gt(asprintf(&text, PR_NOTIFY_OUTPUT "%s/" NAME, directory), 0);
        m.text = text;
        session_take_message(session("cpu"), &m);
}

START_TEST(test_a_recorder_reports) {
        write_session("cpu", "", "Enabled=no");
        daemon_start();
        observe();
        write_dump();
        report("/tmp");
        report("../session-cpu");
        ck_assert_uint_eq(n_new, 0);
        report(session_view(session("cpu")).directory);
        ck_assert_uint_eq(n_new, 1);
        ck_assert_uint_eq(n_changes, 1);
        run_loop(50 * USEC_PER_MSEC);
        ck_assert_uint_eq(n_new, 1);
}
END_TEST

static void expect_logged(const char *trigger, const char *detail, const char *end) {
        _cleanup_free_ char *file = path_join(fixture.dir, "base/session-cpu/" NAME), *output = path_join(fixture.dir, "base/output");
        _cleanup_free_ char *text = NULL;

        write_dump();
        if (setxattr(file, PR_DUMP_XATTR_TRIGGER, trigger, strlen(trigger), 0) < 0) /* a file system without attributes */
                return;
        ck_assert_int_eq(setxattr(file, PR_DUMP_XATTR_DETAIL, detail, strlen(detail), 0), 0);
        report(session_view(session("cpu")).directory);
        ck_assert_int_eq(read_file(output, 65536, &text, NULL), 0);
        ck_assert_msg(strstr(text, end) != NULL, "'%s' in\n%s", end, text);
        ck_assert_int_eq(manager_remove_dump(fixture.manager, dump_store_find(manager_dumps(fixture.manager), ID)), 0);
}

/* The message has whole triggers, and a mark if it lacks some. */
START_TEST(test_a_long_detail) {
        char sentence[300] = "";

        write_session("cpu", "", "Enabled=no");
        daemon_start();
        expect_logged("signal", "USR2; event: x", ", because of signal: USR2; event: x\n");
        expect_logged("unit-failure",
                      "a.service, invocation 0123456789abcdef0123456789abcdef; "
                      "unit-failure: b.service, invocation 0123456789abcdef0123456789abcdef; "
                      "unit-failure: third-unit.service, invocation 0123456789abcdef0123456789abcdef",
                      ", because of unit-failure: a.service, invocation 0123456789abcdef0123456789abcdef; "
                      "unit-failure: b.service, invocation 0123456789abcdef0123456789abcdef; …\n");
        memset(sentence, 'x', sizeof(sentence) - 1);
        expect_logged("request", sentence, "xxxxxxxx…\n");
}
END_TEST

CHECK_MAIN_WITH("manager-dumps", daemon_fixture_setup, daemon_fixture_teardown, test_they_stay, test_a_recorder_reports,
                test_a_long_detail);
