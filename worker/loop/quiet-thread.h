/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>
#include <signal.h>

/* Starts a thread that takes no signal: those are read from a descriptor in the loop. 0, or a negative errno. */
static inline int quiet_thread_start(pthread_t *ret, void *(*run)(void *), void *userdata) {
        sigset_t all, before;
        int r;

        (void) sigfillset(&all);
        (void) pthread_sigmask(SIG_SETMASK, &all, &before); /* which the thread inherits */
        r = pthread_create(ret, NULL, run, userdata);
        (void) pthread_sigmask(SIG_SETMASK, &before, NULL);
        return -r;
}
