/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>

#include "capture.h"
#include "check-main.h"
#include "format-text.h"
#include "stat-options.h"
#include "strv.h"

/* Parses words that are separated by blanks. */
static int parse(StatOptions *o, const char *words, char ***ret) {
        _cleanup_free_ char *text = strdup(words);
        char *rest = text, *word;

        *ret = NULL;
        ck_assert_int_eq(strv_extend(ret, "stat"), 0);
        while ((word = strsep(&rest, " ")))
                ck_assert_int_eq(strv_extend(ret, word), 0);
        return stat_options_parse(o, (int) strv_length(*ret), *ret);
}

static void expect_events(const char *words, const char *expected) {
        _cleanup_(stat_options_done) StatOptions o = {};
        _cleanup_strv_free_ char **argv = NULL, **names = NULL;
        _cleanup_free_ char *text = NULL;

        ck_assert_int_eq(parse(&o, words, &argv), 0);
        for (size_t i = 0; i < o.what.events.n_specs; i++) {
                const EventSpec *s = o.what.events.specs + i;

                ck_assert_int_eq(strv_consume(&names, format_text("%s%s%s", s->name, s->cgroup ? "@" : "", s->cgroup ?: "")), 0);
        }
        text = strv_join(names, " ");
        ck_assert_str_eq(text, expected);
}

START_TEST(events) {
        expect_events("-e page-faults,faults -e cs true", "page-faults faults cs");
        expect_events("-a -e cs --for-each-cgroup a,b sleep 1", "cs@a cs@b");
        expect_events("-a -e cs,faults -G a,b true", "cs@a faults@b");
        expect_events("-n true", "");
}
END_TEST

START_TEST(defaults) {
        _cleanup_(stat_options_done) StatOptions o = {}, all = {}, detailed = {};
        _cleanup_strv_free_ char **argv = NULL, **argv_all = NULL, **argv_detailed = NULL;

        ck_assert_int_eq(parse(&o, "true", &argv), 0);
        ck_assert_str_eq(o.what.events.specs[0].name, "task-clock");
        ck_assert(o.when.runs == 1 && !o.how.separator && streq(o.command[0], "true"));
        ck_assert_int_eq(parse(&all, "-a true", &argv_all), 0);
        ck_assert_str_eq(all.what.events.specs[0].name, "cpu-clock");
        ck_assert_int_eq(parse(&detailed, "-d -d true", &argv_detailed), 0);
        ck_assert_uint_eq(detailed.what.events.n_specs, o.what.events.n_specs + 4 + 6);
}
END_TEST

static void expect_subject(const char *words, const char *expected) {
        _cleanup_(stat_options_done) StatOptions o = {};
        _cleanup_strv_free_ char **argv = NULL;
        _cleanup_free_ char *subject = NULL;

        ck_assert_int_eq(parse(&o, words, &argv), 0);
        subject = stat_options_subject(&o);
        ck_assert_str_eq(subject, expected);
}

START_TEST(subjects) {
        expect_subject("-e cs -- ls -l", "'ls -l'");
        expect_subject("-e cs -a ls", "'system wide'");
        expect_subject("-e cs -C 0 ls", "'CPU(s) 0'");
        expect_subject("-e cs -p 1", "process id '1'");
        expect_subject("-e cs -t 1", "thread id '1'");
}
END_TEST

/* Words behind the command are the command's. */
START_TEST(commands) {
        _cleanup_(stat_options_done) StatOptions o = {};
        _cleanup_strv_free_ char **argv = NULL;

        ck_assert_int_eq(parse(&o, "-e cs ls -a -x", &argv), 0);
        ck_assert(!o.what.target.all_cpus && !o.how.separator && strv_length(o.command) == 3);
}
END_TEST

/* Options stand before record and behind it; -o names the recording there. */
START_TEST(recording) {
        static const char *const lines[] = { "-e cs record -o file -x , ls -a", "-o file record -x , -e cs -- ls -a", "-x , record -o file -e cs ls -a" };

        for (size_t i = 0; i < ELEMENTSOF(lines); i++) {
                _cleanup_(stat_options_done) StatOptions o = {};
                _cleanup_strv_free_ char **argv = NULL;

                ck_assert_int_eq(parse(&o, lines[i], &argv), 0);
                ck_assert(o.mode == STAT_RECORD && !o.how.output && o.what.events.n_specs == 1);
                ck_assert_str_eq(o.recording, "file");
                ck_assert_str_eq(o.how.separator, ",");
                ck_assert(strv_length(o.command) == 2 && streq(o.command[0], "ls") && streq(o.words[0], "stat"));
        }
}
END_TEST

static void expect_report(const char *words, const char *path, StatPlacing placing, bool json) {
        _cleanup_(stat_options_done) StatOptions o = {};
        _cleanup_strv_free_ char **argv = NULL;

        ck_assert_int_eq(parse(&o, words, &argv), 0);
        ck_assert(o.mode == STAT_REPORT && o.how.placing == placing && o.how.json == json && !o.command);
        ck_assert_str_eq(o.recording ?: "", path);
}

START_TEST(reports) {
        expect_report("report", "", STAT_ALL, false);
        expect_report("report -i - -A", "-", STAT_BY_CPU, false);
        expect_report("-j report --per-node --input=file", "file", STAT_BY_NODE, true);
}
END_TEST

/* Without a name, standard output gets the recording if it is a pipe. */
START_TEST(pipes) {
        for (int piped = 0; piped < 2; piped++) {
                _cleanup_(stat_options_done) StatOptions o = {};
                _cleanup_strv_free_ char **argv = NULL;
                int fds[2], saved = dup(STDOUT_FILENO), r;

                ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
                if (!piped) {
                        (void) close(fds[1]);
                        fds[1] = open("/dev/null", O_WRONLY | O_CLOEXEC);
                }
                (void) fflush(stdout);
                ck_assert_int_ge(dup2(fds[1], STDOUT_FILENO), 0);
                r = parse(&o, "record -e cs true", &argv);
                ck_assert_int_ge(dup2(saved, STDOUT_FILENO), 0);
                ck_assert_int_eq(r, 0);
                ck_assert_str_eq(o.recording, piped ? "-" : "perf.data");
                (void) close(saved);
                (void) close(fds[0]);
                (void) close(fds[1]);
        }
}
END_TEST

START_TEST(refused) {
        static const char *const words[] = {
                "-e cs", "-e no-such-event true", "-r x true", "-I 0 true", "--timeout 1 true", "-j -x , true", "--interval-count 2 true",
                "-r 2 -I 10 true", "-A true", "--per-thread true", "-G a -e cs true", "-o x --log-fd 1 true", "-r 3 -a", "--no-such true",
                "record", "record -r 2 true", "report -i", "report -e cs", "report file", "report --per-thread",
        };

        for (size_t i = 0; i < ELEMENTSOF(words); i++) {
                _cleanup_(stat_options_done) StatOptions o = {};
                _cleanup_strv_free_ char **argv = NULL;

                ck_assert_msg(parse(&o, words[i], &argv) == -EINVAL, "'%s'", words[i]);
        }
}
END_TEST

CHECK_MAIN("stat-options", events, defaults, subjects, commands, recording, reports, pipes, refused);
