/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* The counters of a CPU that are scarce, so that sessions lend them: those of its PMU, and its breakpoint registers. */
typedef enum CounterKind {
        COUNTER_HARDWARE,
        COUNTER_BREAKPOINT,
        _COUNTER_KIND_MAX,
        _COUNTER_KIND_INVALID = -EINVAL,
} CounterKind;

#define COUNTER_CLAIM_MAX 64u /* counters of each CPU; none has more */

const char *counter_kind_to_string(CounterKind kind); /* "hardware", "breakpoint" */
CounterKind counter_kind_from_string(const char *s);
const char *counter_kind_describe(CounterKind kind); /* for sentences: "hardware counters" */

/* A claim as Reserve on the bus takes it: a kind, and after ":" the number of counters that each CPU must have free, 1 by
 * default. -EINVAL: d says why. */
int counter_claim_parse(const char *s, CounterKind *ret_kind, unsigned *ret_n, Diagnosis *d);
