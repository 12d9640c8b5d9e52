/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* How long ago that was, from µs since the epoch, in whole seconds; 0 if it is yet to come: clocks are set. */
static inline usec_t age_of(usec_t since) {
        usec_t now = now_usec(CLOCK_REALTIME);

        return now > since ? (now - since) / USEC_PER_SEC * USEC_PER_SEC : 0;
}
