/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A chart of millions of samples needs no more moments than a picture has pixels. */

#include "frame-moments.h"

#include "array.h"

void frame_moments_done(FrameMoments *m) {
        free(m->moments);
        *m = (FrameMoments) {};
}

int frame_moments_add(FrameMoments *m, FrameMoment sample) {
        const FrameMoment *last = m->n > 0 ? m->moments + m->n - 1 : NULL;

        sample.first = !last || last->thread != sample.thread || last->group != sample.group;
        if (!sample.first && ++m->skipped < m->step)
                return 0;
        if (ARRAY_RESERVE(m->moments, m->allocated, m->n + 1) < 0)
                return -ENOMEM;
        m->skipped = 0;
        m->moments[m->n++] = sample;
        return 0;
}

static int compare_moments(const void *a, const void *b) {
        const FrameMoment *x = a, *y = b;

        return x->at < y->at ? -1 : x->at > y->at;
}

void frame_moments_place(FrameMoments *m, const uint64_t *begins) {
        for (size_t i = 0; i < m->n; i++)
                m->moments[i].at += begins[m->moments[i].group];
        if (m->n > 0)
                qsort(m->moments, m->n, sizeof(*m->moments), compare_moments);
}
