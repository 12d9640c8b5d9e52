/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An instance's name fills a place in a value and does not change its structure: it adds neither words nor options,
 * events, elements of lists, operators of filters or parts of paths. */

#include "check-main.h"
#include "quote.h"
#include "setting-case.h"
#include "setting-expand.h"

/* 0-3 -- /bin/sh -c "id;" */
#define SHELL "t@0\\x20\\x2d\\x2d\\x20-bin-sh\\x20\\x2dc\\x20\\x22id\\x3b\\x22"

static void assert_expanded(const char *section, const char *key, const char *value, const char *name, const char *expected) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_free_ char *text = NULL;

        ck_assert_msg(setting_expand(section, key, value, name, &text, &d) == 0, "%s=%s: %s", key, value, d.sentence);
        ck_assert_str_eq(text, expected);
}

static void assert_barred(const char *section, const char *key, const char *value, const char *name, const char *sentence) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        char *text = NULL;

        ck_assert_msg(setting_expand(section, key, value, name, &text, &d) == -EINVAL, "%s=%s: %s", key, value, text);
        ck_assert_ptr_null(text);
        if (sentence)
                ck_assert_str_eq(d.sentence, sentence);
        else
                ck_assert_ptr_nonnull(strstr(d.sentence, "only the file may"));
}

/* Checks that the value parses to exactly these words. */
static void assert_words(const char *section, const char *key, const char *value, const char *name, char *const *expected) {
        _cleanup_free_ char *text = NULL;
        _cleanup_strv_free_ char **words = NULL;

        ck_assert_int_eq(setting_expand(section, key, value, name, &text, NULL), 0);
        ck_assert_int_eq(split_words(text, 100, &words), 0);
        ck_assert_msg(strv_equal(words, expected), "%s", text);
}

START_TEST(test_options) {
        static char *const cpu[] = { (char *) "-e", (char *) "cpu-clock", (char *) "-C", (char *) "0", NULL };
        static char *const command[] = { (char *) "-a", (char *) "--", (char *) "/srv/%i", (char *) "x, \"y' -- -o", NULL };
        static char *const empty[] = { (char *) "-a", (char *) "--", (char *) "", NULL };

        assert_expanded("Session", "Run", "-e \"cpu-clock\"  -C 0", "t@x", "-e \"cpu-clock\"  -C 0");
        assert_words("Session", "Run", "-e cpu-clock -C %I", "t@0", cpu);
        assert_words("Session", "Run", "-a -- /srv/%%i %I", "t@x\\x2c\\x20\\x22y\\x27\\x20\\x2d\\x2d\\x20\\x2do", command);
        assert_words("Session", "Run", "-a -- %i", "t", empty);

        assert_barred("Session", "Run", "-e cpu-clock -F 10 -C %I", SHELL, NULL);
        assert_barred("Session", "Run", "-a %I", "t@\\x2do\\x2dx",
                      "%I is \"-o-x\" for this name, and would be an option: only the file may name those");
        assert_barred("Session", "Run", "-a %i", "t@--output", NULL);
        assert_barred("Session", "Run", "-e %I", "t@cpu\\x2dclock\\x2cfaults",
                      "%I is \"cpu-clock,faults\" for this name, and ',' has a meaning here: only the file may have it");
        assert_barred("Session", "Run", "-e x -C '%I", "t@0", "a quote without its end, or a backslash at the end");
        assert_barred("Session", "Run", "-e cpu-clock --filter 'comm == \"%I\"'", "t@a\\x22\\x20or\\x20\\x22", NULL);
}
END_TEST

START_TEST(test_command) {
        static char *const words[] = { (char *) "/srv/app", (char *) "--", (char *) "0 -- /bin/sh -c \"id;\"", (char *) "t", NULL };
        static char *const option[] = { (char *) "/srv/app", (char *) "-x", NULL };

        assert_words("Record", "Command", "/srv/app -- %I %p", SHELL, words);
        assert_words("Record", "Command", "/srv/app %i", "t@-x", option);
}
END_TEST

START_TEST(test_events) {
        assert_expanded("Record", "Event", "%I", "t@sched:sched_switch", "sched:sched_switch");
        assert_expanded("Record", "Event", "uprobe:%I:main", "t@-srv-app", "uprobe:/srv/app:main");
        assert_barred("Record", "Event", "%I", "t@faults\\x2ccycles", NULL);
        assert_barred("Record", "Event", "%I", "t@uprobe:-root-app:main", NULL);
        assert_barred("Record", "Event", "cpu-clock%I", "t@-overwrite-", NULL);
        assert_barred("Record", "Event", "uprobe:%I:main", "t@-srv-app:x\\x2cfaults", NULL);
        assert_expanded("Record", "Filter", "comm == \"%I\"", "t@tmux:\\x20server", "comm == \"tmux: server\"");
        assert_barred("Record", "Filter", "comm == \"%I\"", "t@x\\x22", NULL);
        assert_barred("Record", "Filter", "pid == %I", "t@1\\x7c\\x7c1", NULL);
        assert_expanded("Trigger", "Event", "sched:%i pid == 1", "t@sched_switch", "sched:sched_switch pid == 1");
        assert_barred("Trigger", "Event", "%I", "t@faults\\x20pid", NULL);
}
END_TEST

START_TEST(test_lists) {
        assert_expanded("Record", "CPU", "%i", "t@0-3", "0-3");
        assert_barred("Record", "CPU", "%I", "t@0\\x2c1", NULL);
        assert_expanded("Record", "PID", "1,%i", "t@12", "1,12");
        assert_barred("Record", "PID", "%I", "t@1\\x202", NULL);
        assert_barred("Record", "TID", "%I", "t@1\\x2c2", NULL);
        assert_barred("Record", "SampleFields", "%I", "t@addr\\x20raw", NULL);
        assert_expanded("Trigger", "UnitFailure", "%i", "t@a\\x2db.service", "a\\x2db.service");
        assert_barred("Trigger", "UnitFailure", "%I", "t@\\x2a", NULL);
        assert_expanded("Record", "CGroup", "machine.slice/%I", "t@a-b", "machine.slice/a/b");
        assert_expanded("Record", "NoSuchKey", "%i", "t@x", "x");
}
END_TEST

START_TEST(test_text_and_paths) {
        assert_expanded("Session", "Description", "CPU time of %I, 100%%", "t@a\\x2c\\x20b", "CPU time of a, b, 100%");
        assert_expanded("Session", "Recorder", "/usr/lib/perf-%i", "t@6.1", "/usr/lib/perf-6.1");
        assert_barred("Session", "Recorder", "/usr/lib/%I", "t@..-..-tmp-x", NULL);
        assert_barred("Trigger", "BPF", "/usr/lib/%i.o", "t@x:map", NULL);
}
END_TEST

CHECK_MAIN("setting-expand", test_options, test_command, test_events, test_lists, test_text_and_paths);
