/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "event-spec.h"

typedef struct EventOps EventOps;

/* Whether this kernel opens the event for sampling: tried on this process, or on the CPU that the event needs, and closed
 * at once. 0, or the error of perf_event_open(2), or -EOPNOTSUPP where it can be counted only; d says what it means and
 * what would help. Permission for user level alone is enough. ops NULL: the kernel. */
int event_check(const EventSpec *spec, const EventOps *ops, Diagnosis *d);
