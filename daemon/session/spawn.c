/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Starts a process in two steps, so that its scope can be made in between. The gate is a socket pair: the child reads one
 * byte from it before it execs, or the end of file if the daemon is gone; then the exec closes it, or the child writes
 * which step failed and why. The child closes every descriptor it does not need at once: it must not keep the gates of
 * others open, nor FIFOs, nor the lock.
 *
 * Nothing is waited for here: the caller watches pidfd. */

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <perf-recorder/counters.h>
#include <perf-recorder/environment.h>

#include "spawn.h"
#include "strv.h"

extern char **environ;

#define GATE_FD 5 /* in the child */

static struct rlimit descriptor_limit = { .rlim_cur = RLIM_INFINITY };
static sigset_t ignored_signals; /* exec(3) leaves them ignored, and sets handled ones to their default */

typedef enum Step { STEP_DESCRIPTORS, STEP_DIRECTORY, STEP_NICE, STEP_EXEC, _STEP_MAX } Step;

static const char *const step_names[_STEP_MAX] = {
        [STEP_DESCRIPTORS] = "passing its descriptors",
        [STEP_DIRECTORY] = "entering its directory",
        [STEP_NICE] = "setting its nice level",
        [STEP_EXEC] = "executing the program",
};

typedef struct Failure {
        int step;
        int error;
} Failure;

/* Names that belong to the daemon as a service; its children would misread them. */
static const char *const daemon_only[] = {
        "NOTIFY_SOCKET=", "LISTEN_PID=", "LISTEN_FDS=", "LISTEN_FDNAMES=", "WATCHDOG_PID=", "WATCHDOG_USEC=",
        "INVOCATION_ID=", "JOURNAL_STREAM=", "MAINPID=", "MANAGERPID=", "SYSTEMD_EXEC_PID=", "RUNTIME_DIRECTORY=",
        "STATE_DIRECTORY=", "CREDENTIALS_DIRECTORY=", "MEMORY_PRESSURE_WATCH=", "MEMORY_PRESSURE_WRITE=",
        "FDSTORE=", PR_SESSION_ENV "=", PR_RUNTIME_DIRECTORY_ENV "=", PR_COUNTERS_ENV "=",
        PR_KEEP_ENV "=", PR_TAKEOVER_ENV "=",
};

static bool is_daemon_only(const char *assignment) {
        for (size_t i = 0; i < ELEMENTSOF(daemon_only); i++)
                if (startswith(assignment, daemon_only[i]))
                        return true;
        return false;
}

int spawn_environment(char *const *assignments, char ***ret) {
        _cleanup_strv_free_ char **l = NULL;
        int r = 0;

        STRV_FOREACH(e, environ)
                if (r >= 0 && !is_daemon_only(*e))
                        r = strv_extend(&l, *e);
        if (r >= 0)
                r = strv_extend_strv(&l, assignments);
        if (r < 0)
                return r;
        *ret = steal_ptr(l);
        return 0;
}

void spawn_init(void) {
        struct sigaction action;
        struct rlimit l;

        sigemptyset(&ignored_signals);
        for (int sig = 1; sig < NSIG; sig++)
                if (sigaction(sig, NULL, &action) >= 0 && action.sa_handler == SIG_IGN)
                        sigaddset(&ignored_signals, sig);
        if (getrlimit(RLIMIT_NOFILE, &l) < 0)
                return;
        descriptor_limit = l;
        l.rlim_cur = l.rlim_max;
        (void) setrlimit(RLIMIT_NOFILE, &l);
}

_Noreturn static void child_fail(int gate_fd, Step step, int error) {
        Failure f = { .step = step, .error = error };

        (void) !write(gate_fd, &f, sizeof(f));
        _exit(127);
}

static int child_place_optional(int lifted, int place) {
        if (lifted < 0) {
                (void) close(place);
                return 0;
        }
        return dup2(lifted, place) < 0 ? -errno : 0;
}

/* Moves the descriptors to where they belong and closes all others. They are lifted above the targets first, so that
 * none is overwritten before it was moved. */
static int child_arrange_descriptors(const SpawnRequest *r, int gate_fd) {
        int gate, counters, takeover, output, e;

        gate = fcntl(gate_fd, F_DUPFD_CLOEXEC, 10);
        output = fcntl(r->output_fd, F_DUPFD_CLOEXEC, 10);
        counters = r->counters_fd >= 0 ? fcntl(r->counters_fd, F_DUPFD_CLOEXEC, 10) : -EBADF;
        takeover = r->takeover_fd >= 0 ? fcntl(r->takeover_fd, F_DUPFD_CLOEXEC, 10) : -EBADF;
        if (gate < 0 || output < 0 || (r->counters_fd >= 0 && counters < 0) || (r->takeover_fd >= 0 && takeover < 0))
                return -errno;
        e = child_place_optional(counters, SPAWN_COUNTERS_FD);
        if (e >= 0)
                e = child_place_optional(takeover, SPAWN_TAKEOVER_FD);
        if (e < 0)
                return e;
        if (dup3(gate, GATE_FD, O_CLOEXEC) < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
                return -errno;
        return close_range(GATE_FD + 1, UINT_MAX, 0) < 0 ? -errno : 0;
}

static int child_open_null(void) {
        int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

        if (fd < 0)
                return -errno;
        if (dup2(fd, STDIN_FILENO) < 0)
                return -errno;
        if (fd > STDERR_FILENO)
                (void) close(fd);
        return 0;
}

static void child_reset_signals(void) {
        struct sigaction action = { .sa_handler = SIG_DFL };
        sigset_t none;

        for (int sig = 1; sig < NSIG; sig++)
                if (sigismember(&ignored_signals, sig) == 1)
                        (void) sigaction(sig, &action, NULL);
        sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
}

static void child_wait_at_gate(void) {
        char go;
        ssize_t n;

        do
                n = read(GATE_FD, &go, 1);
        while (n < 0 && errno == EINTR);
        if (n != 1)
                _exit(0);
}

_Noreturn static void child_run(const SpawnRequest *r, int gate_fd) {
        int e;

        if (fchdir(r->directory_fd) < 0)
                child_fail(gate_fd, STEP_DIRECTORY, errno);
        e = child_open_null();
        if (e >= 0)
                e = child_arrange_descriptors(r, gate_fd);
        if (e < 0)
                child_fail(gate_fd, STEP_DESCRIPTORS, -e);
        (void) setsid();
        (void) umask(0077);
        if (descriptor_limit.rlim_cur != RLIM_INFINITY)
                (void) setrlimit(RLIMIT_NOFILE, &descriptor_limit);
        child_reset_signals();
        child_wait_at_gate();
        /* Only now is it in its scope, where RLIMIT_NICE and capabilities are still ours. */
        if (r->nice != INT_MIN && setpriority(PRIO_PROCESS, 0, r->nice) < 0)
                child_fail(GATE_FD, STEP_NICE, errno);
        (void) execve(r->program, r->argv, r->environment);
        child_fail(GATE_FD, STEP_EXEC, errno);
}

int spawn_held(const SpawnRequest *r, Spawned *ret) {
        _cleanup_close_ int gate = -EBADF, other = -EBADF, pidfd = -EBADF;
        int pair[2];
        pid_t pid;

        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
                return -errno;
        gate = pair[0];
        other = pair[1];
        if (fcntl(gate, F_SETFL, O_NONBLOCK) < 0)
                return -errno;
        pid = fork();
        if (pid < 0)
                return -errno;
        if (pid == 0)
                child_run(r, other);
        pidfd = pidfd_open(pid, 0);
        if (pidfd < 0) /* the child reads the end of file and is reaped with the daemon */
                return -errno;
        *ret = (Spawned){ .pid = pid, .pidfd = steal_fd(&pidfd), .gate_fd = steal_fd(&gate) };
        return 0;
}

int spawn_release(int gate_fd) {
        return send(gate_fd, "g", 1, MSG_NOSIGNAL) == 1 ? 0 : -errno;
}

int spawn_result(int gate_fd, const char **ret_step) {
        Failure f;
        ssize_t n;

        n = recv(gate_fd, &f, sizeof(f), MSG_DONTWAIT);
        if (n < 0)
                return errno == EAGAIN || errno == EINTR ? 0 : -errno;
        if (n == 0)
                return 1;
        if ((size_t) n != sizeof(f) || f.step < 0 || f.step >= _STEP_MAX || f.error <= 0)
                return -EPROTO;
        *ret_step = step_names[f.step];
        return -f.error;
}
