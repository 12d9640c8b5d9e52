/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A cell is what the row of its column says, or what most columns do. */

#include "report-cell.h"

#include <inttypes.h>
#include <limits.h>

#include "saturate.h"
#include "utf8.h"

uint64_t report_cell_weight(const ReportCell *cell, size_t member) {
        return report_number_at(report_entry_weight(cell->report, cell->entry, member), cell->type->member);
}

static uint64_t number_of_size(const void *record, size_t offset, size_t size) {
        const void *at = (const char *) record + offset;

        return size == sizeof(uint16_t) ? *(const uint16_t *) at : size == sizeof(uint32_t) ? *(const uint32_t *) at :
               *(const uint64_t *) at;
}

ReportValue report_cell_value(const ReportCell *cell) {
        const ReportFieldType *t = cell->type;
        SampleFacets facets;
        uint64_t number;

        if (t->value)
                return t->value(cell);
        if (t->facets == 0)
                return (ReportValue) { 0, number_of_size(cell->entry, t->member, t->size) };
        facets = sample_table_facets(cell->report->table, cell->entry->facets);
        number = number_of_size(&facets, t->member, t->size);
        return (ReportValue) { 0, t->bits != 0 ? number & t->bits : number };
}

uint64_t report_cell_number(const ReportCell *cell) {
        uint64_t number = report_cell_value(cell).second;

        return cell->type->flags & FIELD_SUM ? saturate_product(number, cell->entry->weight.count) : number;
}

const char *report_cell_text(const ReportCell *cell) {
        return cell->type->text(cell) ?: cell->type->unknown ?: "";
}

void report_cell_put(const ReportCell *cell, size_t width, TextBuffer *out) {
        const ReportFieldType *t = cell->type;
        uint64_t number = t->put ? 0 : report_cell_number(cell);

        if (t->put)
                t->put(cell, width, out);
        else if (number == 0 && t->unknown)
                text_buffer_puts(out, t->unknown);
        else if (t->words)
                t->words(out, number);
        else
                text_buffer_decimal(out, number, 0);
}

size_t report_cell_width(const ReportCell *cell) {
        const ReportFieldType *t = cell->type;

        return t->width ? t->width(cell) : t->text ? strlen(report_cell_text(cell)) : 0;
}

int report_cell_order(const ReportCell *a, const ReportCell *b) {
        const ReportFieldType *t = a->type;
        int order = t->order ? t->order(a, b) : t->text ? strcmp(report_cell_text(a), report_cell_text(b)) : 0;

        if (order == 0 && (t->value || t->size > 0)) {
                ReportValue x = report_cell_value(a), y = report_cell_value(b);

                order = report_numbers_order(x.first, y.first) ?: report_numbers_order(x.second, y.second);
        }
        return t->flags & FIELD_DESCENDING ? -order : order;
}

void report_put_cut(TextBuffer *out, const char *text, size_t width) {
        text_buffer_put(out, text, (size_t) utf8_prefix(text, (int) MIN_OF(width, (size_t) INT_MAX)));
}

void report_put_named(TextBuffer *out, char level, const char *name, uint64_t address, size_t width) {
        text_buffer_format(out, "[%c] ", level);
        if (name)
                report_put_cut(out, name, width > FIELD_LEVEL_WIDTH ? width - FIELD_LEVEL_WIDTH : 0);
        else
                text_buffer_format(out, "%#.16" PRIx64, address);
}

size_t report_named_width(const char *name, size_t room) {
        return name ? strlen(name) + FIELD_LEVEL_WIDTH + room : FIELD_UNNAMED_WIDTH;
}
