/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "strv.h"

/* Kernel tracepoints by name, from tracefs. */

#define TRACEPOINT_NAME_MAX 255  /* bytes of a system's or an event's name */
#define TRACEPOINT_EVENTS_MAX 8192 /* limit for one pattern */

/* Finds the mount of tracefs: /sys/kernel/tracing, /sys/kernel/debug/tracing, otherwise in /proc/mounts. -ENOENT. */
int tracefs_find(char **ret);

/* Reads the number that perf_event_open(2) takes as config. root: tracefs. -ENOENT, -EACCES, -EINVAL: not a name. */
int tracepoint_id(const char *root, const char *system, const char *name, uint64_t *ret);

/* Lists the names of its fields, which filters use, the common ones first. */
int tracepoint_fields(const char *root, const char *system, const char *name, char ***ret);

/* Lists the fields that are its own as the kernel declares them: "char prev_comm[16]". */
int tracepoint_declarations(const char *root, const char *system, const char *name, char ***ret);

typedef struct Tracepoint {
        char *system, *name;
        uint64_t id;
} Tracepoint;

/* Lists the matches of a pattern (* ? [] as perf has them), in the directories' order, as perf does; a name without a
 * pattern must exist. -ENOENT: nothing matches, -EACCES, -EINVAL: not a name, -E2BIG; d is filled. */
int tracepoint_expand(const char *root, const char *system, const char *name, Tracepoint **ret, size_t *ret_n, Diagnosis *d);
Tracepoint *tracepoints_free(Tracepoint *t, size_t n);

/* Lists the names of a system's events, or (NULL) of all systems; sorted. -ENOENT: no such system. */
int tracepoint_list(const char *root, const char *system, char ***ret);

bool tracepoint_is_pattern(const char *s);

/* Returns whether an event is one of system calls, as "raw_syscalls:sys_enter". The kernel shows everybody those of his own
 * processes, if he may record the kernel. */
bool tracepoint_is_syscall(const char *event);
