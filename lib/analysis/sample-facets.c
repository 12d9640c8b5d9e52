/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A facet is taken of the moment of its sample, for which the cursor has only what the row of the facet says that it needs.
 *
 * Words of weights and branches are those of union perf_sample_weight and struct perf_branch_entry (linux/perf_event.h). */

#include "sample-facets.h"

/* Events that do not record where data came from have accesses of unknown kind, as in perf. */
#define UNKNOWN_SOURCE (PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) | PERF_MEM_S(LOCK, NA) | \
                        PERF_MEM_S(TLB, NA))

typedef struct FacetNeeds {
        unsigned facets; /* SampleFacet */
        ReplayNeeds needs;
} FacetNeeds;

void sample_facets_need(unsigned wanted, ReplayNeeds *needs) {
        static const FacetNeeds rows[] = {
                { FACET_WEIGHT | FACET_LATENCY | FACET_STAGE, { .fields = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT } },
                { FACET_SOURCE, { .fields = PERF_SAMPLE_DATA_SRC } },
                { FACET_DATA, { .fields = PERF_SAMPLE_ADDR } },
                { FACET_PHYSICAL, { .fields = PERF_SAMPLE_PHYS_ADDR } },
                { FACET_DATA_PAGE, { .fields = PERF_SAMPLE_DATA_PAGE_SIZE } },
                { FACET_CODE_PAGE, { .fields = PERF_SAMPLE_CODE_PAGE_SIZE } },
                { FACET_TRANSACTION, { .fields = PERF_SAMPLE_TRANSACTION } },
                { FACET_BRANCH_FROM | FACET_BRANCH_FLAGS | FACET_BRANCH_CYCLES, { .fields = PERF_SAMPLE_BRANCH_STACK } },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++)
                if (wanted & rows[i].facets) {
                        needs->fields |= rows[i].needs.fields;
                        needs->records |= rows[i].needs.records;
                }
}

static void take_weight(SampleFacets *f, unsigned wanted, const PerfSample *s) {
        bool in_parts = s->sample_type & PERF_SAMPLE_WEIGHT_STRUCT;

        if (wanted & FACET_WEIGHT)
                f->weight = in_parts ? s->weight & UINT32_MAX : s->weight;
        if (wanted & FACET_LATENCY && in_parts)
                f->latency = (uint16_t) (s->weight >> 32);
        if (wanted & FACET_STAGE && in_parts)
                f->stage = (uint16_t) (s->weight >> 48);
}

void sample_facets_take(SampleFacets *f, unsigned wanted, const Moment *m) {
        const PerfSample *s = m->sample;

        take_weight(f, wanted, s);
        if (wanted & FACET_SOURCE)
                f->source = s->sample_type & PERF_SAMPLE_DATA_SRC ? s->data_source : UNKNOWN_SOURCE;
        if (wanted & FACET_DATA)
                f->data = s->address;
        if (wanted & FACET_PHYSICAL)
                f->physical = s->physical_address;
        if (wanted & FACET_DATA_PAGE)
                f->data_page = s->data_page_size;
        if (wanted & FACET_CODE_PAGE)
                f->code_page = s->code_page_size;
        if (wanted & FACET_TRANSACTION)
                f->transaction = s->transaction;
}

void sample_facets_take_branch(SampleFacets *f, unsigned wanted, const struct perf_branch_entry *branch) {
        if (wanted & FACET_BRANCH_FROM)
                f->from = branch->from;
        if (wanted & FACET_BRANCH_FLAGS)
                f->flags = (uint16_t) ((branch->predicted ? BRANCH_PREDICTED : 0u) | (branch->mispred ? BRANCH_MISPREDICTED : 0u) |
                                       (branch->in_tx ? BRANCH_IN_TRANSACTION : 0u) | (branch->abort ? BRANCH_ABORT : 0u));
        if (wanted & FACET_BRANCH_CYCLES)
                f->cycles = (uint16_t) branch->cycles;
}

int sample_facets_resolve(SampleFacets *f, unsigned wanted, CodePlaces *places, uint32_t pid, uint16_t cpumode) {
        int r = 0;

        if (wanted & FACET_DATA)
                r = code_places_find(places, pid, cpumode, f->data, &f->data_place);
        if (r >= 0 && wanted & FACET_BRANCH_FROM)
                r = code_places_find(places, pid, CODE_PLACES_ANY_MODE, f->from, &f->from_place);
        f->data = f->from = 0;
        return r;
}
