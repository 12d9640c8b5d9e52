/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perfctl waits for the viewer's end, since temporary files and the pager are perfctl's. */

#include "viewer-process.h"

#include <signal.h>
#include <sys/wait.h>
#include <termios.h>

#include "child-process.h"
#include "exit-status.h"

static volatile pid_t viewer_pid;
static bool viewer_interrupted;

static void viewer_pass_on(int sig) {
        if (viewer_pid > 0)
                (void) kill(viewer_pid, sig);
}

static void viewer_mask_signals(int how) {
        sigset_t signals;

        (void) sigemptyset(&signals);
        (void) sigaddset(&signals, SIGINT);
        (void) sigaddset(&signals, SIGQUIT);
        (void) sigaddset(&signals, SIGTERM);
        (void) sigaddset(&signals, SIGHUP);
        (void) sigprocmask(how, &signals, NULL);
}

/* The viewer gets SIGINT, SIGQUIT and SIGTSTP from the terminal itself; other signals are passed on to it. */
static void viewer_pass_signals_on(void) {
        const struct sigaction passed = { .sa_handler = viewer_pass_on, .sa_flags = SA_RESTART };
        const struct sigaction ignored = { .sa_handler = SIG_IGN };

        (void) sigaction(SIGINT, &ignored, NULL);
        (void) sigaction(SIGQUIT, &ignored, NULL);
        (void) sigaction(SIGTSTP, &ignored, NULL);
        (void) sigaction(SIGTERM, &passed, NULL);
        (void) sigaction(SIGHUP, &passed, NULL);
        viewer_mask_signals(SIG_UNBLOCK);
}

void viewer_hold_signals(void) {
        viewer_mask_signals(SIG_BLOCK);
}

void viewer_release_signals(void) {
        viewer_mask_signals(SIG_UNBLOCK);
}

const char *viewer_program(void) {
        return getenv("PERF_RECORDER_VIEW") ?: PR_LIBEXECDIR "/perf-recorder-view";
}

bool viewer_was_interrupted(void) {
        return viewer_interrupted;
}

typedef struct ViewerStart {
        char *const *words;
        int (*prepare)(void *userdata);
        void *userdata;
} ViewerStart;

static void viewer_exec(void *userdata) {
        const ViewerStart *start = userdata;
        int r = start->prepare(start->userdata);

        if (r < 0) {
                (void) verb_fail("prepare the viewer", r);
                _exit(STATUS_FAILED);
        }
        viewer_mask_signals(SIG_UNBLOCK);
        child_exec(start->words, STATUS_FAILED);
}

/* It stops when the viewer has: a shell takes the terminal over as soon as perfctl stops, and the viewer puts it back before. */
static int viewer_wait(pid_t pid, int *ret_signal) {
        siginfo_t info;

        for (;;) {
                if (waitid(P_PID, (id_t) pid, &info, WEXITED | WSTOPPED | WNOWAIT) < 0) {
                        if (errno == EINTR)
                                continue;
                        return -errno;
                }
                if (info.si_code != CLD_STOPPED)
                        break;
                (void) waitid(P_PID, (id_t) pid, &info, WSTOPPED);
                (void) signal(SIGTSTP, SIG_DFL);
                (void) raise(SIGTSTP);
                (void) signal(SIGTSTP, SIG_IGN);
                (void) kill(pid, SIGCONT);
        }
        (void) signal(SIGTSTP, SIG_DFL); /* what is left is the pager */
        return child_wait(pid, ret_signal);
}

int viewer_run(char *const *words, int (*prepare)(void *userdata), void *userdata) {
        ViewerStart start = { .words = words, .prepare = prepare, .userdata = userdata };
        struct termios mode;
        const bool terminal = tcgetattr(STDIN_FILENO, &mode) >= 0;
        sigset_t pending;
        pid_t pid;
        int status, sig = 0;

        (void) sigemptyset(&pending);
        if (sigpending(&pending) >= 0 && sigismember(&pending, SIGINT) > 0) { /* held back: the viewer would not get it */
                viewer_interrupted = true;
                return STATUS_FAILED;
        }
        pid = child_start(viewer_exec, &start);
        if (pid < 0)
                return verb_fail("run the viewer", pid);
        viewer_pid = pid;
        viewer_pass_signals_on();
        status = viewer_wait(pid, &sig);
        viewer_pid = 0;
        if (sig == 0)
                return status < 0 ? verb_fail("wait for the viewer", status) : status;
        if (terminal && tcgetpgrp(STDIN_FILENO) == getpgrp()) /* it may have set another one, to draw */
                (void) tcsetattr(STDIN_FILENO, TCSADRAIN, &mode);
        viewer_interrupted = sig == SIGINT || sig == SIGPIPE || sig == SIGTERM || sig == SIGHUP;
        if (!viewer_interrupted) /* it crashed, or there was no memory */
                (void) fprintf(stderr, "%s was killed by SIG%s\n", words[0], sigabbrev_np(sig) ?: "?");
        return sig == SIGPIPE ? STATUS_NO_READER : STATUS_FAILED;
}
