/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "check-main.h"
#include "fd-file.h"
#include "scratch.h"
#include "spawn.h"
#include "strv.h"

static char *dir;
static int dir_fd, output_fd;

static void setup(void) {
        dir = scratch_new();
        dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        output_fd = openat(dir_fd, "output", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        ck_assert_int_ge(output_fd, 0);
}

static void teardown(void) {
        safe_close(output_fd);
        safe_close(dir_fd);
        scratch_done(&dir);
}

static void spawn_script(const char *script, int counters_fd, int nice, Spawned *ret) {
        char *const argv[] = { (char *) "/bin/sh", (char *) "-c", (char *) script, NULL };
        char *const environment[] = { (char *) "PATH=/usr/bin:/bin", (char *) "WORD=handed over", NULL };
        const SpawnRequest request = {
                .program = argv[0],
                .argv = argv,
                .environment = environment,
                .directory_fd = dir_fd,
                .output_fd = output_fd,
                .counters_fd = counters_fd,
                .takeover_fd = -EBADF,
                .nice = nice,
        };

        ck_assert_int_eq(spawn_held(&request, ret), 0);
}

static void wait_readable(int fd) {
        struct pollfd p = { .fd = fd, .events = POLLIN };

        ck_assert_int_eq(poll(&p, 1, 10000), 1);
}

static siginfo_t reap(Spawned *s) {
        siginfo_t info = {};

        wait_readable(s->pidfd);
        ck_assert_int_eq(waitid(P_PIDFD, (id_t) s->pidfd, &info, WEXITED), 0);
        s->pidfd = safe_close(s->pidfd);
        s->gate_fd = safe_close(s->gate_fd);
        return info;
}

static char *output(void) {
        char *text;

        ck_assert_int_eq(read_file_at(dir_fd, "output", 65536, &text, NULL), 0);
        return text;
}

/* Releases it, and checks that it runs. */
static void release(const Spawned *s) {
        const char *step = NULL;

        ck_assert_int_eq(spawn_release(s->gate_fd), 0);
        wait_readable(s->gate_fd);
        ck_assert_int_eq(spawn_result(s->gate_fd, &step), 1);
}

START_TEST(test_waits_at_the_gate) {
        Spawned s = SPAWNED_EMPTY;
        _cleanup_free_ char *text = NULL;
        struct pollfd p;
        const char *step;
        siginfo_t info;

        spawn_script("echo ran in $(basename $PWD) with $WORD; echo to stderr >&2", -EBADF, INT_MIN, &s);
        p = (struct pollfd) { .fd = s.pidfd, .events = POLLIN };
        ck_assert_int_eq(poll(&p, 1, 100), 0);
        ck_assert_int_eq(spawn_result(s.gate_fd, &step), 0);
        release(&s);
        info = reap(&s);
        ck_assert_int_eq(info.si_code, CLD_EXITED);
        ck_assert_int_eq(info.si_status, 0);
        text = output();
        ck_assert_ptr_nonnull(strstr(text, "perf-recorder-test-"));
        ck_assert_ptr_nonnull(strstr(text, "with handed over\nto stderr\n"));
}
END_TEST

START_TEST(test_ends_without_the_word) {
        Spawned s = SPAWNED_EMPTY;
        _cleanup_free_ char *text = NULL;

        spawn_script("echo ran", -EBADF, INT_MIN, &s);
        s.gate_fd = safe_close(s.gate_fd);
        ck_assert_int_eq(reap(&s).si_code, CLD_EXITED);
        text = output();
        ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(test_a_sibling_does_not_hold_the_gate_open) {
        Spawned first = SPAWNED_EMPTY, second = SPAWNED_EMPTY;

        spawn_script("true", -EBADF, INT_MIN, &first);
        spawn_script("true", -EBADF, INT_MIN, &second);
        first.gate_fd = safe_close(first.gate_fd);
        (void) reap(&first);
        second.gate_fd = safe_close(second.gate_fd);
        (void) reap(&second);
}
END_TEST

START_TEST(test_tells_why_it_cannot_exec) {
        char *const argv[] = { (char *) "/no/such/program", NULL };
        const SpawnRequest request = { .program = argv[0], .argv = argv, .environment = argv + 1, .directory_fd = dir_fd,
                                       .output_fd = output_fd, .counters_fd = -EBADF, .takeover_fd = -EBADF, .nice = INT_MIN };
        Spawned s = SPAWNED_EMPTY;
        const char *step = NULL;

        ck_assert_int_eq(spawn_held(&request, &s), 0);
        ck_assert_int_eq(spawn_release(s.gate_fd), 0);
        wait_readable(s.gate_fd);
        ck_assert_int_eq(spawn_result(s.gate_fd, &step), -ENOENT);
        ck_assert_str_eq(step, "executing the program");
        ck_assert_int_eq(reap(&s).si_status, 127);
}
END_TEST

START_TEST(test_descriptors) {
        _cleanup_close_ int counters = open_memfd("perf-recorder-counters", 4096), leak = open("/dev/null", O_RDONLY);
        _cleanup_free_ char *text = NULL;
        Spawned s = SPAWNED_EMPTY;

        ck_assert_int_ge(leak, 0); /* not close-on-exec: the child must not have it */
        spawn_script("readlink /proc/$$/fd/3; readlink /proc/$$/fd/0; ls /proc/$$/fd", counters, INT_MIN, &s);
        release(&s);
        (void) reap(&s);
        text = output();
        ck_assert_str_eq(text, "/memfd:perf-recorder-counters (deleted)\n/dev/null\n0\n1\n2\n3\n");
}
END_TEST

START_TEST(test_signals_and_limits_are_reset) {
        _cleanup_free_ char *text = NULL;
        Spawned s = SPAWNED_EMPTY;
        struct rlimit before;
        char expected[64];
        sigset_t set;

        ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
        sigfillset(&set);
        (void) sigprocmask(SIG_BLOCK, &set, NULL);
        (void) signal(SIGPIPE, SIG_IGN);
        spawn_init();
        spawn_script("ulimit -n; umask; exec grep -E 'Sig(Blk|Ign)' /proc/self/status", -EBADF, INT_MIN, &s);
        release(&s);
        (void) reap(&s);
        text = output();
        snprintf(expected, sizeof(expected), "%llu\n0077\n", (unsigned long long) before.rlim_cur);
        ck_assert_msg(startswith(text, expected) || before.rlim_cur == RLIM_INFINITY, "%s", text);
        ck_assert_ptr_nonnull(strstr(text, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"));
}
END_TEST

START_TEST(test_nice) {
        _cleanup_free_ char *text = NULL;
        Spawned s = SPAWNED_EMPTY;

        spawn_script("nice", -EBADF, 7, &s);
        release(&s);
        (void) reap(&s);
        text = output();
        ck_assert_str_eq(text, "7\n");
}
END_TEST

START_TEST(test_environment) {
        char *const own[] = { (char *) "NOTIFY_SOCKET=ours", NULL };
        _cleanup_strv_free_ char **l = NULL;

        ck_assert_int_eq(setenv("NOTIFY_SOCKET", "/run/systemd/notify", 1), 0);
        ck_assert_int_eq(setenv("LISTEN_FDS", "3", 1), 0);
        ck_assert_int_eq(setenv("LANG", "C.UTF-8", 1), 0);
        ck_assert_int_eq(spawn_environment(own, &l), 0);
        ck_assert(strv_contains(l, "NOTIFY_SOCKET=ours"));
        ck_assert(!strv_contains(l, "NOTIFY_SOCKET=/run/systemd/notify"));
        ck_assert(!strv_contains(l, "LISTEN_FDS=3"));
        ck_assert(strv_contains(l, "LANG=C.UTF-8"));
}
END_TEST

CHECK_MAIN_WITH("spawn", setup, teardown, test_waits_at_the_gate, test_ends_without_the_word,
                test_a_sibling_does_not_hold_the_gate_open, test_tells_why_it_cannot_exec, test_descriptors,
                test_signals_and_limits_are_reset, test_nice, test_environment);
