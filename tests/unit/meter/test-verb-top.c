/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The program looks at one that spends two thirds of its time in one function. */

#include <regex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "check-main.h"
#include "format-text.h"
#include "program.h"
#include "skip.h"

#define OUTPUT_MAX ((size_t) 1 << 20)

static char *run(const char *command, int status) {
        char *text = NULL, *argv[] = { (char *) "sh", (char *) "-c", (char *) command, NULL };
        int r = program_run(&(ProgramRun) { .argv = argv, .timeout = 60 * USEC_PER_SEC, .output_max = OUTPUT_MAX }, &text);

        ck_assert_msg(r == status, "%s: status %d:\n%s", command, r, text);
        return text;
}

static void expect_text(const char *text, const char *pattern) {
        regex_t regex;

        ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
        ck_assert_msg(regexec(&regex, text, 0, NULL, 0) == 0, "%s\n%s", pattern, text);
        regfree(&regex);
}

static void expect(int status, const char *pattern, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void expect(int status, const char *pattern, const char *format, ...) {
        _cleanup_free_ char *command = NULL, *text = NULL;
        va_list ap;

        va_start(ap, format);
        ck_assert_int_ge(vasprintf(&command, format, ap), 0);
        va_end(ap);
        text = run(command, status);
        expect_text(text, pattern);
}

/* A busy program, which ends with the test. */
static pid_t busy_start(const char *rounds) {
        pid_t pid = fork();

        if (pid == 0) {
                if (prctl(PR_SET_PDEATHSIG, SIGKILL) >= 0)
                        (void) execl(BUSY, "busy-program", rounds, NULL);
                _exit(127);
        }
        ck_assert_int_gt(pid, 0);
        return pid;
}

static void busy_end(pid_t pid) {
        ck_assert_int_eq(kill(pid, SIGKILL), 0);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

#define PERCENT "[0-9]+\\.[0-9][0-9]%"

START_TEST(process) {
        pid_t pid;

        if (geteuid() != 0)
                SKIP("needs root");
        pid = busy_start("1000000");
        expect(0, "^\n   PerfTop: +[1-9][0-9]* irqs/sec  kernel: *[0-9.]+%  exact: +[0-9.]+% lost: 0/0 \\[[0-9]+Hz cpu-clock\\],  "
               "\\(target_pid: [0-9]+\\)\n-+\n\n +[56789][0-9]\\.[0-9][0-9]%  busy-program +\\[\\.\\] spin_long\n"
               " +[123][0-9]\\.[0-9][0-9]%  busy-program +\\[\\.\\] spin_short\n",
               "exec " METER " top --batch -e cpu-clock -F 999 -d 1 --iterations 1 -p %d", pid);
        expect(0, "\"rows\":\\[\\{\"percent\":[0-9.]+,\"samples\":[0-9]+,\"period\":[0-9]+,\"comm\":\"busy-program\","
               "\"symbol\":\"spin_long\",\"level\":\"\\.\"\\}",
               "exec " METER " top --json -e cpu-clock -F 999 -d 0.5 --iterations 1 -s comm,sym -p %d", pid);
        /* with what it called: all of main's */
        expect(0, "\n +[0-9.]+% +0\\.[0-9]+%  busy-program +\\[\\.\\] main\n",
               "exec " METER " top --batch -g -e cpu-clock -F 999 -d 1 --iterations 1 -p %d", pid);
        expect(0, "\n +" PERCENT "  [0-9]+:busy-program +[0-9]{3}\n",
               "exec " METER " top --batch -e cpu-clock -F 999 -d 1 --iterations 1 -s pid,cpu -p %d", pid);
        expect(0, "\n +" PERCENT "  busy-program +\\[\\.\\] spin_long\n",
               "exec " METER " top --batch -g --no-children -e cpu-clock -F 999 -d 1 --iterations 1 -p %d", pid);
        /* of one frame, main has no share */
        expect(0, "-+\n\n +" PERCENT " +" PERCENT "  busy-program +\\[\\.\\] spin_long\n$",
               "exec " METER " top --batch -g --max-stack 1 --percent-limit 50 -e cpu-clock:u -F 999 -d 1 --iterations 1 -p %d", pid);
        expect(0, "^[^#]*-+\n\n +100\\.00%  busy-program +\\[\\.\\] spin_long\n$",
               "exec " METER " top --batch -e cpu-clock -F 999 -d 1 --iterations 1 --symbols spin_long --percentage relative -p %d", pid);
        expect(0, "^[^#]*-+\n\n( +" PERCENT "  busy-program\n)$",
               "exec " METER " top --batch -e cpu-clock -F 999 -d 1 --iterations 1 --comms busy-program,none -s comm");
        busy_end(pid);
}
END_TEST

/* On all CPUs it is among the others, with its control group; what began before has its name, too. */
START_TEST(all) {
        pid_t pid;

        if (geteuid() != 0)
                SKIP("needs root");
        pid = busy_start("1000000");
        expect(0, "\\(all, [0-9]+ CPUs?\\)\n-+\n\n(.*\n)* +" PERCENT "  busy-program +\\[\\.\\] spin_long\n",
               "exec " METER " top --batch -e cpu-clock -F 499 -d 1 --iterations 1 -a -s comm,symbol -E 0");
        expect(0, "\n +" PERCENT "  busy-program +/",
               "exec " METER " top --batch -e cpu-clock -F 499 -d 1 --iterations 1 -s comm,cgroup -E 0");
        busy_end(pid);
}
END_TEST

/* It ends with the process, and shows what there was until then. A program that begins meanwhile has its own records. */
START_TEST(ends) {
        if (geteuid() != 0)
                SKIP("needs root");
        expect(0, "spin_long", "sh -c 'sleep 0.5; exec " BUSY " 300' & " METER " top --batch -e cpu-clock -F 999 -d 60 -p $!");
        expect(124, "\\(all, ", "timeout -s INT 2 " METER " top --batch -e cpu-clock -F 99 -d 60");
        expect(0, "^(\n   PerfTop: .*\n-+\n\n([^\n]+\n)*){3}$", METER " top --batch -e cpu-clock -F 99 -d 0.2 --iterations 3");
}
END_TEST

START_TEST(tracepoints) {
        if (geteuid() != 0 || access("/sys/kernel/tracing/events/sched/sched_switch/id", R_OK) < 0)
                SKIP("needs root and tracepoints");
        expect(0, "\\[1 sched:sched_switch\\]", METER " top --batch -e sched:sched_switch -d 0.5 --iterations 1 -s comm");
        expect(0, " \\[cpu-clock,sched:sched_switch\\].*\nSamples of cpu-clock:\n(.*\n)*\nSamples of sched:sched_switch:\n",
               METER " top --batch -F 99 -e cpu-clock -e sched:sched_switch --filter 'prev_pid > 0' -d 0.5 --iterations 1 -s comm");
}
END_TEST

START_TEST(refused) {
        expect(1, "4194305", METER " top -p 4194305 --batch 2>&1");
        expect(1, "[Nn]o such unit", METER " top --unit none-such.service 2>&1");
        expect(1, "exclude each other", METER " top -F 1 -c 1 2>&1");
        expect(0, "--iterations=NUMBER", METER " top --help");
}
END_TEST

/* Text for screen readers, and for a terminal on which nothing can be drawn. */
START_TEST(plain) {
        static const struct {
                const char *term, *options;
                bool drawn;
        } cases[] = {
                { "TERM=xterm", "", true }, { "TERM=xterm", "--plain", false }, { "TERM=dumb", "", false }, { "unset TERM;", "", false },
        };

        if (geteuid() != 0)
                SKIP("needs root");
        for (size_t i = 0; i < ELEMENTSOF(cases); i++) {
                _cleanup_free_ char *command = format_text("script -qec '%s " METER " top %s -e cpu-clock -d 0.3 --iterations 1' /dev/null "
                                                           "</dev/null", cases[i].term, cases[i].options), *text = run(command, 0);

                expect_text(text, "PerfTop: ");
                ck_assert_msg(!strchr(text, '\033') == !cases[i].drawn, "%s\n%s", command, text);
        }
}
END_TEST

CHECK_MAIN("verb-top", process, all, ends, plain, tracepoints, refused);
