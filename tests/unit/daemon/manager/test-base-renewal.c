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

CHECK_MAIN_WITH("manager-base", setup, teardown, test_removed, test_only_emptied);
