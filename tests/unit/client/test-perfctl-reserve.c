/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perfctl reserve end to end on a private bus: what it asks the service for, how long it holds that, and its exit status. */

#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "check-main.h"
#include "client-fixture.h"
#include "format-text.h"
#include "parse-time.h"
#include "scratch.h"

#define WITH_SERVICE                            \
        _cleanup_(fixture_done) Fixture f = {}; \
        fixture_init(&f, true);                 \
        fixture_start_service(&f)

/* Counts the service's reservations. */
static unsigned count_reservations(void) {
        _cleanup_run_ Run r = perfctl("reserve --who --json=short --quiet");
        unsigned n = 0;

        ck_assert_int_eq(r.status, 0);
        for (const char *at = r.out; (at = strstr(at, "\"why\":")); at++)
                n++;
        return n;
}

static void await_reservations(unsigned n) {
        usec_t end = now_usec(CLOCK_MONOTONIC) + 30 * USEC_PER_SEC;

        while (count_reservations() != n) {
                ck_assert_uint_lt(now_usec(CLOCK_MONOTONIC), end);
                (void) usleep(10 * USEC_PER_MSEC);
        }
}

/* Inside of the command the reservation is in force. */
START_TEST(test_command) {
        WITH_SERVICE;
        const struct passwd *user = getpwuid(geteuid());
        _cleanup_free_ char *row = format_text("\"user\":\"%s\",\"why\":\"a reason\"}", user ? user->pw_name : "");

        expect("reserve --why='a reason' --what=breakpoint:2 sh -c 'exit 7'", 7, "", "");
        expect_calls(&f, "Reserve breakpoint:2 'sh' 'a reason'\n");
        ck_assert_uint_eq(count_reservations(), 0);
        expect_like("reserve --why='a reason' " PERFCTL " reserve --who --json=short -q", 0, "[{\"what\":\"hardware\",\"who\":\"perfctl\",\"pid\":", "");
        expect_like("reserve --why='a reason' -- " PERFCTL " reserve --who --json=short -q", 0, row, "");
        expect_like("reserve " PERFCTL " reserve --who -q", 0, "hardware perfctl", "");
        ck_assert_uint_eq(count_reservations(), 0);
}
END_TEST

/* Words behind the command are its own, and the reason names it. */
START_TEST(test_words) {
        WITH_SERVICE;

        expect("reserve /bin/echo --what=x -d -v", 0, "--what=x -d -v\n", "");
        expect_calls(&f, "Reserve hardware 'echo' 'perfctl reserve echo'\n");
        expect("--no-ask-password reserve -D -f /tmp/perflock true", 0, "", "");
        expect_calls(&f, "Reserve hardware 'true' 'perfctl reserve true' (no questions)\n");
        expect("reserve --no-ask-password -q true", 0, "", "");
        expect_calls(&f, "Reserve hardware 'true' 'perfctl reserve true' (no questions)\n");
        expect_like("reserve --help", 0, "perfctl [OPTIONS...] reserve [OPTION...] [COMMAND...]\n", "");
        expect_like("reserve --help", 0, "--wait[=SPAN] ", "");
        expect_like("reserve -v", 0, "perf-recorder ", "");
        expect("reserve --lines=3 true", 1, "", "'reserve' takes no --lines; see 'perfctl reserve --help'\n");
        expect("reserve --who true", 1, "", "--who lists who has counters, and runs no command: 'true' is one too many\n");
        expect("reserve --who -- -q", 1, "", "--who lists who has counters, and runs no command: '-q' is one too many\n");
        expect("reserve --what=cycles true", 1, "", "--what=: \"cycles\" is no kind of counters: they are hardware and breakpoint\n");
        expect("reserve --wait=long true", 1, "", "Not a time span: 'long'\n");
        expect_like("reserve --nonsense true", 1, "", "unrecognized option '--nonsense'");
        expect_like("-H host reserve true", 1, "", "'reserve' works on this machine only");
        expect_calls(&f, "");
}
END_TEST

START_TEST(test_exit_status) {
        WITH_SERVICE;

        expect("reserve sh -c 'kill -9 $$'", 128 + SIGKILL, "", "");
        expect("reserve /nowhere/command", 127, "", "Failed to run /nowhere/command: No such file or directory\n");
        expect("reserve /", 126, "", "Failed to run /: Permission denied\n");
        expect("reserve sh -c 'kill -TERM $PPID; sleep 60'", 128 + SIGTERM, "", ""); /* it is sent on */
        await_reservations(0);
}
END_TEST

START_TEST(test_refused) {
        WITH_SERVICE;

        _cleanup_free_ char *ran = path_join(f.dir, "ran"), *line = format_text("reserve --why=busy touch %s", ran);

        expect(line, 1, "", "Failed to reserve hardware: likwid (PID 7, 3 events) has them\n");
        expect("reserve --why=none --what=hardware:2 true", 1, "",
               "Failed to reserve hardware:2: this machine has no hardware counters\n");
        expect("reserve --why=busy -d true", 1, "", "Failed to reserve hardware: likwid (PID 7, 3 events) has them\n");
        ck_assert_int_lt(access(ran, F_OK), 0);
}
END_TEST

START_TEST(test_wait) {
        WITH_SERVICE;

        expect("reserve --why=later --wait echo ran", 0, "ran\n",
               "Failed to reserve hardware: likwid (PID 7, 3 events) has them\nWaiting until they are free\n");
        expect_calls(&f, "Reserve hardware 'echo' 'later'\nReserve hardware 'echo' 'later'\n");
        expect("reserve --why=busy --wait=1ms -q echo ran", 1, "", "Failed to reserve hardware: likwid (PID 7, 3 events) has them\n");
        expect("reserve --why=none --wait echo ran", 1, "", "Failed to reserve hardware: this machine has no hardware counters\n");
}
END_TEST

/* Without a command it holds them until it is killed. The holder's name is that of the process that called it. */
START_TEST(test_until_killed) {
        WITH_SERVICE;
        _cleanup_free_ char *out = path_join(f.dir, "reserved"), *text = NULL;
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                (void) freopen(out, "w", stdout);
                (void) execl(PERFCTL, "perfctl", "reserve", "--what=breakpoint", (char *) NULL);
                _exit(99);
        }
        await_reservations(1);
        expect_like("status cpu -n 0", 0, "       Lent: breakpoint to test-client-per (perfctl reserve)\n", "");
        ck_assert_int_eq(kill(pid, SIGTERM), 0);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(status, 0);
        await_reservations(0);
        ck_assert_int_eq(read_file(out, 4096, &text, NULL), 0);
        ck_assert_str_eq(text, "Reserved breakpoint for test-client-per; press Ctrl-C to give it back.\n");
        expect_like("status cpu -n 0", 0, "State: recording", "");
}
END_TEST

/* Without the service nothing is reserved, and a holder that only waits exits. */
START_TEST(test_service_stopped) {
        WITH_SERVICE;
        _cleanup_free_ char *err = path_join(f.dir, "errors"), *text = NULL;
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                (void) freopen(err, "w", stderr);
                (void) execl(PERFCTL, "perfctl", "reserve", "-q", (char *) NULL);
                _exit(99);
        }
        await_reservations(1);
        ck_assert_int_eq(kill(f.service, SIGKILL), 0);
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(WEXITSTATUS(status), 1);
        ck_assert_int_eq(read_file(err, 4096, &text, NULL), 0);
        ck_assert_str_eq(text, "perf-recorderd was stopped: hardware is no longer reserved\n");
}
END_TEST

/* In the background it outlives the caller, whose output it closes. */
START_TEST(test_detached) {
        WITH_SERVICE;

        expect("reserve -d --why=x | cat", 0, "", "");
        ck_assert_uint_eq(count_reservations(), 1);
        {
                _cleanup_run_ Run r = perfctl("reserve --who --json=short -q");
                const char *pid = strstr(r.out, "\"pid\":");

                ck_assert_ptr_nonnull(pid);
                ck_assert_int_eq(kill((pid_t) strtol(pid + strlen("\"pid\":"), NULL, 10), SIGTERM), 0);
        }
        await_reservations(0);
        expect("reserve -d /nowhere/command", 127, "", "Failed to run /nowhere/command: No such file or directory\n");
        await_reservations(0);
}
END_TEST

/* A process that the command leaves behind holds them too. */
START_TEST(test_detached_command) {
        WITH_SERVICE;
        _cleanup_free_ char *fifo = path_join(f.dir, "fifo"), *line = format_text("reserve -d sh -c '(read word <%s) & exit 3'", fifo);
        _cleanup_close_ int fd = -EBADF;

        ck_assert_int_eq(mkfifo(fifo, 0600), 0);
        expect(line, 0, "", "");
        ck_assert_uint_eq(count_reservations(), 1);
        fd = open(fifo, O_WRONLY | O_CLOEXEC);
        ck_assert_int_ge(fd, 0);
        ck_assert_uint_eq(count_reservations(), 1);
        ck_assert_int_eq(write_all(fd, "\n", 1), 0);
        await_reservations(0);
}
END_TEST

/* Others are found without the service, which is not started for that. */
START_TEST(test_without_service) {
        _cleanup_(fixture_done) Fixture f = {};

        fixture_init(&f, true);
        expect_like("reserve --who --json=short -q", 0, "[", "");
        expect_calls(&f, "");
        expect("reserve true", 0, "", "");
        expect_calls(&f, "Reserve hardware 'true' 'perfctl reserve true'\n");
}
END_TEST

CHECK_MAIN("perfctl-reserve", test_command, test_words, test_exit_status, test_refused, test_wait, test_until_killed, test_service_stopped, test_detached,
           test_detached_command, test_without_service);
