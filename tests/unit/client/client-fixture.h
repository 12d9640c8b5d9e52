/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "cleanup.h"

/* perfctl as a process, on a private bus with the mock service. What fails in here fails the test. */

typedef struct Fixture {
        char *dir;     /* scratch: bus, log of the mock, session files in sessions.d */
        pid_t bus;
        pid_t service; /* 0: does not run */
} Fixture;

/* A bus without a service, and the environment for perfctl. The bus can start the service if it is installed. */
void fixture_init(Fixture *f, bool installed);
void fixture_done(Fixture *f);

/* Starts the mock and waits until it is there. */
void fixture_start_service(Fixture *f);
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

/* The same, and out, err and status must be these; NULL: whatever. */
void expect(const char *arguments, int status, const char *out, const char *err);
/* The same, and out and err must contain these. */
void expect_like(const char *arguments, int status, const char *out, const char *err);

/* The calls since the last time, a line each. */
void expect_calls(const Fixture *f, const char *calls);
