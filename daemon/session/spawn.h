/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "cleanup.h"

/* Processes that are forked first and run later: the child waits at a gate until it is let through, and dies there with
 * the daemon. What it needs is made before the fork, so that the child makes system calls only. */

typedef struct SpawnRequest {
        const char *program;      /* absolute path */
        char *const *argv;
        char *const *environment; /* see spawn_environment() */
        int directory_fd;         /* its working directory */
        int output_fd;            /* its stdout and stderr */
        int counters_fd;          /* becomes SPAWN_COUNTERS_FD in the child; -EBADF: none */
        int takeover_fd;          /* becomes SPAWN_TAKEOVER_FD; -EBADF: none */
        int nice;                 /* INT_MIN: as the daemon's */
} SpawnRequest;

#define SPAWN_COUNTERS_FD 3
#define SPAWN_TAKEOVER_FD 4

typedef struct Spawned {
        pid_t pid;
        int pidfd;
        int gate_fd; /* non-blocking; closing it before spawn_release() ends the child */
} Spawned;

#define SPAWNED_EMPTY { .pidfd = -EBADF, .gate_fd = -EBADF }

int spawn_held(const SpawnRequest *r, Spawned *ret);

/* Lets the child exec. */
int spawn_release(int gate_fd);

/* Returns what became of it, once gate_fd is readable: 1 it runs the program; 0 not known yet; otherwise the errno of the step that
 * failed, which ret_step names. */
int spawn_result(int gate_fd, const char **ret_step);

/* The daemon's own environment without what its service manager meant only for the daemon, and these assignments
 * ("KEY=value"). */
int spawn_environment(char *const *assignments, char ***ret);

/* Once, before the first of them. Raises the soft limit of descriptors to the hard one, since a session costs the daemon five:
 * children get the old one back, and the default action of signals that are ignored now. */
void spawn_init(void);
