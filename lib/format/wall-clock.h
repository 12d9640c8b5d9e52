/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* Relates a recording's clock to the time of day (CLOCK_DATA): both times are of the same moment. */
typedef struct WallClock {
        uint64_t wall, time; /* ns since the epoch, and of the recording's clock */
} WallClock;

/* 0; -ENODATA: the recording does not say. */
int wall_clock_read(const PerfDataReader *reader, WallClock *ret);

/* Converts from one to the other. What would be before 0 is 0, and what would be behind the last one is the last one. */
uint64_t wall_clock_to_time(const WallClock *c, uint64_t wall);
uint64_t wall_clock_from_time(const WallClock *c, uint64_t time);
