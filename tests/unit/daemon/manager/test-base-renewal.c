/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/stat.h>

#include "daemon-fixture.h"
#include "directory-tree.h"
#include "fd-file.h"
#include "scratch.h"

static char *base, *lock;

static void setup(void) {
        daemon_fixture_setup();
        base = path_join(fixture.dir, "base");
        lock = path_join(base, "lock");
        write_session("a", "", "");
        daemon_start();
        await_state("a", SESSION_RECORDING);
}

static void teardown(void) {
        daemon_fixture_teardown();
        free(base);
        free(lock);
}

static void await_file(const char *path) {
        for (unsigned i = 0; i < 1000 && access(path, F_OK) < 0; i++)
                run_loop(10 * USEC_PER_MSEC);
        ck_assert_int_eq(access(path, F_OK), 0);
}

START_TEST(test_removed) {
        _cleanup_free_ char *moved = path_join(fixture.dir, "moved");

        ck_assert_int_eq(directory_tree_remove(AT_FDCWD, base), 0);
        await_file(lock);
        ck_assert_int_eq(rename(base, moved), 0); /* it is watched again */
        ck_assert_int_eq(directory_tree_remove(AT_FDCWD, moved), 0);
        await_file(lock);
        ck_assert_int_eq(session_state(session("a")), SESSION_RECORDING);
        ck_assert_int_eq(run_verb(manager_restart, "a"), 0);
}
END_TEST

START_TEST(test_only_emptied) {
        struct stat before, after;

        ck_assert_int_eq(stat(base, &before), 0);
        ck_assert_int_eq(unlink(lock), 0);
        run_loop(300 * USEC_PER_MSEC);
        ck_assert_int_eq(stat(base, &after), 0);
        ck_assert_uint_eq(after.st_ino, before.st_ino);
}
END_TEST

static void on_pinged(Failure failure, const char *sentence, const PingRow *rows, size_t n_rows, void *userdata) {
        bool *moved = userdata;

        ck_assert_int_eq(failure, FAILURE_NONE);
        for (size_t i = 0; i < n_rows; i++)
                *moved = *moved || (streq(rows[i].name, base) && streq(rows[i].status, "moved"));
        fixture.done = true;
}

static bool ping_reports_it(char *const *names) {
        bool moved = false;

        fixture.done = false;
        manager_ping(fixture.manager, names, 0, on_pinged, &moved);
        ck_assert(private_bus_wait(&fixture.bus, &fixture.done));
        return moved;
}

static bool status_reports_it(void) {
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(manager_describe_status(fixture.manager, &text), 0);
        return strstr(text, "; the base directory ") && strstr(text, " was moved to ");
}

static void await_report(bool expected) {
        for (unsigned i = 0; i < 1000 && status_reports_it() != expected; i++)
                run_loop(10 * USEC_PER_MSEC);
        ck_assert(status_reports_it() == expected);
        ck_assert(ping_reports_it(NULL) == expected);
}

/* The journal has one line of it, which names both paths. */
static void check_line(const char *directory, const char *moved) {
        _cleanup_free_ char *output = path_join(directory, "output"), *text = NULL, *line = NULL;
        const char *first;

        ck_assert_int_gt(asprintf(&line, "The base directory %s was moved to %s, ", base, moved), 0);
        ck_assert_int_eq(read_file(output, 1024 * 1024, &text, NULL), 0);
        first = strstr(text, line);
        ck_assert_ptr_nonnull(first);
        ck_assert_ptr_null(strstr(first + 1, line));
}

START_TEST(test_moved) {
        _cleanup_free_ char *moved = path_join(fixture.dir, "moved");
        char *const names[] = { (char *) "a", NULL };

        ck_assert(!status_reports_it());
        ck_assert_int_eq(rename(base, moved), 0);
        await_report(true);
        manager_check_base_later(fixture.manager);
        run_loop(300 * USEC_PER_MSEC);
        ck_assert(!ping_reports_it(names));
        check_line(moved, moved);
        ck_assert_int_eq(session_state(session("a")), SESSION_RECORDING);
        ck_assert_int_lt(access(base, F_OK), 0);

        ck_assert_int_eq(rename(moved, base), 0);
        await_report(false);

        ck_assert_int_eq(rename(base, moved), 0);
        await_report(true);
        ck_assert_int_eq(directory_tree_remove(AT_FDCWD, moved), 0);
        await_file(lock);
        await_report(false);
}
END_TEST

CHECK_MAIN_WITH("manager-base", setup, teardown, test_removed, test_only_emptied, test_moved);
