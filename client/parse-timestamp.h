/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* A point in time as journalctl --since= takes it, systemd.time(7): "2026-11-21 10:53:18", parts of that, with a weekday
 * before and "UTC" behind it; "now", "today", "yesterday", "tomorrow", "@SECONDS", "-5min", "+5min", "5min ago"; and a span
 * alone, which is so long ago. Local time. µs since the epoch in *ret. -EINVAL, -ERANGE. */
int parse_timestamp(const char *s, usec_t now, usec_t *ret);
