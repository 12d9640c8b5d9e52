/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The two clocks are taken to run equally fast, as perf does: a recording has one pair of times. */

#include "wall-clock.h"

#include "feature-cursor.h"

#define VERSION 1u

int wall_clock_read(const PerfDataReader *reader, WallClock *ret) {
        uint32_t version, clock;
        FeatureCursor c;
        WallClock read;

        if (feature_cursor_init(&c, reader, PERF_FEATURE_CLOCK_DATA) < 0 || !feature_cursor_u32(&c, &version) ||
            version != VERSION || !feature_cursor_u32(&c, &clock) || !feature_cursor_u64(&c, &read.wall) ||
            !feature_cursor_u64(&c, &read.time))
                return -ENODATA;
        *ret = read;
        return 0;
}

/* Returns t as far from "to" as it is from "from". */
static uint64_t clock_shift(uint64_t t, uint64_t from, uint64_t to) {
        uint64_t distance = t >= from ? t - from : from - t, moved;

        if (t < from)
                return distance < to ? to - distance : 0;
        return __builtin_add_overflow(to, distance, &moved) ? UINT64_MAX : moved;
}

uint64_t wall_clock_to_time(const WallClock *c, uint64_t wall) {
        return clock_shift(wall, c->wall, c->time);
}

uint64_t wall_clock_from_time(const WallClock *c, uint64_t time) {
        return clock_shift(time, c->time, c->wall);
}
