/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The command lines of journalctl, and that its output is passed on. */

#include "capture.h"
#include "check-main.h"
#include "journalctl.h"
#include "strv.h"

static void expect(const ClientOptions *o, char *const *names, char *const *more, const char *expected) {
        _cleanup_strv_free_ char **command = NULL;
        _cleanup_free_ char *joined = NULL;

        ck_assert_int_eq(journalctl_command(o, names, more, &command), 0);
        joined = strv_join(command, " ");
        ck_assert_str_eq(joined, expected);
}

START_TEST(test_command) {
        char *names[] = { (char *) "cpu", (char *) "web@1", NULL }, *more[] = { (char *) "--follow", NULL };
        char user[96];

        (void) snprintf(user, sizeof(user), "journalctl PERF_SESSION=cpu PERF_SESSION=web@1 _UID=%u",
                        (unsigned) getuid());
        expect(&(ClientOptions){}, names, more, "journalctl PERF_SESSION=cpu PERF_SESSION=web@1 --follow");
        expect(&(ClientOptions){ .user = true }, names, NULL, user);
        expect(&(ClientOptions){ .machine = "box" }, names + 1, NULL, "journalctl --machine=box PERF_SESSION=web@1");
        expect(&(ClientOptions){}, NULL, NULL, "journalctl --unit=perf-recorderd.service");
        expect(&(ClientOptions){ .user = true }, NULL, NULL, "journalctl --user-unit=perf-recorderd.service");
}
END_TEST

static void expect_output(const char *script, const char *expected) {
        char *command[] = { (char *) "sh", (char *) "-c", (char *) script, NULL };
        _cleanup_free_ char *text = NULL;
        int saved = capture_begin(STDOUT_FILENO), r = journalctl_run(command);

        text = capture_end(STDOUT_FILENO, saved);
        ck_assert_int_eq(r, 0);
        ck_assert_str_eq(text, expected);
}

START_TEST(test_run) {
        (void) setenv("COLUMNS", "66", 1);
        expect_output("echo a line", "\na line\n");
        expect_output("echo $COLUMNS $SYSTEMD_COLORS", "\n66 0\n");
        expect_output("true", "");
        expect_output("exit 1", "");
}
END_TEST

CHECK_MAIN("journalctl", test_command, test_run);
