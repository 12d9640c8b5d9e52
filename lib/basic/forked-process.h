/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "cleanup.h"

/* A process that is forked to answer questions by a pair of sockets, because what it does with others' input may take any
 * amount of memory, or crash. It shows what this process had in memory when it was forked, and nothing that came later.
 * No other thread may run then: what it has locked would stay locked in the new process. */

typedef struct ForkedProcess {
        int fd;    /* the socket to ask it by; -EBADF: there is no process */
        pid_t pid; /* 0: likewise */
} ForkedProcess;

#define FORKED_PROCESS_EMPTY { .fd = -EBADF }

/* The descriptors that it has, besides 0, 1 and 2, which are /dev/null. */
#define FORKED_PROCESS_SOCKET (STDERR_FILENO + 1)
#define FORKED_PROCESS_FILE (STDERR_FILENO + 2)

typedef struct ForkedPlan {
        void (*serve)(void *userdata); /* in the new process, which fails if this returns; for success it exits with _exit(2) */
        void *userdata;
        int socket_type;  /* SOCK_SEQPACKET, SOCK_STREAM */
        bool has_file;
        int file_fd;      /* with has_file: what FORKED_PROCESS_FILE is there */
        uint64_t memory;  /* bytes of data that it may have, besides what it begins with */
} ForkedPlan;

/* Forks it. No signal is blocked in it, SIGPROF, SIGALRM and SIGXCPU end it, and SIGVTALRM is taken. 0, or a negative errno and *p
 * is empty. */
int forked_process_start(ForkedProcess *p, const ForkedPlan *plan);

/* In the process: ends it with SIGPROF when it has used so much more time of the processor; 0: nothing does. Returns what was left
 * of the time before. */
suseconds_t forked_process_limit_time(suseconds_t usec);

/* Closes the socket, upon which the process exits, also while it computes, and waits for that. An empty one is left alone. Returns
 * the microseconds of the processor that it used. */
uint64_t forked_process_end(ForkedProcess *p);
