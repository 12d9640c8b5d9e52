/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "parse-time.h"

/* At most burst dumps in each interval, for each kind of trigger by itself: a trigger that comes often leaves the others
 * their dumps. Not set: TRIGGER_LIMIT_DEFAULT, and none for dumps that people ask for by request or control word. One of both 0:
 * no limit at all. */
typedef struct TriggerLimit {
        bool set;
        usec_t interval;
        unsigned burst;
} TriggerLimit;

#define TRIGGER_LIMIT_DEFAULT { .interval = USEC_PER_MINUTE, .burst = 5 }

#define TRIGGER_KINDS_MAX 32u /* further words count as one kind */

/* Dumps so far. Zero-initialise. */
typedef struct TriggerCounts {
        struct {
                char word[32];
                usec_t begin; /* of the interval, CLOCK_MONOTONIC */
                unsigned n;   /* dumps in it */
        } kinds[TRIGGER_KINDS_MAX];
        unsigned n_kinds;
} TriggerCounts;

/* Counts a dump for that kind. False: it is one too many; *ret_wait is how long until the next one is possible. */
bool trigger_counts_take(TriggerCounts *c, const TriggerLimit *limit, const char *word, usec_t now, usec_t *ret_wait);
