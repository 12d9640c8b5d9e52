/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sample-table.h"
#include "thread-waits.h"

/* Prints how long threads were off the CPU, by what they waited for: a CPU, an uninterruptible sleep, a sleep, then other states.
 * A row has the threads of one name; rows with most time come first. columns: of the terminal that it is to fit, with few rows; 0:
 * all rows. 0, -ENOMEM. */
int report_waits_print(const SampleTable *t, const ThreadWaits *waits, unsigned columns, FILE *f);
