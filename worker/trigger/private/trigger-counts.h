/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "trigger.h"

/* The dumps that triggers had lately, by which a TriggerLimit is kept. */

#define TRIGGER_KINDS_MAX 32u  /* in an interval of the limit; further words count as one kind */
#define TRIGGER_UNITS_MAX 256u /* likewise; further units count with their kind */

/* The dumps of one kind of trigger or of one unit. */
typedef struct TriggerCount {
        uint64_t key;  /* a hash of its name: two of the same hash share their dumps */
        usec_t begin;  /* of the interval, CLOCK_MONOTONIC */
        unsigned n;    /* dumps in it; 0: not used */
        bool of_unit;  /* of the unit that is the cause; otherwise of the kind */
        bool refused;  /* a trigger was, in it */
} TriggerCount;

/* Zero-initialise. */
typedef struct TriggerCounts {
        TriggerCount kinds[TRIGGER_KINDS_MAX], units[TRIGGER_UNITS_MAX];
} TriggerCounts;

/* Returns the count to which a dump for the trigger belongs. The caller adds to it. */
TriggerCount *trigger_counts_find(TriggerCounts *c, const Trigger *trigger, usec_t interval, usec_t now);

/* Returns a sentence for people: how many dumps the trigger had, and when the next one is possible. NULL: no memory. */
char *trigger_count_describe(const TriggerCount *count, const TriggerLimit *limit, const Trigger *trigger, usec_t now);
