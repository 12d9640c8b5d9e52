/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows of both ranges are one if the texts of their keys are equal: what has the same name in the same binary is the same function,
 * whatever its address, and a thread is known by its id and its name.
 *
 * By time, chance alone would give the second range the part of the samples that it could have taken: its part of the time, if a
 * sample weighs the same in both ranges. If one was sampled at a higher frequency, its samples weigh less, and it has more of
 * them. */

#include "diff-table.h"

#include <inttypes.h>
#include <math.h>

#include "array.h"
#include "report-entries.h"
#include "significance.h"
#include "text-buffer.h"

#define NO_SYMBOL "(no symbol)"

void diff_table_done(DiffTable *t) {
        free(t->rows);
        byte_pool_done(&t->texts);
        *t = (DiffTable) {};
}

static void diff_put_cell(TextBuffer *out, const Report *report, const ReportEntry *e, DiffKey key) {
        const char *comm = e->row.name > 0 ? process_view_name(sample_table_view(report->table), e->row.name) : "";
        const CgroupNames *cgroups = sample_table_cgroups(report->table);
        uint32_t path = e->row.cgroup > 0 ? cgroups->groups[e->row.cgroup - 1].path : 0;

        switch (key) {
        case DIFF_KEY_COMM:
                text_buffer_puts(out, comm);
                break;
        case DIFF_KEY_PID:
                text_buffer_format(out, "%7d:%s", (int) e->row.tid, comm);
                break;
        case DIFF_KEY_DSO:
                text_buffer_puts(out, e->mapped ? place_names_text(report->names, e->dso) : PLACE_UNKNOWN_DSO);
                break;
        case DIFF_KEY_SYMBOL:
                text_buffer_format(out, "[%c] ", e->level);
                text_buffer_puts(out, report->names->symbols[e->symbol].name ?: NO_SYMBOL);
                break;
        case DIFF_KEY_CPU:
                if (e->row.cpu != UINT32_MAX)
                        text_buffer_decimal(out, e->row.cpu, 0);
                break;
        default:
                text_buffer_puts(out, cgroup_names_text(cgroups, key == DIFF_KEY_UNIT ? e->row.unit : path) ?: DIFF_NO_UNIT);
        }
        text_buffer_putc(out, '\0');
}

static uint64_t diff_report_keys(const DiffOptions *o) {
        static const uint64_t of_key[_DIFF_KEY_MAX] = {
                [DIFF_KEY_COMM] = REPORT_KEY(REPORT_COMM), [DIFF_KEY_PID] = REPORT_KEY(REPORT_PID) | REPORT_KEY(REPORT_COMM),
                [DIFF_KEY_DSO] = REPORT_KEY(REPORT_DSO), [DIFF_KEY_SYMBOL] = REPORT_KEY(REPORT_SYMBOL),
                [DIFF_KEY_CPU] = REPORT_KEY(REPORT_CPU), [DIFF_KEY_UNIT] = REPORT_KEY(REPORT_UNIT),
                [DIFF_KEY_CGROUP] = REPORT_KEY(REPORT_CGROUP),
        };
        uint64_t keys = 0;

        for (size_t i = 0; i < o->n_keys; i++)
                keys |= of_key[o->keys[i]];
        return keys;
}

static int diff_add_entry(DiffTable *t, const Report *report, const ReportEntry *e, unsigned range, TextBuffer *text) {
        uint32_t number;
        int r;

        text->n = 0;
        for (size_t i = 0; i < t->options->n_keys; i++)
                diff_put_cell(text, report, e, t->options->keys[i]);
        r = text->error < 0 ? text->error : byte_pool_intern(&t->texts, text->data, text->n, &number);
        if (r >= 0 && number > t->n) {
                r = ARRAY_RESERVE(t->rows, t->allocated, t->n + 1);
                if (r >= 0)
                        t->rows[t->n++] = (DiffRow) { .number = number };
        }
        if (r >= 0) {
                t->rows[number - 1].samples[range] += e->weight.count;
                t->rows[number - 1].weight[range] += e->weight.period;
        }
        return r;
}

static int diff_add_range(DiffTable *t, DiffRange *range, unsigned number, uint32_t event) {
        _cleanup_(report_done) Report report = {};
        _cleanup_(text_buffer_done) TextBuffer text = {};
        SampleTable *table = range->samples.table;
        _cleanup_free_ uint32_t *order = sample_table_order(table);
        ReportPlan plan = {
                .keys = diff_report_keys(t->options), .event = event, .dsos = range->select.dsos, .symbols = range->select.symbols,
                .unnamed_as_one = true,
        };
        size_t n, first;
        const SampleRow *rows = sample_table_rows(table, &n);
        int r;

        if (!order)
                return -ENOMEM;
        first = LOWER_BOUND(n, i, rows[order[i]].event < event);
        plan.rows = order + first;
        plan.n_rows = LOWER_BOUND(n, i, rows[order[i]].event <= event) - first;
        r = report_init(&report, table, &range->samples.names, &plan);
        for (size_t i = 0; r >= 0 && i < report.n; i++)
                r = diff_add_entry(t, &report, report.entries + i, number, &text);
        return r;
}

static double diff_chance(const DiffTable *t, const DiffRange *ranges, const DiffRow *row) {
        const uint64_t *n = row->samples;
        double baseline, compared;

        if (t->options->normalize == DIFF_BY_TOTAL)
                return significance_of_shares(n[DIFF_BASELINE], t->samples[DIFF_BASELINE],
                                              n[DIFF_COMPARED], t->samples[DIFF_COMPARED]);
        baseline = diff_exposure(ranges, t->samples, t->weight, DIFF_BASELINE);
        compared = diff_exposure(ranges, t->samples, t->weight, DIFF_COMPARED);
        return significance_of_rates(n[DIFF_BASELINE], n[DIFF_COMPARED], compared / (baseline + compared));
}

/* Computes shares, and which of them changed. */
static int diff_compute(DiffTable *t, const DiffRange *ranges) {
        _cleanup_free_ double *chances = calloc(t->n + 1, sizeof(*chances));
        double whole[_DIFF_RANGES], limit;
        int r;

        if (!chances)
                return -ENOMEM;
        for (unsigned i = 0; i < _DIFF_RANGES; i++)
                whole[i] = (double) t->weight[i];
        if (t->options->normalize == DIFF_BY_TIME)
                whole[DIFF_COMPARED] = whole[DIFF_BASELINE] / ranges[DIFF_BASELINE].seconds * ranges[DIFF_COMPARED].seconds;
        for (size_t k = 0; k < t->n; k++) {
                DiffRow *row = t->rows + k;

                for (unsigned i = 0; i < _DIFF_RANGES; i++)
                        row->percent[i] = whole[i] > 0 ? 100 * (double) row->weight[i] / whole[i] : 0;
                row->chance = chances[k] = diff_chance(t, ranges, row);
        }
        r = significance_limit(chances, t->n, SIGNIFICANCE_LEVEL, &limit);
        for (size_t k = 0; r >= 0 && k < t->n; k++)
                t->rows[k].changed = t->rows[k].chance <= limit;
        return r;
}

/* Returns what rows are sorted by, the greatest first. */
static double diff_rank(const DiffTable *t, const DiffRow *row) {
        const DiffOptions *o = t->options;

        if (o->by_baseline)
                return row->percent[DIFF_BASELINE];
        if (o->compute == DIFF_RATIO)
                return row->weight[DIFF_BASELINE] > 0 ? row->percent[DIFF_COMPARED] / row->percent[DIFF_BASELINE] : -1;
        return o->compute == DIFF_DELTA_ABS ? fabs(diff_row_delta(row)) : diff_row_delta(row);
}

static int diff_compare_rows(const void *a, const void *b, void *userdata) {
        const DiffTable *t = userdata;
        const DiffRow *x = a, *y = b;
        double first = diff_rank(t, x), second = diff_rank(t, y);
        const char *x_text = diff_table_texts(t, x), *y_text = diff_table_texts(t, y);
        int order = first > second ? -1 : first < second;

        for (size_t i = 0; order == 0 && i < t->options->n_keys; i++) {
                order = strcmp(x_text, y_text);
                x_text += strlen(x_text) + 1;
                y_text += strlen(y_text) + 1;
        }
        return order;
}

int diff_table_make(DiffTable *t, const DiffOptions *o, DiffRange *ranges, const uint32_t *events) {
        int r = 0;

        *t = (DiffTable) { .options = o };
        for (unsigned i = 0; r >= 0 && i < _DIFF_RANGES; i++) {
                const SampleEvent *event = sample_table_events(ranges[i].samples.table, &(size_t) { 0 }) + events[i];

                t->event = event->name;
                t->samples[i] = event->samples;
                t->weight[i] = event->period;
                r = diff_add_range(t, ranges + i, i, events[i]);
        }
        if (r >= 0)
                r = diff_compute(t, ranges);
        if (r >= 0 && t->n > 0)
                qsort_r(t->rows, t->n, sizeof(*t->rows), diff_compare_rows, t);
        return r;
}
