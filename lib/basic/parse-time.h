/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <inttypes.h>
#include <time.h>
#include "cleanup.h"

typedef uint64_t usec_t;

#define USEC_INFINITY UINT64_MAX
#define USEC_PER_MSEC UINT64_C(1000)
#define USEC_PER_SEC UINT64_C(1000000)
#define USEC_PER_MINUTE (60 * USEC_PER_SEC)
#define NSEC_PER_USEC UINT64_C(1000)
#define NSEC_PER_MSEC UINT64_C(1000000)
#define NSEC_PER_SEC UINT64_C(1000000000)

/* A time span of systemd.time(7): "2min 200ms", "1.5h", "infinity"; a number without a unit is seconds. -EINVAL, -ERANGE. */
int parse_timespan(const char *s, usec_t *ret);

usec_t now_usec(clockid_t clock);
uint64_t now_nsec(clockid_t clock);

/* "2min 5s", at most two units, as systemctl shows ages; "infinity". buf is filled and returned. */
char *format_timespan(char *buf, size_t size, usec_t t);

/* "850us", "12.3ms", "3.21s", "2min 5s": three digits, or two units, of nanoseconds. buf is filled and returned. */
char *format_nsec(char *buf, size_t size, uint64_t nsec);

/* "Sat 2026-11-21 10:53:18 UTC" in local time, from µs since the epoch. buf is filled and returned. */
char *format_timestamp(char *buf, size_t size, usec_t realtime);
