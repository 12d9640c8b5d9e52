/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <time.h>
#include "diagnosis.h"

/* The clock of samples' times, for -k and ClockID=: a name as perf takes it, with or without CLOCK_ before it and in any
 * case (monotonic, mono, monotonic_raw, raw, realtime, real, boottime, boot, tai), or a number. -EINVAL: there is no such
 * name, or this machine no such clock. */
int clock_name_parse(const char *s, clockid_t *ret, Diagnosis *d);
