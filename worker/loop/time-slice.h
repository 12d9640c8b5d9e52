/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Asks the scheduler for short time slices, so that the recorder runs soon after it wakes up. Does nothing before
 * Linux 6.12, or if the process has another scheduling policy than SCHED_OTHER. */
void time_slice_shorten(void);
