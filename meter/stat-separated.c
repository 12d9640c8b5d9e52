/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows for programs, with separators between the fields (-x):
 *
 *   [time,][place,[CPUs,]]value,unit,event[,cgroup][,variance],runtime,percent,metric,unit of the metric
 *
 * Nothing is quoted, as perf does not. */

#include "stat-row.h"

#include <inttypes.h>
#include <math.h>

#include "parse-time.h"

static void begin_separated(TextBuffer *out, const StatRow *row) {
        const StatPlace *p = stat_row_place(row);
        const char *separator = row->style->separator;

        if (row->time)
                text_buffer_format(out, "%6" PRIu64 ".%09" PRIu64 "%s", *row->time / NSEC_PER_SEC, *row->time % NSEC_PER_SEC,
                                   separator);
        switch (row->table->placing) {
        case STAT_BY_CPU:
                text_buffer_format(out, "CPU%d%s", p->cpu, separator);
                break;
        case STAT_BY_CORE:
                text_buffer_format(out, "S%d-D%d-C%d%s%d%s", p->socket, p->die, p->core, separator, stat_row_cpus(row), separator);
                break;
        case STAT_BY_DIE:
                text_buffer_format(out, "S%d-D%d%s%d%s", p->socket, p->die, separator, stat_row_cpus(row), separator);
                break;
        case STAT_BY_SOCKET:
                text_buffer_format(out, "S%d%s%d%s", p->socket, separator, stat_row_cpus(row), separator);
                break;
        case STAT_BY_NODE:
                text_buffer_format(out, "N%d%s%d%s", p->node, separator, stat_row_cpus(row), separator);
                break;
        case STAT_BY_THREAD:
                text_buffer_puts(out, p->comm);
                text_buffer_format(out, "-%" PRIu32 "%s", p->tid, separator);
                break;
        default:
                break;
        }
}

static void put_value(TextBuffer *out, const StatMetric *m) {
        if (m->known)
                text_buffer_format(out, "%.*f", m->digits, m->value);
}

/* A further metric has a line of its own, in which the fields before it are empty: value, unit, event, group, variance, runtime and
 * percent. perf 6.1 miscounts them, and its test of this output refuses such lines. */
static void put_metrics(TextBuffer *out, const StatRow *row) {
        const char *separator = row->style->separator;
        unsigned fields = 5 + (stat_row_event(row)->cgroup != NULL) + (row->table->runs > 1);
        StatMetric metrics[STAT_METRICS_MAX] = {};
        size_t n = stat_row_uncounted(row) ? 1 : stat_row_metrics(row, metrics);

        for (size_t i = 0; i < n; i++) {
                const StatMetric *m = &metrics[i];

                if (i > 0) {
                        text_buffer_putc(out, '\n');
                        begin_separated(out, row);
                        for (unsigned k = 0; k < fields - 1; k++)
                                text_buffer_puts(out, separator);
                }
                text_buffer_puts(out, separator);
                put_value(out, m);
                text_buffer_puts(out, separator);
                text_buffer_puts(out, m->known ? m->unit : "");
        }
}

static void put_separated(TextBuffer *out, const StatRow *row) {
        const StatEvent *e = stat_row_event(row);
        const StatValue *v = stat_row_value(row);
        const char *separator = row->style->separator, *uncounted = stat_row_uncounted(row);

        if (uncounted)
                text_buffer_puts(out, uncounted);
        else
                text_buffer_format(out, "%.*f", floor(e->scale) != e->scale ? 2 : 0, v->value * e->scale);
        text_buffer_puts(out, separator);
        stat_row_put_name(out, e->unit, 0);
        text_buffer_puts(out, separator);
        stat_row_put_name(out, e->name, 0);
        if (e->cgroup) {
                text_buffer_puts(out, separator);
                stat_row_put_name(out, e->cgroup, 0);
        }
        if (row->table->runs > 1)
                text_buffer_format(out, "%s%.2f%%", separator, stat_row_noise(row));
        text_buffer_format(out, "%s%" PRIu64 "%s%u.00", separator, v->running, separator, stat_row_percent(row));
        put_metrics(out, row);
        text_buffer_putc(out, '\n');
}

/* Titles have commas, whatever the separator is. */
static void put_heading(TextBuffer *out, const StatRow *row) {
        static const char *const of_placing[_STAT_PLACING_MAX] = {
                [STAT_ALL] = "",
                [STAT_BY_CPU] = "cpu,",
                [STAT_BY_CORE] = "core,cpus,",
                [STAT_BY_DIE] = "die,cpus",
                [STAT_BY_SOCKET] = "socket,cpus",
                [STAT_BY_NODE] = "node,",
                [STAT_BY_THREAD] = "comm-pid,",
        };

        text_buffer_puts(out, row->time ? " time," : "");
        text_buffer_puts(out, of_placing[row->table->placing]);
}

static void put_title(TextBuffer *out, const StatRow *row, const StatMetric *m) {
        stat_row_put_unit(out, row, m);
        text_buffer_puts(out, row->style->separator);
}

static void put_metric(TextBuffer *out, const StatRow *row, const StatMetric *m) {
        put_value(out, m);
        text_buffer_puts(out, row->style->separator);
}

static void end_metrics(TextBuffer *out) {
        text_buffer_putc(out, '\n');
}

const StatWriter stat_writer_separated = {
        .begin = begin_separated,
        .put = put_separated,
        .put_heading = put_heading,
        .put_title = put_title,
        .put_metric = put_metric,
        .end = end_metrics,
};
