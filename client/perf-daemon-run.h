/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "client-options.h"

/* A run of the service with the sessions and the base directory of a perfconfig file, as "perf daemon start" asks for it:
 * until perf_daemon_run_end(), or the next boot. */

/* Restarts the service so. config and base are real paths; config may be NULL: no sessions but those of the service's own
 * directories. On failure it has said why, and nothing is left behind. STATUS_OK or STATUS_FAILED. */
int perf_daemon_run_begin(const ClientOptions *o, const char *config, const char *base);

/* Takes back what the former left, once the service has ended. Without a run it does nothing. */
int perf_daemon_run_end(const ClientOptions *o);
