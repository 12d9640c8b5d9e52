/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Entries are in perf's order, and those of equal weight by their call depth, names and addresses. perf compares a caller with its
 * callee by depth, and other entries by name, which is no order: entries of equal weight stand there as its tree holds them. */

#include "report-order.h"

#include "facet-columns.h"
#include "trace-labels.h"

static int order_compare_numbers(uint64_t a, uint64_t b) {
        return a < b ? -1 : a > b;
}

/* The first event of a group that has different numbers decides, after the one that was asked for. */
static int order_compare_weights(const ReportColumns *c, ReportField field, const ReportEntry *a, const ReportEntry *b) {
        size_t first = c->sort_member < c->n_members ? c->sort_member : 0;
        int order = order_compare_numbers(report_columns_number(c, field, b, first), report_columns_number(c, field, a, first));

        for (size_t i = 1; order == 0 && i < c->n_members; i++)
                order = order_compare_numbers(report_columns_number(c, field, b, i), report_columns_number(c, field, a, i));
        return order;
}

/* Entries without a name come last. */
static int order_compare_names(const char *x, const char *y) {
        if (!x || !y)
                return !x - !y;
        return strcmp(x, y);
}

static int order_compare_binaries(const ReportColumns *c, const ReportEntry *a, const ReportEntry *b) {
        if (!a->mapped || !b->mapped)
                return b->mapped - a->mapped;
        return strcmp(place_names_text(c->report->names, a->binary), place_names_text(c->report->names, b->binary));
}

/* perf has them by their numbers, the greatest first. */
static int order_compare_groups(const ReportColumns *c, const ReportEntry *a, const ReportEntry *b) {
        const CgroupNames *cgroups = sample_table_cgroups(c->report->table);
        uint64_t x = a->row.cgroup > 0 ? cgroups->groups[a->row.cgroup - 1].id : 0;
        uint64_t y = b->row.cgroup > 0 ? cgroups->groups[b->row.cgroup - 1].id : 0;

        return x != y ? order_compare_numbers(y, x) : order_compare_numbers(a->row.cgroup, b->row.cgroup);
}

static const char *order_text(const ReportColumns *c, ReportField field, const ReportEntry *e) {
        return sample_table_label(c->report->table, e->row.label, trace_label_order(field - REPORT_FIELD_TRACES)) ?: "";
}

static const char *symbol_name(const ReportColumns *c, uint32_t symbol) {
        return c->report->names->symbols[symbol].name; /* NULL: none */
}

static int compare_key(const ReportColumns *c, ReportKey key, const ReportEntry *a, const ReportEntry *b) {
        switch (key) {
        case REPORT_PID:
                return order_compare_numbers(a->row.tid, b->row.tid);
        case REPORT_DSO:
                return order_compare_binaries(c, a, b);
        case REPORT_SYMBOL:
                return order_compare_names(symbol_name(c, a->symbol), symbol_name(c, b->symbol));
        case REPORT_CPU:
                return order_compare_numbers(a->row.cpu, b->row.cpu);
        case REPORT_TIME:
                return order_compare_numbers(a->row.time, b->row.time);
        case REPORT_PARALLELISM:
                return order_compare_numbers(a->row.parallelism, b->row.parallelism);
        case REPORT_CGROUP:
                return order_compare_groups(c, a, b);
        case REPORT_PARENT:
                return order_compare_names(symbol_name(c, a->row.parent), symbol_name(c, b->row.parent));
        default:
                return facet_column(key) ? facet_column_compare(c->report, key, a, b) :
                        strcmp(report_columns_text(c, key, a), report_columns_text(c, key, b));
        }
}

static int compare_field(const ReportColumns *c, ReportField field, const ReportEntry *a, const ReportEntry *b) {
        int order;

        switch (field) {
        case REPORT_FIELD_CHILDREN:
                order = order_compare_weights(c, field, a, b);
                if (order != 0 || !c->report->plan.chains)
                        return order;
                /* with callers first, the caller has the deeper chains */
                order = order_compare_numbers(a->depth, b->depth);
                return c->report->plan.caller ? -order : order;
        case REPORT_FIELD_OVERHEAD:
        case REPORT_FIELD_SYSTEM:
        case REPORT_FIELD_USER:
        case REPORT_FIELD_LATENCY:
        case REPORT_FIELD_PERIOD:
        case REPORT_FIELD_SAMPLES:
                return order_compare_weights(c, field, a, b);
        default:
                return report_field_is_trace(field) ? strcmp(order_text(c, field, b), order_text(c, field, a)) :
                        compare_key(c, (ReportKey) (field - REPORT_FIELD_KEYS), a, b);
        }
}

/* The order of entries that are equal in all that is sorted by: by their keys, then functions, then code without a name. */
static int compare_keys(const ReportColumns *c, const ReportEntry *a, const ReportEntry *b) {
        const NamedSymbol *x = c->report->names->symbols + a->symbol, *y = c->report->names->symbols + b->symbol;
        int order = 0;

        for (size_t i = 0; order == 0 && i < c->n_sorted; i++)
                if (c->sorted[i] >= REPORT_FIELD_KEYS && c->sorted[i] != REPORT_FIELD_KEYS + REPORT_SYMBOL)
                        order = compare_field(c, c->sorted[i], a, b);
        if (order != 0 || !x->name != !y->name)
                return order != 0 ? order : !x->name - !y->name;
        if (!x->name)
                return order_compare_numbers(a->ip, b->ip);
        order = order_compare_binaries(c, a, b);
        if (order != 0)
                return order;
        return x->start != y->start ? order_compare_numbers(x->start, y->start) : order_compare_numbers(x->end, y->end);
}

static int order_compare_entries(const void *a, const void *b, void *userdata) {
        const ReportColumns *c = userdata;
        const ReportEntry *x = c->report->entries + *(const size_t *) a, *y = c->report->entries + *(const size_t *) b;
        int order = 0;

        for (size_t i = 0; order == 0 && i < c->n_sorted; i++)
                order = compare_field(c, c->sorted[i], x, y);
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
