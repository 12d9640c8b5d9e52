/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A node is known by its text and the node that it is below. Nodes are the entries of a report of their own, so that its columns
 * print their sums. */

#include "report-hierarchy.h"

#include <stdlib.h>

#include "array.h"

#define INDENT 3u

static uint32_t *path_of(const ReportHierarchy *h, size_t entry) {
        return h->paths + entry * h->n_levels;
}

static ReportEntry *node_at(const ReportHierarchy *h, uint32_t node) {
        return h->nodes.entries + node;
}

/* Makes a node without a weight, with the keys of an entry. */
static int hierarchy_add_node(ReportHierarchy *h, const ReportEntry *e) {
        Report *r = &h->nodes;
        ReportEntry *node;

        if (ARRAY_RESERVE(r->entries, r->allocated, r->n + 1) < 0 ||
            ARRAY_RESERVE(r->others, r->others_allocated, (r->n + 1) * r->n_others + 1) < 0)
                return -ENOMEM;
        node = r->entries + r->n;
        *node = *e;
        node->weight = (ReportWeight) {};
        memset(r->others + r->n * r->n_others, 0, r->n_others * sizeof(*r->others));
        r->n++;
        return 0;
}

/* above: the node that it is below, + 1; 0: none. */
static int hierarchy_find_node(ReportHierarchy *h, uint32_t above, ReportField field, const ReportEntry *e, uint32_t *ret) {
        _cleanup_free_ char *text = report_columns_field(h->columns, field, e), *name = NULL;
        size_t n = text ? strlen(text) : 0;
        uint32_t number;
        int r;

        name = malloc(sizeof(above) + n + 1);
        if (!text || !name)
                return -ENOMEM;
        memcpy(name, &above, sizeof(above));
        memcpy(name + sizeof(above), text, n);
        r = byte_pool_intern(&h->names, name, sizeof(above) + n, &number);
        if (r >= 0 && number > h->nodes.n)
                r = hierarchy_add_node(h, e);
        *ret = number - 1;
        return r;
}

static void add_weight(ReportHierarchy *h, uint32_t node, const ReportEntry *e) {
        Report *to = &h->nodes;

        for (size_t i = 0; i <= to->n_others; i++) {
                const ReportWeight *w = report_entry_weight(h->columns->report, e, i);
                ReportWeight *sum = i > 0 ? to->others + node * to->n_others + i - 1 : &node_at(h, node)->weight;

                sum->period += w->period;
                sum->count += w->count;
                sum->kernel_period += w->kernel_period;
                sum->user_period += w->user_period;
                sum->latency += w->latency;
        }
}

static int add_entry(ReportHierarchy *h, size_t entry) {
        const ReportEntry *e = h->columns->report->entries + entry;
        uint32_t *path = path_of(h, entry);
        int r = 0;

        for (size_t i = 0; r >= 0 && i < h->n_levels; i++) {
                r = hierarchy_find_node(h, i > 0 ? path[i - 1] + 1 : 0, h->levels[i], e, path + i);
                if (r >= 0)
                        add_weight(h, path[i], e);
        }
        return r;
}

static uint64_t hierarchy_weight(const ReportHierarchy *h, uint32_t node) {
        const ReportColumns *c = &h->summed;
        bool by_number = c->n_sorted > 0 && report_field_is_number(c->sorted[0]);
        ReportCell cell = report_cell(c, by_number ? c->sorted[0] : REPORT_FIELD_OVERHEAD, node_at(h, node));

        return report_cell_weight(&cell, 0);
}

/* Nodes of the same weight stay in the order of the entries. */
static int hierarchy_compare_paths(const void *a, const void *b, void *userdata) {
        const ReportHierarchy *h = userdata;
        const uint32_t *p = path_of(h, *(const size_t *) a), *q = path_of(h, *(const size_t *) b);

        for (size_t i = 0; i < h->n_levels; i++) {
                uint64_t x = hierarchy_weight(h, p[i]), y = hierarchy_weight(h, q[i]);

                if (x != y)
                        return x > y ? -1 : 1;
                if (p[i] != q[i])
                        return p[i] < q[i] ? -1 : 1;
        }
        return 0;
}

static size_t find_levels(const ReportColumns *c, ReportField levels[static REPORT_COLUMNS_MAX]) {
        size_t n = 0;

        for (size_t i = 0; i < c->n_shown; i++)
                if (!report_field_is_number(c->shown[i]))
                        levels[n++] = c->shown[i];
        return n;
}

int report_hierarchy_init(ReportHierarchy *h, const ReportColumns *columns, size_t *order) {
        const Report *report = columns->report;
        int r = 0;

        *h = (ReportHierarchy) {
                .columns = columns, .summed = *columns,
                .nodes = { .plan = report->plan, .table = report->table, .places = report->places, .names = report->names,
                           .n_others = report->n_others },
        };
        h->summed.report = &h->nodes;
        h->n_levels = find_levels(columns, h->levels);
        h->paths = calloc(report->n * h->n_levels + 1, sizeof(*h->paths));
        if (!h->paths)
                return -ENOMEM;
        for (size_t i = 0; r >= 0 && i < report->n; i++)
                if (report_entry_is_wanted(report, report->entries + order[i]))
                        r = add_entry(h, order[i]);
        if (r >= 0 && h->nodes.n > 0)
                qsort_r(order, report->n, sizeof(*order), hierarchy_compare_paths, h);
        return r;
}

void report_hierarchy_done(ReportHierarchy *h) {
        free(h->nodes.entries);
        free(h->nodes.others);
        byte_pool_done(&h->names);
        free(h->paths);
        *h = (ReportHierarchy) {};
}

static void print_indent(const ReportColumns *c, size_t n_levels, char blank, FILE *f) {
        for (size_t i = 0; !c->separator && i + INDENT < n_levels * INDENT; i++)
                (void) fputc(blank, f);
}

static void print_between(const ReportColumns *c, const char *text, FILE *f) {
        if (c->separator)
                (void) fputc(c->separator, f);
        else
                (void) fputs(text, f);
}

static void print_dots(size_t n, FILE *f) {
        for (size_t i = 0; i < n; i++)
                (void) fputc('.', f);
}

/* The dots reach as far as the titles, and as the widest level does. */
static void print_rule(const ReportColumns *c, const ReportField *levels, size_t n_levels, size_t title_width, FILE *f) {
        size_t width = title_width;

        (void) fputs("# ", f);
        print_indent(c, n_levels, '.', f);
        for (size_t i = 0; i < c->n_shown && report_field_is_number(c->shown[i]); i++) {
                if (i > 0)
                        print_between(c, "..", f);
                print_dots(c->widths[c->shown[i]], f);
        }
        print_between(c, "  ", f);
        for (size_t i = 0; i < n_levels; i++)
                width = MAX_OF(width, i * INDENT + c->widths[levels[i]]);
        print_dots(width, f);
        (void) fputs("\n#\n", f);
}

void report_hierarchy_print_header(const ReportColumns *c, FILE *f) {
        ReportField levels[REPORT_COLUMNS_MAX];
        size_t n_levels = find_levels(c, levels), width = 0;

        (void) fputs("# ", f);
        print_indent(c, n_levels, ' ', f);
        for (size_t i = 0; i < c->n_shown && report_field_is_number(c->shown[i]); i++) {
                (void) fprintf(f, "%*s", c->separator ? 0 : (int) c->widths[c->shown[i]], report_columns_title(c, c->shown[i]));
                print_between(c, "  ", f);
        }
        for (size_t i = 0; i < n_levels; i++) {
                int n = fprintf(f, "%s%s", i > 0 ? " / " : "", report_columns_title(c, levels[i]));

                width += n > 0 ? (size_t) n : 0;
        }
        (void) fputc('\n', f);
        print_rule(c, levels, n_levels, width, f);
}

static int print_node(const ReportHierarchy *h, const ReportEntry *node, size_t level, FILE *f) {
        const ReportColumns *c = &h->summed;
        int r;

        (void) fprintf(f, "%*s", (int) (level * INDENT), "");
        for (size_t i = 0; i < c->n_shown && report_field_is_number(c->shown[i]); i++) {
                if (i > 0 || !c->separator)
                        print_between(c, "  ", f);
                report_columns_print_field(c, c->shown[i], node, f);
        }
        print_indent(c, h->n_levels, ' ', f);
        print_between(c, "  ", f);
        r = report_columns_print_alone(c, h->levels[level], node, f);
        (void) fputc('\n', f);
        return r;
}

/* level: of what would be below. */
static void print_nothing_below(const ReportHierarchy *h, size_t level, double limit, FILE *f) {
        const ReportColumns *c = h->columns;
        size_t indent = (h->n_levels + level - 1) * INDENT + 4;

        for (size_t i = 0; i < c->n_shown && report_field_is_number(c->shown[i]); i++)
                indent += c->widths[c->shown[i]] + (i > 0 ? 2 : 0);
        (void) fprintf(f, "%*sno entry >= %.2f%%\n", c->separator ? 0 : (int) indent, "", limit);
}

int report_hierarchy_print(const ReportHierarchy *h, const ReportEntry *e, const ReportEntry *before, double limit, FILE *f) {
        const ReportEntry *entries = h->columns->report->entries;
        const uint32_t *path = path_of(h, (size_t) (e - entries)), *last = before ? path_of(h, (size_t) (before - entries)) : NULL;
        bool parted = !before;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < h->n_levels; i++) {
                const ReportEntry *node = node_at(h, path[i]);

                if (!report_columns_reaches(h->columns, node->weight.period, limit)) {
                        if (i > 0 && parted)
                                print_nothing_below(h, i, limit, f);
                        return 0;
                }
                parted = parted || path[i] != last[i];
                if (parted)
                        r = print_node(h, node, i, f);
        }
        return r < 0 ? r : 1;
}
