/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* When samples were taken, and their rows of the sample table: millions of them, in eight bytes each. */

typedef struct PackedMoment {
        uint32_t row, delta; /* nanoseconds since the base that it belongs to */
} PackedMoment;

typedef struct MomentBase {
        size_t first; /* the number of the first moment that belongs to it */
        uint64_t time;
} MomentBase;

/* Zero-initialise. */
typedef struct SampleMoments {
        PackedMoment *moments;
        size_t n, allocated;
        MomentBase *bases;
        size_t n_bases, allocated_bases;
} SampleMoments;

int sample_moments_add(SampleMoments *m, uint64_t time, uint32_t row); /* 0, -ENOMEM */
/* Sorts them by time; of the same time, those that came first stay first. 0, -ENOMEM. */
int sample_moments_sort(SampleMoments *m);
void sample_moments_done(SampleMoments *m);

/* A walk over all, which begins with zeros. */
typedef struct MomentWalk {
        uint64_t time;
        size_t number; /* of the moment */
        uint32_t row;
        size_t next, base;
} MomentWalk;

/* Goes on to the first one, or the next one. False: that was all. */
static inline bool sample_moments_next(const SampleMoments *m, MomentWalk *w) {
        if (w->next >= m->n)
                return false;
        while (w->base + 1 < m->n_bases && m->bases[w->base + 1].first <= w->next)
                w->base++;
        w->number = w->next++;
        w->time = m->bases[w->base].time + m->moments[w->number].delta;
        w->row = m->moments[w->number].row;
        return true;
}
