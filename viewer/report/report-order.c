/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Entries are in perf's order, down to those that are equal in all that is sorted by: perf keeps them in red-black trees, and
 * with children its comparison is no order (see insertion-tree.c), so they are inserted here as they are there. */

#include "report-order.h"

#include "facet-columns.h"
#include "insertion-tree.h"
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

static int compare_children(const ReportColumns *c, const ReportEntry *a, const ReportEntry *b) {
        int order = order_compare_weights(c, REPORT_FIELD_CHILDREN, a, b);

        if (order != 0)
                return order;
        if (a->thread != b->thread || !c->report->plan.chains)
                return 0;
        /* with callers first, the caller has the deeper chains */
        return c->report->plan.caller ? order_compare_numbers(b->depth, a->depth) : order_compare_numbers(a->depth, b->depth);
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
        switch (field) {
        case REPORT_FIELD_CHILDREN:
                return compare_children(c, a, b);
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

/* The order in which perf finds entries to sort: by their keys, symbols by their addresses. */
static int compare_keys(const void *a, const void *b, void *userdata) {
        const ReportColumns *c = userdata;
        const ReportEntry *x = c->report->entries + *(const size_t *) a, *y = c->report->entries + *(const size_t *) b;
        const NamedSymbol *s = c->report->names->symbols + x->symbol, *t = c->report->names->symbols + y->symbol;
        int order = 0;

        for (size_t i = 0; order == 0 && i < c->n_sorted; i++)
                if (c->sorted[i] >= REPORT_FIELD_KEYS && c->sorted[i] != REPORT_FIELD_KEYS + REPORT_SYMBOL)
                        order = compare_field(c, c->sorted[i], x, y);
        if (order != 0)
                return order;
        if (!s->name && !t->name)
                return (int64_t) (x->ip - y->ip) < 0 ? -1 : x->ip != y->ip;
        order = order_compare_binaries(c, x, y);
        if (order != 0 || !s->name || !t->name)
                return order != 0 ? order : !s->name - !t->name;
        return s->start != t->start ? order_compare_numbers(s->start, t->start) : order_compare_numbers(s->end, t->end);
}

static int compare_fields(const ReportColumns *c, size_t a, size_t b) {
        int order = 0;

        for (size_t i = 0; order == 0 && i < c->n_sorted; i++)
                order = compare_field(c, c->sorted[i], c->report->entries + a, c->report->entries + b);
        return order;
}

static int order_compare_entries(const void *a, const void *b, void *userdata) {
        int order = compare_fields(userdata, *(const size_t *) a, *(const size_t *) b);

        return order != 0 ? order : compare_keys(a, b, userdata);
}

static bool comes_before(const void *userdata, size_t a, size_t b) {
        return compare_fields(userdata, a, b) < 0;
}

static bool key_comes_before(const void *userdata, size_t a, size_t b) {
        return compare_keys(&a, &b, (void *) userdata) < 0;
}

/* perf compares addresses by the sign of their difference, which is no order if they are further apart than that can tell; nor
 * is it one to compare addresses without their binaries, and functions with them. */
static bool keys_are_ordered(const ReportColumns *c) {
        int64_t least = 0, most = 0, distance;

        for (size_t i = 0; i < c->report->n; i++) {
                least = MIN_OF(least, (int64_t) c->report->entries[i].ip);
                most = MAX_OF(most, (int64_t) c->report->entries[i].ip);
        }
        return (c->report->plan.keys & REPORT_KEY(REPORT_DSO) || !(c->report->plan.keys & REPORT_KEY(REPORT_SYMBOL))) &&
               !__builtin_sub_overflow(most, least, &distance);
}

/* perf inserts entries into one tree as they come, from there, if they are grouped by names of threads, into another one, and at
 * last into the one that it prints. */
static int sort_as_inserted(const ReportColumns *c, size_t *order, size_t n) {
        int r = 0;

        if (keys_are_ordered(c))
                qsort_r(order, n, sizeof(*order), compare_keys, (void *) c);
        else {
                r = insertion_tree_sort(order, n, key_comes_before, c);
                if (r >= 0 && c->report->plan.keys & REPORT_KEY(REPORT_COMM))
                        r = insertion_tree_sort(order, n, key_comes_before, c);
        }
        return r < 0 ? r : insertion_tree_sort(order, n, comes_before, c);
}

size_t *report_order(const ReportColumns *c) {
        _cleanup_free_ size_t *order = calloc(c->report->n + 1, sizeof(*order));
        size_t n = c->report->n;

        if (!order)
                return NULL;
        for (size_t i = 0; i < n; i++)
                order[i] = i;
        if (c->report->plan.children || !keys_are_ordered(c))
                return sort_as_inserted(c, order, n) < 0 ? NULL : steal_ptr(order);
        qsort_r(order, n, sizeof(*order), order_compare_entries, (void *) c);
        return steal_ptr(order);
}
