/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Addresses are texts, as in the samples of "script". What is not known is left out. A run of calls without a fork is one object,
 * as it is one node in text: readers of JSON bound how deep arrays may lie in each other. */

#include "report-json.h"

#include "share-interval.h"

static double percent_of(const ReportColumns *c, uint64_t weight) {
        return c->total > 0 ? 100.0 * (double) weight / (double) c->total : 0.0;
}

static void put_interval(JsonWriter *w, const ReportColumns *c, const char *key, double percent) {
        ShareInterval interval = share_interval(percent / 100, c->samples);

        json_writer_begin(w, key, '[');
        json_writer_percent(w, NULL, 100 * interval.from);
        json_writer_percent(w, NULL, 100 * interval.to);
        json_writer_end(w, ']');
}

static void report_json_put_numbers(JsonWriter *json, const ReportColumns *c, const ReportWeight *w) {
        bool children = c->report->plan.children;

        json_writer_percent(json, "overhead", percent_of(c, w->period));
        if (c->samples > 0)
                put_interval(json, c, "overhead_interval", percent_of(c, w->period));
        if (children)
                json_writer_percent(json, "overhead_children", percent_of(c, w->children_period));
        if (children && c->samples > 0)
                put_interval(json, c, "overhead_children_interval", percent_of(c, w->children_period));
        json_writer_number(json, "samples", w->count);
        json_writer_number(json, "period", w->period);
        if (!children)
                return;
        json_writer_number(json, "samples_children", w->children_count);
        json_writer_number(json, "period_children", w->children_period);
}

/* Puts what stands in a column without the level of code, and without blanks around it. */
static void put_shown(JsonWriter *w, const char *key, const ReportCell *cell) {
        size_t level = cell->type->flags & FIELD_LEVEL ? FIELD_LEVEL_WIDTH : 0;
        _cleanup_(text_buffer_done) TextBuffer text = {};

        report_cell_put(cell, SIZE_MAX, &text);
        while (text.n > level && text.data[text.n - 1] == ' ')
                text.n--;
        text_buffer_putc(&text, '\0');
        if (text.error == 0)
                json_writer_text(w, key, text.data + level + strspn(text.data + level, " "));
}

static void report_json_put_key(JsonWriter *w, const ReportCell *cell) {
        const ReportFieldType *t = cell->type;
        const char *key = t->json ?: t->word, *text = t->text ? t->text(cell) : NULL;

        if (t->write)
                t->write(cell, w);
        else if (text && *text)
                json_writer_text(w, key, text);
        else if (!t->text && t->unknown && report_cell_number(cell) == 0)
                return;
        else if (!t->text && !(t->flags & FIELD_NUMBER))
                put_shown(w, key, cell);
        else if (t->flags & FIELD_SIGNED)
                json_writer_signed(w, key, (int32_t) report_cell_number(cell));
        else if (!t->text && report_cell_value(cell).first == 0)
                json_writer_number(w, key, report_cell_number(cell));
}

/* Names of fields are any; they are in an object of their own. */
static void put_trace_fields(JsonWriter *w, const ReportColumns *c, const ReportEntry *e) {
        bool any = false;

        for (size_t i = 0; i < c->n_shown; i++)
                if (report_field_is_trace(c->shown[i])) {
                        ReportCell cell = report_cell(c, c->shown[i], e);

                        if (!any)
                                json_writer_begin(w, "fields", '{');
                        any = true;
                        json_writer_text(w, c->traces->columns[cell.trace].name, report_cell_text(&cell));
                }
        if (any)
                json_writer_end(w, '}');
}

static void report_json_put_frame(JsonWriter *w, const CallTree *t, uint32_t node) {
        uint32_t number = t->nodes[node].place, symbol = t->names->symbol_of[number];
        const CodePlace *place = t->places->places + number;

        json_writer_begin(w, NULL, '{');
        if (symbol > 0)
                json_writer_text(w, "symbol", t->names->symbols[symbol].name);
        else
                json_writer_address(w, "address", place->ip);
        if (place->dso != DSO_NONE)
                json_writer_text(w, "dso", place_names_text(t->names, place_names_dso(t->names, place)));
        if (t->key != CALL_KEY_FUNCTION)
                json_writer_text(w, "srcline", place_names_text(t->names, t->names->line_of[number]));
        json_writer_end(w, '}');
}

/* Writes the calls of a node, and theirs. A tree is as deep as a call chain may be long. */
static int put_calls(JsonWriter *w, const ReportColumns *c, const CallGraphOptions *graph, const CallTree *t, uint32_t node,
                     const char *key) {
        uint64_t least = (uint64_t) ((double) c->total * (graph->least / 100.0));
        _cleanup_free_ uint32_t *children = NULL;
        size_t n;
        int r = call_tree_children(t, node, least, true, &children, &n);

        if (r < 0 || n == 0)
                return r;
        json_writer_begin(w, key, '[');
        for (size_t i = 0; r >= 0 && i < n && (graph->limit == 0 || i < graph->limit); i++) {
                const CallNode *first = t->nodes + children[i];
                uint32_t end = children[i];

                json_writer_begin(w, NULL, '{');
                json_writer_percent(w, "overhead", percent_of(c, call_node_weight(first)));
                json_writer_number(w, "samples", first->count + first->children_count);
                json_writer_number(w, "period", call_node_weight(first));
                json_writer_begin(w, "frames", '[');
                report_json_put_frame(w, t, end);
                for (uint32_t next; (next = call_tree_next(t, end)) > 0; end = next)
                        report_json_put_frame(w, t, next);
                json_writer_end(w, ']');
                r = put_calls(w, c, graph, t, end, "calls");
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
        return r;
}

int report_json_entry(JsonWriter *w, const ReportColumns *c, const CallGraphOptions *graph, const ReportEntry *e,
                      const CallTree *tree) {
        const ReportPlan *plan = &c->report->plan;
        int r = 0;

        json_writer_begin(w, NULL, '{');
        report_json_put_numbers(w, c, &e->weight);
        for (ReportField field = REPORT_FIELD_KEYS; field < _REPORT_FIELD_MAX; field++) {
                ReportCell cell = report_cell(c, field, e);

                if (plan->keys & cell.type->keys || (plan->row_values | plan->place_values) >> field & 1)
                        report_json_put_key(w, &cell);
        }
        put_trace_fields(w, c, e);
        if (tree)
                r = put_calls(w, c, graph, tree, 0, "callchains");
        json_writer_end(w, '}');
        return r < 0 ? r : w->out->error;
}
