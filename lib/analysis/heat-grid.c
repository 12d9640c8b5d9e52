/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Steps of time are those of clocks: 1, 2 or 5 of a decimal unit up to a second, then parts of minutes, hours and days. */

#include "heat-grid.h"

#include <math.h>

#include "array.h"
#include "parse-time.h"

static const uint64_t steps_of_seconds[] = {
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400,
};

void heat_grid_done(HeatGrid *g) {
        free(g->counts);
        free(g->groups);
        free(g->percentiles);
        *g = (HeatGrid) {};
}

static bool heat_grid_counts(const HeatMap *m, const MomentWalk *w) {
        return heat_map_counts(m, w) && !(m->busy && m->idle[m->ends[w->row]]);
}

static size_t columns_between(uint64_t first, uint64_t last, uint64_t step) {
        return (size_t) (last / step - first / step) + 1;
}

/* Returns the next longer step; 0: there is none. */
static uint64_t next_step(uint64_t step) {
        for (uint64_t unit = NSEC_PER_USEC; unit < NSEC_PER_SEC; unit *= 10)
                if (step < 10 * unit)
                        return step < 2 * unit ? 2 * unit : step < 5 * unit ? 5 * unit : 10 * unit;
        for (size_t i = 0; i < ELEMENTSOF(steps_of_seconds); i++)
                if (step < steps_of_seconds[i] * NSEC_PER_SEC)
                        return steps_of_seconds[i] * NSEC_PER_SEC;
        return 0;
}

size_t heat_grid_steps_of(uint64_t step, size_t least) {
        uint64_t longer = step;

        while (longer > 0 && (longer % step != 0 || longer / step < least))
                longer = next_step(longer);
        return longer > 0 ? (size_t) (longer / step) : least;
}

/* Finds the latencies that have rows. Logarithmic rows begin at a microsecond's thousandth. */
static void find_latencies(HeatGrid *g, const HeatMap *m) {
        uint64_t least = UINT64_MAX, most = 0;
        HeatGridPlan *p = &g->plan;

        for (MomentWalk w = {}; sample_moments_next(m->moments, &w);)
                if (heat_grid_counts(m, &w)) {
                        least = MIN_OF(least, m->latencies[w.number]);
                        most = MAX_OF(most, m->latencies[w.number]);
                }
        p->least = p->least > 0 || p->linear ? p->least : MAX_OF(least, UINT64_C(1));
        p->most = p->most > 0 ? p->most : most;
        p->most = MAX_OF(p->most, p->least + 1);
        if (!p->linear)
                return;
        if (p->row_step == 0)
                p->row_step = (p->most - p->least) / g->rows + 1;
        else
                g->rows = MIN_OF((size_t) ((p->most - p->least - 1) / p->row_step) + 1, (size_t) p->rows);
        p->most = p->least + p->row_step * g->rows;
}

double heat_grid_latency_row(const HeatGrid *g, uint64_t latency) {
        const HeatGridPlan *p = &g->plan;

        if (p->linear)
                return ((double) latency - (double) p->least) / (double) p->row_step;
        return log((double) MAX_OF(latency, UINT64_C(1)) / (double) p->least) / log((double) p->most / (double) p->least) *
               (double) g->rows;
}

uint64_t heat_grid_row_latency(const HeatGrid *g, size_t row) {
        const HeatGridPlan *p = &g->plan;

        if (p->linear)
                return p->least + row * p->row_step;
        return (uint64_t) ((double) p->least * pow((double) p->most / (double) p->least, (double) row / (double) g->rows) + 0.5);
}

/* CPUs are sorted by their numbers, other groups by their weight, the heaviest first. */
static int heat_compare_groups(const void *a, const void *b, void *userdata) {
        const FrameTree *t = userdata;
        uint32_t i = *(const uint32_t *) a, j = *(const uint32_t *) b;
        uint64_t x = t->nodes[i].weight, y = t->nodes[j].weight;

        if (t->plan.by == FRAME_BY_CPU || x == y)
                return strverscmp(frame_tree_name(t, i), frame_tree_name(t, j)) ?: i < j ? -1 : i > j;
        return x > y ? -1 : 1;
}

/* Chooses the groups that have rows. *ret: a new array with the row of each node. */
static int find_groups(HeatGrid *g, const FrameTree *t, uint32_t **ret) {
        uint32_t *row_of = calloc(t->n, sizeof(*row_of));
        size_t n = 0;

        *ret = row_of;
        g->groups = calloc(t->n, sizeof(*g->groups));
        if (!row_of || !g->groups)
                return -ENOMEM;
        for (uint32_t i = 1; i < t->n; i++)
                if (t->nodes[i].parent == 0)
                        g->groups[n++] = i;
        if (n > 0)
                qsort_r(g->groups, n, sizeof(*g->groups), heat_compare_groups, (void *) t);
        g->rows = MIN_OF(n, (size_t) g->plan.rows);
        for (size_t i = 0; i < n; i++)
                row_of[g->groups[i]] = (uint32_t) MIN_OF(i, g->rows - 1);
        if (n > g->rows)
                g->groups[g->rows - 1] = 0;
        for (uint32_t i = 1; i < t->n; i++) /* a caller was added before what it calls */
                if (t->nodes[i].parent > 0)
                        row_of[i] = row_of[t->nodes[i].parent];
        return 0;
}

/* Returns the row of a sample; those there are or more: it has none. */
static size_t row_of_sample(const HeatGrid *g, const HeatMap *m, const MomentWalk *w, const uint32_t *row_of) {
        uint64_t latency;
        double row;

        switch (g->plan.rows_of) {
        case HEAT_GROUPS:
                return row_of[m->ends[w->row]];
        case HEAT_LATENCIES:
                latency = m->latencies[w->number];
                row = heat_grid_latency_row(g, latency);
                if (row >= (double) g->rows && latency <= g->plan.most)
                        return g->rows - 1;
                return row >= 0 && row < (double) g->rows ? (size_t) row : SIZE_MAX;
        default:
                return (size_t) ((double) ((w->time - g->origin) % g->plan.step) / (double) g->plan.step * (double) g->rows);
        }
}

static void heat_count(HeatGrid *g, const HeatMap *m, const uint32_t *row_of) {
        for (MomentWalk w = {}; sample_moments_next(m->moments, &w);) {
                size_t column, row;

                if (!heat_grid_counts(m, &w))
                        continue;
                column = heat_grid_column(g, w.time);
                row = row_of_sample(g, m, &w, row_of);
                if (column >= g->columns || row >= g->rows) {
                        g->outside++;
                        continue;
                }
                g->most = MAX_OF(g->most, ++g->counts[column * g->rows + row]);
        }
}

static int heat_compare_latencies(const void *a, const void *b) {
        uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

        return x < y ? -1 : x > y;
}

/* Finds those of a column, by the nearest rank: the least latency that so many percent do not exceed. */
static void set_percentiles(HeatGrid *g, size_t column, uint64_t *values, size_t n) {
        static const unsigned percents[_HEAT_PERCENTILE_MAX] = { 50, 90, 99 };

        if (n == 0 || column >= g->columns)
                return;
        qsort(values, n, sizeof(*values), heat_compare_latencies);
        for (size_t k = 0; k < _HEAT_PERCENTILE_MAX; k++)
                g->percentiles[column][k] = values[(n * percents[k] + 99) / 100 - 1];
}

static int find_percentiles(HeatGrid *g, const HeatMap *m) {
        _cleanup_free_ uint64_t *values = calloc(m->moments->n + 1, sizeof(*values));
        size_t n = 0, column = 0;

        g->percentiles = calloc(g->columns, sizeof(*g->percentiles));
        if (!values || !g->percentiles)
                return -ENOMEM;
        for (MomentWalk w = {}; sample_moments_next(m->moments, &w);) {
                if (!heat_grid_counts(m, &w))
                        continue;
                if (heat_grid_column(g, w.time) != column) {
                        set_percentiles(g, column, values, n);
                        column = heat_grid_column(g, w.time);
                        n = 0;
                }
                values[n++] = m->latencies[w.number];
        }
        set_percentiles(g, column, values, n);
        return 0;
}

int heat_grid_init(HeatGrid *g, const HeatMap *m, const HeatGridPlan *plan) {
        _cleanup_free_ uint32_t *row_of = NULL;
        HeatGridPlan *p = &g->plan;
        int r = 0;

        *g = (HeatGrid) { .plan = *plan, .rows = plan->rows, .origin = m->wall ? 0 : m->first };
        if (p->step == 0) /* of more than a day, it may be any */
                for (p->step = NSEC_PER_USEC;
                     columns_between(m->first - g->origin, m->last - g->origin, p->step) > p->columns && p->step < UINT64_MAX / 2;)
                        p->step = next_step(p->step) ?: 2 * p->step;
        g->first = m->first - (m->first - g->origin) % p->step;
        g->columns = MIN_OF(columns_between(m->first - g->origin, m->last - g->origin, p->step), (size_t) p->columns);
        if (p->rows_of == HEAT_LATENCIES)
                find_latencies(g, m);
        else if (p->rows_of == HEAT_GROUPS)
                r = find_groups(g, m->tree, &row_of);
        g->counts = calloc(g->columns * g->rows + 1, sizeof(*g->counts));
        if (r < 0 || !g->counts)
                return -ENOMEM;
        heat_count(g, m, row_of);
        return p->rows_of == HEAT_LATENCIES ? find_percentiles(g, m) : 0;
}
