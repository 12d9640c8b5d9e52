/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"
#include "parse-time.h"

#define PRESSURE_WINDOW_MIN (500 * USEC_PER_MSEC) /* the kernel's limits */
#define PRESSURE_WINDOW_MAX (10 * USEC_PER_SEC)

/* "THRESHOLD/WINDOW", as 150ms/1s: how long tasks had to wait within a window of time, as the kernel's triggers of
 * pressure take it. -EINVAL: d says why. */
int parse_pressure(const char *s, usec_t *ret_threshold, usec_t *ret_window, Diagnosis *d);
