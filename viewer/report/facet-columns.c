/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A column has the facets of an entry's first sample: those that it is grouped by are the same for all of them.
 *
 * perf has no order of mispredicted, aborted and transactional branches, which may make it show one twice; here these come
 * first. */

#include "facet-columns.h"

#include <inttypes.h>
#include <limits.h>

#include "data-source-text.h"
#include "saturate.h"
#include "script-raw.h"
#include "utf8.h"

#define ADDRESS_WIDTH 16u /* digits */
#define UNNAMED_WIDTH (ADDRESS_WIDTH + 2 + FACET_LEVEL_WIDTH)
#define TRANSACTION_WIDTH 32u

static const FacetColumn columns[_REPORT_KEY_MAX] = {
        [REPORT_WEIGHT] = { .title = "Weight", .least = 12, .whole = true },
        [REPORT_LOCAL_WEIGHT] = { .title = "Local Weight", .least = 12, .whole = true },
        [REPORT_LATENCY] = { .title = "INSTR Latency", .least = 13, .whole = true },
        [REPORT_LOCAL_LATENCY] = { .title = "Local INSTR Latency", .least = 13, .whole = true },
        [REPORT_STAGE] = { .title = "Pipeline Stage Cycle", .least = 13, .whole = true },
        [REPORT_LOCAL_STAGE] = { .title = "Local Pipeline Stage Cycle", .least = 13, .whole = true },
        [REPORT_RETIRE] = { .title = "Retire Latency", .least = 13, .whole = true },
        [REPORT_LOCAL_RETIRE] = { .title = "Local Retire Latency", .least = 13, .whole = true },
        [REPORT_MEMORY_LEVEL] = { .title = "Memory access", .least = 24, .whole = true },
        [REPORT_SNOOP] = { .title = "Snoop", .least = 12, .whole = true },
        [REPORT_LOCKED] = { .title = "Locked", .least = 6, .unpadded = true },
        [REPORT_TLB] = { .title = "TLB access", .least = 22, .whole = true },
        [REPORT_BLOCKED] = { .title = "Blocked", .least = 10, .unpadded = true },
        [REPORT_CACHE_LINE] = { .title = "Data Cacheline", .level = true, .unpadded = true },
        [REPORT_DATA_SYMBOL] = { .title = "Data Symbol", .level = true, .unpadded = true },
        [REPORT_DATA_DSO] = { .title = "Data Object" },
        [REPORT_CODE_SYMBOL] = { .title = "Code Symbol", .level = true, .unpadded = true },
        [REPORT_PHYSICAL] = { .title = "Data Physical Address", .level = true, .least = UNNAMED_WIDTH },
        [REPORT_DATA_PAGE] = { .title = "Data Page Size", .least = UNNAMED_WIDTH, .whole = true },
        [REPORT_CODE_PAGE] = { .title = "Code Page Size", .least = 6, .whole = true },
        [REPORT_TRANSACTION] = { .title = "Transaction                ", .whole = true },
        [REPORT_DSO_FROM] = { .title = "Source Shared Object" },
        [REPORT_DSO_TO] = { .title = "Target Shared Object" },
        [REPORT_SYMBOL_FROM] = { .title = "Source Symbol", .level = true, .unpadded = true },
        [REPORT_SYMBOL_TO] = { .title = "Target Symbol", .level = true, .unpadded = true },
        [REPORT_LINE_FROM] = { .title = "From Source:Line" },
        [REPORT_LINE_TO] = { .title = "To Source:Line" },
        [REPORT_ADDRESS_FROM] = { .title = "Source Address", .level = true, .unpadded = true },
        [REPORT_ADDRESS_TO] = { .title = "Target Address", .level = true, .unpadded = true },
        [REPORT_MISPREDICTED] = { .title = "Branch Mispredicted" },
        [REPORT_ABORT] = { .title = "Transaction abort", .whole = true },
        [REPORT_IN_TRANSACTION] = { .title = "Branch in transaction", .whole = true },
        [REPORT_CYCLES] = { .title = "Basic Block Cycles", .whole = true },
        [REPORT_ADDRESS] = { .title = "Address", .least = ADDRESS_WIDTH + 2, .whole = true },
        [REPORT_SYMBOL_SIZE] = { .title = "Symbol size", .right = true, .whole = true },
        [REPORT_DSO_SIZE] = { .title = "DSO size", .right = true, .whole = true },
};

const FacetColumn *facet_column(ReportKey key) {
        return columns[key].title ? columns + key : NULL;
}

static const char *symbol_at(const Report *report, uint32_t place) {
        return report->names->symbols[report->names->symbol_of[place]].name;
}

/* Puts a text that is cut, without a part of a character. */
static void put_cut(TextBuffer *out, const char *text, size_t width) {
        text_buffer_put(out, text, (size_t) utf8_prefix(text, (int) MIN_OF(width, (size_t) INT_MAX)));
}

static void put_level(TextBuffer *out, char level) {
        text_buffer_format(out, "[%c] ", level);
}

/* Puts the name of a place, or an address if it has none. */
static void facets_put_named(const Report *report, uint32_t place, char level, uint64_t address, size_t width, TextBuffer *out) {
        const char *name = symbol_at(report, place);

        put_level(out, level);
        if (name)
                put_cut(out, name, width > FACET_LEVEL_WIDTH ? width - FACET_LEVEL_WIDTH : 0);
        else
                text_buffer_format(out, "%#.16" PRIx64, address);
}

static void put_offset(const Report *report, uint32_t place, size_t width, TextBuffer *out) {
        const CodePlace *p = report->places->places + place;
        const NamedSymbol *symbol = report->names->symbols + report->names->symbol_of[place];

        facets_put_named(report, place, p->level, p->address, width, out);
        if (symbol->name && p->address > symbol->start)
                text_buffer_format(out, "+0x%" PRIx64, p->address - symbol->start);
}

/* As in perf, lines of unmapped data have a level of their own. */
static void put_cache_line(const Report *report, const ReportFacetValue *value, const ReportEntry *e, uint32_t place, size_t width,
                           TextBuffer *out) {
        facets_put_named(report, place, report->places->places[place].dso == DSO_NONE ? 'X' : e->level, value->second, width, out);
}

static const char *dso_at(const Report *report, uint32_t place) {
        return place_names_text(report->names, place_names_dso(report->names, report->places->places + place));
}

static const char *line_at(const Report *report, uint32_t place) {
        uint32_t line = report->names->line_of[place];

        return line > 0 ? place_names_text(report->names, line) : "??:0";
}

static void put_transaction(TextBuffer *out, uint64_t transaction) {
        static const char *const words[] = { "EL ", "TX ", "SYNC ", "ASYNC ", "RETRY ", "CON ", "CAP-WRITE ", "CAP-READ " };

        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (transaction >> i & 1)
                        text_buffer_puts(out, words[i]);
        if (transaction != 0 && !(transaction & (PERF_TXN_SYNC | PERF_TXN_ASYNC)))
                text_buffer_puts(out, "NEITHER ");
        if (transaction >> PERF_TXN_ABORT_SHIFT > 0)
                text_buffer_format(out, ":%" PRIx64, transaction >> PERF_TXN_ABORT_SHIFT);
}

bool facet_column_number(const Report *report, ReportKey key, const ReportEntry *e, uint64_t *ret) {
        SampleFacets f = sample_table_facets(report->table, e->facets);

        switch ((int) key) {
        case REPORT_WEIGHT:
        case REPORT_LATENCY:
        case REPORT_STAGE:
        case REPORT_RETIRE:
                *ret = saturate_product(report_facets_value(report, key, &f, e->place).second, e->count);
                return true;
        case REPORT_LOCAL_WEIGHT:
        case REPORT_LOCAL_LATENCY:
        case REPORT_LOCAL_STAGE:
        case REPORT_LOCAL_RETIRE:
        case REPORT_DATA_PAGE:
        case REPORT_CODE_PAGE:
        case REPORT_CYCLES:
        case REPORT_SYMBOL_SIZE:
        case REPORT_DSO_SIZE:
                *ret = report_facets_value(report, key, &f, e->place).second;
                return true;
        default:
                return false;
        }
}

/* Puts what is known by its bits. */
static bool facets_put_bits(ReportKey key, const SampleFacets *f, TextBuffer *out) {
        switch ((int) key) {
        case REPORT_MEMORY_LEVEL:
                data_source_put_level(out, f->source);
                return true;
        case REPORT_SNOOP:
                data_source_put_snoop(out, f->source);
                return true;
        case REPORT_LOCKED:
                data_source_put_lock(out, f->source);
                return true;
        case REPORT_TLB:
                data_source_put_tlb(out, f->source);
                return true;
        case REPORT_BLOCKED:
                data_source_put_block(out, f->source);
                return true;
        case REPORT_TRANSACTION:
                put_transaction(out, f->transaction);
                return true;
        case REPORT_MISPREDICTED:
                text_buffer_puts(out, f->flags & BRANCH_PREDICTED ? "N" : f->flags & BRANCH_MISPREDICTED ? "Y" : "N/A");
                return true;
        case REPORT_ABORT:
                text_buffer_putc(out, f->flags & BRANCH_ABORT ? 'A' : '.');
                return true;
        case REPORT_IN_TRANSACTION:
                text_buffer_putc(out, f->flags & BRANCH_IN_TRANSACTION ? 'T' : '.');
                return true;
        default:
                return false;
        }
}

static bool facets_put_number(const Report *report, ReportKey key, const ReportEntry *e, TextBuffer *out) {
        uint64_t number;

        if (!facet_column_number(report, key, e, &number))
                return false;
        if (key == REPORT_DATA_PAGE || key == REPORT_CODE_PAGE)
                script_raw_page_size(out, number);
        else if ((key == REPORT_SYMBOL_SIZE || key == REPORT_DSO_SIZE) && number == 0)
                text_buffer_puts(out, "unknown");
        else if (key == REPORT_CYCLES && number == 0)
                text_buffer_putc(out, '-');
        else
                text_buffer_decimal(out, number, 0);
        return true;
}

void facet_column_put(const Report *report, ReportKey key, const ReportEntry *e, size_t width, TextBuffer *out) {
        SampleFacets f = sample_table_facets(report->table, e->facets);
        uint32_t place = report_facets_place(key, &f, e->place);
        ReportFacetValue value;

        if (facets_put_bits(key, &f, out) || facets_put_number(report, key, e, out))
                return;
        value = report_facets_value(report, key, &f, e->place);
        switch ((int) key) {
        case REPORT_CACHE_LINE:
                put_cache_line(report, &value, e, place, width, out);
                return;
        case REPORT_DATA_SYMBOL:
        case REPORT_CODE_SYMBOL:
                facets_put_named(report, place, e->level, value.second, width, out);
                return;
        case REPORT_SYMBOL_FROM:
        case REPORT_SYMBOL_TO:
                facets_put_named(report, place, report->places->places[place].level, report->places->places[place].address, width,
                                 out);
                return;
        case REPORT_ADDRESS_FROM:
        case REPORT_ADDRESS_TO:
                put_offset(report, place, width, out);
                return;
        case REPORT_DATA_DSO:
        case REPORT_DSO_FROM:
        case REPORT_DSO_TO:
                put_cut(out, dso_at(report, place), width);
                return;
        case REPORT_LINE_FROM:
        case REPORT_LINE_TO:
                put_cut(out, line_at(report, place), width);
                return;
        case REPORT_PHYSICAL:
                put_level(out, e->level);
                text_buffer_format(out, "%#.16" PRIx64, value.second);
                return;
        default:
                text_buffer_format(out, "%#" PRIx64, value.second);
                return;
        }
}

/* Binaries of what has no symbol make a column as wide as an address is, unless columns are separated by a character. */
static size_t dso_width(const Report *report, ReportKey key, uint32_t place, bool aligned) {
        bool known = key == REPORT_DATA_DSO ? report->places->places[place].dso != DSO_NONE : symbol_at(report, place) != NULL;

        return known ? strlen(dso_at(report, place)) : aligned ? ADDRESS_WIDTH : 0;
}

/* perf has room for an address behind the names of data, and of the code that accesses it. */
static size_t symbol_width(const Report *report, ReportKey key, uint32_t place) {
        const char *name = symbol_at(report, place);

        if (!name)
                return UNNAMED_WIDTH;
        return strlen(name) + FACET_LEVEL_WIDTH +
               (REPORT_KEY(key) & REPORT_BRANCH_KEYS ? 0 : ADDRESS_WIDTH + 2) + (key == REPORT_CACHE_LINE);
}

size_t facet_column_width(const Report *report, ReportKey key, const ReportEntry *e, bool aligned) {
        SampleFacets f = sample_table_facets(report->table, e->facets);
        uint32_t place = report_facets_place(key, &f, e->place);

        switch ((int) key) {
        case REPORT_CACHE_LINE:
        case REPORT_DATA_SYMBOL:
        case REPORT_CODE_SYMBOL:
        case REPORT_SYMBOL_FROM:
        case REPORT_SYMBOL_TO:
                return symbol_width(report, key, place);
        case REPORT_ADDRESS_FROM:
        case REPORT_ADDRESS_TO:
                return symbol_at(report, place) ? 0 : UNNAMED_WIDTH;
        case REPORT_DATA_DSO:
        case REPORT_DSO_FROM:
        case REPORT_DSO_TO:
                return dso_width(report, key, place, aligned);
        case REPORT_LINE_FROM:
        case REPORT_LINE_TO:
                return strlen(line_at(report, place));
        case REPORT_TRANSACTION:
                return f.transaction != 0 ? TRANSACTION_WIDTH : 0;
        default:
                return 0;
        }
}

static int facets_compare_numbers(uint64_t a, uint64_t b) {
        return a < b ? -1 : a > b;
}

/* Names of binaries, the greatest first, and before them what is none. */
static int compare_dsos(const Report *report, uint32_t a, uint32_t b) {
        bool x = report->places->places[a].dso != DSO_NONE, y = report->places->places[b].dso != DSO_NONE;

        return x && y ? strcmp(dso_at(report, b), dso_at(report, a)) : x - y;
}

/* Functions by their addresses in their binaries, and behind them what has no name. */
static int facets_compare_symbols(const Report *report, uint32_t a, uint32_t b) {
        const NamedSymbol *x = report->names->symbols + report->names->symbol_of[a];
        const NamedSymbol *y = report->names->symbols + report->names->symbol_of[b];

        if (!x->name && !y->name)
                return facets_compare_numbers(report->places->places[a].ip, report->places->places[b].ip);
        if (!x->name || !y->name)
                return !x->name - !y->name;
        return x->start != y->start ? facets_compare_numbers(x->start, y->start) : facets_compare_numbers(x->end, y->end);
}

static int facets_compare_places(const Report *report, ReportKey key, uint32_t a, uint32_t b) {
        int order;

        switch ((int) key) {
        case REPORT_DATA_DSO:
        case REPORT_DSO_FROM:
        case REPORT_DSO_TO:
                return compare_dsos(report, a, b);
        case REPORT_SYMBOL_FROM:
        case REPORT_SYMBOL_TO:
                return facets_compare_symbols(report, a, b);
        case REPORT_LINE_FROM:
        case REPORT_LINE_TO:
                return strcmp(line_at(report, a), line_at(report, b));
        case REPORT_ADDRESS_FROM:
        case REPORT_ADDRESS_TO:
                order = compare_dsos(report, a, b);
                return order != 0 ? order : facets_compare_numbers(report->places->places[a].ip, report->places->places[b].ip);
        default:
                return 0;
        }
}

/* The greatest is first of weights, cycles, transactions and flags, the least of others. */
int facet_column_compare(const Report *report, ReportKey key, const ReportEntry *a, const ReportEntry *b) {
        static const uint64_t descending = (REPORT_KEY(REPORT_LOCAL_RETIRE + 1) - REPORT_KEY(REPORT_WEIGHT)) |
                                           REPORT_KEY(REPORT_TRANSACTION) | REPORT_KEY(REPORT_CYCLES) | REPORT_KEY(REPORT_ABORT) |
                                           REPORT_KEY(REPORT_IN_TRANSACTION) | REPORT_KEY(REPORT_MISPREDICTED);
        SampleFacets f = sample_table_facets(report->table, a->facets), g = sample_table_facets(report->table, b->facets);
        ReportFacetValue x = report_facets_value(report, key, &f, a->place), y = report_facets_value(report, key, &g, b->place);
        int order = facets_compare_places(report, key, report_facets_place(key, &f, a->place),
                                          report_facets_place(key, &g, b->place));

        if (order != 0 || (x.first == y.first && x.second == y.second))
                return order;
        order = x.first != y.first ? facets_compare_numbers(x.first, y.first) : facets_compare_numbers(x.second, y.second);
        return REPORT_KEY(key) & descending ? -order : order;
}
