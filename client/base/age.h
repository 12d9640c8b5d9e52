/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

#include <stdio.h>

/* The age of a time in µs since the epoch, in whole seconds; 0 if it lies in the future, since clocks can be set back. */
static inline usec_t age_of(usec_t since) {
        usec_t now = now_usec(CLOCK_REALTIME);

        return now > since ? (now - since) / USEC_PER_SEC * USEC_PER_SEC : 0;
}

/* Writes "2min 5s ago" or "just now" to buf and returns it. */
static inline char *format_age(char *buf, size_t size, usec_t since) {
        char span[64];

        if (age_of(since) == 0)
                (void) snprintf(buf, size, "just now");
        else
                (void) snprintf(buf, size, "%s ago", format_timespan(span, sizeof(span), age_of(since)));
        return buf;
}
