/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A base is a time; it has the moments that follow for some seconds, as long as they do not go back behind it. */

#include "sample-moments.h"

#include <stdlib.h>

#include "array.h"

int sample_moments_add(SampleMoments *m, uint64_t time, uint32_t row) {
        uint64_t base = m->n_bases > 0 ? m->bases[m->n_bases - 1].time : 0;

        if (m->n_bases == 0 || time < base || time - base > UINT32_MAX) {
                if (ARRAY_RESERVE(m->bases, m->allocated_bases, m->n_bases + 1) < 0)
                        return -ENOMEM;
                m->bases[m->n_bases++] = (MomentBase) { .first = m->n, .time = base = time };
        }
        if (ARRAY_RESERVE(m->moments, m->allocated, m->n + 1) < 0)
                return -ENOMEM;
        m->moments[m->n++] = (PackedMoment) { .row = row, .delta = (uint32_t) (time - base) };
        return 0;
}

void sample_moments_done(SampleMoments *m) {
        free(m->moments);
        free(m->bases);
        *m = (SampleMoments) {};
}

static int compare_moments(const void *a, const void *b) {
        const MomentWalk *x = a, *y = b;

        return x->time != y->time ? (x->time < y->time ? -1 : 1) : x->number < y->number ? -1 : x->number > y->number;
}

/* Samples of a recording come in the order of time, and recordings often do, too: then nothing is to be sorted. */
int sample_moments_sort(SampleMoments *m) {
        _cleanup_(sample_moments_done) SampleMoments sorted = {};
        _cleanup_free_ MomentWalk *all = NULL;
        MomentWalk w = {};
        uint64_t last = 0;
        bool ordered = true;
        int r = 0;

        while (sample_moments_next(m, &w)) {
                ordered = ordered && w.time >= last;
                last = w.time;
        }
        if (ordered)
                return 0;
        all = calloc(m->n, sizeof(*all));
        if (!all)
                return -ENOMEM;
        for (w = (MomentWalk) {}; sample_moments_next(m, &w);)
                all[w.number] = w;
        qsort(all, m->n, sizeof(*all), compare_moments);
        for (size_t i = 0; r >= 0 && i < m->n; i++)
                r = sample_moments_add(&sorted, all[i].time, all[i].row);
        if (r < 0)
                return r;
        sample_moments_done(m);
        *m = sorted;
        sorted = (SampleMoments) {};
        return 0;
}
