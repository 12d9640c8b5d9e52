/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "parse-time.h"
#include "program.h"

/* Calendar events, systemd.time(7), as systemd itself reads them: systemd-analyze(1) is asked, some ms each time. */

#define CALENDAR_TIMEOUT_USEC (2 * USEC_PER_SEC)

/* The first time after from that expression names, both in µs since the epoch; USEC_INFINITY: never again. -EINVAL: not a
 * calendar event, d has systemd's words for it; -ENOENT: there is no systemd-analyze; -ETIMEDOUT: it was killed after 2 s;
 * what posix_spawn(3) answers. Waits for the answer. */
int calendar_next(const char *expression, usec_t from, usec_t *ret, Diagnosis *d);

/* The same in two steps, for those that must not wait: asks, and takes the answer when the program's pidfd is readable or
 * CALENDAR_TIMEOUT_USEC have passed. */
int calendar_ask(const char *expression, usec_t from, Program *ret, Diagnosis *d);
int calendar_take_answer(Program *p, const char *expression, usec_t *ret, Diagnosis *d);

/* What it prints, for tests. -EBADMSG. */
int calendar_parse_answer(const char *text, usec_t *ret);
