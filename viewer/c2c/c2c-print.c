/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Titles, widths and the order of the tables are those of perf c2c report --stdio of Linux 6.1. Columns of names are as wide as the
 * rows of their line need, and the title as those of the first line. */

#include <inttypes.h>

#include "c2c-report.h"
#include "utf8.h"

#define PERCENT_WIDTH 7u
#define SYMBOL_WIDTH_MAX 30u /* without --full-symbols */
#define UNNAMED_WIDTH 16u    /* of a binary that is not known */
#define LEVEL_WIDTH 4u       /* "[.] " */
#define ADDRESS_WIDTH 18u
#define PID_WIDTH 7u
#define COLUMNS_MAX 24u
#define NODE_SHARES_WIDTH 21 /* "  0{ 2  75.0%  60.0%}" */

static void put_address(TextBuffer *out, uint64_t address) {
        char text[24];

        (void) snprintf(text, sizeof(text), "0x%" PRIx64, address);
        text_buffer_padded(out, text, ADDRESS_WIDTH);
}

static double share_of(uint64_t part, uint64_t whole) {
        return whole > 0 ? 100.0 * (double) part / (double) whole : 0.0;
}

static void put_title(TextBuffer *out, const char *title) {
        static const char rule[] = "=================================================\n";

        text_buffer_puts(out, rule);
        text_buffer_puts(out, title);
        text_buffer_puts(out, "\n");
        text_buffer_puts(out, rule);
}

typedef struct CountLine {
        const char *title;
        uint32_t facts; /* 0: all accesses */
} CountLine;

static void put_counts(TextBuffer *out, const AccessCounts *c, const CountLine *lines, size_t n) {
        for (size_t i = 0; i < n; i++)
                text_buffer_format(out, "  %-34s: %10" PRIu64 "\n", lines[i].title,
                                   lines[i].facts > 0 ? access_counts_sum(c, lines[i].facts) : c->n);
}

static void put_total(TextBuffer *out, const AccessCounts *c) {
        static const CountLine loads[] = {
                { "Total records", 0 },
                { "Locked Load/Store Operations", ACCESS(LOCKED) },
                { "Load Operations", ACCESS(LOAD) },
                { "Loads - uncacheable", ACCESS(LOAD_UNCACHED) },
                { "Loads - IO", ACCESS(LOAD_IO) },
                { "Loads - Miss", ACCESS(LOAD_MISS) },
                { "Loads - no mapping", ACCESS(LOAD_WITHOUT_ADDRESS) },
                { "Load Fill Buffer Hit", ACCESS(LOAD_FILL_BUFFER) },
                { "Load L1D hit", ACCESS(LOAD_L1) },
                { "Load L2D hit", ACCESS(LOAD_L2) },
                { "Load LLC hit", ACCESSES_L3 },
                { "Load Local HITM", ACCESS(LOCAL_HITM) },
                { "Load Remote HITM", ACCESS(REMOTE_HITM) },
                { "Load Remote HIT", ACCESS(REMOTE_HIT) },
                { "Load Local DRAM", ACCESS(LOCAL_RAM) },
                { "Load Remote DRAM", ACCESS(REMOTE_RAM) },
                { "Load MESI State Exclusive", ACCESSES_EXCLUSIVE },
                { "Load MESI State Shared", ACCESSES_SHARED },
                { "Load LLC Misses", ACCESSES_L3_MISS },
                { "Load access blocked by data", ACCESS(BLOCKED_BY_DATA) },
                { "Load access blocked by address", ACCESS(BLOCKED_BY_ADDRESS) },
                { "Load HIT Local Peer", ACCESSES_LOCAL_PEER },
                { "Load HIT Remote Peer", ACCESS(REMOTE_PEER) },
        };
        static const CountLine misses[] = {
                { "LLC Misses to Local DRAM", ACCESS(LOCAL_RAM) },
                { "LLC Misses to Remote DRAM", ACCESS(REMOTE_RAM) },
                { "LLC Misses to Remote cache (HIT)", ACCESS(REMOTE_HIT) },
                { "LLC Misses to Remote cache (HITM)", ACCESS(REMOTE_HITM) },
        };
        static const CountLine stores[] = {
                { "Store Operations", ACCESS(STORE) },
                { "Store - uncacheable", ACCESS(STORE_UNCACHED) },
                { "Store - no mapping", ACCESS(STORE_WITHOUT_ADDRESS) },
                { "Store L1D Hit", ACCESS(STORE_L1) },
                { "Store L1D Miss", ACCESS(STORE_L1_MISS) },
                { "Store No available memory level", ACCESS(STORE_LEVEL_UNKNOWN) },
                { "No Page Map Rejects", ACCESS(UNMAPPED) },
                { "Unable to parse data source", ACCESS(UNKNOWN) },
        };

        put_title(out, "            Trace Event Information              ");
        put_counts(out, c, loads, ELEMENTSOF(loads));
        for (size_t i = 0; i < ELEMENTSOF(misses); i++)
                text_buffer_format(out, "  %-34s: %10.1f%%\n", misses[i].title,
                                   share_of(access_counts_sum(c, misses[i].facts), access_counts_sum(c, ACCESSES_L3_MISS)));
        put_counts(out, c, stores, ELEMENTSOF(stores));
}

static void put_shared(TextBuffer *out, const AccessTable *t) {
        static const CountLine lines[] = {
                { "Load HITs on shared lines", ACCESS(LOAD) },
                { "Fill Buffer Hits on shared lines", ACCESS(LOAD_FILL_BUFFER) },
                { "L1D hits on shared lines", ACCESS(LOAD_L1) },
                { "L2D hits on shared lines", ACCESS(LOAD_L2) },
                { "LLC hits on shared lines", ACCESSES_L3 },
                { "Load hits on peer cache or nodes", ACCESSES_PEER },
                { "Locked Access on shared lines", ACCESS(LOCKED) },
                { "Blocked Access on shared lines", ACCESSES_BLOCKED },
                { "Store HITs on shared lines", ACCESS(STORE) },
                { "Store L1D hits on shared lines", ACCESS(STORE_L1) },
                { "Store No available memory level", ACCESS(STORE_LEVEL_UNKNOWN) },
                { "Total Merged records", ACCESSES_HITM | ACCESS(STORE) },
        };

        text_buffer_putc(out, '\n');
        put_title(out, "    Global Shared Cache Line Event Information   ");
        text_buffer_format(out, "  %-34s: %10zu\n", "Total Shared Cache Lines", t->n_shared);
        put_counts(out, &t->shared, lines, ELEMENTSOF(lines));
}

static void put_details(TextBuffer *out, const C2cReport *c) {
        static const char *const displays[_C2C_DISPLAY_MAX] = {
                [C2C_DISPLAY_TOTAL] = "Total HITMs", [C2C_DISPLAY_LOCAL] = "Local HITMs", [C2C_DISPLAY_REMOTE] = "Remote HITMs",
                [C2C_DISPLAY_PEER] = "Peer Snoop",
        };
        size_t n;
        const SampleEvent *events = sample_table_events(c->samples->table, &n);

        text_buffer_putc(out, '\n');
        put_title(out, "                 c2c details                     ");
        for (size_t i = 0; i < n; i++)
                text_buffer_format(out, "  %-34s: %s\n", i == 0 ? "Events" : "", events[i].name);
        text_buffer_format(out, "  %-34s: %s\n  %-34s: offset", "Cachelines sort on", displays[c->options->display],
                           "Cacheline data grouping");
        for (size_t i = 0; i < c->options->keys.n; i++)
                text_buffer_format(out, ",%s", c2c_key_word(c->options->keys.keys[i]));
        text_buffer_putc(out, '\n');
}

/* "0-1,3", "N/A" if none is known. */
static const char *nodes_text(uint64_t nodes, char *buf, size_t size) {
        size_t n = 0;

        *buf = '\0';
        for (unsigned from = 0, to; from < MEMORY_NODES_MAX && n < size; from = to + 1) {
                for (to = from; to < MEMORY_NODES_MAX && nodes >> to & 1;)
                        to++;
                if (to > from)
                        n += (size_t) snprintf(buf + n, size - n, to > from + 1 ? "%s%u-%u" : "%s%u", n > 0 ? "," : "", from,
                                               to - 1);
        }
        return *buf ? buf : "N/A";
}

/* A column of a table. spanned: top is the title of that many columns, which begin here. */
typedef struct Column {
        unsigned width, spanned;
        const char *top, *title;
} Column;

/* Puts the titles of a table, whose first column has the numbers of lines. */
static void put_head(TextBuffer *out, const char *number, const Column *columns, size_t n) {
        text_buffer_puts(out, "#\n#      ");
        for (size_t i = 0; i < n; i++) {
                unsigned width = 0;

                for (unsigned k = 0; k < columns[i].spanned; k++)
                        width += columns[i + k].width + (k > 0 ? 2 : 0);
                if (columns[i].spanned > 0)
                        text_buffer_format(out, "  %*s", (int) width, columns[i].top);
        }
        text_buffer_format(out, "\n# %5s", number);
        for (size_t i = 0; i < n; i++)
                text_buffer_format(out, "  %*s", (int) columns[i].width, columns[i].title);
        text_buffer_puts(out, "\n# .....");
        for (size_t i = 0; i < n; i++) {
                text_buffer_puts(out, "  ");
                for (unsigned k = 0; k < columns[i].width; k++)
                        text_buffer_putc(out, '.');
        }
        text_buffer_puts(out, "\n#\n");
}

static void put_lines(TextBuffer *out, const C2cReport *c) {
        static const char *const keys[_C2C_DISPLAY_MAX] = { "Tot", "Lcl", "Rmt", "Peer" };
        bool peer = c->options->display == C2C_DISPLAY_PEER;
        const Column place[] = {
                { ADDRESS_WIDTH, 3, "----------- Cacheline ----------", "Address" },
                { 4, 0, NULL, "Node" },
                { 6, 0, NULL, "PA cnt" },
                { PERCENT_WIDTH, 1, keys[c->options->display], peer ? "Snoop" : "Hitm" },
        };
        const struct {
                uint32_t facts;
                Column column;
        } counts[] = {
                { peer ? ACCESSES_PEER : ACCESSES_HITM,
                  { 7, 3, peer ? "------- Load Peer -------" : "------- Load Hitm -------", "Total" } },
                { peer ? ACCESSES_LOCAL_PEER : ACCESS(LOCAL_HITM), { 7, 0, NULL, peer ? "Local" : "LclHitm" } },
                { peer ? ACCESS(REMOTE_PEER) : ACCESS(REMOTE_HITM), { 7, 0, NULL, peer ? "Remote" : "RmtHitm" } },
                { ACCESSES_LOADED | ACCESSES_STORED, { 7, 1, "Total", "records" } },
                { ACCESSES_LOADED, { 7, 1, "Total", "Loads" } },
                { ACCESS(STORE), { 7, 1, "Total", "Stores" } },
                { ACCESS(STORE_L1), { 7, 3, "--------- Stores --------", "L1Hit" } },
                { ACCESS(STORE_L1_MISS), { 7, 0, NULL, "L1Miss" } },
                { ACCESS(STORE_LEVEL_UNKNOWN), { 7, 0, NULL, "N/A" } },
                { ACCESS(LOAD_FILL_BUFFER), { 7, 3, "----- Core Load Hit -----", "FB" } },
                { ACCESS(LOAD_L1), { 7, 0, NULL, "L1" } },
                { ACCESS(LOAD_L2), { 7, 0, NULL, "L2" } },
                { ACCESS(LOAD_L3), { 8, 2, "- LLC Load Hit --", "LclHit" } },
                { ACCESS(LOCAL_HITM), { 7, 0, NULL, "LclHitm" } },
                { ACCESS(REMOTE_HIT), { 8, 2, "- RMT Load Hit --", "RmtHit" } },
                { ACCESS(REMOTE_HITM), { 7, 0, NULL, "RmtHitm" } },
                { ACCESS(LOCAL_RAM), { 8, 2, "--- Load Dram ----", "Lcl" } },
                { ACCESS(REMOTE_RAM), { 8, 0, NULL, "Rmt" } },
        };
        uint64_t whole = access_counts_sum(&c->table->total, c2c_display_facts(c->options->display));
        Column columns[ELEMENTSOF(place) + ELEMENTSOF(counts)];
        char nodes[256];

        memcpy(columns, place, sizeof(place));
        for (size_t i = 0; i < ELEMENTSOF(counts); i++)
                columns[ELEMENTSOF(place) + i] = counts[i].column;
        text_buffer_putc(out, '\n');
        put_title(out, "           Shared Data Cache Line Table          ");
        put_head(out, "Index", columns, ELEMENTSOF(columns));
        for (size_t i = 0; i < c->n_lines; i++) {
                const AccessLine *line = c->table->lines + c->lines[i];
                AccessCounts sums = access_table_line(c->table, line);

                text_buffer_format(out, "%7zu  ", i);
                put_address(out, line->first);
                text_buffer_format(out, "  %4s  %6" PRIu64 "  %6.2f%%", nodes_text(line->nodes, nodes, sizeof(nodes)),
                                   line->n_physical, share_of(line->key, whole));
                for (size_t k = 0; k < ELEMENTSOF(counts); k++)
                        text_buffer_format(out, "  %*" PRIu64, (int) counts[k].column.width,
                                           access_counts_sum(&sums, counts[k].facts));
                text_buffer_putc(out, '\n');
        }
}

/* Widths of what differs between lines. */
typedef struct RowWidths {
        unsigned tid, symbol, dso, source;
} RowWidths;

static RowWidths widths_of(const C2cReport *c, const C2cRows *rows) {
        RowWidths w = { .tid = 3, .symbol = 6, .dso = 6, .source = 11 };

        for (size_t i = 0; i < rows->n; i++) {
                const C2cRow *row = rows->rows + i;
                const char *symbol = c2c_row_symbol(c, row);
                bool mapped = c->places->places[row->point->place].dso != DSO_NONE;

                w.tid = MAX_OF(w.tid, (unsigned) strlen(c2c_row_thread(c, row)) + 8);
                w.symbol = MAX_OF(w.symbol, LEVEL_WIDTH + (symbol ? (unsigned) strlen(symbol) : ADDRESS_WIDTH));
                w.dso = MAX_OF(w.dso, mapped ? (unsigned) strlen(c2c_row_dso(c, row)) : UNNAMED_WIDTH);
                w.source = MAX_OF(w.source, (unsigned) strlen(c2c_row_source(c, row)));
        }
        if (!c->options->full_symbols)
                w.symbol = MIN_OF(w.symbol, SYMBOL_WIDTH_MAX);
        return w;
}

static size_t make_columns(const C2cReport *c, const RowWidths *w, Column ret[static COLUMNS_MAX]) {
        static const char *const nodes[][2] = {
                [C2C_NODES] = { "Node", "Node" },
                [C2C_NODE_SHARES] = { "Node{cpus %hitms %stores}", "Node{cpus %peers %stores}" },
                [C2C_NODE_CPUS] = { "Node{cpu list}", "Node{cpu list}" },
        };
        const C2cOptions *o = c->options;
        bool peer = o->display == C2C_DISPLAY_PEER, code = c2c_options_have(o, C2C_KEY_IADDR);
        const struct {
                bool wanted;
                Column column;
        } all[] = {
                { true, { PERCENT_WIDTH, 2, peer ? "-- Peer Snoop --" : "----- HITM -----", peer ? "Rmt" : "RmtHitm" } },
                { true, { PERCENT_WIDTH, 0, NULL, peer ? "Lcl" : "LclHitm" } },
                { true, { PERCENT_WIDTH, 3, "------- Store Refs ------", "L1 Hit" } },
                { true, { PERCENT_WIDTH, 0, NULL, "L1 Miss" } },
                { true, { PERCENT_WIDTH, 0, NULL, "N/A" } },
                { true, { ADDRESS_WIDTH, 3, "--------- Data address ---------", "Offset" } },
                { true, { 4, 0, NULL, "Node" } },
                { true, { 6, 0, NULL, "PA cnt" } },
                { c2c_options_have(o, C2C_KEY_PID), { PID_WIDTH, 1, "", "Pid" } },
                { c2c_options_have(o, C2C_KEY_TID), { w->tid, 1, "", "Tid" } },
                { code, { ADDRESS_WIDTH, 1, "", "Code address" } },
                { true, { 8, 3, "---------- cycles ----------", peer ? "rmt peer" : "rmt hitm" } },
                { true, { 8, 0, NULL, peer ? "lcl peer" : "lcl hitm" } },
                { true, { 8, 0, NULL, "load" } },
                { true, { 7, 1, "Total", "records" } },
                { true, { 8, 1, "cpu", "cnt" } },
                { code, { w->symbol, 1, "", "Symbol" } },
                { code || c2c_options_have(o, C2C_KEY_DSO), { w->dso, 1, "Shared", "Object" } },
                { code && !o->no_source, { w->source, 1, "", "Source:Line" } },
                { true, { 4, 1, "", nodes[o->node_info][peer] } },
        };
        size_t n = 0;

        for (size_t i = 0; i < ELEMENTSOF(all); i++)
                if (all[i].wanted)
                        ret[n++] = all[i].column;
        return n;
}

/* Puts text on the left of its column, cut to it. */
static void put_left(TextBuffer *out, const char *text, size_t width) {
        size_t n = (size_t) utf8_prefix(text, (int) width);

        text_buffer_put(out, text, n);
        for (; n < width; n++)
                text_buffer_putc(out, ' ');
}

static void put_symbol(TextBuffer *out, const C2cReport *c, const C2cRow *row, unsigned width) {
        const CodePlace *place = c->places->places + row->point->place;
        const char *symbol = c2c_row_symbol(c, row);
        char address[24];

        (void) snprintf(address, sizeof(address), "%#.16" PRIx64, place->address);
        text_buffer_format(out, "  [%c] ", place->level);
        put_left(out, symbol ?: address, width - LEVEL_WIDTH);
}

/* A node's part of a row. */
typedef struct NodePart {
        unsigned n_cpus;
        uint64_t key, stores;
} NodePart;

static NodePart part_of_node(const C2cReport *c, const C2cRow *row, uint32_t node) {
        const AccessCell *cells = c->table->cells;
        AccessCounts counts = {};
        NodePart part = {};

        for (size_t i = row->begin; i < row->end; i++) {
                if (cells[i].is.node != node)
                        continue;
                access_counts_add(&counts, cells[i].is.facts, cells[i].n);
                part.n_cpus += i == row->begin || cells[i].is.cpu != cells[i - 1].is.cpu;
        }
        part.key = access_counts_sum(&counts, c2c_display_facts(c->options->display));
        part.stores = counts.of[ACCESS_STORE];
        return part;
}

/* "0-1,4" */
static void put_cpus(TextBuffer *out, const C2cReport *c, const C2cRow *row, uint32_t node) {
        const AccessCell *cells = c->table->cells;
        uint32_t from = UINT32_MAX, last = UINT32_MAX;
        const char *before = "";

        for (size_t i = row->begin; i <= row->end; i++) {
                if (i < row->end && (cells[i].is.node != node || cells[i].is.cpu == last))
                        continue;
                if (i < row->end && last != UINT32_MAX && cells[i].is.cpu == last + 1) {
                        last++;
                        continue;
                }
                if (last != UINT32_MAX) {
                        text_buffer_format(out, last > from ? "%s%" PRIu32 "-%" PRIu32 : "%s%" PRIu32, before, from, last);
                        before = ",";
                }
                if (i < row->end)
                        from = last = cells[i].is.cpu;
        }
}

static void put_share_or_none(TextBuffer *out, uint64_t part, uint64_t whole) {
        if (whole > 0)
                text_buffer_format(out, "%5.1f%%", share_of(part, whole));
        else
                text_buffer_puts(out, "   n/a");
}

/* Shares stand one below the other. */
static void put_nodes(TextBuffer *out, const C2cReport *c, const C2cRow *row) {
        bool any = false, shares = c->options->node_info == C2C_NODE_SHARES;

        text_buffer_putc(out, ' ');
        for (uint32_t node = 0; node < c->table->n_nodes; node++) {
                NodePart part = part_of_node(c, row, node);

                any = any || part.n_cpus > 0;
                if (part.n_cpus == 0 && shares)
                        text_buffer_format(out, "%*s", NODE_SHARES_WIDTH, "");
                if (part.n_cpus == 0)
                        continue;
                text_buffer_format(out, " %2" PRIu32, node);
                if (shares) {
                        text_buffer_format(out, "{%2u ", part.n_cpus);
                        put_share_or_none(out, part.key, row->key);
                        text_buffer_putc(out, ' ');
                        put_share_or_none(out, part.stores, row->counts.of[ACCESS_STORE]);
                        text_buffer_putc(out, '}');
                } else if (c->options->node_info == C2C_NODE_CPUS) {
                        text_buffer_putc(out, '{');
                        put_cpus(out, c, row, node);
                        text_buffer_putc(out, '}');
                }
        }
        if (!any)
                text_buffer_puts(out, " N/A");
}

static void put_cycles(TextBuffer *out, const C2cReport *c, const C2cRow *row) {
        bool peer = c->options->display == C2C_DISPLAY_PEER;
        const C2cCycles shown[] = {
                peer ? C2C_REMOTE_PEER : C2C_REMOTE_HITM, peer ? C2C_LOCAL_PEER : C2C_LOCAL_HITM, C2C_OTHER_LOAD,
        };

        for (size_t i = 0; i < ELEMENTSOF(shown); i++) {
                uint64_t n = row->cycles[shown[i]].n;

                if (c->table->has_weights)
                        text_buffer_format(out, "  %8.0f", n > 0 ? (double) row->cycles[shown[i]].sum / (double) n : 0.0);
                else
                        text_buffer_puts(out, "       N/A");
        }
}

static void put_row(TextBuffer *out, const C2cReport *c, const C2cRow *row, const AccessCounts *line, const RowWidths *w) {
        const C2cOptions *o = c->options;
        bool peer = o->display == C2C_DISPLAY_PEER, code = c2c_options_have(o, C2C_KEY_IADDR);
        const uint32_t shares[] = {
                peer ? ACCESS(REMOTE_PEER) : ACCESS(REMOTE_HITM), peer ? ACCESSES_LOCAL_PEER : ACCESS(LOCAL_HITM),
                ACCESS(STORE_L1), ACCESS(STORE_L1_MISS), ACCESS(STORE_LEVEL_UNKNOWN),
        };
        char nodes[256];

        text_buffer_puts(out, "       ");
        for (size_t i = 0; i < ELEMENTSOF(shares); i++)
                text_buffer_format(out, "  %6.2f%%", share_of(access_counts_sum(&row->counts, shares[i]),
                                                              access_counts_sum(line, shares[i])));
        text_buffer_put(out, "  ", 2);
        put_address(out, row->point->is.offset);
        text_buffer_format(out, "  %4s  %6" PRIu64, nodes_text(row->point->nodes, nodes, sizeof(nodes)), row->point->n_physical);
        if (c2c_options_have(o, C2C_KEY_PID))
                text_buffer_format(out, "  %7" PRIu32, row->point->is.pid);
        if (c2c_options_have(o, C2C_KEY_TID)) {
                text_buffer_format(out, "  %7" PRIu32 ":", row->point->is.tid);
                put_left(out, c2c_row_thread(c, row), w->tid - 8);
        }
        if (code) {
                text_buffer_put(out, "  ", 2);
                put_address(out, row->point->is.ip);
        }
        put_cycles(out, c, row);
        text_buffer_format(out, "  %7" PRIu64 "  ", access_counts_sum(&row->counts, ACCESSES_LOADED | ACCESSES_STORED));
        if (c->table->has_cpus)
                text_buffer_format(out, "%8u", row->n_cpus);
        else
                text_buffer_puts(out, "     N/A");
        if (code)
                put_symbol(out, c, row, w->symbol);
        if (code || c2c_options_have(o, C2C_KEY_DSO)) {
                text_buffer_put(out, "  ", 2);
                put_left(out, c2c_row_dso(c, row), w->dso);
        }
        if (code && !o->no_source) {
                text_buffer_put(out, "  ", 2);
                put_left(out, c2c_row_source(c, row), w->source);
        }
        put_nodes(out, c, row);
        text_buffer_putc(out, '\n');
}

static void put_line_rows(TextBuffer *out, const C2cReport *c, size_t number, const C2cRows *rows, const RowWidths *w) {
        static const char rule[] = "  ----------------------------------------------------------------------\n";
        const AccessLine *line = c->table->lines + c->lines[number];
        AccessCounts counts = access_table_line(c->table, line);
        bool peer = c->options->display == C2C_DISPLAY_PEER;

        if (number > 0)
                text_buffer_putc(out, '\n');
        text_buffer_puts(out, rule);
        text_buffer_format(out, "%7zu  %7" PRIu64 "  %7" PRIu64 "  %7" PRIu64 "  %7" PRIu64 "  %7" PRIu64 "  ", number,
                           access_counts_sum(&counts, peer ? ACCESS(REMOTE_PEER) : ACCESS(REMOTE_HITM)),
                           access_counts_sum(&counts, peer ? ACCESSES_LOCAL_PEER : ACCESS(LOCAL_HITM)), counts.of[ACCESS_STORE_L1],
                           counts.of[ACCESS_STORE_L1_MISS], counts.of[ACCESS_STORE_LEVEL_UNKNOWN]);
        put_address(out, line->first);
        text_buffer_putc(out, '\n');
        text_buffer_puts(out, rule);
        for (size_t i = 0; i < rows->n; i++)
                if (!rows->rows[i].hidden)
                        put_row(out, c, rows->rows + i, &counts, w);
}

static int put_rows(TextBuffer *out, const C2cReport *c) {
        _cleanup_(c2c_rows_done) C2cRows rows = {};
        RowWidths w = widths_of(c, &rows);
        Column columns[COLUMNS_MAX];
        int r = 0;

        text_buffer_putc(out, '\n');
        put_title(out, "      Shared Cache Line Distribution Pareto      ");
        for (size_t i = 0; r >= 0 && i < c->n_lines; i++) {
                r = c2c_rows_make(&rows, c, c->table->lines + c->lines[i]);
                if (r < 0)
                        break;
                w = widths_of(c, &rows);
                if (i == 0)
                        put_head(out, "Num", columns, make_columns(c, &w, columns));
                put_line_rows(out, c, i, &rows, &w);
        }
        if (c->n_lines == 0)
                put_head(out, "Num", columns, make_columns(c, &w, columns));
        return r;
}

int c2c_print(const C2cReport *c, TextBuffer *out) {
        put_total(out, &c->table->total);
        put_shared(out, c->table);
        put_details(out, c);
        if (c->options->stats)
                return 0;
        put_lines(out, c);
        return put_rows(out, c);
}
