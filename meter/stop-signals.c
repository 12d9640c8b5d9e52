/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A handler only notes the signal: it comes while the process waits, and ends that. */

#include "stop-signals.h"

#include "cleanup.h"

static volatile sig_atomic_t stop_signal, stop_count;

static void stop_signals_note(int number) {
        stop_signal = number;
        stop_count++;
}

void stop_signals_catch(sigset_t *ret_waiting) {
        const struct sigaction action = { .sa_handler = stop_signals_note };
        static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
        sigset_t caught;

        sigemptyset(&caught);
        for (size_t i = 0; i < ELEMENTSOF(numbers); i++) {
                (void) sigaddset(&caught, numbers[i]);
                (void) sigaction(numbers[i], &action, NULL);
        }
        (void) sigprocmask(SIG_BLOCK, &caught, ret_waiting);
}

int stop_signals_wait(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *waiting) {
        int r = ppoll(fds, n, timeout, waiting);
        sigset_t blocked;

        if (r > 0 && sigprocmask(SIG_SETMASK, waiting, &blocked) == 0)
                (void) sigprocmask(SIG_SETMASK, &blocked, NULL);
        return r;
}

int stop_signals_number(void) {
        return stop_signal;
}

unsigned stop_signals_count(void) {
        return (unsigned) stop_count;
}

void stop_signals_raise(const sigset_t *waiting) {
        if (stop_signal == 0)
                return;
        (void) signal(stop_signal, SIG_DFL);
        (void) sigprocmask(SIG_SETMASK, waiting, NULL);
        (void) raise(stop_signal);
}
