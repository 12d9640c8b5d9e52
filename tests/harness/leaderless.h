/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "cleanup.h"

/* A child whose first thread has ended, and whose second one waits. */

static inline void *leaderless_wait(void *userdata) {
        for (;;)
                (void) pause();
        return NULL;
}

static inline pid_t leaderless_start(void) {
        char path[64], target[1];
        pthread_t thread;
        pid_t pid = fork();

        if (pid == 0) {
                if (pthread_create(&thread, NULL, leaderless_wait, NULL) != 0)
                        _exit(EXIT_FAILURE);
                pthread_exit(NULL);
        }
        ck_assert_int_gt(pid, 0);
        (void) snprintf(path, sizeof(path), "/proc/%d/root", pid);
        for (int i = 0; i < 3000 && readlink(path, target, sizeof(target)) >= 0; i++)
                (void) nanosleep(&(struct timespec) { .tv_nsec = 10000000 }, NULL);
        ck_assert_int_lt(readlink(path, target, sizeof(target)), 0);
        return pid;
}

static inline void leaderless_end(pid_t pid) {
        (void) kill(pid, SIGKILL);
        ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}
