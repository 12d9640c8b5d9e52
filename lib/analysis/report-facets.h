/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-entries.h"

/* Keys of a report that are facets of samples, and measures of places: what values they have, and groups of entries by them. */

/* Facets, which are the same for a whole row; and what the place says that was hit, or that a caller is at. */
#define REPORT_FACET_KEYS (REPORT_KEY(REPORT_CYCLES + 1) - REPORT_KEY(REPORT_WEIGHT))
#define REPORT_MEASURE_KEYS (REPORT_KEY(REPORT_ADDRESS) | REPORT_KEY(REPORT_SYMBOL_SIZE) | REPORT_KEY(REPORT_DSO_SIZE))
#define REPORT_MEMORY_KEYS (REPORT_KEY(REPORT_DATA_PAGE + 1) - REPORT_KEY(REPORT_MEMORY_LEVEL))
#define REPORT_BRANCH_KEYS (REPORT_KEY(REPORT_CYCLES + 1) - REPORT_KEY(REPORT_DSO_FROM))

/* Entries are one if the values of all keys are equal. */
typedef struct ReportFacetValue {
        uint64_t first, second;
} ReportFacetValue;

/* Returns the facets (SampleFacet) that rows must have for these keys. */
unsigned report_facets_wanted(uint64_t keys);

/* Returns the place that a key is about. place: what was hit. */
uint32_t report_facets_place(ReportKey key, const SampleFacets *f, uint32_t place);

/* Returns the value of a key of either kind. */
ReportFacetValue report_facets_value(const Report *report, ReportKey key, const SampleFacets *f, uint32_t place);

/* Finds the number of the group by those of the keys that the report has; 0: it has none of them. 0, -ENOMEM. */
int report_facets_group(Report *report, uint64_t keys, uint32_t facets, uint32_t place, uint32_t *ret);
