/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "cleanup.h"

/* perfctl as a process, on a private bus with the mock service. Failures here fail the test. */

typedef struct Fixture {
        char *dir;     /* scratch: bus, log of the mock, session files in sessions.d */
        pid_t bus;
        pid_t service; /* 0: it does not run */
        pid_t systemd; /* 0: it is not on the bus */
} Fixture;

/* Starts a bus without a service, and sets the environment for perfctl. The bus can start the service if it is
 * installed. */
void fixture_init(Fixture *f, bool installed);
void fixture_done(Fixture *f);

/* Starts the mock and waits until it has its name. */
void fixture_start_service(Fixture *f);

/* Starts a mock of systemd, in which the service's unit has that "ActiveState/SubState"; of several, as in
 * "activating/start>active/running", perfctl sees the next at each look. */
void fixture_start_systemd(Fixture *f, const char *unit_state);

bool fixture_service_runs(const Fixture *f);

/* The output of a run of perfctl, and its exit status. */
typedef struct Run {
        char *out, *err;
        int status;
} Run;

/* Runs "perfctl ARGUMENTS" in a shell. */
Run perfctl(const char *arguments);
void run_done(Run *r);
#define _cleanup_run_ _cleanup_(run_done)

/* Runs it too, and requires these out, err and status; NULL: any. */
void expect(const char *arguments, int status, const char *out, const char *err);
/* Runs it too, and requires that out and err contain these. */
void expect_like(const char *arguments, int status, const char *out, const char *err);

/* Requires these calls since the last time, a line each. */
void expect_calls(const Fixture *f, const char *calls);
