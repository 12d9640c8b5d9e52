/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include "cleanup.h"

/* Running processes as /proc shows them. root: the prefix of "/proc", "" for the real one. */

#define PROCESS_COMM_SIZE 16 /* bytes, with the NUL: TASK_COMM_LEN */

typedef struct Process {
        pid_t pid, ppid;
        char comm[PROCESS_COMM_SIZE];
        bool kernel;        /* a kernel thread: it maps nothing */
        unsigned n_threads;
} Process;

/* Parses the text of /proc/PID/stat. -EBADMSG: it has another format. */
int process_parse_stat(char *text, Process *ret);

/* -ENOENT, -ESRCH: it is gone. */
int process_read(const char *root, pid_t pid, Process *ret);

int process_read_comm(const char *root, pid_t pid, pid_t tid, char ret[static PROCESS_COMM_SIZE]);

/* Finds the process of a thread. */
int process_of_thread(const char *root, pid_t tid, pid_t *ret);

/* Lists the PIDs in /proc (pid 0), or the other threads of a process, in an allocated array in the directory's order. */
int process_list(const char *root, pid_t pid, pid_t **ret, size_t *ret_n);
