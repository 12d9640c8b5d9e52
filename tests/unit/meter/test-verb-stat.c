/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program counts events of the kernel, which every machine has. */

#include <regex.h>

#include "check-main.h"
#include "program.h"
#include "skip.h"
#include "sysctl.h"

#define OUTPUT_MAX ((size_t) 1 << 20)

/* Returns the exit status of a command of the shell, with its output. */
static int run(const char *command, char **ret) {
        char *argv[] = { (char *) "sh", (char *) "-c", (char *) command, NULL };

        return program_run(&(ProgramRun) { .argv = argv, .timeout = 60 * USEC_PER_SEC, .output_max = OUTPUT_MAX }, ret);
}

static void expect(const char *command, int status, const char *pattern) {
        _cleanup_free_ char *text = NULL;
        int r = run(command, &text);
        regex_t regex;

        ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
        ck_assert_msg(r == status && regexec(&regex, text, 0, NULL, 0) == 0, "%s: status %d:\n%s", command, r, text);
        regfree(&regex);
}

static bool may_count(void) {
        return geteuid() == 0 || sysctl_read("kernel/perf_event_paranoid", 4) < 2;
}

START_TEST(commands) {
        if (!may_count())
                SKIP("kernel.perf_event_paranoid does not let this user count");
        expect("exec " METER " stat -e page-faults,task-clock true", 0,
               "Performance counter stats for 'true':\n\n +[0-9,]+ +page-faults .*\n +[0-9.,]+ msec task-clock +# +[0-9.]+ CPUs utilized .*\n"
               "\n +[0-9.]+ seconds time elapsed\n\n +[0-9.]+ seconds user\n +[0-9.]+ seconds sys\n");
        expect("exec " METER " stat -x , -e page-faults true", 0, "^[1-9][0-9]*,,page-faults,[0-9]+,100.00,.*$");
        expect("exec " METER " stat -j -e page-faults true", 0, "^\\{\"counter-value\" : \"[0-9.]+\", \"unit\" : \"\", \"event\" : \"page-faults\"");
        expect("exec " METER " stat -e page-faults -r 3 true", 0, "'true' \\(3 runs\\)");
        expect("exec " METER " stat -e page-faults -- sh -c 'exit 3'", 3, "page-faults");
        expect("exec " METER " stat -e page-faults /nonexistent/program", 255, "No such file");
}
END_TEST

/* Children are counted, unless -i leaves them out. */
START_TEST(children) {
        if (!may_count())
                SKIP("kernel.perf_event_paranoid does not let this user count");
        expect("all=$(" METER " stat -x , -e page-faults -- sh -c 'true; cat /dev/null; cat /dev/null; true' 2>&1 | cut -d, -f1);"
               "one=$(" METER " stat -i -x , -e page-faults -- sh -c 'true; cat /dev/null; cat /dev/null; true' 2>&1 | cut -d, -f1);"
               "[ \"$all\" -gt \"$one\" ] && echo more", 0, "more");
}
END_TEST

START_TEST(intervals) {
        if (!may_count())
                SKIP("kernel.perf_event_paranoid does not let this user count");
        expect("exec " METER " stat -I 20 --interval-count 2 -x , -e task-clock -p $$", 0, "^ +0\\.[0-9]+,.*\n +0\\.[0-9]+,.*\n$");
        expect("exec " METER " stat -I 1000 -e page-faults --summary true", 0,
               "counts unit events\n +0\\.[0-9]+ +[0-9,]+ +page-faults(.|\n)*seconds time elapsed");
        expect("exec " METER " stat --timeout 20 -e task-clock -p $$", 0, "process id '[0-9]+'(.|\n)*task-clock");
}
END_TEST

/* An interrupted counting shows what was counted, and ends as the signal has it. */
START_TEST(interrupted) {
        if (!may_count())
                SKIP("kernel.perf_event_paranoid does not let this user count");
        expect(METER " stat -e task-clock -p $$ & sleep 0.5; kill -TERM $!; wait $!; echo \"status $?\"", 0,
               "process id(.|\n)*seconds time elapsed(.|\n)*status 143");
}
END_TEST

START_TEST(refused) {
        expect("exec " METER " stat -e no-such-event true", 1, "no-such-event");
        expect("exec " METER " stat", 1, "Nothing to count");
        expect("exec " METER " stat --help", 0, "--for-each-cgroup=NAME");
}
END_TEST

START_TEST(files) {
        if (!may_count())
                SKIP("kernel.perf_event_paranoid does not let this user count");
        expect("f=$(mktemp) && " METER " stat -o $f -e page-faults true && " METER " stat -o $f --append -x , -e page-faults true;"
               "cat $f; rm -f $f", 0, "^# started on .*\n(.|\n)*page-faults(.|\n)*\n[0-9]+,,page-faults");
        expect(METER " stat --log-fd 3 -x , -e page-faults true 3>&1 2>/dev/null", 0, "^[0-9]+,,page-faults");
        expect("exec " METER " stat -o /nonexistent/file true", 1, "/nonexistent/file: No such file");
}
END_TEST

/* A recording is shown as its counts were shown then; a pipe has no command line. */
START_TEST(recordings) {
        if (!may_count())
                SKIP("kernel.perf_event_paranoid does not let this user count");
        expect("d=$(mktemp -d) && " METER " stat record -o $d/a -x , -e page-faults,task-clock -- sh -c 'echo out' >$d/out 2>$d/text;"
               "cat $d/out; cat $d/text;" METER " stat -x , report -i $d/a 2>&1 | cmp - $d/text && echo same; rm -r $d", 0,
               "^out\n[1-9][0-9]*,,page-faults,[0-9]+,100.00,.*\n[0-9.]+,msec,task-clock,.*\nsame\n$");
        expect(METER " stat record -o - -e page-faults -- echo out 2>/dev/null | " METER " stat report -i -", 0,
               "Performance counter stats for 'pipe':\n\n +[0-9]+ +page-faults");
        expect(METER " stat record -e page-faults true 2>/dev/null | " METER " stat report", 0, "for 'pipe'");
        expect("d=$(mktemp -d) && " METER " stat record -I 20 --interval-count 2 -o $d/a -x , -e task-clock -p $$ 2>$d/text;"
               METER " stat report -x , -i $d/a 2>&1 | cmp - $d/text && cat $d/text; rm -r $d", 0, "^ +0\\.[0-9]+,.*\n +0\\.[0-9]+,.*\n$");
        expect(METER " stat record -o - -e page-faults true 2>/dev/null | head -c 300 | " METER " stat report -i -", 1,
               "standard input has no counts\n$");
        expect("exec " METER " stat record -o /nonexistent/file true", 1, "Failed to record to /nonexistent/file: No such file");
        expect("exec " METER " stat record -o /dev/null -e page-faults -- sh -c 'exit 4'", 4, "page-faults");
        expect("exec " METER " stat record -o - -e page-faults true >/dev/full", 1, "Failed to record to -: No space left");
}
END_TEST

/* Nothing is counted before the word enable, and what comes behind the word disable is not counted; each is acknowledged. */
START_TEST(controlled) {
        if (!may_count())
                SKIP("kernel.perf_event_paranoid does not let this user count");
        expect("d=$(mktemp -d) && mkfifo $d/go $d/ack && exec 5<>$d/go 6<>$d/ack;"
               METER " stat -D -1 --control fifo:$d/go,$d/ack -x , -e task-clock -p $$ 2>$d/text &"
               "echo ping >&5; read -r answer <&6; kill -TERM $!; wait $!; cat $d/text; echo $answer; rm -r $d", 0,
               "Events disabled\n<not counted>,msec,task-clock,0,0.00,,\nack\n$");
        expect("d=$(mktemp -d) && mkfifo $d/go $d/ack && exec 5<>$d/go 6<>$d/ack;"
               METER " stat -D -1 -I 100000 --control fd:5,6 -x , -e page-faults -p $$ 2>$d/text &"
               "echo enable >&5; read -r answer <&6; echo $answer; echo disable >&5; read -r answer <&6; echo $answer;"
               "kill -TERM $!; wait $!; cat $d/text; rm -r $d", 0,
               "ack\nack\n(Terminated\n)?Events disabled\nEvents enabled\n +0\\.[^\n]*\nEvents disabled\n +0\\.[0-9]+,[0-9]+,,page-faults,[1-9]");
        expect("exec " METER " stat -D -1 true", 1, "-D -1 needs --control");
        expect("exec " METER " stat --control fifo:/nonexistent/fifo true", 1, "Failed to open '/nonexistent/fifo'");
        expect("exec " METER " stat --control nothing true", 1, "neither fifo:CONTROL");
}
END_TEST

CHECK_MAIN("verb-stat", commands, children, intervals, interrupted, refused, files, recordings, controlled);
