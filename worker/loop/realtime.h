/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diagnosis.h"

/* The recorder under SCHED_FIFO: -r. Processes that it forks afterwards are not. */

int realtime_check_priority(unsigned priority, Diagnosis *d); /* -ERANGE */

/* Checks that realtime_begin() would succeed, and changes nothing; otherwise d says why. */
int realtime_try(unsigned priority, Diagnosis *d);
int realtime_begin(unsigned priority, Diagnosis *d);
