/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The counts of a merged recording. Each recording has counts since its own beginning, so what a round counted is the difference
 * to the round before it, and the merged file has the sums of these. A round of a time that an earlier recording has, too, is left
 * out, but the next round begins with it. So the file has what was counted in the time of the recordings, each once, and nothing
 * of the time between them.
 *
 * Invariant: all rounds count the same events at the same places, in the same order. */

#include "array.h"
#include "merge-parts.h"

void merged_counts_done(MergedCounts *c) {
        free(c->places);
        record_set_done(&c->rounds);
}

void merged_counts_begin(MergedCounts *c) {
        c->n_now = 0;
        for (size_t i = 0; i < c->n; i++)
                memset(c->places[i].last, 0, sizeof(c->places[i].last));
}

int merged_counts_take(MergedCounts *c, const PerfRecordStat *stat, Diagnosis *d) {
        MergedPlace *p;

        if (c->n_now == c->n && !c->complete) {
                if (ARRAY_RESERVE_NEXT(c->places, c->n) < 0)
                        return -ENOMEM;
                c->places[c->n++] = (MergedPlace) { .id = stat->id, .cpu = stat->cpu, .thread = stat->thread };
        }
        p = c->n_now < c->n ? &c->places[c->n_now++] : NULL;
        if (!p || p->id != stat->id || p->cpu != stat->cpu || p->thread != stat->thread)
                return diagnosis_set(d, -EOPNOTSUPP, "Their counts are of different events or CPUs");
        memcpy(p->now, (const uint64_t[]) { stat->value, stat->enabled, stat->running }, sizeof(p->now));
        return 0;
}

static void counts_add_round(MergedCounts *c, bool wanted) {
        for (size_t i = 0; i < c->n; i++) {
                MergedPlace *p = &c->places[i];

                for (size_t k = 0; k < ELEMENTSOF(p->sum) && wanted; k++)
                        p->sum[k] += p->now[k] - MIN_OF(p->now[k], p->last[k]);
                memcpy(p->last, p->now, sizeof(p->last));
        }
}

int merged_counts_end_round(MergedCounts *c, const PerfRecordStatRound *round, bool wanted, RecordBuffer *out, Diagnosis *d) {
        uint64_t time = round->time;
        int is_new = record_set_put(&c->rounds, &time, sizeof(time));

        if (is_new < 0)
                return is_new;
        if (c->n_now != c->n)
                return diagnosis_set(d, -EOPNOTSUPP, "Their counts are of different events or CPUs");
        if (is_new && time < c->end)
                return diagnosis_set(d, -EOPNOTSUPP, "They counted in the same time, but apart from each other");
        c->complete = true;
        c->n_now = 0;
        c->end = MAX_OF(c->end, time);
        counts_add_round(c, wanted && is_new);
        for (size_t i = 0; i < c->n && wanted && is_new; i++)
                (void) record_put_stat(out, c->places[i].id, c->places[i].cpu, c->places[i].thread, c->places[i].sum);
        if (wanted && is_new)
                (void) record_put_stat_round(out, round->kind == STAT_ROUND_FINAL, time);
        return out->error < 0 ? out->error : is_new;
}
