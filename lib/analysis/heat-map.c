/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A throttled event runs again at the next tick, when the kernel says so (perf_event_open(2), PERF_RECORD_UNTHROTTLE). A record
 * that says so may be lost: a span of throttling that would be longer than a second is one tick.
 *
 * When records were lost is known by its end, when the next one had room again. */

#include "heat-map.h"

#include "array.h"
#include "parse-time.h"

#define THROTTLED_MAX NSEC_PER_SEC
#define TICK (10 * NSEC_PER_MSEC) /* with CONFIG_HZ=100, the longest */

const char *heat_gap_kind_to_string(HeatGapKind kind) {
        static const char *const words[_HEAT_GAP_KIND_MAX] = {
                [HEAT_LOST] = "lost", [HEAT_THROTTLED] = "throttled", [HEAT_LENT] = "lent", [HEAT_BETWEEN] = "not recorded",
        };

        return words[kind];
}

int heat_map_add_gap(HeatMap *m, HeatGap gap) {
        if (ARRAY_RESERVE(m->gaps, m->allocated_gaps, m->n_gaps + 1) < 0)
                return -ENOMEM;
        gap.until = MAX_OF(gap.until, gap.since);
        m->gaps[m->n_gaps++] = gap;
        return 0;
}

/* Adds the throttling that begins with the first of these marks. */
static int add_throttling(HeatMap *m, const TimelineMark *marks, size_t n) {
        HeatGap gap = { HEAT_THROTTLED, marks->time, marks->time + TICK, 0 };
        size_t i = 1;

        while (i < n && marks[i].kind != TIMELINE_UNTHROTTLED)
                i++;
        if (i < n && marks[i].time - marks->time <= THROTTLED_MAX)
                gap.until = marks[i].time;
        return heat_map_add_gap(m, gap);
}

int heat_map_add_losses(HeatMap *m, Timeline *t) {
        const TimelineMark *marks;
        size_t n;
        int r = 0;

        timeline_sort_marks(t);
        marks = timeline_marks(t, TIMELINE_NO_THREAD, TIMELINE_NO_THREAD, &n);
        for (size_t i = 0; r >= 0 && i < n; i++)
                if (marks[i].kind == TIMELINE_LOST)
                        r = heat_map_add_gap(m, (HeatGap) { HEAT_LOST, marks[i].time, marks[i].time, marks[i].value });
                else if (marks[i].kind == TIMELINE_THROTTLED)
                        r = add_throttling(m, marks + i, n - i);
        return r;
}

static int heat_compare_gaps(const void *a, const void *b) {
        const HeatGap *x = a, *y = b;

        return x->since != y->since ? (x->since < y->since ? -1 : 1) : x->kind < y->kind ? -1 : x->kind > y->kind;
}

/* Callers were added before what they call. */
static int find_idle(HeatMap *m) {
        const FrameTree *t = m->tree;

        m->idle = calloc(t->n, sizeof(*m->idle));
        if (!m->idle)
                return -ENOMEM;
        for (uint32_t i = 1; i < t->n; i++)
                m->idle[i] = m->idle[t->nodes[i].parent] || frame_tree_frame(t, i)->kind == FRAME_IDLE;
        return 0;
}

int heat_map_finish(HeatMap *m) {
        size_t kept = 0;

        if (find_idle(m) < 0)
                return -ENOMEM;
        m->first = UINT64_MAX;
        for (MomentWalk w = {}; sample_moments_next(m->moments, &w);)
                if (heat_map_counts(m, &w)) {
                        m->first = MIN_OF(m->first, w.time);
                        m->last = w.time;
                        m->busy = m->busy || (!m->latencies && !m->idle[m->ends[w.row]]);
                }
        for (size_t i = 0; i < m->n_gaps; i++) {
                HeatGap gap = m->gaps[i];

                if (gap.since > m->last || gap.until < m->first)
                        continue;
                gap.since = MAX_OF(gap.since, m->first);
                gap.until = MIN_OF(gap.until, m->last);
                m->gaps[kept++] = gap;
        }
        m->n_gaps = kept;
        if (kept > 0)
                qsort(m->gaps, kept, sizeof(*m->gaps), heat_compare_gaps);
        return 0;
}

void heat_map_done(HeatMap *m) {
        free(m->gaps);
        free(m->idle);
        *m = (HeatMap) {};
}
