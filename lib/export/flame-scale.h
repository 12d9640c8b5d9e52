/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flame-picture.h"

/* The scale of times of a flame chart, whose frames are in the order of time. */

static inline bool flame_scale_is_known(const FrameTree *t) {
        return t->moments.n > 0;
}

/* Returns the moment of the last sample that begins at that weight or before it. */
const FrameMoment *flame_scale_moment(const FrameTree *t, double weight);

#define FLAME_SCALE_LABEL_SIZE ((size_t) 32)

/* Writes "10:01:12.250" to buf, or, if the recording does not know the time of day, "1.250 s" since the earliest sample. */
void flame_scale_label(const FlamePicture *p, const FrameTree *t, const FrameMoment *m, char buf[static FLAME_SCALE_LABEL_SIZE]);

/* Writes the local time of day, "10:01:12.250", of nanoseconds since the epoch; decimals: of the seconds, at most 9. */
void flame_scale_time(uint64_t nsec, unsigned decimals, char buf[static FLAME_SCALE_LABEL_SIZE]);
/* Returns it in whole seconds. */
int flame_scale_seconds(uint64_t nsec);

/* Puts what a script needs to do the same: the local time of day of the earliest sample in seconds, or -1, then of each moment the
 * weight before it, the microseconds since the earliest one, and 1 if it is the first one of a thread; all separated by commas. */
void flame_scale_put(const FlamePicture *p, const FrameTree *t, TextBuffer *out);
