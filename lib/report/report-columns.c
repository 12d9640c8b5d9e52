/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* perf measures its columns by all entries, those that are not shown too. */

#include "report-columns.h"

#include <inttypes.h>
#include <limits.h>

#include "array.h"
#include "share-color.h"
#include "share-interval.h"
#include "utf8.h"

#define INTERVAL_WIDTH 16u /* " [11.20-13.50%]" and one more digit */

static void columns_add(ReportField *fields, size_t *n, ReportField field) {
        if (!ANY_OF(*n, i, fields[i] == field))
                fields[(*n)++] = field;
}

void report_columns_show(ReportColumns *c, ReportField field) {
        columns_add(c->shown, &c->n_shown, field);
}

void report_columns_sort(ReportColumns *c, ReportField field) {
        columns_add(c->sorted, &c->n_sorted, field);
}

static const TraceColumn *trace_column(const ReportColumns *c, ReportField field) {
        return c->traces->columns + (field - REPORT_FIELD_TRACES);
}

void report_columns_choose_event(ReportColumns *c, const char *event) {
        size_t n = 0;

        for (size_t i = 0; i < c->n_shown; i++)
                if (!report_field_is_trace(c->shown[i]) || streq(trace_column(c, c->shown[i])->event, event))
                        c->shown[n++] = c->shown[i];
        c->n_shown = n;
}

void report_columns_plan(const ReportColumns *c, ReportPlan *plan) {
        plan->value = report_field_value;
        for (size_t i = 0; i < c->n_shown; i++) {
                const ReportFieldType *t = report_field_type(c->shown[i]);

                plan->keys |= t->keys;
                if (report_field_is_number(c->shown[i]) || t->keys != 0)
                        continue;
                if (t->flags & FIELD_OF_PLACE)
                        plan->place_values |= UINT64_C(1) << c->shown[i];
                else
                        plan->row_values |= UINT64_C(1) << c->shown[i];
        }
}

static const char *column_title(const ReportColumns *c, ReportField field) {
        if (report_field_is_trace(field))
                return trace_column(c, field)->name;
        return field == REPORT_FIELD_OVERHEAD && c->report->plan.children && !c->chosen ? "Self" : report_field_type(field)->title;
}

/* Makes a column as wide as it is without entries. */
static void begin_width(ReportColumns *c, ReportField field) {
        const ReportFieldType *t = report_field_type(field);
        size_t least = report_field_is_trace(field) ? trace_column(c, field)->width :
                       c->nanoseconds && t->least_ns > 0 ? t->least_ns : t->least;

        c->widths[field] = MAX_OF(strlen(column_title(c, field)), least);
        if (report_field_is_number(field)) {
                c->cells[field] = least + (t->total > 0 && c->samples > 0 ? INTERVAL_WIDTH : 0);
                c->widths[field] = c->n_members * c->cells[field];
        }
}

void report_columns_measure(ReportColumns *c, const Report *report, const ReportMember *members) {
        c->report = report;
        c->members = members;
        c->n_members = report->n_others + 1;
        c->total = members->total;
        c->samples = members->samples;
        for (size_t i = 0; i < c->n_shown; i++)
                begin_width(c, c->shown[i]);
        for (size_t i = 0; i < report->n; i++)
                for (size_t k = 0, n = report_entry_is_wanted(report, report->entries + i) ? c->n_shown : 0; k < n; k++) {
                        ReportCell cell = report_cell(c, c->shown[k], report->entries + i);

                        if (!report_field_is_number(c->shown[k]))
                                c->widths[c->shown[k]] = MAX_OF(c->widths[c->shown[k]], report_cell_width(&cell));
                }
}

void report_columns_set_widths(ReportColumns *c, const unsigned *widths, size_t n) {
        for (size_t i = 0; i < n && i < c->n_shown; i++) {
                ReportField field = c->shown[i];
                bool number = report_field_is_number(field);

                if (widths[i] == 0)
                        continue;
                c->widths[field] = c->n_members > 1 && number ? MAX_OF(widths[i], c->widths[field]) : widths[i];
                if (number)
                        c->cells[field] = widths[i];
        }
}

static void columns_print_separator(const ReportColumns *c, FILE *f) {
        if (c->separator)
                (void) fputc(c->separator, f);
        else
                (void) fputs("  ", f);
}

void report_columns_print_header(const ReportColumns *c, FILE *f) {
        (void) fputs("# ", f);
        for (size_t i = 0; i < c->n_shown; i++) {
                int width = (int) c->widths[c->shown[i]];
                bool number = report_field_is_number(c->shown[i]);

                if (i > 0)
                        columns_print_separator(c, f);
                (void) fprintf(f, "%*.*s", number || report_field_is_trace(c->shown[i]) ? width : -width, number ? -1 : width,
                               column_title(c, c->shown[i]));
        }
        (void) fputc('\n', f);
        if (c->separator)
                return;
        (void) fputs("# ", f);
        for (size_t i = 0; i < c->n_shown; i++) {
                (void) fputs(i > 0 ? "  " : "", f);
                for (size_t k = 0; k < c->widths[c->shown[i]]; k++)
                        (void) fputc('.', f);
        }
        (void) fputs("\n#\n", f);
}

/* Writes a text, of at most max bytes and without a part of a character, with another character where it has the
 * separator. Returns the bytes. */
static size_t columns_print_text(const ReportColumns *c, const char *text, size_t max, FILE *f) {
        size_t n = (size_t) utf8_prefix(text, (int) MIN_OF(max, (size_t) INT_MAX));

        if (!c->separator)
                return fwrite(text, 1, n, f);
        for (size_t i = 0; i < n; i++)
                (void) fputc(text[i] == c->separator ? '.' : text[i], f);
        return n;
}

static size_t printed(int n) {
        return n > 0 ? (size_t) n : 0;
}

/* Returns what is left of a width. */
static int width_but(size_t width, size_t other) {
        return width > other ? (int) (width - other) : 1;
}

static size_t print_share(const ReportColumns *c, const ReportMember *m, ReportField field, uint64_t period, FILE *f) {
        uint64_t total = report_number_at(m, report_field_type(field)->total);
        double share = total > 0 ? 100.0 * (double) period / (double) total : 0.0;
        size_t other = 2 + (c->samples > 0 ? INTERVAL_WIDTH : 0), n;
        ShareInterval interval;
        char text[64];

        n = share_print(share, c->colors, f, " ", c->separator ? 1 : width_but(c->cells[field], other));
        if (c->samples <= 0)
                return n;
        interval = share_interval(share / 100, m->samples);
        (void) snprintf(text, sizeof(text), "[%.2f-%.2f%%]", 100 * interval.from, 100 * interval.to);
        return n + printed(fprintf(f, " %*s", c->separator ? 1 : (int) INTERVAL_WIDTH - 1, text));
}

static size_t print_key(const ReportColumns *c, const ReportCell *cell, size_t width, FILE *f) {
        _cleanup_(text_buffer_done) TextBuffer put = {};
        const char *text = cell->type->text ? report_cell_text(cell) : NULL;
        size_t n = 0;

        if (!cell->type->text) {
                report_cell_put(cell, width, &put);
                text_buffer_putc(&put, '\0');
                if (put.error < 0)
                        return 0;
                text = put.data;
        }
        if (cell->type->flags & FIELD_RIGHT)
                n = printed(fprintf(f, "%*s", (int) (width - MIN_OF(strlen(text), width)), ""));
        return n + columns_print_text(c, text, cell->type->text ? width : SIZE_MAX, f);
}

static size_t print_field(const ReportColumns *c, ReportField field, const ReportEntry *e, FILE *f) {
        ReportCell cell = report_cell(c, field, e);
        size_t n = 0;

        if (!report_field_is_number(field))
                return print_key(c, &cell, c->widths[field], f);
        for (size_t i = 0; i < c->n_members; i++) {
                uint64_t number = report_cell_weight(&cell, i);

                n += cell.type->total > 0 ? print_share(c, c->members + i, field, number, f) :
                     printed(fprintf(f, " %*" PRIu64, c->separator ? 1 : width_but(c->cells[field], 1), number));
        }
        return n;
}

const char *report_columns_title(const ReportColumns *c, ReportField field) {
        const char *title = column_title(c, field);

        return title + strspn(title, " ");
}

void report_columns_print_field(const ReportColumns *c, ReportField field, const ReportEntry *e, FILE *f) {
        (void) print_field(c, field, e, f);
}

/* Returns a field as print_field() prints it, and how many characters that are. NULL without memory. */
static char *field_text(const ReportColumns *c, ReportField field, const ReportEntry *e, size_t *ret_printed) {
        char *text = NULL;
        size_t size;
        FILE *f = open_memstream(&text, &size);

        if (!f)
                return NULL;
        *ret_printed = print_field(c, field, e, f);
        if (fclose(f) == 0)
                return text;
        free(text);
        return NULL;
}

char *report_columns_field(const ReportColumns *c, ReportField field, const ReportEntry *e) {
        size_t shown, n, blanks;
        _cleanup_free_ char *text = field_text(c, field, e, &shown);

        if (!text)
                return NULL;
        for (n = strlen(text); n > 0 && text[n - 1] == ' '; n--)
                ;
        blanks = strspn(text, " ");
        return strndup(text + blanks, n > blanks ? n - blanks : 0);
}

bool report_columns_reaches(const ReportColumns *c, uint64_t weight, double percentage) {
        return c->total == 0 || (float) (100.0 * (double) weight / (double) c->total) >= (float) percentage;
}

/* The last column is padded if it is a name, but for a symbol's and a source file's. */
static bool is_padded(ReportField field) {
        return !report_field_is_number(field) && !report_field_is(field, FIELD_UNPADDED);
}

int report_columns_print_alone(const ReportColumns *c, ReportField field, const ReportEntry *e, FILE *f) {
        size_t n, width = c->widths[field];
        _cleanup_free_ char *text = field_text(c, field, e, &n);

        if (!text)
                return -ENOMEM;
        (void) fputs(text + strspn(text, " "), f);
        if (!c->separator && n < width && is_padded(field))
                (void) fprintf(f, "%*s", (int) (width - n), "");
        return 0;
}

void report_columns_print(const ReportColumns *c, const ReportEntry *e, FILE *f) {
        for (size_t i = 0; i < c->n_shown; i++) {
                size_t n, width = c->widths[c->shown[i]];

                if (i > 0 || !c->separator)
                        columns_print_separator(c, f);
                n = print_field(c, c->shown[i], e, f);
                if (n < width && (i + 1 < c->n_shown || is_padded(c->shown[i])))
                        (void) fprintf(f, "%*s", (int) (width - n), "");
        }
        (void) fputc('\n', f);
}
