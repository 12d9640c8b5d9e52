/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Entries are in perf's order, and those of equal weight by their call depth, names and addresses. perf compares a caller with its
 * callee by depth, and other entries by name, which is no order: entries of equal weight stand there as its tree holds them.
 * Nor has it an order of mispredicted, aborted and transactional branches, of which it may show one twice; here they are first. */

#include "report-order.h"

static int compare_fields(const ReportColumns *c, ReportField field, const ReportEntry *a, const ReportEntry *b) {
        ReportCell x = report_cell(c, field, a), y = report_cell(c, field, b);

        return report_cell_order(&x, &y);
}

/* Orders entries that are equal in all that is sorted by: by their keys, then functions, then code without a name. */
static int compare_keys(const ReportColumns *c, const ReportEntry *a, const ReportEntry *b) {
        const NamedSymbol *x = c->report->names->symbols + a->symbol, *y = c->report->names->symbols + b->symbol;
        int order = 0;

        for (size_t i = 0; order == 0 && i < c->n_sorted; i++)
                if (!report_field_is_number(c->sorted[i]) && c->sorted[i] != REPORT_FIELD_SYMBOL)
                        order = compare_fields(c, c->sorted[i], a, b);
        if (order != 0 || !x->name != !y->name)
                return order != 0 ? order : !x->name - !y->name;
        if (!x->name)
                return report_numbers_order(a->ip, b->ip);
        return compare_fields(c, REPORT_FIELD_DSO, a, b) ?: report_symbols_order(x, y);
}

static int order_compare_entries(const void *a, const void *b, void *userdata) {
        const ReportColumns *c = userdata;
        const ReportEntry *x = c->report->entries + *(const size_t *) a, *y = c->report->entries + *(const size_t *) b;
        int order = 0;

        for (size_t i = 0; order == 0 && i < c->n_sorted; i++)
                order = compare_fields(c, c->sorted[i], x, y);
        return order != 0 ? order : compare_keys(c, x, y);
}

size_t *report_order(const ReportColumns *c) {
        size_t n = c->report->n, *order = calloc(n + 1, sizeof(*order));

        for (size_t i = 0; order && i < n; i++)
                order[i] = i;
        if (order)
                qsort_r(order, n, sizeof(*order), order_compare_entries, (void *) c);
        return order;
}
