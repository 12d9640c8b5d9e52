/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"

/* A run of the service with the sessions and the base directory of a perfconfig file, as "perf daemon start" has it. It lasts
 * until perf_daemon_run_end() or the next boot. */

/* Restarts the service for a run. config and base are real paths; if config is NULL, the service has only the sessions of its
 * own directories. On failure prints why and leaves nothing behind. STATUS_OK or STATUS_FAILED. */
int perf_daemon_run_begin(const ClientOptions *o, const char *config, const char *base);

/* Removes the files of the run after the service has stopped. Does nothing without a run. */
int perf_daemon_run_end(const ClientOptions *o);
