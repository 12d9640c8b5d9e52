/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An entry has the facets of its first sample: those that it is grouped by are the same for all of them. */

#include "facet-fields.h"

#include <inttypes.h>

#include "report-columns.h"

#define CACHE_LINE 64u /* bytes */
#define TRANSACTION_WIDTH 32u

/* Returns the number of the place that the column is about. */
static uint32_t place_number(const ReportCell *cell) {
        SampleFacets f;

        if (!(cell->type->facets & (FACET_DATA | FACET_BRANCH_FROM)))
                return cell->entry->place;
        f = sample_table_facets(cell->report->table, cell->entry->facets);
        return cell->type->facets & FACET_DATA ? f.data_place : f.from_place;
}

static const CodePlace *cell_place(const ReportCell *cell) {
        return cell->report->places->places + place_number(cell);
}

static const NamedSymbol *cell_symbol(const ReportCell *cell) {
        return cell->report->names->symbols + cell->report->names->symbol_of[place_number(cell)];
}

ReportValue facet_value_cache_line(const ReportCell *cell) {
        const CodePlace *place = cell_place(cell);

        return (ReportValue) { place_names_dso(cell->report->names, place), place->address / CACHE_LINE * CACHE_LINE };
}

ReportValue facet_value_ip(const ReportCell *cell) {
        return (ReportValue) { 0, cell_place(cell)->ip };
}

ReportValue facet_value_address(const ReportCell *cell) {
        const CodePlace *place = cell_place(cell);

        return (ReportValue) { place_names_dso(cell->report->names, place), place->ip };
}

ReportValue facet_value_dso(const ReportCell *cell) {
        return (ReportValue) { 0, place_names_dso(cell->report->names, cell_place(cell)) };
}

/* Functions are one if their symbols are; code without a symbol is told apart by its address, as recorded. */
ReportValue facet_value_symbol(const ReportCell *cell) {
        uint32_t symbol = cell->report->names->symbol_of[place_number(cell)];

        return symbol > 0 ? (ReportValue) { 0, symbol } : (ReportValue) { 1, cell_place(cell)->ip };
}

ReportValue facet_value_line(const ReportCell *cell) {
        return (ReportValue) { 0, cell->report->names->line_of[place_number(cell)] };
}

ReportValue facet_value_symbol_size(const ReportCell *cell) {
        return (ReportValue) { 0, cell_symbol(cell)->end - cell_symbol(cell)->start };
}

ReportValue facet_value_dso_size(const ReportCell *cell) {
        const CodePlaces *places = cell->report->places;

        return (ReportValue) { 0, place_number(cell) < places->n_map_sizes ? places->map_sizes[place_number(cell)] : 0 };
}

const char *facet_text_dso(const ReportCell *cell) {
        return place_names_text(cell->report->names, place_names_dso(cell->report->names, cell_place(cell)));
}

const char *facet_text_line(const ReportCell *cell) {
        uint32_t line = cell->report->names->line_of[place_number(cell)];

        return line > 0 ? place_names_text(cell->report->names, line) : "??:0";
}

void facet_put_address(TextBuffer *out, uint64_t address) {
        text_buffer_format(out, "%#" PRIx64, address);
}

void facet_put_transaction(TextBuffer *out, uint64_t transaction) {
        static const char *const words[] = { "EL ", "TX ", "SYNC ", "ASYNC ", "RETRY ", "CON ", "CAP-WRITE ", "CAP-READ " };

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (transaction >> i & 1)
                        text_buffer_puts(out, words[i]);
        if (transaction != 0 && !(transaction & (PERF_TXN_SYNC | PERF_TXN_ASYNC)))
                text_buffer_puts(out, "NEITHER ");
        if (transaction >> PERF_TXN_ABORT_SHIFT > 0)
                text_buffer_format(out, ":%" PRIx64, transaction >> PERF_TXN_ABORT_SHIFT);
}

void facet_put_mispredicted(TextBuffer *out, uint64_t flags) {
        text_buffer_puts(out, flags & BRANCH_PREDICTED ? "N" : flags & BRANCH_MISPREDICTED ? "Y" : "N/A");
}

void facet_put_abort(TextBuffer *out, uint64_t flags) {
        text_buffer_putc(out, flags != 0 ? 'A' : '.');
}

void facet_put_in_transaction(TextBuffer *out, uint64_t flags) {
        text_buffer_putc(out, flags != 0 ? 'T' : '.');
}

void facet_put_physical(const ReportCell *cell, size_t width, TextBuffer *out) {
        report_put_named(out, cell->entry->level, NULL, report_cell_number(cell), width);
}

void facet_put_data(const ReportCell *cell, size_t width, TextBuffer *out) {
        report_put_named(out, cell->entry->level, cell_symbol(cell)->name, report_cell_number(cell), width);
}

/* As in perf, lines of unmapped data have a level of their own. */
void facet_put_cache_line(const ReportCell *cell, size_t width, TextBuffer *out) {
        char level = cell_place(cell)->dso == DSO_NONE ? 'X' : cell->entry->level;

        report_put_named(out, level, cell_symbol(cell)->name, report_cell_number(cell), width);
}

void facet_put_branch(const ReportCell *cell, size_t width, TextBuffer *out) {
        report_put_named(out, cell_place(cell)->level, cell_symbol(cell)->name, cell_place(cell)->address, width);
}

void facet_put_branch_address(const ReportCell *cell, size_t width, TextBuffer *out) {
        const NamedSymbol *symbol = cell_symbol(cell);
        uint64_t address = cell_place(cell)->address;

        facet_put_branch(cell, width, out);
        if (symbol->name && address > symbol->start)
                text_buffer_format(out, "+0x%" PRIx64, address - symbol->start);
}

/* As for the binary of an entry, but without a symbol the name of a branch's does not count. */
size_t facet_width_dso(const ReportCell *cell) {
        bool known = cell->type->facets & FACET_DATA ? cell_place(cell)->dso != DSO_NONE : cell_symbol(cell)->name != NULL;

        return known ? strlen(facet_text_dso(cell)) : cell->columns->separator ? 0 : FIELD_ADDRESS_WIDTH;
}

size_t facet_width_symbol(const ReportCell *cell) {
        return report_named_width(cell_symbol(cell)->name, cell->type->room);
}

size_t facet_width_branch_address(const ReportCell *cell) {
        return cell_symbol(cell)->name ? 0 : FIELD_UNNAMED_WIDTH;
}

size_t facet_width_transaction(const ReportCell *cell) {
        return report_cell_number(cell) != 0 ? TRANSACTION_WIDTH : 0;
}

/* Names of binaries, and behind them what is none. */
int facet_order_dsos(const ReportCell *a, const ReportCell *b) {
        bool x = cell_place(a)->dso != DSO_NONE, y = cell_place(b)->dso != DSO_NONE;

        return x && y ? strcmp(facet_text_dso(a), facet_text_dso(b)) : y - x;
}

/* Functions by their addresses in their binaries, and behind them what has no name. */
int facet_order_symbols(const ReportCell *a, const ReportCell *b) {
        const NamedSymbol *x = cell_symbol(a), *y = cell_symbol(b);

        if (!x->name && !y->name)
                return report_numbers_order(cell_place(a)->ip, cell_place(b)->ip);
        if (!x->name || !y->name)
                return !x->name - !y->name;
        return report_symbols_order(x, y);
}

int facet_order_addresses(const ReportCell *a, const ReportCell *b) {
        return facet_order_dsos(b, a) ?: report_numbers_order(cell_place(a)->ip, cell_place(b)->ip);
}
