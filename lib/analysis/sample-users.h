/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sample-table.h"

/* Users of the time that samples stand for: sums by unit, and by the name of processes, the largest first. The time of idle
 * CPUs is in none of them. */
typedef struct SampleUser {
        const char *name;    /* the table's */
        uint64_t processes;  /* of that name; of a unit: those with samples in it */
        uint64_t count, period;
} SampleUser;

/* Sum over rows of the table, which it must distinguish by thread, and by control group. *ret is a new array; samples whose
 * unit is not known are in none of its units. 0, -ENOMEM. */
int sample_users_by_unit(const SampleTable *t, const uint32_t *rows, size_t n_rows, SampleUser **ret, size_t *ret_n);
int sample_users_by_process(const SampleTable *t, const uint32_t *rows, size_t n_rows, SampleUser **ret, size_t *ret_n);
