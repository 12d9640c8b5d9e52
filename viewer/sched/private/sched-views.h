/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sched-options.h"

/* The views of sched. Each reads the recordings, and returns the exit status. */
int sched_timehist(const SchedOptions *o);
int sched_latency(const SchedOptions *o);
int sched_map(const SchedOptions *o);
int sched_blame(const SchedOptions *o);
int sched_replay(const SchedOptions *o);
int lock_contention(const SchedOptions *o);
