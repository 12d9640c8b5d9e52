/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Threads lie side by side, so that times begin again with each. A moment is a sample: a position between two of them has the time
 * of the one before, since what happened in the meantime was not sampled. */

#include "flame-scale.h"

#include <inttypes.h>
#include <time.h>

#include "parse-time.h"

#define DAY 86400u /* seconds */

static uint64_t first_time(const FrameTree *t) {
        uint64_t first = UINT64_MAX;

        for (size_t i = 0; i < t->moments.n; i++)
                first = MIN_OF(first, t->moments.moments[i].time);
        return first;
}

const FrameMoment *flame_scale_moment(const FrameTree *t, double weight) {
        const FrameMoment *moments = t->moments.moments;
        size_t behind = LOWER_BOUND(t->moments.n, i, (double) moments[i].at <= weight);

        return moments + (behind > 0 ? behind - 1 : 0);
}

int flame_scale_seconds(uint64_t nsec) {
        time_t seconds = (time_t) (nsec / NSEC_PER_SEC);
        struct tm tm;

        return localtime_r(&seconds, &tm) ? (tm.tm_hour * 60 + tm.tm_min) * 60 + tm.tm_sec : 0;
}

void flame_scale_time(uint64_t nsec, unsigned decimals, char buf[static FLAME_SCALE_LABEL_SIZE]) {
        unsigned day = (unsigned) flame_scale_seconds(nsec) % DAY, length = decimals > 0 ? 9 + MIN_OF(decimals, 9u) : 8;

        (void) snprintf(buf, FLAME_SCALE_LABEL_SIZE, "%02u:%02u:%02u.%09u", day / 3600, day / 60 % 60, day % 60,
                        (unsigned) (nsec % NSEC_PER_SEC));
        buf[length] = '\0';
}

void flame_scale_label(const FlamePicture *p, const FrameTree *t, const FrameMoment *m, char buf[static FLAME_SCALE_LABEL_SIZE]) {
        if (p->times_of_day)
                flame_scale_time(m->time, 3, buf);
        else
                (void) snprintf(buf, FLAME_SCALE_LABEL_SIZE, "%.3f s", (double) (m->time - first_time(t)) / NSEC_PER_SEC);
}

void flame_scale_put(const FlamePicture *p, const FrameTree *t, TextBuffer *out) {
        uint64_t first = first_time(t);

        if (p->times_of_day)
                first -= first % NSEC_PER_SEC; /* so that its time of day is a whole second */
        text_buffer_format(out, "%d", p->times_of_day ? flame_scale_seconds(first) : -1);
        for (size_t i = 0; i < t->moments.n; i++) {
                const FrameMoment *m = t->moments.moments + i;

                text_buffer_format(out, ",%" PRIu64 ",%" PRIu64 ",%d", m->at, (m->time - first) / NSEC_PER_USEC, m->first);
        }
}
