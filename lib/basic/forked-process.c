/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The process is forked and not executed: it goes on with what its parent knows, inside the parent's sandbox.
 *
 * Invariant: it has no descriptor of its parent but its socket and, if the plan has one, a file; otherwise the
 * parent's pager would wait for its end too, and the parent's end would not be seen. Its memory is limited before it
 * reads anything. It limits no time by itself: how much a question may take is known to who answers it. It exits when its
 * parent has closed the socket, also while it computes. */

#include "forked-process.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "process-limits.h"

#define LOOK_USEC 100000 /* of its own computing, between two looks whether the parent still waits */

/* A process that computes an answer does not read from the socket, and its parent's sandbox can send it no signal. */
static void exit_if_alone(int sig) {
        struct pollfd other = { .fd = FORKED_PROCESS_SOCKET };

        if (poll(&other, 1, 0) > 0 && other.revents & (POLLHUP | POLLERR))
                _exit(EXIT_FAILURE);
}

static void set_signals(void) {
        const struct itimerval timer = { .it_interval = { .tv_usec = LOOK_USEC }, .it_value = { .tv_usec = LOOK_USEC } };
        const struct sigaction action = { .sa_handler = exit_if_alone, .sa_flags = SA_RESTART };
        sigset_t none;

        (void) sigaction(SIGVTALRM, &action, NULL);
        (void) setitimer(ITIMER_VIRTUAL, &timer, NULL);
        (void) signal(SIGPROF, SIG_DFL);
        (void) signal(SIGALRM, SIG_DFL);
        (void) signal(SIGXCPU, SIG_DFL);
        (void) sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void run(const ForkedPlan *plan, int socket_fd, uint64_t memory) {
        const int fds[] = { socket_fd, plan->file_fd };

        if (process_keep_descriptors(fds, plan->has_file ? 2 : 1) < 0)
                _exit(EXIT_FAILURE);
        process_limit_memory(memory);
        set_signals();
        plan->serve(plan->userdata);
        _exit(EXIT_FAILURE);
}

int forked_process_start(ForkedProcess *p, const ForkedPlan *plan) {
        uint64_t memory = process_data_size() + plan->memory;
        pid_t pid;
        int fds[2];

        if (socketpair(AF_UNIX, plan->socket_type | SOCK_CLOEXEC, 0, fds) < 0)
                return -errno;
        pid = fork();
        if (pid == 0)
                run(plan, fds[1], memory);
        if (pid < 0) {
                int r = -errno;

                safe_close(fds[0]);
                safe_close(fds[1]);
                return r;
        }
        safe_close(fds[1]);
        *p = (ForkedProcess) { .fd = fds[0], .pid = pid };
        return 0;
}

suseconds_t forked_process_limit_time(suseconds_t usec) {
        const struct itimerval timer = { .it_value = { .tv_sec = usec / 1000000, .tv_usec = usec % 1000000 } };
        struct itimerval before = {};

        (void) setitimer(ITIMER_PROF, &timer, &before);
        return before.it_value.tv_sec * 1000000 + before.it_value.tv_usec;
}

uint64_t forked_process_end(ForkedProcess *p) {
        struct rusage u = {};

        safe_close(p->fd);
        if (p->pid > 0)
                (void) TEMP_FAILURE_RETRY(wait4(p->pid, NULL, 0, &u));
        *p = (ForkedProcess) FORKED_PROCESS_EMPTY;
        return (uint64_t) (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 + (uint64_t) (u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}
