/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "report-facets.h"
#include "text-buffer.h"

#define FACET_LEVEL_WIDTH 4u /* "[k] " */

/* Columns of a report with facets of samples and measures of places (report-facets.h): texts, widths and order are those of
 * perf report. Keys of other kinds are not for here. */
typedef struct FacetColumn {
        const char *title;
        unsigned least;      /* characters that the column has at least, besides its title */
        bool right;          /* its fields stand at the right */
        bool unpadded;       /* the last column is not padded */
        bool level;          /* fields begin with the level of code, FACET_LEVEL_WIDTH characters */
        bool whole;          /* fields may be wider than the column */
} FacetColumn;

/* NULL: the key is of another kind. */
const FacetColumn *facet_column(ReportKey key);

/* Puts what an entry has there, of at most width characters unless fields may be wider. */
void facet_column_put(const Report *report, ReportKey key, const ReportEntry *e, size_t width, TextBuffer *out);

/* Returns how wide the column must be for an entry. aligned: columns are not separated by a character. */
size_t facet_column_width(const Report *report, ReportKey key, const ReportEntry *e, bool aligned);

/* Returns a number less than, equal to or greater than 0, as the first entry comes before the other one. */
int facet_column_compare(const Report *report, ReportKey key, const ReportEntry *a, const ReportEntry *b);

/* Returns the number that a field is; false: it is a text. */
bool facet_column_number(const Report *report, ReportKey key, const ReportEntry *e, uint64_t *ret);
