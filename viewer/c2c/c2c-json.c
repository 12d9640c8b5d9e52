/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Facts that no access has, and what is not known, are left out. */

#include <inttypes.h>

#include "c2c-report.h"
#include "json-writer.h"

static void json_put_counts(JsonWriter *w, const AccessCounts *c) {
        json_writer_number(w, "accesses", c->n);
        for (unsigned i = 0; i < _ACCESS_FACT_MAX; i++)
                if (c->of[i] > 0)
                        json_writer_number(w, access_fact_word(i), c->of[i]);
}

static void json_put_nodes(JsonWriter *w, uint64_t nodes) {
        if (nodes == 0)
                return;
        json_writer_begin(w, "memory_nodes", '[');
        for (unsigned i = 0; i < MEMORY_NODES_MAX; i++)
                if (nodes >> i & 1)
                        json_writer_number(w, NULL, i);
        json_writer_end(w, ']');
}

static void json_put_cycles(JsonWriter *w, const C2cRow *row) {
        static const char *const words[_C2C_CYCLES_MAX] = {
                [C2C_REMOTE_HITM] = "remote_hitm_cycles", [C2C_LOCAL_HITM] = "local_hitm_cycles",
                [C2C_REMOTE_PEER] = "remote_peer_cycles", [C2C_LOCAL_PEER] = "local_peer_cycles",
                [C2C_OTHER_LOAD] = "other_load_cycles",
        };

        for (unsigned i = 0; i < _C2C_CYCLES_MAX; i++)
                if (row->cycles[i].n > 0)
                        json_writer_number(w, words[i], row->cycles[i].sum / row->cycles[i].n);
}

static void json_put_cpus(JsonWriter *w, const C2cReport *c, const C2cRow *row) {
        const AccessCell *cells = c->table->cells;

        if (row->n_cpus == 0)
                return;
        json_writer_begin(w, "cpus", '[');
        for (size_t i = row->begin; i < row->end; i++)
                if (cells[i].is.cpu != UINT32_MAX && (i == row->begin || cells[i].is.cpu != cells[i - 1].is.cpu)) {
                        json_writer_begin(w, NULL, '{');
                        json_writer_number(w, "cpu", cells[i].is.cpu);
                        if (cells[i].is.node != MEMORY_NODE_UNKNOWN)
                                json_writer_number(w, "node", cells[i].is.node);
                        json_writer_end(w, '}');
                }
        json_writer_end(w, ']');
}

static void json_put_row(JsonWriter *w, const C2cReport *c, const C2cRow *row) {
        const C2cOptions *o = c->options;
        const CodePlace *place = c->places->places + row->point->place;
        bool code = c2c_options_have(o, C2C_KEY_IADDR);
        const char *symbol = c2c_row_symbol(c, row);

        json_writer_begin(w, NULL, '{');
        json_writer_number(w, "offset", row->point->is.offset);
        if (c2c_options_have(o, C2C_KEY_PID))
                json_writer_number(w, "pid", row->point->is.pid);
        if (c2c_options_have(o, C2C_KEY_TID)) {
                json_writer_number(w, "tid", row->point->is.tid);
                json_writer_text(w, "comm", c2c_row_thread(c, row));
        }
        if (code)
                json_writer_address(w, "iaddr", row->point->is.ip);
        if (code && symbol)
                json_writer_text(w, "symbol", symbol);
        if ((code || c2c_options_have(o, C2C_KEY_DSO)) && place->dso != DSO_NONE)
                json_writer_text(w, "dso", c2c_row_dso(c, row));
        if (code && !o->no_source && place->dso != DSO_NONE)
                json_writer_text(w, "srcline", c2c_row_source(c, row));
        json_put_nodes(w, row->point->nodes);
        json_put_counts(w, &row->counts);
        if (c->table->has_weights)
                json_put_cycles(w, row);
        json_put_cpus(w, c, row);
        json_writer_end(w, '}');
}

static int json_put_line(JsonWriter *w, const C2cReport *c, const AccessLine *line) {
        _cleanup_(c2c_rows_done) C2cRows rows = {};
        AccessCounts counts = access_table_line(c->table, line);
        int r = c2c_rows_make(&rows, c, line);

        if (r < 0)
                return r;
        json_writer_begin(w, NULL, '{');
        json_writer_address(w, "address", line->first);
        json_put_nodes(w, line->nodes);
        json_put_counts(w, &counts);
        json_writer_begin(w, "rows", '[');
        for (size_t i = 0; i < rows.n; i++)
                if (!rows.rows[i].hidden)
                        json_put_row(w, c, rows.rows + i);
        json_writer_end(w, ']');
        json_writer_end(w, '}');
        return 0;
}

int c2c_print_json(const C2cReport *c, TextBuffer *out) {
        JsonWriter w = { .out = out };
        size_t n_events;
        const SampleEvent *events = sample_table_events(c->samples->table, &n_events);
        int r = 0;

        json_writer_begin(&w, NULL, '{');
        json_writer_begin(&w, "events", '[');
        for (size_t i = 0; i < n_events; i++)
                json_writer_text(&w, NULL, events[i].name);
        json_writer_end(&w, ']');
        json_writer_begin(&w, "total", '{');
        json_put_counts(&w, &c->table->total);
        json_writer_end(&w, '}');
        json_writer_begin(&w, "shared", '{');
        json_writer_number(&w, "lines", c->table->n_shared);
        json_put_counts(&w, &c->table->shared);
        json_writer_end(&w, '}');
        if (!c->options->stats) {
                json_writer_begin(&w, "lines", '[');
                for (size_t i = 0; r >= 0 && i < c->n_lines; i++)
                        r = json_put_line(&w, c, c->table->lines + c->lines[i]);
                json_writer_end(&w, ']');
        }
        json_writer_end(&w, '}');
        text_buffer_putc(out, '\n');
        return r;
}
