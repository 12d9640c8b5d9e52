/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Losses are sorted by when they ended. That the earliest begin of all later ones is kept with each makes a look-up one search. */

#include "record-losses.h"

#include "array.h"

#define LOSS_CPUS_MAX 65536u

void record_losses_done(RecordLosses *l) {
        free(l->losses);
        free(l->last);
        *l = (RecordLosses) {};
}

int record_losses_add(RecordLosses *l, uint32_t cpu, uint64_t end) {
        if (ARRAY_RESERVE(l->losses, l->allocated, l->n + 1) < 0)
                return -ENOMEM;
        l->losses[l->n++] = (RecordLoss) { .end = end, .cpu = cpu };
        return 0;
}

static int losses_compare(const void *a, const void *b) {
        const RecordLoss *x = a, *y = b;

        return x->end < y->end ? -1 : x->end > y->end;
}

int record_losses_begin(RecordLosses *l) {
        l->last = calloc(LOSS_CPUS_MAX, sizeof(*l->last));
        if (!l->last)
                return -ENOMEM;
        if (l->n > 0)
                qsort(l->losses, l->n, sizeof(*l->losses), losses_compare);
        l->dated = 0;
        l->n_to_date = l->n;
        return 0;
}

/* Dates those that ended up to that time. */
static void losses_date(RecordLosses *l, uint64_t time) {
        for (; l->dated < l->n_to_date && l->losses[l->dated].end <= time; l->dated++) {
                RecordLoss *loss = l->losses + l->dated;

                loss->begin = loss->cpu < LOSS_CPUS_MAX ? l->last[loss->cpu] : 0;
        }
}

int record_losses_pass(RecordLosses *l, uint32_t cpu, uint64_t time, bool beginnings) {
        losses_date(l, time);
        if (cpu >= LOSS_CPUS_MAX)
                return 0;
        if (beginnings && l->last[cpu] == 0 && record_losses_add(l, cpu, time) < 0)
                return -ENOMEM;
        l->last[cpu] = time;
        return 0;
}

void record_losses_end(RecordLosses *l) {
        losses_date(l, UINT64_MAX);
        if (l->n > l->n_to_date)
                qsort(l->losses, l->n, sizeof(*l->losses), losses_compare);
        for (size_t i = l->n; i-- > 0;)
                l->losses[i].earliest = i + 1 < l->n ? MIN_OF(l->losses[i].begin, l->losses[i + 1].earliest) : l->losses[i].begin;
        free(steal_ptr(l->last));
}

bool record_losses_during(const RecordLosses *l, uint64_t since, uint64_t until) {
        size_t i = LOWER_BOUND(l->n, k, l->losses[k].end <= since);

        return i < l->n && l->losses[i].earliest < until;
}
