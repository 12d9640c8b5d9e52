/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "stat-metrics.h"
#include "stat-print.h"
#include "text-buffer.h"

/* One value of a table, as it is written. */
typedef struct StatRow {
        const StatTable *table;
        const StatStyle *style;
        size_t event, place;
        const uint64_t *time; /* the end of its interval, in nanoseconds; NULL: it is of none */
        bool summary;         /* it is of the sum behind intervals */
        size_t unit_width;    /* of the column of units */
} StatRow;

/* The parts of a format, which write a row piece by piece. */
typedef struct StatWriter {
        void (*begin)(TextBuffer *out, const StatRow *row); /* the beginning of a line: the time and the place */
        void (*put)(TextBuffer *out, const StatRow *row);   /* the rest of it: value, name, metrics */
        /* With metric_only: the titles before those of metrics, a title, a metric (unit NULL: an event that was not counted),
         * and what ends the line of a place. All are NULL if the format has no titles. */
        void (*put_heading)(TextBuffer *out, const StatRow *row);
        void (*put_title)(TextBuffer *out, const StatRow *row, const StatMetric *m);
        void (*put_metric)(TextBuffer *out, const StatRow *row, const StatMetric *m);
        void (*end)(TextBuffer *out);
} StatWriter;

extern const StatWriter stat_writer_text, stat_writer_separated, stat_writer_json;

static inline const StatEvent *stat_row_event(const StatRow *row) {
        return &row->table->events[row->event];
}

static inline const StatPlace *stat_row_place(const StatRow *row) {
        return &row->table->places[row->place];
}

static inline const StatValue *stat_row_value(const StatRow *row) {
        return &row->table->values[row->event * row->table->n_places + row->place];
}

/* The text that stands for the value of an event that was not counted; NULL: it was. */
const char *stat_row_uncounted(const StatRow *row);
double stat_row_noise(const StatRow *row); /* the deviation, in percent of the value */

/* The share of the time that it was counted, in whole percent, as perf cuts it for programs. 0 if it never ran. */
unsigned stat_row_percent(const StatRow *row);
int stat_row_cpus(const StatRow *row); /* how many CPUs add up */
size_t stat_row_metrics(const StatRow *row, StatMetric ret[static STAT_METRICS_MAX]);

/* Puts a name of unknown origin as one line, and blanks up to the width. */
void stat_row_put_name(TextBuffer *out, const char *name, size_t width);

/* The name of a metric in metric_only, where shares are named by their event, too: its bytes, and what puts it. */
size_t stat_row_unit_width(const StatRow *row, const StatMetric *m);
void stat_row_put_unit(TextBuffer *out, const StatRow *row, const StatMetric *m);
