/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Addresses are texts, as in the samples of "script". What is not known is left out. A run of calls without a fork is one object,
 * as it is one node in text: readers of JSON bound how deep arrays may lie in each other. */

#include "report-json.h"

#include "facet-columns.h"
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

static void report_json_put_numbers(JsonWriter *w, const ReportColumns *c, const ReportEntry *e) {
        bool children = c->report->plan.children;

        json_writer_percent(w, "overhead", percent_of(c, e->period));
        if (c->samples > 0)
                put_interval(w, c, "overhead_interval", percent_of(c, e->period));
        if (children)
                json_writer_percent(w, "overhead_children", percent_of(c, e->children_period));
        if (children && c->samples > 0)
                put_interval(w, c, "overhead_children_interval", percent_of(c, e->children_period));
        json_writer_number(w, "samples", e->count);
        json_writer_number(w, "period", e->period);
        if (!children)
                return;
        json_writer_number(w, "samples_children", e->children_count);
        json_writer_number(w, "period_children", e->children_period);
}

static void report_json_put_symbol(JsonWriter *w, const ReportEntry *e, const char *symbol) {
        const char level[] = { e->level, '\0' };

        if (symbol)
                json_writer_text(w, "symbol", symbol);
        else
                json_writer_address(w, "address", e->ip);
        json_writer_text(w, "level", level);
}

static bool is_known(const ReportEntry *e, ReportKey key) {
        switch (key) {
        case REPORT_DSO:
                return e->mapped;
        case REPORT_CPU:
                return e->row.cpu != UINT32_MAX;
        case REPORT_CGROUP:
                return e->row.cgroup > 0;
        case REPORT_UNIT:
                return e->row.unit > 0;
        case REPORT_TRACE:
                return e->row.label > 0;
        case REPORT_PARENT:
                return e->row.parent > 0;
        default:
                return true;
        }
}

/* Puts a number, or the text of its column without the level of code and blanks around it. */
static void put_facet(JsonWriter *w, const Report *report, ReportKey key, const ReportEntry *e) {
        const char *word = report_field_to_string(REPORT_FIELD_KEYS + key);
        _cleanup_(text_buffer_done) TextBuffer text = {};
        uint64_t number;
        char *from;

        if (facet_column_number(report, key, e, &number)) {
                json_writer_number(w, word, number);
                return;
        }
        facet_column_put(report, key, e, SIZE_MAX, &text);
        while (text.n > 0 && text.data[text.n - 1] == ' ')
                text.n--;
        text_buffer_putc(&text, '\0');
        if (text.error < 0)
                return;
        from = text.data + (facet_column(key)->level ? FACET_LEVEL_WIDTH : 0);
        json_writer_text(w, word, from + strspn(from, " "));
}

static void report_json_put_key(JsonWriter *w, const ReportColumns *c, ReportKey key, const ReportEntry *e) {
        const char *text;

        switch (key) {
        case REPORT_PID:
                json_writer_signed(w, "tid", (int32_t) e->row.tid);
                return;
        case REPORT_CPU:
                json_writer_number(w, "cpu", e->row.cpu);
                return;
        case REPORT_TIME:
                json_writer_number(w, "time", e->row.time);
                return;
        case REPORT_PARALLELISM:
                json_writer_number(w, "parallelism", e->row.parallelism);
                return;
        case REPORT_SYMBOL:
                report_json_put_symbol(w, e, report_columns_text(c, key, e));
                return;
        default:
                if (facet_column(key)) {
                        put_facet(w, c->report, key, e);
                        return;
                }
                text = report_columns_text(c, key, e);
                if (text && *text)
                        json_writer_text(w, report_field_to_string(REPORT_FIELD_KEYS + key), text);
                return;
        }
}

/* Names of fields are any; they are in an object of their own. */
static void put_trace_fields(JsonWriter *w, const ReportColumns *c, const ReportEntry *e) {
        bool any = false;

        for (size_t i = 0; i < c->n_shown; i++)
                if (c->shown[i] >= REPORT_FIELD_TRACES) {
                        if (!any)
                                json_writer_begin(w, "fields", '{');
                        any = true;
                        json_writer_text(w, c->traces->columns[c->shown[i] - REPORT_FIELD_TRACES].name,
                                         report_columns_trace(c, c->shown[i], e));
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
        int r = 0;

        json_writer_begin(w, NULL, '{');
        report_json_put_numbers(w, c, e);
        for (ReportKey key = 0; key < _REPORT_KEY_MAX; key++)
                if (c->report->plan.keys & REPORT_KEY(key) && is_known(e, key))
                        report_json_put_key(w, c, key, e);
        put_trace_fields(w, c, e);
        if (tree)
                r = put_calls(w, c, graph, tree, 0, "callchains");
        json_writer_end(w, '}');
        return r < 0 ? r : w->out->error;
}
