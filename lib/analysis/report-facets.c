/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A group is the values of its keys, in their order, as a block of bytes. Functions are one if their symbols are; code and data
 * without a symbol is told apart by its address, as recorded. */

#include "report-facets.h"

#define CACHE_LINE 64u /* bytes */

static const unsigned facets_of_keys[_REPORT_KEY_MAX] = {
        [REPORT_WEIGHT] = FACET_WEIGHT, [REPORT_LOCAL_WEIGHT] = FACET_WEIGHT, [REPORT_LATENCY] = FACET_LATENCY,
        [REPORT_LOCAL_LATENCY] = FACET_LATENCY, [REPORT_STAGE] = FACET_STAGE, [REPORT_LOCAL_STAGE] = FACET_STAGE,
        [REPORT_RETIRE] = FACET_STAGE, [REPORT_LOCAL_RETIRE] = FACET_STAGE, [REPORT_MEMORY_LEVEL] = FACET_SOURCE,
        [REPORT_SNOOP] = FACET_SOURCE, [REPORT_LOCKED] = FACET_SOURCE, [REPORT_TLB] = FACET_SOURCE,
        [REPORT_BLOCKED] = FACET_SOURCE, [REPORT_CACHE_LINE] = FACET_DATA, [REPORT_DATA_SYMBOL] = FACET_DATA,
        [REPORT_DATA_DSO] = FACET_DATA, [REPORT_PHYSICAL] = FACET_PHYSICAL, [REPORT_DATA_PAGE] = FACET_DATA_PAGE,
        [REPORT_CODE_PAGE] = FACET_CODE_PAGE, [REPORT_TRANSACTION] = FACET_TRANSACTION, [REPORT_DSO_FROM] = FACET_BRANCH_FROM,
        [REPORT_SYMBOL_FROM] = FACET_BRANCH_FROM, [REPORT_LINE_FROM] = FACET_BRANCH_FROM,
        [REPORT_ADDRESS_FROM] = FACET_BRANCH_FROM, [REPORT_MISPREDICTED] = FACET_BRANCH_FLAGS,
        [REPORT_ABORT] = FACET_BRANCH_FLAGS, [REPORT_IN_TRANSACTION] = FACET_BRANCH_FLAGS,
        [REPORT_CYCLES] = FACET_BRANCH_CYCLES,
};

/* A key is about these bits of union perf_mem_data_src. */
static const uint64_t source_bits[_REPORT_KEY_MAX] = {
        [REPORT_MEMORY_LEVEL] = UINT64_C(0x3fff) << PERF_MEM_LVL_SHIFT | UINT64_C(0x1f) << PERF_MEM_LVLNUM_SHIFT |
                UINT64_C(7) << 43, /* with the hops */
        [REPORT_SNOOP] = UINT64_C(0x1f) << PERF_MEM_SNOOP_SHIFT | UINT64_C(3) << PERF_MEM_SNOOPX_SHIFT,
        [REPORT_LOCKED] = UINT64_C(3) << PERF_MEM_LOCK_SHIFT,
        [REPORT_TLB] = UINT64_C(0x7f) << PERF_MEM_TLB_SHIFT,
        [REPORT_BLOCKED] = UINT64_C(7) << 40,
};

unsigned report_facets_wanted(uint64_t keys) {
        unsigned wanted = 0;

        for (ReportKey key = 0; key < _REPORT_KEY_MAX; key++)
                if (keys & REPORT_KEY(key))
                        wanted |= facets_of_keys[key];
        return wanted;
}

uint32_t report_facets_place(ReportKey key, const SampleFacets *f, uint32_t place) {
        switch (facets_of_keys[key]) {
        case FACET_DATA:
                return f->data_place;
        case FACET_BRANCH_FROM:
                return f->from_place;
        default:
                return place;
        }
}

static ReportFacetValue value_of_symbol(const Report *report, uint32_t place) {
        uint32_t symbol = report->names->symbol_of[place];

        return symbol > 0 ? (ReportFacetValue) { 0, symbol } : (ReportFacetValue) { 1, report->places->places[place].ip };
}

static uint64_t size_of_symbol(const Report *report, uint32_t place) {
        const NamedSymbol *symbol = report->names->symbols + report->names->symbol_of[place];

        return symbol->end - symbol->start;
}

/* Values of keys that are about a place. */
static ReportFacetValue value_at_place(const Report *report, ReportKey key, uint32_t number) {
        const CodePlace *place = report->places->places + number;
        uint32_t dso = place_names_dso(report->names, place);

        switch ((int) key) {
        case REPORT_CACHE_LINE:
                return (ReportFacetValue) { dso, place->address / CACHE_LINE * CACHE_LINE };
        case REPORT_DATA_SYMBOL:
        case REPORT_CODE_SYMBOL:
        case REPORT_ADDRESS:
                return (ReportFacetValue) { 0, place->ip };
        case REPORT_DATA_DSO:
        case REPORT_DSO_FROM:
        case REPORT_DSO_TO:
                return (ReportFacetValue) { 0, dso };
        case REPORT_SYMBOL_FROM:
        case REPORT_SYMBOL_TO:
                return value_of_symbol(report, number);
        case REPORT_LINE_FROM:
        case REPORT_LINE_TO:
                return (ReportFacetValue) { 0, report->names->line_of[number] };
        case REPORT_ADDRESS_FROM:
        case REPORT_ADDRESS_TO:
                return (ReportFacetValue) { dso, place->ip };
        case REPORT_SYMBOL_SIZE:
                return (ReportFacetValue) { 0, size_of_symbol(report, number) };
        case REPORT_DSO_SIZE:
                return (ReportFacetValue) { 0, number < report->places->n_map_sizes ? report->places->map_sizes[number] : 0 };
        default:
                return (ReportFacetValue) {};
        }
}

static uint64_t number_of_key(ReportKey key, const SampleFacets *f) {
        switch (facets_of_keys[key]) {
        case FACET_WEIGHT:
                return f->weight;
        case FACET_LATENCY:
                return f->latency;
        case FACET_STAGE:
                return f->stage;
        case FACET_PHYSICAL:
                return f->physical;
        case FACET_DATA_PAGE:
                return f->data_page;
        case FACET_CODE_PAGE:
                return f->code_page;
        case FACET_TRANSACTION:
                return f->transaction;
        default:
                return f->cycles;
        }
}

ReportFacetValue report_facets_value(const Report *report, ReportKey key, const SampleFacets *f, uint32_t place) {
        unsigned facet = facets_of_keys[key];

        if (facet == FACET_SOURCE)
                return (ReportFacetValue) { 0, f->source & source_bits[key] };
        if (key == REPORT_MISPREDICTED)
                return (ReportFacetValue) { 0, f->flags & (BRANCH_PREDICTED | BRANCH_MISPREDICTED) };
        if (facet == FACET_BRANCH_FLAGS)
                return (ReportFacetValue) { 0, f->flags & (key == REPORT_ABORT ? BRANCH_ABORT : BRANCH_IN_TRANSACTION) };
        if (facet == 0 || facet == FACET_DATA || facet == FACET_BRANCH_FROM)
                return value_at_place(report, key, report_facets_place(key, f, place));
        return (ReportFacetValue) { 0, number_of_key(key, f) };
}

int report_facets_group(Report *report, uint64_t keys, uint32_t facets, uint32_t place, uint32_t *ret) {
        ReportFacetValue values[_REPORT_KEY_MAX];
        SampleFacets f;
        size_t n = 0;

        keys &= report->plan.keys;
        *ret = 0;
        if (keys == 0)
                return 0;
        f = sample_table_facets(report->table, facets);
        for (ReportKey key = 0; key < _REPORT_KEY_MAX; key++)
                if (keys & REPORT_KEY(key))
                        values[n++] = report_facets_value(report, key, &f, place);
        return byte_pool_intern(&report->groups, values, n * sizeof(*values), ret);
}
