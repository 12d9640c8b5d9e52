/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* The recorder under SCHED_FIFO: -r. What it forks afterwards is ordinary again. */

int realtime_check_priority(unsigned priority, Diagnosis *d); /* -ERANGE */

/* Whether realtime_begin() would do; d says why not. Nothing is different afterwards. */
int realtime_try(unsigned priority, Diagnosis *d);
int realtime_begin(unsigned priority, Diagnosis *d);
