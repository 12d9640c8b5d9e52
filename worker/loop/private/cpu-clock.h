/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A descriptor whose read(2) gives a count and the nanoseconds that an event has been enabled on a CPU: they stand still
 * once the kernel took the event off its CPU, and go on standing still when that is online again. -ENODEV: it is
 * offline; what perf_event_open(2) answers. */
int cpu_clock_open(int cpu);
