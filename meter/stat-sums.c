/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The counts of the CPUs and threads of a place are added up, then multiplied for the time in which the event had no counter. */

#include "stat-sums.h"

#include "array.h"

void stat_sums_done(StatSums *s) {
        for (size_t i = 0; i < s->n_places; i++)
                free((char *) s->places[i].comm);
        for (size_t i = 0; i < s->n_events; i++)
                free((char *) s->events[i].name);
        free(s->places);
        free(s->place_of);
        free(s->events);
        free(s->attrs);
        free(s->sums);
        free(s->values);
        free(s->counts);
        *s = (StatSums) {};
}

static StatPlace place_make(const StatSums *s, const CountLayout *l, size_t number, pid_t tid) {
        StatPlace p = { .cpu = -1, .core = -1, .die = -1, .socket = -1, .node = -1 };
        CpuPlace where = { -1, -1, -1, -1 };
        StatPlacing placing = s->placing;
        int cpu = l->cpus[number];

        if (placing != STAT_ALL && placing != STAT_BY_THREAD)
                where = s->cpu_places ? s->cpu_places[number] : cpu_place_read(NULL, cpu);
        if (placing == STAT_BY_CPU)
                p.cpu = cpu;
        if (placing == STAT_BY_CORE || placing == STAT_BY_CPU)
                p.core = where.core;
        if (placing == STAT_BY_CORE || placing == STAT_BY_DIE || placing == STAT_BY_CPU)
                p.die = where.die;
        if (placing == STAT_BY_CORE || placing == STAT_BY_DIE || placing == STAT_BY_SOCKET || placing == STAT_BY_CPU)
                p.socket = where.socket;
        if (placing == STAT_BY_NODE)
                p.node = where.node;
        if (placing == STAT_BY_THREAD)
                p.tid = (uint32_t) tid;
        return p;
}

static bool place_equal(const StatPlace *a, const StatPlace *b) {
        return a->cpu == b->cpu && a->core == b->core && a->die == b->die && a->socket == b->socket && a->node == b->node &&
               a->tid == b->tid;
}

static int sums_find_place(StatSums *s, const CountLayout *l, size_t cpu, const RecordThread *thread, size_t *ret) {
        StatPlace p = place_make(s, l, cpu, thread->tid);

        for (*ret = 0; *ret < s->n_places; ++*ret)
                if (place_equal(s->places + *ret, &p))
                        return 0;
        if (ARRAY_RESERVE_NEXT(s->places, s->n_places) < 0)
                return -ENOMEM;
        p.comm = s->placing == STAT_BY_THREAD ? strdup(thread->comm ?: "") : NULL;
        if (s->placing == STAT_BY_THREAD && !p.comm)
                return -ENOMEM;
        s->places[s->n_places++] = p;
        return 0;
}

static int sums_find_places(StatSums *s, const CountLayout *l) {
        s->place_of = calloc(l->n_cpus * l->n_threads + 1, sizeof(*s->place_of));
        if (!s->place_of)
                return -ENOMEM;
        for (size_t cpu = 0; cpu < l->n_cpus; cpu++)
                for (size_t thread = 0; thread < l->n_threads; thread++) {
                        size_t *place = s->place_of + cpu * l->n_threads + thread;
                        int r = sums_find_place(s, l, cpu, l->threads + thread, place);

                        if (r < 0)
                                return r;
                        s->places[*place].n_cpus += thread == 0;
                }
        return 0;
}

int stat_sums_begin(StatSums *s, const CountLayout *l) {
        int r;

        if (s->events)
                return 0;
        r = sums_find_places(s, l);
        if (r < 0)
                return r;
        s->events = calloc(l->n_events + 1, sizeof(*s->events));
        s->attrs = calloc(l->n_events + 1, sizeof(*s->attrs));
        s->sums = calloc(l->n_events * s->n_places + 1, sizeof(*s->sums));
        s->values = calloc(l->n_events * s->n_places + 1, sizeof(*s->values));
        s->counts = calloc(s->n_places + 1, sizeof(*s->counts));
        if (!s->events || !s->attrs || !s->sums || !s->values || !s->counts)
                return -ENOMEM;
        for (; s->n_events < l->n_events; s->n_events++) {
                const CountEvent *e = l->events + s->n_events;
                char *name = strdup(e->name);

                if (!name)
                        return -ENOMEM;
                s->attrs[s->n_events] = e->attr;
                s->events[s->n_events] = (StatEvent) {
                        .name = name, .unit = e->unit ?: "", .scale = e->scale, .cgroup = e->cgroup,
                        .attr = s->attrs + s->n_events, .supported = e->supported,
                };
        }
        return 0;
}

/* Adds up the counts of an event for each place. */
static void sums_read(StatSums *s, const CountLayout *l, const Count *counts, size_t event) {
        memset(s->counts, 0, s->n_places * sizeof(*s->counts));
        for (size_t i = 0; i < l->n_cpus * l->n_threads; i++) {
                const Count *c = counts + count_layout_place(l, event, 0, 0) + i;
                Count *sum = s->counts + s->place_of[i];

                sum->value += c->value;
                sum->enabled += c->enabled;
                sum->running += c->running;
        }
}

static void sum_add(StatSum *sum, const Count *c, bool no_scale) {
        bool scaled = !no_scale && c->running > 0 && c->running < c->enabled;

        run_mean_add(&sum->value, scaled ? (double) c->value * (double) c->enabled / (double) c->running : (double) c->value);
        run_mean_add(&sum->enabled, (double) c->enabled);
        run_mean_add(&sum->running, (double) c->running);
}

void stat_sums_add(StatSums *s, const CountLayout *l, const Count *counts) {
        for (size_t i = 0; i < s->n_events; i++) {
                sums_read(s, l, counts, i);
                for (size_t place = 0; place < s->n_places; place++)
                        sum_add(s->sums + i * s->n_places + place, s->counts + place, s->no_scale);
        }
}

void stat_sums_take(StatSums *s, const CountLayout *l, const Count *counts, bool interval) {
        for (size_t i = 0; i < s->n_events; i++) {
                sums_read(s, l, counts, i);
                for (size_t place = 0; place < s->n_places; place++) {
                        StatSum *sum = s->sums + i * s->n_places + place;
                        Count c = s->counts[place], now = c;

                        if (interval)
                                c = (Count) { c.value - sum->before.value, c.enabled - sum->before.enabled,
                                              c.running - sum->before.running };
                        *sum = (StatSum) { .before = now };
                        sum_add(sum, &c, s->no_scale);
                }
        }
}

StatTable stat_sums_table(StatSums *s) {
        for (size_t i = 0; i < s->n_events * s->n_places; i++)
                s->values[i] = (StatValue) {
                        .value = s->sums[i].value.mean, .deviation = run_mean_deviation(&s->sums[i].value),
                        .enabled = (uint64_t) s->sums[i].enabled.mean, .running = (uint64_t) s->sums[i].running.mean,
                };
        return (StatTable) {
                .placing = s->placing, .events = s->events, .n_events = s->n_events, .places = s->places, .n_places = s->n_places,
                .values = s->values, .runs = 1,
        };
}
