/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The parts of a row that all formats write: what stands for a value that was not counted, the share of the time, the deviation,
 * and names, which can be any text. */

#include "stat-row.h"

#include "utf8.h"

#define NAME_MAX_BYTES ((size_t) 4096) /* of an event or a control group */

const char *stat_row_uncounted(const StatRow *row) {
        const StatValue *v = stat_row_value(row);

        if (!stat_row_event(row)->supported)
                return "<not supported>";
        return v->running == 0 || v->enabled == 0 ? "<not counted>" : NULL;
}

double stat_row_noise(const StatRow *row) {
        const StatValue *v = stat_row_value(row);

        return v->value != 0 && !stat_row_uncounted(row) ? 100 * v->deviation / v->value : 0;
}

unsigned stat_row_percent(const StatRow *row) {
        const StatValue *v = stat_row_value(row);

        if (v->running == 0)
                return 0;
        return v->running == v->enabled || v->enabled == 0 ? 100 : (unsigned) (100 * v->running / v->enabled);
}

/* perf gives up a place at its first CPU that did not count. */
int stat_row_cpus(const StatRow *row) {
        return stat_row_uncounted(row) ? 1 : (int) stat_row_place(row)->n_cpus;
}

size_t stat_row_metrics(const StatRow *row, StatMetric ret[static STAT_METRICS_MAX]) {
        return stat_metrics(row->table, row->event, row->place, stat_row_value(row)->value * stat_row_event(row)->scale, ret);
}

void stat_row_put_name(TextBuffer *out, const char *name, size_t width) {
        _cleanup_free_ char *line = utf8_line(name, SIZE_MAX, NAME_MAX_BYTES);
        size_t n = line ? strlen(line) : 0;

        if (!line) {
                out->error = -ENOMEM;
                return;
        }
        text_buffer_put(out, line, n);
        text_buffer_padded(out, "", n < width ? (unsigned) (width - n) : 0);
}

static bool is_share(const StatMetric *m) {
        return startswith(m->unit, "of all") != NULL;
}

size_t stat_row_unit_width(const StatRow *row, const StatMetric *m) {
        return strlen(m->unit) + (is_share(m) ? strlen(stat_row_event(row)->name) + 1 : 0);
}

void stat_row_put_unit(TextBuffer *out, const StatRow *row, const StatMetric *m) {
        if (is_share(m)) {
                stat_row_put_name(out, stat_row_event(row)->name, 0);
                text_buffer_putc(out, ' ');
        }
        text_buffer_puts(out, m->unit);
}
