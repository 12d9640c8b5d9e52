/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "parse-time.h"
#include "session-list.h"

/* What perf daemon prints of itself and its sessions (perf-daemon(1)), for scripts that read it. */

typedef struct PerfDaemon {
        pid_t pid;
        const char *base;
        usec_t start; /* µs since the epoch */
        usec_t now;   /* likewise: "up" is the minutes between them */
} PerfDaemon;

/* The daemon's fields, then those of every session that runs, as "perf daemon -x" has them. */
void perf_daemon_print_fields(FILE *f, const PerfDaemon *d, const SessionList *l, const char *separator);

/* The same in lines: what runs, and if verbose where its files are, as "perf daemon" and "perf daemon -v" have them. */
void perf_daemon_print_lines(FILE *f, const PerfDaemon *d, const SessionList *l, bool verbose);

/* Asks a service that runs. The base is within *manager. On failure: a negative errno, bus_client_fail() knows why. */
int perf_daemon_ask(BusClient *c, json_object **manager, PerfDaemon *ret);
