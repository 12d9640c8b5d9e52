/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Words are perf's. EVENT is "%N", the event of that number; with a colon, its whole name; otherwise a part of the
 * only name that has it. */

#include "trace-columns.h"

#include "array.h"
#include "parse-number.h"
#include "trace-layout.h"

/* The fields that one word asks for. */
typedef struct Wanted {
        const char *event; /* the name; NULL: all */
        const char *field; /* NULL: all but those that every tracepoint has */
        bool raw;
        TraceColumns *columns;
        size_t *found, n_found;
} Wanted;

static int add_column(TraceColumns *c, const char *event, const TraceLayoutField *f, bool raw, size_t *ret) {
        TraceColumn *column;

        for (size_t i = 0; i < c->n; i++)
                if (streq(c->columns[i].event, event) && streq(c->columns[i].name, f->name)) {
                        *ret = i;
                        return 0;
                }
        if (c->n >= TRACE_COLUMNS_MAX)
                return -ENOSPC;
        if (ARRAY_RESERVE_NEXT(c->columns, c->n) < 0)
                return -ENOMEM;
        column = c->columns + c->n++;
        *column = (TraceColumn) { .event = strdup(event), .name = strdup(f->name),
                                   .width = f->array && f->text ? f->size : 2 * (size_t) f->size + 2,
                                   .dynamic = f->dynamic && f->text, .raw = raw || c->raw };
        *ret = c->n - 1;
        return column->event && column->name ? 0 : -ENOMEM;
}

static int add_found(Wanted *w, const char *event, const TraceLayoutField *f) {
        size_t column;
        int r = add_column(w->columns, event, f, w->raw, &column);

        if (r < 0)
                return r;
        if (ARRAY_RESERVE_NEXT(w->found, w->n_found) < 0)
                return -ENOMEM;
        w->found[w->n_found++] = column;
        return 0;
}

static int add_event(Wanted *w, const PerfDataReader *reader, const PerfDataEvent *e) {
        _cleanup_(trace_layout_done) TraceLayout layout = {};
        const TraceLayoutField *field;
        const void *data;
        size_t size;
        int r;

        if (e->attr.type != PERF_TYPE_TRACEPOINT || !e->name || (w->event && !streq(e->name, w->event)) ||
            perf_data_reader_feature(reader, PERF_FEATURE_TRACING_DATA, &data, &size) < 0)
                return 0;
        r = trace_layout_init(&layout, data, size, e->attr.config);
        if (r < 0)
                return r == -ENOENT ? 0 : r;
        if (w->field) {
                field = trace_layout_find(&layout, w->field);
                return field ? add_found(w, e->name, field) : 0;
        }
        for (size_t i = 0; r >= 0 && i < layout.n; i++)
                if (!layout.fields[i].common)
                        r = add_found(w, e->name, layout.fields + i);
        return r;
}

/* Finds the whole name of an event. */
static int trace_columns_find_event(const char *word, const RecordingInputs *inputs, const char **ret) {
        unsigned number = 0;
        bool by_number = *word == '%';

        if (by_number && parse_uint(word + 1, &number) < 0)
                return -ENOENT;
        for (size_t i = 0; i < inputs->n; i++) {
                const PerfDataEvent *events;
                size_t n = perf_data_reader_events(inputs->inputs[i].reader, &events);

                for (size_t k = 0; k < n; k++) {
                        const char *name = events[k].name;

                        if (!name || (by_number ? k + 1 != number : strchr(word, ':') ? !streq(name, word) : !strstr(name, word)))
                                continue;
                        if (*ret && !streq(*ret, name))
                                return -EINVAL;
                        *ret = name;
                }
        }
        return *ret ? 0 : -ENOENT;
}

int trace_columns_find(TraceColumns *c, const char *word, const RecordingInputs *inputs, size_t **ret, size_t *ret_n) {
        _cleanup_free_ char *copy = strdup(word);
        Wanted w = { .columns = c };
        char *dot, *slash;
        int r = 0;

        if (!copy)
                return -ENOMEM;
        dot = strchr(copy, '.');
        w.field = dot ? dot + 1 : copy;
        slash = strchr(w.field, '/');
        if (slash && !streq(slash, "/raw"))
                return -ENOENT;
        w.raw = slash;
        if (slash)
                *slash = '\0';
        if (dot) {
                *dot = '\0';
                r = trace_columns_find_event(copy, inputs, &w.event);
        }
        if (streq(w.field, dot ? "*" : "trace_fields"))
                w.field = NULL;
        for (size_t i = 0; r >= 0 && i < inputs->n; i++) {
                const PerfDataEvent *events;
                size_t n = perf_data_reader_events(inputs->inputs[i].reader, &events);

                for (size_t k = 0; r >= 0 && k < n; k++)
                        r = add_event(&w, inputs->inputs[i].reader, events + k);
        }
        if (r >= 0 && w.n_found == 0 && (w.field || w.event))
                r = -ENOENT;
        if (r < 0) {
                free(w.found);
                return r;
        }
        *ret = w.found;
        *ret_n = w.n_found;
        return 0;
}
