/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

#include <stdio.h>

/* How long ago that was, from µs since the epoch, in whole seconds; 0 if it is yet to come: clocks are set. */
static inline usec_t age_of(usec_t since) {
        usec_t now = now_usec(CLOCK_REALTIME);

        return now > since ? (now - since) / USEC_PER_SEC * USEC_PER_SEC : 0;
}

/* "2min 5s ago", "just now". buf is filled and returned. */
static inline char *format_age(char *buf, size_t size, usec_t since) {
        char span[64];

        if (age_of(since) == 0)
                (void) snprintf(buf, size, "just now");
        else
                (void) snprintf(buf, size, "%s ago", format_timespan(span, sizeof(span), age_of(since)));
        return buf;
}
