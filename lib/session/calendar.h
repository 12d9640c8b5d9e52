/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "parse-time.h"
#include "program.h"

/* Calendar events, systemd.time(7), as systemd itself parses them: systemd-analyze(1) is run, which takes some ms each
 * time. */

#define CALENDAR_TIMEOUT_USEC (2 * USEC_PER_SEC)

/* Returns the first time of the expression after from, both in µs since the epoch; USEC_INFINITY: never again.
 * -EINVAL: it is no calendar event, d has systemd's message; -ENOENT: there is no systemd-analyze; -ETIMEDOUT: it was
 * killed after 2 s; and errors of posix_spawn(3). Waits for the program. */
int calendar_next(const char *expression, usec_t from, usec_t *ret, Diagnosis *d);

/* The same in two steps, for callers that must not wait: the first one starts the program, the second one takes its
 * answer when its pidfd is readable or CALENDAR_TIMEOUT_USEC have passed. */
int calendar_ask(const char *expression, usec_t from, Program *ret, Diagnosis *d);
int calendar_take_answer(Program *p, const char *expression, usec_t *ret, Diagnosis *d);

/* Parses the output of systemd-analyze, for tests. -EBADMSG. */
int calendar_parse_answer(const char *text, usec_t *ret);
