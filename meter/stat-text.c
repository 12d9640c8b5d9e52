/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Rows for people: the value, its unit, the event, and behind "#" what the count says beside others. Widths count bytes, as
 * perf's do. */

#include "stat-row.h"

#include <inttypes.h>
#include <math.h>

#include "parse-time.h"

#define NAME_WIDTH ((size_t) 32)
#define UNCOUNTED_WIDTH ((size_t) 25) /* of the name of an event that was not counted */
#define METRIC_WIDTH 35
#define METRIC_ONLY_WIDTH ((size_t) 20)
#define FURTHER_INDENT 49u      /* before a metric in a line of its own */
#define VALUE_MAX ((size_t) 384) /* bytes of a number, of which the largest has 309 digits */

static const char *const colours[] = {
        [STAT_UNCOLOURED] = "",
        [STAT_NORMAL] = "",
        [STAT_YELLOW] = "\033[33m",
        [STAT_MAGENTA] = "\033[35m",
        [STAT_RED] = "\033[31m",
};
#define COLOUR_END "\033[m"

/* Both forms have 16 columns, and a blank. */
static void put_time(TextBuffer *out, const StatRow *row) {
        uint64_t time = *row->time + (uint64_t) row->style->wall_offset;
        time_t second = (time_t) (time / NSEC_PER_SEC);
        char text[32];
        struct tm tm;

        if (row->style->wall_clock && localtime_r(&second, &tm) && strftime(text, sizeof(text), "%H:%M:%S", &tm) > 0)
                text_buffer_format(out, "%9s.%06" PRIu64 " ", text, time % NSEC_PER_SEC / NSEC_PER_USEC);
        else
                text_buffer_format(out, "%6" PRIu64 ".%09" PRIu64 " ", *row->time / NSEC_PER_SEC, *row->time % NSEC_PER_SEC);
}

static void begin_text(TextBuffer *out, const StatRow *row) {
        const StatPlace *p = stat_row_place(row);

        if (row->time)
                put_time(out, row);
        switch (row->table->placing) {
        case STAT_BY_CPU:
                text_buffer_format(out, "CPU%-7d ", p->cpu);
                break;
        case STAT_BY_CORE:
                text_buffer_format(out, "S%d-D%d-C%-8d %4d ", p->socket, p->die, p->core, stat_row_cpus(row));
                break;
        case STAT_BY_DIE:
                text_buffer_format(out, "S%d-D%-8d %4d ", p->socket, p->die, stat_row_cpus(row));
                break;
        case STAT_BY_SOCKET:
                text_buffer_format(out, "S%-5d %4d ", p->socket, stat_row_cpus(row));
                break;
        case STAT_BY_NODE:
                text_buffer_format(out, "N%-5d %4d ", p->node, stat_row_cpus(row));
                break;
        case STAT_BY_THREAD:
                text_buffer_format(out, "%16s-%-8" PRIu32 " ", p->comm, p->tid);
                break;
        default:
                break;
        }
}

/* Writes the value with its colour. Returns its columns. */
static int format_value(char buf[static VALUE_MAX], const StatRow *row, const StatMetric *m) {
        const char *begin = row->style->colour ? colours[m->colour] : "", *end = *begin ? COLOUR_END : "";
        int n = snprintf(buf, VALUE_MAX, "%s%*.*f%s%s", begin, m->width, m->digits, m->value, m->suffix, end);

        return n - (int) (strlen(begin) + strlen(end));
}

static void put_metric_column(TextBuffer *out, const StatRow *row, const StatMetric *m) {
        char value[VALUE_MAX];

        if (m->known) {
                int width = METRIC_WIDTH - (int) strlen(" #  ") - format_value(value, row, m);

                text_buffer_format(out, " # %s %-*s", value, width, m->unit);
        } else
                text_buffer_padded(out, "", METRIC_WIDTH);
}

static void put_metrics(TextBuffer *out, const StatRow *row) {
        StatMetric metrics[STAT_METRICS_MAX] = {};
        size_t n = stat_row_uncounted(row) ? 1 : stat_row_metrics(row, metrics);

        for (size_t i = 0; i < n; i++) {
                if (i > 0) {
                        text_buffer_putc(out, '\n');
                        begin_text(out, row);
                        text_buffer_padded(out, "", FURTHER_INDENT + (row->table->placing == STAT_BY_CPU ? 8 : 0));
                }
                put_metric_column(out, row, &metrics[i]);
        }
}

static void put_count(TextBuffer *out, const StatRow *row) {
        const StatEvent *e = stat_row_event(row);
        double value = stat_row_value(row)->value * e->scale;
        int digits = floor(e->scale) != e->scale ? 2 : 0;

        if (row->style->big_numbers)
                text_buffer_format(out, "%'18.*f ", digits, value);
        else
                text_buffer_format(out, "%18.*f ", digits, value);
}

static void put_text(TextBuffer *out, const StatRow *row) {
        const StatEvent *e = stat_row_event(row);
        const StatValue *v = stat_row_value(row);
        const char *uncounted = stat_row_uncounted(row);
        double noise = row->table->runs > 1 ? stat_row_noise(row) : 0;

        if (uncounted)
                text_buffer_format(out, "%18s ", uncounted);
        else
                put_count(out, row);
        stat_row_put_name(out, e->unit, row->unit_width);
        text_buffer_putc(out, ' ');
        stat_row_put_name(out, e->name, uncounted ? UNCOUNTED_WIDTH : NAME_WIDTH);
        if (e->cgroup) {
                text_buffer_putc(out, ' ');
                stat_row_put_name(out, e->cgroup, 0);
        }
        put_metrics(out, row);
        if (noise != 0)
                text_buffer_format(out, "  ( +-%6.2f%% )", noise);
        if (v->running != v->enabled)
                text_buffer_format(out, "  (%.2f%%)", 100.0 * (double) v->running / (double) v->enabled);
        text_buffer_putc(out, '\n');
}

/* The titles of columns before those of metrics, or of all columns. */
static void put_heading(TextBuffer *out, const StatRow *row) {
        static const struct {
                const char *place;
                int counts; /* columns up to the end of that title */
                unsigned indent;
        } of_placing[_STAT_PLACING_MAX] = {
                [STAT_ALL] = { "", 19, 0 },
                [STAT_BY_CPU] = { " CPU    ", 22, 6 },
                [STAT_BY_CORE] = { " core            cpus", 19, 24 },
                [STAT_BY_DIE] = { " die          cpus", 19, 18 },
                [STAT_BY_SOCKET] = { " socket cpus", 19, 12 },
                [STAT_BY_NODE] = { " node   cpus", 19, 6 },
                [STAT_BY_THREAD] = { "             comm-pid", 24, 24 },
        };
        StatPlacing placing = row->table->placing;

        if (!row->time) {
                text_buffer_padded(out, "", of_placing[placing].indent);
                return;
        }
        text_buffer_format(out, "#           time%s", of_placing[placing].place);
        if (row->style->metric_only)
                text_buffer_putc(out, ' ');
        else
                text_buffer_format(out, "%*s %*s events\n", of_placing[placing].counts, "counts", (int) row->unit_width, "unit");
}

static void put_title(TextBuffer *out, const StatRow *row, const StatMetric *m) {
        size_t width = stat_row_unit_width(row, m);

        text_buffer_padded(out, "", width < METRIC_ONLY_WIDTH ? (unsigned) (METRIC_ONLY_WIDTH - width) : 0);
        stat_row_put_unit(out, row, m);
        text_buffer_putc(out, ' ');
}

/* A value that could be coloured has room for a colour, even where there are none. */
static void put_metric(TextBuffer *out, const StatRow *row, const StatMetric *m) {
        size_t width = m->unit ? stat_row_unit_width(row, m) : 0;
        char value[VALUE_MAX] = "";

        width = width > METRIC_ONLY_WIDTH ? width + 1 : METRIC_ONLY_WIDTH;
        if (m->known)
                (void) format_value(value, row, m);
        if (m->known && m->colour != STAT_UNCOLOURED)
                width += strlen(colours[m->colour]) + strlen(COLOUR_END);
        text_buffer_padded(out, value, (unsigned) width);
        text_buffer_putc(out, ' ');
}

static void end_metrics(TextBuffer *out) {
        text_buffer_putc(out, '\n');
}

const StatWriter stat_writer_text = {
        .begin = begin_text,
        .put = put_text,
        .put_heading = put_heading,
        .put_title = put_title,
        .put_metric = put_metric,
        .end = end_metrics,
};
