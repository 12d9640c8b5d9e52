/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"

typedef struct EventOps EventOps;

/* Checks that this kernel opens the event for sampling: opens it for this process, or on the CPU that it needs, and
 * closes it at once. 0, or the error of perf_event_open(2), or -EOPNOTSUPP if it can only be counted; d has the reason
 * and a remedy. Permission for user level is enough. ops NULL: the kernel. */
int event_check(const EventSpec *spec, const EventOps *ops, Diagnosis *d);
