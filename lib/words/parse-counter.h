/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "parse-time.h"

#define COUNTER_WINDOW_MIN (100 * USEC_PER_MSEC)
#define COUNTER_WINDOW_MAX (60 * USEC_PER_MINUTE)

/* "EVENT>NUMBER/TIME", as context-switches>200000/1s: how often an event may happen within a time. The event is in perf's grammar,
 * and a new string. -EINVAL: d says why. */
int parse_counter(const char *s, char **ret_event, uint64_t *ret_threshold, usec_t *ret_window, Diagnosis *d);
