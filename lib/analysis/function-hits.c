/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The functions that samples of one event hit, with the addresses in them. Rows of the table are sorted by function
 * and address, and those of the same address are added up.
 *
 * Only the place that was hit counts, not the callers. Invariant: the addresses of a function follow each other,
 * ascending; functions are in the order of their periods, the largest first. Rows without a symbol are in the sums
 * of all, and in no function. */

#include "function-hits.h"

#include "array.h"

typedef struct Hit {
        uint32_t symbol, dso;
        AddressHit at;
} Hit;

void function_hits_done(FunctionHits *h) {
        free(h->functions);
        free(h->addresses);
        *h = (FunctionHits) {};
}

static int compare_hits(const void *a, const void *b) {
        const Hit *x = a, *y = b;

        if (x->symbol != y->symbol)
                return x->symbol < y->symbol ? -1 : 1;
        if (x->dso != y->dso)
                return x->dso < y->dso ? -1 : 1;
        return x->at.address < y->at.address ? -1 : x->at.address > y->at.address;
}

static int compare_functions(const void *a, const void *b, void *userdata) {
        const PlaceNames *names = userdata;
        const FunctionHit *x = a, *y = b;
        int order;

        if (x->period != y->period)
                return x->period > y->period ? -1 : 1;
        order = strcmp(names->symbols[x->symbol].name, names->symbols[y->symbol].name);
        if (order != 0)
                return order;
        return x->symbol != y->symbol ? (x->symbol < y->symbol ? -1 : 1) : (x->dso > y->dso) - (x->dso < y->dso);
}

/* hits are sorted. */
static void join_hits(FunctionHits *h, const Hit *hits, size_t n) {
        for (size_t i = 0; i < n; i++) {
                bool same = i > 0 && hits[i].symbol == hits[i - 1].symbol && hits[i].dso == hits[i - 1].dso;
                FunctionHit *f;

                if (!same)
                        h->functions[h->n++] = (FunctionHit) {
                                .symbol = hits[i].symbol, .dso = hits[i].dso, .first = h->n_addresses,
                        };
                f = h->functions + h->n - 1;
                f->samples += hits[i].at.samples;
                f->period += hits[i].at.period;
                if (same && hits[i].at.address == hits[i - 1].at.address) {
                        h->addresses[h->n_addresses - 1].samples += hits[i].at.samples;
                        h->addresses[h->n_addresses - 1].period += hits[i].at.period;
                        continue;
                }
                h->addresses[h->n_addresses++] = hits[i].at;
                f->n++;
        }
}

static int compare_build_ids(const BuildId *x, const BuildId *y) {
        return x->size != y->size ? (x->size < y->size ? -1 : 1) : memcmp(x->bytes, y->bytes, x->size);
}

static int hits_compare_binaries(const void *a, const void *b, void *userdata) {
        const DsoHit *dsos = userdata, *x = dsos + *(const uint32_t *) a, *y = dsos + *(const uint32_t *) b;
        int order = strcmp(x->path ?: "", y->path ?: "");

        if (order == 0)
                order = x->cpumode != y->cpumode ? (x->cpumode < y->cpumode ? -1 : 1) : compare_build_ids(&x->id, &y->id);
        return order != 0 ? order : (x > y) - (x < y);
}

/* Recordings have numbers of their own for a binary. Returns the lowest one of the same binary for each, in a new array; NULL: no
 * memory. */
static uint32_t *join_binaries(const DsoTable *t) {
        _cleanup_free_ uint32_t *order = calloc(t->n + 1, sizeof(*order));
        uint32_t *first = calloc(t->n + 1, sizeof(*first));

        if (!order || !first) {
                free(first);
                return NULL;
        }
        for (uint32_t i = 0; i < t->n; i++)
                order[i] = i;
        if (t->n > 0)
                qsort_r(order, t->n, sizeof(*order), hits_compare_binaries, t->dsos);
        for (size_t i = 0; i < t->n; i++) {
                const DsoHit *x = t->dsos + order[i > 0 ? i - 1 : 0], *y = t->dsos + order[i];
                bool same = i > 0 && x->id.size > 0 && build_id_equal(&x->id, &y->id) && x->cpumode == y->cpumode &&
                            streq_ptr(x->path, y->path);

                first[order[i]] = same ? first[order[i - 1]] : order[i];
        }
        return first;
}

int function_hits_find(FunctionHits *h, SampleTable *table, const PlaceNames *names, uint32_t event) {
        const CodePlaces *places = sample_table_places(table);
        _cleanup_free_ uint32_t *binaries = join_binaries(places->dsos);
        _cleanup_free_ Hit *hits = NULL;
        size_t n_rows, n = 0;
        const SampleRow *rows = sample_table_rows(table, &n_rows);

        *h = (FunctionHits) {};
        hits = calloc(n_rows + 1, sizeof(*hits));
        h->functions = calloc(n_rows + 1, sizeof(*h->functions));
        h->addresses = calloc(n_rows + 1, sizeof(*h->addresses));
        if (!binaries || !hits || !h->functions || !h->addresses)
                return -ENOMEM;
        for (size_t i = 0; i < n_rows; i++) {
                const CodePlace *place = places->places + rows[i].leaf;

                if (rows[i].event != event)
                        continue;
                h->samples += rows[i].count;
                h->period += rows[i].period;
                if (names->symbol_of[rows[i].leaf] > 0 && place->dso != DSO_NONE)
                        hits[n++] = (Hit) {
                                .symbol = names->symbol_of[rows[i].leaf], .dso = binaries[place->dso],
                                .at = { .address = place->address, .samples = rows[i].count, .period = rows[i].period },
                        };
        }
        if (n > 0)
                qsort(hits, n, sizeof(*hits), compare_hits);
        join_hits(h, hits, n);
        if (h->n > 0)
                qsort_r(h->functions, h->n, sizeof(*h->functions), compare_functions, (void *) names);
        return 0;
}
