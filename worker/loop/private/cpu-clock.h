/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Returns a descriptor from which read(2) gets a count and the nanoseconds that an event has been enabled on a CPU.
 * They stand still once the kernel has taken the event off the CPU, also when that is online again. -ENODEV: the CPU
 * is offline; other errors are those of perf_event_open(2). */
int cpu_clock_open(int cpu);
