/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The choice of the pager, and output without one. Standard output is the test's own terminal. */

#include <fcntl.h>
#include <pty.h>
#include <termios.h>

#include "check-main.h"
#include "pager.h"
#include "scratch.h"

/* Makes standard output a terminal; returns its other end. */
static int use_terminal(void) {
        struct termios raw = {};
        int master, slave;

        cfmakeraw(&raw);
        ck_assert_int_eq(openpty(&master, &slave, NULL, &raw, NULL), 0);
        ck_assert_int_ge(dup2(slave, STDOUT_FILENO), 0);
        (void) unsetenv("PAGER");
        (void) unsetenv("SYSTEMD_PAGER");
        (void) unsetenv("SYSTEMD_PAGERSECURE");
        (void) unsetenv("SUDO_UID");
        return master;
}

/* Prints a line through the pager, if there is one, and compares the terminal's contents. */
static void expect(int master, bool wanted, const char *expected) {
        char shown[128] = "";

        pager_open(wanted);
        (void) puts("a line");
        pager_close();
        (void) fflush(stdout);
        ck_assert_int_ge(read(master, shown, sizeof(shown) - 1), 0);
        ck_assert_str_eq(shown, expected);
}

START_TEST(test_chosen) {
        int master = use_terminal();

        (void) setenv("PAGER", "false", 1);
        (void) setenv("SYSTEMD_PAGER", "sed 's/^/paged: /'", 1);
        expect(master, true, "paged: a line\n");
}
END_TEST

START_TEST(test_environment) {
        int master = use_terminal();

        (void) setenv("PAGER", "sh -c 'cat >/dev/null; echo $LESS $LESSSECURE'", 1);
        (void) setenv("SYSTEMD_LESS", "FRX", 1);
        (void) setenv("SYSTEMD_PAGERSECURE", "1", 1);
        expect(master, true, "FRX 1\n");
}
END_TEST

START_TEST(test_at_end) {
        int master = use_terminal();
        char shown[128] = "";

        (void) setenv("PAGER", "sh -c 'cat >/dev/null; echo $LESS'", 1);
        (void) setenv("SYSTEMD_LESS", "FRX", 1);
        pager_open_at(true, PAGER_END);
        pager_close();
        ck_assert_int_ge(read(master, shown, sizeof(shown) - 1), 0);
        ck_assert_str_eq(shown, "FRX +G\n");
}
END_TEST

START_TEST(test_none) {
        int master = use_terminal();

        (void) setenv("PAGER", "sed 's/^/paged: /'", 1);
        expect(master, false, "a line\n");
        (void) setenv("SYSTEMD_PAGER", "", 1);
        expect(master, true, "a line\n");
        (void) setenv("SYSTEMD_PAGER", "cat", 1);
        expect(master, true, "a line\n");
}
END_TEST

static void write_program(const char *dir, const char *name) {
        _cleanup_free_ char *text = NULL, *path = path_join(dir, name);

        ck_assert_int_gt(asprintf(&text, "#!/bin/sh\ncat >/dev/null\necho %s\n", name), 0);
        scratch_write_text(dir, name, text);
        ck_assert_int_eq(chmod(path, 0755), 0);
}

/* Programs of two names, each of which prints its own. */
static void expect_program(const char *expected) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *path = NULL;
        int master = use_terminal();

        write_program(dir, "pager");
        write_program(dir, "less");
        ck_assert_int_gt(asprintf(&path, "%s:%s", dir, getenv("PATH")), 0);
        (void) setenv("PATH", path, 1);
        if (streq(expected, "less\n"))
                (void) setenv("SUDO_UID", "1000", 1);
        expect(master, true, expected);
}

START_TEST(test_pager) {
        expect_program("pager\n");
}
END_TEST

/* Under sudo only less runs, which alone has a secure mode. */
START_TEST(test_secure) {
        expect_program("less\n");
}
END_TEST

CHECK_MAIN("pager", test_chosen, test_environment, test_at_end, test_none, test_pager, test_secure);
