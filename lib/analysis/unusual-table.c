/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Every unit, name and function is a group, whose numbers of samples in both ranges are tested at once, so that of all that are
 * found few are chance. A change that passed must be worth a line, too, and be more, or less, than in any span of the baseline that
 * is as long: load comes in bursts, which the test, for samples that do not depend on each other, would take for a change.
 *
 * One incident is a change of a unit, of its threads and of their functions. The greatest change is named first, by its unit if
 * that has nearly all of it; its samples are then left out, and what is still a change without them is the next finding. */

#include "unusual-table.h"

#include <math.h>

#include "array.h"
#include "parse-time.h"
#include "significance.h"

#define LEAST_SECONDS 2   /* of both ranges: without a finding, less than that says nothing … */
#define LEAST_SAMPLES 20u /* … nor do fewer samples */
#define LEAST_PERCENT 0.2 /* of all samples: a change that is worth a line … */
#define LEAST_PART 0.1    /* … and of what the group usually has */
#define NEARLY_ALL 0.8    /* of a change: another group stands for it */
#define EVERYTHING 0.95   /* of what is not idle: a group is no better a name than all of it */
#define MOST 0.5          /* of a change: a part of the group is named */
#define SHARED 2          /* a change of all that is so many times the greatest one of a group is a change of all */

struct UnusualGroup {
        UnusualKind kind;
        bool rejected, tested; /* tested: it passed */
        bool everything;       /* it has nearly all samples */
        uint64_t samples[_UNUSUAL_RANGES];
        double weight[_UNUSUAL_RANGES];
};

struct UnusualPiece {
        uint32_t groups[_UNUSUAL_KIND_MAX]; /* number + 1; 0: none of that kind */
        uint32_t span;
        uint8_t range;
        bool explained; /* by a finding */
        uint64_t samples;
        double weight;
};

void unusual_table_done(UnusualTable *t) {
        byte_pool_done(&t->keys);
        free(t->groups);
        free(t->pieces);
        *t = (UnusualTable) {};
}

static bool event_counts_time(const char *name) {
        static const char *const times[] = {
                "cpu-clock", "task-clock", "cycles", "cpu-cycles", "cpu/cycles", "cpu/cpu-cycles", "cpu_core/cycles",
        };

        return ANY_OF(ELEMENTSOF(times), i, startswith(name, times[i]));
}

int unusual_choose_event(const SampleTable *table, uint32_t *ret) {
        size_t n, first;
        const SampleEvent *events = sample_table_events(table, &n);

        for (first = 0; first < n && !(events[first].samples > 0 && event_counts_time(events[first].name));)
                first++;
        for (size_t i = 0; first == n && i < n; i++)
                if (events[i].samples > 0 && events[i].period > 0)
                        first = i;
        if (first == n)
                return -ENODATA;
        *ret = (uint32_t) first;
        return 0;
}

void unusual_table_set_measure(UnusualTable *t, const SampleEvent *event, bool no_idle) {
        t->event = event->name;
        t->measure = !event_counts_time(event->name) ? UNUSUAL_EVENTS :
                     event->idle > 0 && !no_idle     ? UNUSUAL_CPU_TIME : UNUSUAL_LOAD;
}

/* Finds or makes the group of a kind with that key: a letter, and one text or two. */
static int unusual_group_get(UnusualTable *t, UnusualKind kind, char level, const char *text, const char *second, uint32_t *ret) {
        _cleanup_free_ char *key = NULL;
        size_t n = strlen(text) + 1, m = second ? strlen(second) + 1 : 0;
        int r;

        *ret = 0;
        if (*text == '\0' && kind != UNUSUAL_ALL)
                return 0;
        key = malloc(2 + n + m);
        if (!key)
                return -ENOMEM;
        key[0] = (char) ('0' + kind);
        key[1] = level;
        memcpy(key + 2, text, n);
        if (m > 0)
                memcpy(key + 2 + n, second, m);
        r = byte_pool_intern(&t->keys, key, 2 + n + m, ret);
        if (r < 0 || *ret <= t->n_groups)
                return r;
        if (ARRAY_RESERVE(t->groups, t->groups_allocated, t->n_groups + 1) < 0)
                return -ENOMEM;
        t->groups[t->n_groups++] = (UnusualGroup) { .kind = kind };
        return 0;
}

static int unusual_find_groups(UnusualTable *t, SampleTable *table, const PlaceNames *names, const SampleRow *row, uint32_t *ret) {
        const CgroupNames *cgroups = sample_table_cgroups(table);
        const CodePlace *place = sample_table_places(table)->places + row->leaf;
        const char *unit = row->cgroup > 0 ? cgroup_names_text(cgroups, cgroups->groups[row->cgroup - 1].unit) : NULL;
        const char *comm = row->name > 0 ? process_view_name(sample_table_view(table), row->name) : "";
        int r = unusual_group_get(t, UNUSUAL_UNIT, ' ', unit ?: "", NULL, ret + UNUSUAL_UNIT);

        if (r >= 0)
                r = unusual_group_get(t, UNUSUAL_COMM, ' ', comm, NULL, ret + UNUSUAL_COMM);
        if (r >= 0)
                r = unusual_group_get(t, UNUSUAL_FUNCTION, place->level, place_names_text(names, place_names_dso(names, place)),
                                      names->symbols[names->symbol_of[row->leaf]].name ?: "", ret + UNUSUAL_FUNCTION);
        return r < 0 ? r : unusual_group_get(t, UNUSUAL_ALL, ' ', "", NULL, ret + UNUSUAL_ALL);
}

int unusual_table_add(UnusualTable *t, SampleTable *table, const PlaceNames *names, const SpanCounts *spans, uint32_t event,
                      unsigned range, bool first_compared) {
        size_t n;
        const SampleRow *rows = sample_table_rows(table, &n);

        if (ARRAY_RESERVE(t->pieces, t->pieces_allocated, t->n_pieces + spans->n) < 0)
                return -ENOMEM;
        for (size_t i = 0; i < spans->n; i++) {
                const SpanCount *c = spans->counts + i;
                const SampleRow *row = rows + c->row;
                UnusualPiece piece = {
                        .span = c->span, .samples = c->count, .weight = c->period,
                        .range = (uint8_t) (first_compared && c->span == 0 ? UNUSUAL_COMPARED : range),
                };
                int r;

                if (row->event != event)
                        continue;
                t->samples[piece.range] += piece.samples;
                t->weight[piece.range] += piece.weight;
                if (sample_table_row_is_idle(table, row))
                        continue;
                r = unusual_find_groups(t, table, names, row, piece.groups);
                if (r < 0)
                        return r;
                t->pieces[t->n_pieces++] = piece;
        }
        if (range == UNUSUAL_BASELINE) {
                t->n_spans = spans->n_spans;
                t->first_span = first_compared;
                t->span_seconds = (double) spans->length / NSEC_PER_SEC;
        }
        if (range == UNUSUAL_COMPARED || first_compared) {
                t->lost = spans->lost;
                t->throttled = spans->throttled;
        }
        return 0;
}

/* Returns a weight as a percentage of the baseline's in the same time. */
static double unusual_percent(const UnusualTable *t, double seconds, double weight) {
        double whole = t->weight[UNUSUAL_BASELINE] / t->seconds[UNUSUAL_BASELINE] * seconds;

        return whole > 0 ? 100 * weight / whole : 0;
}

static double unusual_change(const UnusualTable *t, const double *weight) {
        return unusual_percent(t, t->seconds[UNUSUAL_COMPARED], weight[UNUSUAL_COMPARED]) -
               unusual_percent(t, t->seconds[UNUSUAL_BASELINE], weight[UNUSUAL_BASELINE]);
}

static void unusual_sum(UnusualTable *t) {
        for (size_t i = 0; i < t->n_groups; i++)
                for (unsigned k = 0; k < _UNUSUAL_RANGES; k++)
                        t->groups[i].samples[k] = 0, t->groups[i].weight[k] = 0;
        for (const UnusualPiece *p = t->pieces; p < t->pieces + t->n_pieces; p++)
                for (unsigned kind = 0; !p->explained && kind < _UNUSUAL_KIND_MAX; kind++)
                        if (p->groups[kind] > 0) {
                                t->groups[p->groups[kind] - 1].samples[p->range] += p->samples;
                                t->groups[p->groups[kind] - 1].weight[p->range] += p->weight;
                        }
}

/* As in diff: samples that weigh less than others come more often. */
static double unusual_chance(const UnusualTable *t, const UnusualGroup *g) {
        double exposure[_UNUSUAL_RANGES];

        for (unsigned i = 0; i < _UNUSUAL_RANGES; i++) {
                unsigned counted = t->weight[i] > 0 ? i : UNUSUAL_BASELINE;

                exposure[i] = t->seconds[i] * (double) t->samples[counted] / t->weight[counted];
        }
        return significance_of_rates(g->samples[UNUSUAL_BASELINE], g->samples[UNUSUAL_COMPARED],
                                     exposure[UNUSUAL_COMPARED] / (exposure[UNUSUAL_BASELINE] + exposure[UNUSUAL_COMPARED]));
}

/* A group that has nearly everything tells no more than all together do. */
static void unusual_reject_everything(UnusualTable *t) {
        uint64_t all = 0;

        for (size_t i = 0; i < t->n_groups; i++)
                if (t->groups[i].kind == UNUSUAL_ALL)
                        all = t->groups[i].samples[UNUSUAL_BASELINE] + t->groups[i].samples[UNUSUAL_COMPARED];
        for (UnusualGroup *g = t->groups; g < t->groups + t->n_groups; g++)
                g->everything = g->kind <= UNUSUAL_COMM && (double) (g->samples[UNUSUAL_BASELINE] + g->samples[UNUSUAL_COMPARED]) >=
                                                           EVERYTHING * (double) all;
}

/* Sets which groups pass the test, all at once. */
static int unusual_test(UnusualTable *t) {
        _cleanup_free_ double *chances = calloc(t->n_groups + 1, sizeof(*chances));
        double limit;
        int r;

        if (!chances)
                return -ENOMEM;
        for (size_t i = 0; i < t->n_groups; i++)
                chances[i] = unusual_chance(t, t->groups + i);
        r = significance_limit(chances, t->n_groups, UNUSUAL_LEVEL, &limit);
        for (size_t i = 0; r >= 0 && i < t->n_groups; i++)
                t->groups[i].tested = chances[i] <= limit;
        return r;
}

/* Returns the change of a group that passed, without what is explained; 0: it is not worth a line, or not a change any more. */
static double unusual_change_of(const UnusualTable *t, const UnusualGroup *g) {
        double change = unusual_change(t, g->weight);
        double usual = unusual_percent(t, t->seconds[UNUSUAL_BASELINE], g->weight[UNUSUAL_BASELINE]);

        if (!g->tested || g->rejected || g->everything || fabs(change) < LEAST_PERCENT || fabs(change) < LEAST_PART * usual)
                return 0;
        return unusual_chance(t, g) <= UNUSUAL_LEVEL ? change : 0;
}

/* Returns the number of the group that changed most, + 1; 0: none did. */
static uint32_t unusual_greatest(const UnusualTable *t) {
        double change, most = 0, all_change = 0;
        uint32_t greatest = 0, all = 0;

        for (uint32_t i = 0; i < t->n_groups; i++) {
                change = unusual_change_of(t, t->groups + i);
                if (t->groups[i].kind == UNUSUAL_ALL) {
                        all = i + 1;
                        all_change = change;
                } else if (fabs(change) > fabs(most)) {
                        greatest = i + 1;
                        most = change;
                }
        }
        return all_change != 0 && fabs(all_change) > SHARED * fabs(most) ? all : greatest;
}

static bool piece_is_in(const UnusualTable *t, const UnusualPiece *p, uint32_t group) {
        return !p->explained && p->groups[t->groups[group - 1].kind] == group;
}

/* Finds the group of a kind that has most of the change of others, in the pieces that they have in common (0: no further one).
 * *ret_part: of the first one's change; 0: there is none. */
static int unusual_dominant(const UnusualTable *t, uint32_t of, uint32_t and, UnusualKind kind, uint32_t *ret, double *ret_part) {
        _cleanup_free_ double (*weights)[_UNUSUAL_RANGES] = calloc(t->n_groups + 1, sizeof(*weights));
        double change = unusual_change(t, t->groups[of - 1].weight);

        *ret = 0;
        *ret_part = 0;
        if (!weights)
                return -ENOMEM;
        for (const UnusualPiece *p = t->pieces; p < t->pieces + t->n_pieces; p++)
                if (p->groups[kind] > 0 && piece_is_in(t, p, of) && (and == 0 || piece_is_in(t, p, and)))
                        weights[p->groups[kind] - 1][p->range] += p->weight;
        for (uint32_t i = 0; i < t->n_groups; i++) {
                double part = unusual_change(t, weights[i]) / change;

                if (part > *ret_part && !t->groups[i].everything) {
                        *ret = i + 1;
                        *ret_part = part;
                }
        }
        return 0;
}

/* Replaces the group that changed most by one that names the change better and has nearly all of it. */
static int unusual_choose_head(const UnusualTable *t, uint32_t *group) {
        double change = unusual_change(t, t->groups[*group - 1].weight);
        UnusualKind own = t->groups[*group - 1].kind;

        for (unsigned kind = 0; kind < own && own != UNUSUAL_ALL; kind++) {
                uint32_t better;
                double part;
                int r = unusual_dominant(t, *group, 0, kind, &better, &part);

                if (r < 0)
                        return r;
                if (part >= NEARLY_ALL && unusual_change_of(t, t->groups + better - 1) / change >= NEARLY_ALL) {
                        *group = better;
                        return 0;
                }
        }
        return 0;
}

/* Checks that no span of the baseline has as much of a group, or as little. 1: none has; 0; -ENOMEM. */
static int unusual_is_extreme(const UnusualTable *t, uint32_t group) {
        _cleanup_free_ double *spans = calloc(t->n_spans + 1, sizeof(*spans));
        const UnusualGroup *g = t->groups + group - 1;
        double compared = unusual_percent(t, t->seconds[UNUSUAL_COMPARED], g->weight[UNUSUAL_COMPARED]);
        bool grown = unusual_change(t, g->weight) > 0;

        if (!spans)
                return -ENOMEM;
        for (const UnusualPiece *p = t->pieces; p < t->pieces + t->n_pieces; p++)
                if (p->range == UNUSUAL_BASELINE && p->span < t->n_spans && piece_is_in(t, p, group))
                        spans[p->span] += unusual_percent(t, t->span_seconds, p->weight);
        return !ANY_OF(t->n_spans, i, i >= t->first_span && (grown ? spans[i] >= compared : spans[i] <= compared));
}

static void unusual_name(const UnusualTable *t, UnusualFinding *f, uint32_t group) {
        const char *key = group > 0 ? (const char *) byte_pool_get(&t->keys, group)->data : NULL;
        const char *text = key ? key + 2 : "";

        switch (group > 0 ? t->groups[group - 1].kind : UNUSUAL_ALL) {
        case UNUSUAL_UNIT:
                f->unit = text;
                break;
        case UNUSUAL_COMM:
                f->comm = text;
                break;
        case UNUSUAL_FUNCTION:
                f->level = key[1];
                f->dso = text;
                f->symbol = text + strlen(text) + 1;
                break;
        default:
                break;
        }
}

/* Names the parts of a group that have most of its change, the second one within the first. */
static int unusual_name_parts(const UnusualTable *t, UnusualFinding *f, uint32_t group) {
        static const UnusualKind parts[][2] = {
                [UNUSUAL_UNIT] = { UNUSUAL_COMM, UNUSUAL_FUNCTION }, [UNUSUAL_COMM] = { UNUSUAL_UNIT, UNUSUAL_FUNCTION },
                [UNUSUAL_FUNCTION] = { UNUSUAL_UNIT, UNUSUAL_COMM },
        };
        uint32_t within = 0;
        int r = 0;

        for (unsigned i = 0; r >= 0 && f->kind != UNUSUAL_ALL && i < ELEMENTSOF(parts[0]); i++) {
                uint32_t found;
                double part;

                r = unusual_dominant(t, group, within, parts[f->kind][i], &found, &part);
                if (r < 0 || part < MOST)
                        continue;
                unusual_name(t, f, found);
                f->part = MIN_OF(part, 1.0);
                within = found;
        }
        return r;
}

static int unusual_take(UnusualTable *t, uint32_t group) {
        UnusualGroup *g = t->groups + group - 1;
        UnusualFinding *f = t->findings + t->n++;
        int r;

        *f = (UnusualFinding) {
                .kind = g->kind, .unit = "", .comm = "", .dso = "", .symbol = "", .chance = unusual_chance(t, g),
                .elsewhere = ANY_OF(t->n_pieces, i, t->pieces[i].explained && t->pieces[i].groups[g->kind] == group),
        };
        for (unsigned i = 0; i < _UNUSUAL_RANGES; i++) {
                f->samples[i] = g->samples[i];
                f->percent[i] = t->weight[i] > 0 ? 100 * g->weight[i] / t->weight[i] : 0;
        }
        f->times = unusual_percent(t, t->seconds[UNUSUAL_COMPARED], g->weight[UNUSUAL_COMPARED]) /
                   unusual_percent(t, t->seconds[UNUSUAL_BASELINE], g->weight[UNUSUAL_BASELINE]);
        unusual_name(t, f, group);
        r = unusual_name_parts(t, f, group);
        g->rejected = true;
        for (UnusualPiece *p = t->pieces; g->kind != UNUSUAL_ALL && p < t->pieces + t->n_pieces; p++)
                p->explained = p->explained || p->groups[g->kind] == group;
        return r;
}

int unusual_table_find(UnusualTable *t) {
        uint32_t group;
        int r;

        unusual_sum(t);
        unusual_reject_everything(t);
        r = unusual_test(t);
        while (r >= 0 && t->n < UNUSUAL_MAX && (group = unusual_greatest(t)) > 0) {
                r = unusual_choose_head(t, &group);
                if (r >= 0)
                        r = unusual_is_extreme(t, group);
                if (r > 0)
                        r = unusual_take(t, group);
                else if (r == 0)
                        t->groups[group - 1].rejected = true;
                unusual_sum(t);
        }
        return r < 0 ? r : 0;
}

bool unusual_table_has_little(const UnusualTable *t) {
        return t->n == 0 && (t->seconds[UNUSUAL_BASELINE] + t->seconds[UNUSUAL_COMPARED] < LEAST_SECONDS ||
                             t->samples[UNUSUAL_BASELINE] + t->samples[UNUSUAL_COMPARED] < LEAST_SAMPLES);
}
