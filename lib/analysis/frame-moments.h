/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* When samples of a chart of frames were taken, by where they lie in it: what a scale of times is made of. Zero-initialise. */
typedef struct FrameMoment {
        uint64_t at;       /* the weight that lies before the sample; until they are placed, in its group */
        uint64_t time;
        uint32_t group;    /* the node of its innermost group */
        uint32_t thread;
        bool first;        /* of the thread there: time goes back, or does not follow */
} FrameMoment;

typedef struct FrameMoments {
        FrameMoment *moments;
        size_t n, allocated;
        size_t skipped, step; /* of step samples of a thread one is kept */
} FrameMoments;

#define FRAME_MOMENTS_MAX ((size_t) 4096) /* about: each thread has one at least */

/* Prepares for that many samples. */
static inline void frame_moments_begin(FrameMoments *m, size_t n_samples) {
        m->step = n_samples / FRAME_MOMENTS_MAX + 1;
}

/* Adds a sample, unless the one before it is near enough. 0, -ENOMEM. */
int frame_moments_add(FrameMoments *m, FrameMoment sample);

/* Sorts them by their places. begins: the weight before each group's node. */
void frame_moments_place(FrameMoments *m, const uint64_t *begins);
void frame_moments_done(FrameMoments *m);
