/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* Reads a timestamp as journalctl --since= takes it, systemd.time(7): "2026-11-21 10:53:18" or parts of that, with an optional
 * weekday before and "UTC" behind it; "now", "today", "yesterday", "tomorrow", "@SECONDS", "-5min", "+5min", "5min ago"; and
 * a bare span, which lies in the past. Local time is assumed. *ret: µs since the epoch. -EINVAL, -ERANGE. */
int parse_timestamp(const char *s, usec_t now, usec_t *ret);
