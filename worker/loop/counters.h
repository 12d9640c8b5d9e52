/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/counters.h>
#include "cleanup.h"

/* The live figures: on the daemon's page if it passed one, otherwise in the recorder's own memory, so that callers
 * need not ask. */
typedef struct Counters {
        PrCounters *page;
        int fd; /* of the daemon's page */
        PrCounters own;
        PrCounters previous; /* the figures of the recorder that had the daemon's page before; zeroes: none, or made zero */
} Counters;

/* Takes the descriptor named in the environment, which must be a file of a page at least, and zeroes the page after a
 * look at what is in it. Without
 * one, or with a wrong one, the figures stay in own. c must not move afterwards. */
void counters_open(Counters *c);
void counters_done(Counters *c);

static inline void counters_set(uint64_t *field, uint64_t value) {
        __atomic_store_n(field, value, __ATOMIC_RELAXED);
}

static inline void counters_add(uint64_t *field, uint64_t n) {
        counters_set(field, *field + n);
}
