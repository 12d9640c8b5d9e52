/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tables as perf stat 6.1 prints them: a title, the rows in perf's order, and the time that passed. A table is put together in
 * memory and written at once. Numbers for programs are those of the C locale, numbers for people those of theirs. */

#include "stat-row.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>

#define NSEC 1e9 /* of a second */

static const StatWriter *const writers[] = {
        [STAT_TEXT] = &stat_writer_text,
        [STAT_SEPARATED] = &stat_writer_separated,
        [STAT_JSON] = &stat_writer_json,
};

static void begin_line(TextBuffer *out, const StatRow *row) {
        if (row->summary && row->style->csv_summary && row->style->format == STAT_SEPARATED) {
                text_buffer_padded(out, "summary", 16);
                text_buffer_puts(out, row->style->separator);
        }
        writers[row->style->format]->begin(out, row);
}

static void put_row(TextBuffer *out, const StatRow *row) {
        begin_line(out, row);
        writers[row->style->format]->put(out, row);
}

/* A thread of an event's rows, the largest count first. */
typedef struct ThreadRank {
        double value;
        size_t place;
} ThreadRank;

static int compare_ranks(const void *a, const void *b) {
        const ThreadRank *x = a, *y = b;

        if (x->value != y->value)
                return x->value < y->value ? 1 : -1;
        return x->place < y->place ? -1 : x->place > y->place;
}

static void put_threads(TextBuffer *out, StatRow *row) {
        size_t n = row->table->n_places, n_ranks = 0;
        _cleanup_free_ ThreadRank *ranks = calloc(n + 1, sizeof(*ranks));

        if (!ranks) {
                out->error = -ENOMEM;
                return;
        }
        for (row->place = 0; row->place < n; row->place++)
                if (stat_row_value(row)->value != 0 || !row->style->omit_zeros)
                        ranks[n_ranks++] = (ThreadRank) { stat_row_value(row)->value, row->place };
        qsort(ranks, n_ranks, sizeof(*ranks), compare_ranks);
        for (size_t i = 0; i < n_ranks; i++) {
                row->place = ranks[i].place;
                put_row(out, row);
        }
}

/* CPUs and threads are below each event, events below each other place. */
static void put_rows(TextBuffer *out, StatRow *row) {
        const StatTable *t = row->table;

        if (t->placing == STAT_BY_THREAD)
                for (row->event = 0; row->event < t->n_events; row->event++)
                        put_threads(out, row);
        else if (t->placing == STAT_BY_CPU) {
                for (row->event = 0; row->event < t->n_events; row->event++)
                        for (row->place = 0; row->place < t->n_places; row->place++)
                                put_row(out, row);
        } else
                for (row->place = 0; row->place < t->n_places; row->place++)
                        for (row->event = 0; row->event < t->n_events; row->event++)
                                put_row(out, row);
}

/* Rates, and how much of the CPUs was used, make no column of metrics. */
static bool is_column(const StatMetric *m) {
        return m->unit && !strstr(m->unit, "/sec") && !streq(m->unit, "CPUs utilized");
}

/* perf has titles of metrics that it finds by itself for CPUs only. */
static void put_metric_titles(TextBuffer *out, StatRow *row) {
        const StatTable *t = row->table;
        const StatWriter *writer = writers[row->style->format];
        StatMetric metrics[STAT_METRICS_MAX];

        if (!writer->put_title)
                return;
        if (t->placing == STAT_BY_CPU && t->n_places > 0)
                for (row->event = 0; row->event < t->n_events; row->event++) {
                        (void) stat_metrics(t, row->event, 0, 0, metrics);
                        if (is_column(&metrics[0]))
                                writer->put_title(out, row, &metrics[0]);
                }
        text_buffer_putc(out, '\n');
}

static void put_event_metrics(TextBuffer *out, const StatRow *row) {
        const StatWriter *writer = writers[row->style->format];
        StatMetric metrics[STAT_METRICS_MAX] = {};

        if (stat_row_uncounted(row)) {
                writer->put_metric(out, row, &metrics[0]);
                return;
        }
        for (size_t i = 0, n = stat_row_metrics(row, metrics); i < n; i++)
                if (is_column(&metrics[i]))
                        writer->put_metric(out, row, &metrics[i]);
}

static void put_metrics(TextBuffer *out, StatRow *row) {
        const StatTable *t = row->table;
        const StatWriter *writer = writers[row->style->format];

        for (row->place = 0; row->place < t->n_places && t->n_events > 0; row->place++) {
                row->event = 0;
                begin_line(out, row);
                for (; row->event < t->n_events; row->event++)
                        put_event_metrics(out, row);
                writer->end(out);
        }
}

static void put_title(TextBuffer *out, const StatTable *t, const StatStyle *style) {
        text_buffer_puts(out, "\n Performance counter stats for ");
        text_buffer_puts(out, style->subject);
        if (t->runs > 1)
                text_buffer_format(out, " (%u runs)", t->runs);
        text_buffer_puts(out, ":\n\n");
}

/* --table: each run, and a bar for how far it is from the mean. */
static void put_run_times(TextBuffer *out, const StatTable *t, const double *times, int precision) {
        double mean = t->elapsed / NSEC;
        char text[64];
        int indent;

        (void) snprintf(text, sizeof(text), " %17.*f", precision, mean);
        indent = (int) strspn(text, " ");
        text_buffer_format(out, "%*s# Table of individual measurements:\n", indent, "");
        for (unsigned i = 0; i < t->runs; i++) {
                int n = times[i] != 0 ? 1 + abs((int) (100 * (times[i] - mean) / times[i]) / 5) : 1;

                text_buffer_format(out, " %17.*f (%+.*f) ", precision, times[i], precision, times[i] - mean);
                while (n-- > 0)
                        text_buffer_putc(out, '#');
                text_buffer_putc(out, '\n');
        }
        text_buffer_format(out, "\n%*s# Final result:\n", indent, "");
}

/* The mean has two digits more than the deviation has zeros behind the point. */
static void put_runs(TextBuffer *out, const StatTable *t, const StatStyle *style) {
        double mean = t->elapsed / NSEC, deviation = t->elapsed_deviation / NSEC;
        int precision = deviation > 1 ? 2 : deviation > 0 ? (int) lround(ceil(-log10(deviation))) + 2 : 9;

        if (style->run_times)
                put_run_times(out, t, style->run_times, precision);
        text_buffer_format(out, " %17.*f +- %.*f seconds time elapsed", precision, mean, precision, deviation);
        if (mean != 0 && deviation != 0)
                text_buffer_format(out, "  ( +-%6.2f%% )", 100 * deviation / mean);
}

static void put_end(TextBuffer *out, const StatTable *t, const StatStyle *style) {
        size_t missed = 0;

        for (size_t i = 0; i < t->n_events * t->n_places; i++)
                missed += t->events[i / t->n_places].supported && t->values[i].running == 0;
        if (!style->null)
                text_buffer_putc(out, '\n');
        if (t->runs > 1)
                put_runs(out, t, style);
        else {
                text_buffer_format(out, " %17.9f seconds time elapsed", t->elapsed / NSEC);
                if (t->has_usage)
                        text_buffer_format(out, "\n\n %17.9f seconds user\n %17.9f seconds sys\n", t->user, t->system);
        }
        text_buffer_puts(out, "\n\n");
        if (style->nmi_watchdog && missed > 0)
                text_buffer_puts(out,
                                 "Some events weren't counted. Try disabling the NMI watchdog:\n"
                                 "\techo 0 > /proc/sys/kernel/nmi_watchdog\n"
                                 "\tperf stat ...\n"
                                 "\techo 1 > /proc/sys/kernel/nmi_watchdog\n");
}

static void put_table(TextBuffer *out, StatRow *row, bool titles) {
        const StatStyle *style = row->style;
        const StatWriter *writer = writers[style->format];
        bool framed = style->format == STAT_TEXT && !row->time && !style->intervals;

        if (framed)
                put_title(out, row->table, style);
        if (titles && writer->put_heading && (style->metric_only || (row->time && style->format == STAT_TEXT)))
                writer->put_heading(out, row);
        if (titles && style->metric_only)
                put_metric_titles(out, row);
        if (style->metric_only)
                put_metrics(out, row);
        else
                put_rows(out, row);
        if (framed)
                put_end(out, row->table, style);
}

static int write_table(StatRow *row, bool titles, FILE *f) {
        _cleanup_(text_buffer_done) TextBuffer out = {};
        locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t) 0), before;

        if (!c)
                return errno > 0 ? -errno : -ENOMEM;
        row->unit_width = strlen("unit");
        for (size_t i = 0; i < row->table->n_events; i++)
                if (row->table->events[i].supported)
                        row->unit_width = MAX_OF(row->unit_width, strlen(row->table->events[i].unit));
        before = uselocale(row->style->format == STAT_TEXT ? (locale_t) 0 : c);
        put_table(&out, row, titles);
        (void) uselocale(before);
        freelocale(c);
        if (out.error < 0)
                return out.error;
        if (fwrite(out.data, 1, out.n, f) != out.n || fflush(f) != 0)
                return errno > 0 ? -errno : -EIO;
        return 0;
}

int stat_print(const StatTable *t, const StatStyle *style, FILE *f) {
        return write_table(&(StatRow) { .table = t, .style = style }, true, f);
}

int stat_print_interval(const StatTable *t, const StatStyle *style, uint64_t time, bool first, FILE *f) {
        return write_table(&(StatRow) { .table = t, .style = style, .time = &time }, first, f);
}

int stat_print_summary(const StatTable *t, const StatStyle *style, FILE *f) {
        StatStyle whole = *style;

        whole.intervals = false;
        return write_table(&(StatRow) { .table = t, .style = &whole, .summary = true }, true, f);
}
