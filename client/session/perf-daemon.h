/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "parse-time.h"
#include "session-list.h"

/* The output of perf-daemon(1) about itself and its sessions, for scripts that read it. */

typedef struct PerfDaemon {
        pid_t pid;
        const char *base;
        usec_t start; /* µs since the epoch */
        usec_t now;   /* likewise; "up" is the number of minutes since start */
} PerfDaemon;

/* Prints the daemon's fields, then those of every running session, as "perf daemon -x" does. */
void perf_daemon_print_fields(FILE *f, const PerfDaemon *d, const SessionList *l, const char *separator);

/* Prints the same as lines, with the paths of files if verbose, as "perf daemon" and "perf daemon -v" do. */
void perf_daemon_print_lines(FILE *f, const PerfDaemon *d, const SessionList *l, bool verbose);

/* Asks a running service. ret->base points into *manager. On failure returns a negative errno, and bus_client_fail() prints
 * why. */
int perf_daemon_ask(BusClient *c, json_object **manager, PerfDaemon *ret);
