/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "strv.h"

/* The target of a recording: CPUs, threads, or threads on CPUs, from perf record's -a -C -p -t -u --per-thread and the
 * command. */

#define TARGET_THREADS_MAX 65536
#define TARGET_UID_INVALID ((uid_t) -1)

typedef struct Target {
        bool all_cpus;          /* -a */
        bool per_thread;        /* --per-thread: a ring per thread instead of per CPU */
        int *cpus;              /* -C */
        size_t n_cpus;
        bool online_only;       /* offline CPUs of -C are left out, unless all are offline */
        pid_t *pids, *tids;     /* -p, -t */
        size_t n_pids, n_tids;
        uid_t uid;              /* -u */
        bool all_threads;       /* each thread that there is, on its own */
        pid_t command;          /* a child that waits before its exec, 0: none; with CPUs or threads it is only run */
} Target;

#define TARGET_EMPTY { .uid = TARGET_UID_INVALID }

int target_set_cpus(Target *t, const char *list, Diagnosis *d);  /* "0-3,5" */
int target_add_pids(Target *t, const char *list, Diagnosis *d);  /* "1,2" */
int target_add_tids(Target *t, const char *list, Diagnosis *d);
int target_set_user(Target *t, const char *user, Diagnosis *d);  /* a name or a number */
void target_done(Target *t);

bool target_has_cpu(const Target *t);   /* -a or -C */
bool target_has_task(const Target *t);  /* -p, -t or -u, or all threads */
bool target_is_command(const Target *t); /* only the command */

/* Resolves contradictions as perf does, with a sentence in *notes; an empty target becomes all_cpus. */
int target_check(Target *t, char ***notes);

/* Adds the online CPUs that a list lacks behind it, as a new array in place of *cpus. 0, -ENOMEM. */
int target_add_online_cpus(int **cpus, size_t *n_cpus);

/* Lists the CPUs (-1: any) and threads (-1: all) to open events on; each pair of them is one event. proc_root: NULL
 * for /proc. -ESRCH with d filled: there is no such process. */
int target_resolve(const Target *t, const char *proc_root, int **ret_cpus, size_t *ret_n_cpus,
                   pid_t **ret_tids, size_t *ret_n_tids, Diagnosis *d);
