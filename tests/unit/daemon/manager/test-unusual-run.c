/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A script stands in for the viewer. */

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/notify-fields.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "daemon-fixture.h"
#include "fd-file.h"
#include "scratch.h"

static void use_viewer(const char *script) {
        _cleanup_free_ char *path = path_join(fixture.dir, "view");

        scratch_write_text(fixture.dir, "view", script);
        ck_assert_int_eq(chmod(path, 0755), 0);
        ck_assert_int_eq(setenv("PERF_RECORDER_VIEW", path, 1), 0);
        ck_assert_int_eq(setenv("WORDS", fixture.dir, 1), 0);
}

/* Makes a dump of that time; false: the file system has no attributes. */
static bool make_dump(const char *name, const char *trigger) {
        _cleanup_free_ char *relative = NULL, *file = NULL, *text = NULL;
        NotifyMessage m = {};

        ck_assert_int_gt(asprintf(&relative, "base/session-cpu/%s", name), 0);
        file = path_join(fixture.dir, relative);
        scratch_write_text(fixture.dir, relative, "samples");
        if (setxattr(file, PR_DUMP_XATTR_TRIGGER, trigger, strlen(trigger), 0) < 0)
                return false;
        ck_assert_int_gt(asprintf(&text, PR_NOTIFY_OUTPUT "%s/%s", session_view(session("cpu")).directory, name), 0);
        m.text = text;
        session_take_message(session("cpu"), &m);
        return true;
}

static char *logged(void) {
        _cleanup_free_ char *output = path_join(fixture.dir, "base/output");
        char *text;

        ck_assert_int_eq(read_file(output, 65536, &text, NULL), 0);
        return text;
}

static bool is_logged(const char *what) {
        _cleanup_free_ char *text = logged();

        return strstr(text, what);
}

static void expect_logged(const char *what, bool expected) {
        _cleanup_free_ char *text = logged();

        ck_assert_msg(!!strstr(text, what) == expected, "'%s' in\n%s", what, text);
}

START_TEST(test_incidents) {
        _cleanup_free_ char *words = NULL, *path = NULL;

        use_viewer("#!/bin/sh\nprintf '%s\\n' \"$@\" >>\"$WORDS/words\"\nsleep 0.3; nice >>\"$WORDS/words\"\ncat >/dev/null\n"
                   "echo 'backup.service took 38.0 %'; printf 'web\\033 took none\\n'; echo remark >&2\n"
                   "case $* in *01*) exit 1 ;; esac\n");
        write_session("cpu", "", "Enabled=no");
        daemon_start();
        if (!make_dump("perf.data.2026112110531801", "unit-failure") || !make_dump("perf.data.2026112110531802", "request") ||
            !make_dump("perf.data.2026112110531803", "cpu-pressure"))
                return;
        expect_logged("Before the trigger", false);
        for (unsigned i = 0; i < 300 && !is_logged("took none"); i++)
                run_loop(100 * USEC_PER_MSEC);
        expect_logged("] cpu: Before the trigger of dump cpu-2026112110531803:\nbackup.service took 38.0 %\nweb? took none\n", true);
        expect_logged("of dump cpu-2026112110531801:\n", false); /* the viewer failed */
        expect_logged("of dump cpu-2026112110531802:\n", false); /* it was not asked */
        path = path_join(fixture.dir, "words");
        ck_assert_int_eq(read_file(path, 4096, &words, NULL), 0);
        ck_assert_msg(streq(words, "diff\n--input-name=cpu-2026112110531801\n--input=-\n--trigger\n--summary\n19\n"
                                   "diff\n--input-name=cpu-2026112110531803\n--input=-\n--trigger\n--summary\n19\n"), "%s", words);
}
END_TEST

/* The daemon may end while the viewer runs, and without one nothing is missed. */
START_TEST(test_without_viewer) {
        use_viewer("#!/bin/sh\nexec sleep 100\n");
        write_session("cpu", "", "Enabled=no");
        daemon_start();
        if (!make_dump("perf.data.2026112110531801", "event"))
                return;
        run_loop(3 * USEC_PER_SEC);
        daemon_leave();
        ck_assert_int_eq(setenv("PERF_RECORDER_VIEW", "/no/such/program", 1), 0);
        daemon_start();
        ck_assert(make_dump("perf.data.2026112110531802", "event"));
        run_loop(3 * USEC_PER_SEC);
        expect_logged("Before the trigger", false);
}
END_TEST

CHECK_MAIN_WITH("unusual-run", daemon_fixture_setup, daemon_fixture_teardown, test_incidents, test_without_viewer);
