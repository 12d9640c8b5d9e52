/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* An object of JSON in each line (-j), with the keys of perf stat 6.1 and its blanks. A further metric is an object of its own.
 * With metric_only perf 6.1 writes no valid JSON; a place is an object of metrics by their names then, as of later versions. */

#include "stat-row.h"

#include <inttypes.h>

#include "parse-time.h"
#include "utf8.h"

#define TEXT_MAX ((size_t) 4096) /* bytes */

static void put_text(TextBuffer *out, const char *key, const char *text) {
        _cleanup_free_ char *valid = utf8_text(text, SIZE_MAX, TEXT_MAX);

        if (!valid) {
                out->error = -ENOMEM;
                return;
        }
        text_buffer_format(out, "\"%s\" : ", key);
        text_buffer_json(out, valid);
        text_buffer_puts(out, ", ");
}

static void begin_json(TextBuffer *out, const StatRow *row) {
        const StatPlace *p = stat_row_place(row);
        char thread[64]; /* its name has at most 15 bytes of the kernel, which may have become three each */

        text_buffer_putc(out, '{');
        if (row->time)
                text_buffer_format(out, "\"interval\" : %" PRIu64 ".%09" PRIu64 ", ", *row->time / NSEC_PER_SEC,
                                   *row->time % NSEC_PER_SEC);
        switch (row->table->placing) {
        case STAT_BY_CPU:
                text_buffer_format(out, "\"cpu\" : \"%d\", ", p->cpu);
                return;
        case STAT_BY_THREAD:
                (void) snprintf(thread, sizeof(thread), "%.*s-%" PRIu32, utf8_prefix(p->comm, 50), p->comm, p->tid);
                put_text(out, "thread", thread);
                return;
        case STAT_BY_CORE:
                text_buffer_format(out, "\"core\" : \"S%d-D%d-C%d\", ", p->socket, p->die, p->core);
                break;
        case STAT_BY_DIE:
                text_buffer_format(out, "\"die\" : \"S%d-D%d\", ", p->socket, p->die);
                break;
        case STAT_BY_SOCKET:
                text_buffer_format(out, "\"socket\" : \"S%d\", ", p->socket);
                break;
        case STAT_BY_NODE:
                text_buffer_format(out, "\"node\" : \"N%d\", ", p->node);
                break;
        default:
                return;
        }
        text_buffer_format(out, "\"aggregate-number\" : %d, ", stat_row_cpus(row));
}

static void put_metrics(TextBuffer *out, const StatRow *row) {
        StatMetric metrics[STAT_METRICS_MAX] = {};
        size_t n = stat_row_uncounted(row) ? 1 : stat_row_metrics(row, metrics);

        for (size_t i = 0; i < n; i++) {
                if (i > 0)
                        begin_json(out, row);
                text_buffer_format(out, "\"metric-value\" : %f, \"metric-unit\" : \"%s\"}\n",
                                   metrics[i].known ? metrics[i].value : 0, metrics[i].unit ?: "");
        }
}

static void put_json(TextBuffer *out, const StatRow *row) {
        const StatEvent *e = stat_row_event(row);
        const StatValue *v = stat_row_value(row);
        const char *uncounted = stat_row_uncounted(row);

        if (uncounted)
                text_buffer_format(out, "\"counter-value\" : \"%s\", ", uncounted);
        else
                text_buffer_format(out, "\"counter-value\" : \"%f\", ", v->value * e->scale);
        put_text(out, "unit", e->unit);
        put_text(out, "event", e->name);
        if (e->cgroup)
                put_text(out, "cgroup", e->cgroup);
        if (row->table->runs > 1)
                text_buffer_format(out, "\"variance\" : %.2f, ", stat_row_noise(row));
        text_buffer_format(out, "\"event-runtime\" : %" PRIu64 ", \"pcnt-running\" : %u.00, ", v->running, stat_row_percent(row));
        put_metrics(out, row);
}

static void put_metric(TextBuffer *out, const StatRow *row, const StatMetric *m) {
        _cleanup_(text_buffer_done) TextBuffer name = {};

        if (!m->known)
                return;
        stat_row_put_unit(&name, row, m);
        text_buffer_putc(&name, '\0');
        if (name.error < 0) {
                out->error = name.error;
                return;
        }
        text_buffer_json(out, name.data);
        text_buffer_format(out, " : \"%.*f\", ", m->digits, m->value);
}

/* Takes back the comma behind the last member. */
static void end_metrics(TextBuffer *out) {
        if (out->error == 0 && out->data[out->n - 1] == ' ')
                out->n -= 2;
        text_buffer_puts(out, "}\n");
}

const StatWriter stat_writer_json = {
        .begin = begin_json,
        .put = put_json,
        .put_metric = put_metric,
        .end = end_metrics,
};
