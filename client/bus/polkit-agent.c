/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* polkit asks the user through an agent. A terminal without a desktop has none, so this program runs pkttyagent(1) during a
 * call, as systemctl does. If another agent is registered, "--fallback" makes this one step back. */

#include "polkit-agent.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>

#include "child-process.h"

static void polkit_agent_exec(void *userdata) {
        int notify_fd = *(const int *) userdata;
        char number[16];

        (void) prctl(PR_SET_PDEATHSIG, SIGTERM);
        (void) snprintf(number, sizeof(number), "%d", notify_fd);
        (void) fcntl(notify_fd, F_SETFD, 0);
        (void) dup2(STDERR_FILENO, STDOUT_FILENO); /* its questions must not go into this program's output */
        (void) execlp("pkttyagent", "pkttyagent", "--notify-fd", number, "--fallback", (char *) NULL);
        _exit(EXIT_FAILURE);
}

pid_t polkit_agent_start(void) {
        int pipe_fds[2];
        pid_t agent;

        if (geteuid() == 0 || isatty(STDIN_FILENO) <= 0)
                return 0;
        if (pipe2(pipe_fds, O_CLOEXEC) < 0)
                return -errno;
        agent = child_start(polkit_agent_exec, pipe_fds + 1);
        (void) close(pipe_fds[1]);
        /* the agent closes its end of the pipe when it is registered; if it cannot be run, its exit does */
        while (agent > 0 && poll(&(struct pollfd){ .fd = pipe_fds[0], .events = POLLHUP }, 1, -1) < 0 &&
               errno == EINTR)
                ;
        (void) close(pipe_fds[0]);
        return agent;
}

void polkit_agent_stop(pid_t agent) {
        if (agent <= 0)
                return;
        (void) kill(agent, SIGTERM);
        (void) kill(agent, SIGCONT);
        (void) child_wait(agent, NULL);
}
