/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "strv.h"

/* Kernel tracepoints by name, from tracefs. */

#define TRACEPOINT_NAME_MAX 255  /* bytes of a system's or an event's name */
#define TRACEPOINT_EVENTS_MAX 8192 /* that one pattern may match */

/* Where tracefs is mounted: /sys/kernel/tracing, /sys/kernel/debug/tracing, else what /proc/mounts says. -ENOENT. */
int tracefs_find(char **ret);

/* The number that perf_event_open(2) wants as config. root: tracefs. -ENOENT, -EACCES, -EINVAL: not a name. */
int tracepoint_id(const char *root, const char *system, const char *name, uint64_t *ret);

/* Names that match the pattern (* ? [] as perf has them), in the directory's order, as perf takes them. The two arrays are
 * of one length. A name without a pattern must exist. -ENOENT with d filled: nothing matches; -E2BIG. */
int tracepoint_expand(const char *root, const char *system, const char *name, char ***ret_systems, char ***ret_names, Diagnosis *d);

bool tracepoint_is_pattern(const char *s);
bool tracepoint_match(const char *s, const char *pattern);
