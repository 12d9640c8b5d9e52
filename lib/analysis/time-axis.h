/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "wall-clock.h"

/* One axis of time for several recordings: that of the time of day if they know it. Those that do not are on none with others.
 * Zero-initialise. */
typedef struct TimeAxis {
        WallClock clock; /* of the recording that is read */
        bool wall;       /* times are nanoseconds since the epoch, otherwise those of the recordings' clock */
        bool begun;
} TimeAxis;

/* Begins another recording. 0; -EOPNOTSUPP: only one of it and of those before knows the time of day. */
static inline int time_axis_begin_recording(TimeAxis *a, const PerfDataReader *reader) {
        bool wall = wall_clock_read(reader, &a->clock) >= 0;

        if (a->begun && a->wall != wall)
                return -EOPNOTSUPP;
        a->wall = wall;
        a->begun = true;
        return 0;
}

static inline uint64_t time_axis_of(const TimeAxis *a, uint64_t time) {
        return a->wall ? wall_clock_from_time(&a->clock, time) : time;
}
