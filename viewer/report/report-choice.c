/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Columns are those that the options name, or perf's defaults. */

#include "report-choice.h"

#include "array.h"
#include "strv.h"

/* named: latency is among the keys, and then stands for all shares. */
static void choice_add_numbers(ReportColumns *c, const ReportOptions *options, bool children, bool named) {
        const ReportLook *look = &options->look;
        const struct { ReportField field; bool wanted, sorts; } numbers[] = {
                { REPORT_FIELD_LATENCY, look->latency_first && !named, true }, { REPORT_FIELD_CHILDREN, children && !named, true },
                { REPORT_FIELD_OVERHEAD, !named, true }, { REPORT_FIELD_LATENCY, look->latency && !named, true },
                { REPORT_FIELD_SYSTEM, look->modes, false }, { REPORT_FIELD_USER, look->modes, false },
                { REPORT_FIELD_SAMPLES, look->samples, false }, { REPORT_FIELD_PERIOD, look->period, false },
        };

        for (size_t i = 0; i < ELEMENTSOF(numbers); i++) {
                if (numbers[i].wanted)
                        report_columns_show(c, numbers[i].field);
                if (numbers[i].wanted && numbers[i].sorts)
                        report_columns_sort(c, numbers[i].field);
        }
}

/* Every column sorts, and every key that sorts is a column. */
void report_columns_choose(ReportColumns *c, const ReportOptions *options, bool children) {
        static const ReportField keys[] = { REPORT_FIELD_COMM, REPORT_FIELD_DSO, REPORT_FIELD_SYMBOL };
        const ReportWords *words = &options->words;
        bool added = words->fields.n == 0 || words->fields.added, by_default = words->keys.n == 0 && added && !words->sort;
        const ReportField *sorted = by_default ? keys : words->keys.all;
        size_t n = by_default ? ELEMENTSOF(keys) : words->keys.n;

        *c = (ReportColumns) { .separator = options->look.separator, .colors = options->look.colors && !options->look.separator,
                               .nanoseconds = options->look.nanoseconds, .sort_member = options->group_sort, .chosen = !added,
                               .clock = options->look.columns > 0 && options->found.has_clock ? &options->found.clock : NULL,
                               .whole_seconds = options->counting.slice % NSEC_PER_SEC == 0,
                               .traces = &words->traces };
        if (added)
                choice_add_numbers(c, options, children, ANY_OF(n, i, sorted[i] == REPORT_FIELD_LATENCY));
        for (size_t i = 0; i < n; i++)
                report_columns_sort(c, sorted[i]);
        for (size_t i = 0; i < words->fields.n; i++) {
                report_columns_show(c, words->fields.all[i]);
                report_columns_sort(c, words->fields.all[i]);
        }
        for (size_t i = 0; i < n; i++)
                report_columns_show(c, sorted[i]);
}

/* Returns the values of a key that are wanted; NULL: all. */
static char *const *wanted_values(const ReportOptions *options, ReportField field) {
        return field == REPORT_FIELD_COMM ? options->select.comms : field == REPORT_FIELD_DSO ? options->select.dsos :
               field == REPORT_FIELD_SYMBOL ? options->select.symbols : NULL;
}

/* Samples are selected by the code that they hit, so their callers have other values. */
static bool has_one_value(const ReportOptions *options, bool callers, ReportField field) {
        return strv_length(wanted_values(options, field)) == 1 && !(callers && report_field_is(field, FIELD_OF_PLACE));
}

void report_columns_leave_out(ReportColumns *c, const ReportOptions *options, bool callers) {
        size_t n = 0;

        if (!ANY_OF(c->n_shown, i, !report_field_is_number(c->shown[i]) && !has_one_value(options, callers, c->shown[i])))
                return;
        for (size_t i = 0; i < c->n_shown; i++)
                if (!has_one_value(options, callers, c->shown[i]))
                        c->shown[n++] = c->shown[i];
        c->n_shown = n;
}

void report_columns_print_left_out(const ReportOptions *options, bool callers, FILE *f) {
        ReportColumns c;

        report_columns_choose(&c, options, true);
        for (size_t i = 0; i < c.n_shown; i++)
                if (has_one_value(options, callers, c.shown[i]))
                        (void) fprintf(f, "# %s: %s\n", report_field_type(c.shown[i])->word,
                                       wanted_values(options, c.shown[i])[0]);
}
