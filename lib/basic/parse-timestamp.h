/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* Reads a point in time:
 *
 * - as journalctl --since= takes it, systemd.time(7): "2026-11-21 10:53:18" or parts of that, with an optional weekday before it;
 *   "now", "today", "yesterday", "tomorrow", "@SECONDS", "-5min", "+5min", "5min ago"; and a bare span, which lies in the past;
 * - as date(1), journalctl(1) and log files print it: "2026-11-21T10:53:18Z", "2026-11-21 10:53:18,5+02:00", "Nov 21 10:53:18",
 *   "2026/11/21 10:53:18", "Sat Nov 21 10:53:18 AM UTC 2026", "Sat, 21 Nov 2026 10:53:18 +0000", "21/Nov/2026:10:53:18 +0000", in
 *   brackets too.
 *
 * Local time is assumed. A bare number of more than ten years of seconds is refused: it is a time, and lacks the "@". *ret: µs
 * since the epoch. -EINVAL, -ERANGE, -ENOMEM. */
int parse_timestamp(const char *s, usec_t now, usec_t *ret);

/* Writes two forms in quotes for a message on what was refused: "'2026-11-21 10:53:18' or '-5min'"; those that s lacked, if it is a
 * time without "@". buf is filled and returned. */
char *timestamp_examples(const char *s, char *buf, size_t size);
