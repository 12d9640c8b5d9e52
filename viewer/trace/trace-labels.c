/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* As in perf, a field shows what the tracepoint's own text has behind its name and one character, up to the next
 * blank, and its value where that has nothing (perf: where the name is not there; "flags: 0x80" is nothing in perf).
 * It is grouped and sorted by its bytes, which are digits in the label. */

#include "trace-labels.h"

#include "trace-layout.h"
#include "trace-texts.h"

#define ORDER_MAX ((size_t) 256) /* bytes of a field */

typedef struct EventLayout {
        TraceLayout layout;
        const TraceLayoutField **fields; /* by column; NULL: not of this event */
        bool sought;
} EventLayout;

struct TraceLabels {
        const PerfDataReader *reader;
        const TraceColumns *columns;
        bool text;
        TraceTexts *texts;
        EventLayout *events;
        size_t n_events;
        TextBuffer whole, label;
};

TraceLabels *trace_labels_free(TraceLabels *l) {
        if (!l)
                return NULL;
        for (size_t i = 0; l->events && i < l->n_events; i++) {
                trace_layout_done(&l->events[i].layout);
                free(l->events[i].fields);
        }
        free(l->events);
        trace_texts_free(l->texts);
        text_buffer_done(&l->whole);
        text_buffer_done(&l->label);
        free(l);
        return NULL;
}

int trace_labels_new(const PerfDataReader *reader, const TraceColumns *columns, bool text, TraceLabels **ret) {
        _cleanup_(trace_labels_freep) TraceLabels *l = calloc(1, sizeof(*l));
        const PerfDataEvent *events;
        int r;

        if (!l)
                return -ENOMEM;
        l->reader = reader;
        l->columns = columns;
        l->text = text;
        l->n_events = perf_data_reader_events(reader, &events);
        l->events = calloc(l->n_events + 1, sizeof(*l->events));
        r = l->events ? trace_texts_new(NULL, reader, &l->texts) : -ENOMEM;
        if (r >= 0)
                *ret = steal_ptr(l);
        return r;
}

static void find_layout(TraceLabels *l, EventLayout *event, const PerfDataEvent *e) {
        const TraceColumns *c = l->columns;
        const void *data;
        size_t size;

        event->sought = true;
        if (e->attr.type != PERF_TYPE_TRACEPOINT || !e->name ||
            perf_data_reader_feature(l->reader, PERF_FEATURE_TRACING_DATA, &data, &size) < 0 ||
            trace_layout_init(&event->layout, data, size, e->attr.config) < 0)
                return;
        event->fields = calloc(c->n + 1, sizeof(const TraceLayoutField *));
        for (size_t i = 0; event->fields && i < c->n; i++)
                if (streq(c->columns[i].event, e->name))
                        event->fields[i] = trace_layout_find(&event->layout, c->columns[i].name);
}

static void labels_put_all(const TraceLayout *layout, const PerfSample *s, TextBuffer *out) {
        for (size_t i = 0; i < layout->n; i++)
                if (!layout->fields[i].common) {
                        text_buffer_putc(out, ' ');
                        text_buffer_puts(out, layout->fields[i].name);
                        text_buffer_putc(out, '=');
                        trace_field_put(layout->fields + i, s->raw, s->raw_size, out);
                }
}

/* The bytes as digits, which have the same order; those of a string up to its end. */
static void put_order(const TraceLayoutField *f, const PerfSample *s, TextBuffer *out) {
        static const char digits[] = "0123456789abcdef";
        const uint8_t *data;
        size_t n;

        if (!trace_field_bytes(f, s->raw, s->raw_size, &data, &n))
                return;
        n = MIN_OF(n, ORDER_MAX);
        n = f->array && f->text ? strnlen((const char *) data, n) : n;
        for (size_t i = 0; i < n; i++) {
                text_buffer_putc(out, digits[data[i] >> 4]);
                text_buffer_putc(out, digits[data[i] & 15]);
        }
}

/* Finds what a text has behind a field's name; NULL: nothing. Words need only begin with the name, as in perf. */
static const char *labels_find_value(const TextBuffer *text, const char *name, size_t *ret_size) {
        size_t size = strlen(name), n;

        for (size_t i = 0; i < text->n; i += n + 1) {
                const char *word = text->data + i, *end = memchr(word, ' ', text->n - i);

                n = end ? (size_t) (end - word) : text->n - i;
                if (n > size + 1 && memcmp(word, name, size) == 0) {
                        *ret_size = n - size - 1;
                        return word + size + 1;
                }
        }
        return NULL;
}

static void put_column(TraceLabels *l, size_t column, const TraceLayoutField *f, const PerfSample *s) {
        const char *value;
        size_t n;

        put_order(f, s, &l->label);
        text_buffer_putc(&l->label, '\0');
        value = l->columns->columns[column].raw ? NULL : labels_find_value(&l->whole, f->name, &n);
        if (value)
                text_buffer_put(&l->label, value, n);
        else
                trace_field_put(f, s->raw, s->raw_size, &l->label);
        text_buffer_putc(&l->label, '\0');
}

/* Makes the text of the whole sample, if anything is made of it. */
static void put_whole(TraceLabels *l, size_t number, const PerfSample *s, const EventLayout *event) {
        const TraceColumns *c = l->columns;

        l->whole.n = 0;
        if (l->text && c->raw)
                labels_put_all(&event->layout, s, &l->whole);
        else if (l->texts && (l->text || ANY_OF(c->n, i, event->fields && event->fields[i] && !c->columns[i].raw)))
                trace_texts_put(l->texts, number, s, &l->whole);
}

SampleLabel trace_labels_label(TraceLabels *l, const Moment *m) {
        EventLayout *event = l->events + m->number;
        const PerfSample *s = m->sample;

        if (!s->raw)
                return (SampleLabel) {};
        if (!event->sought)
                find_layout(l, event, m->event);
        put_whole(l, m->number, s, event);
        l->label.n = 0;
        if (l->text && l->whole.n > 0)
                text_buffer_put(&l->label, l->whole.data, l->whole.n);
        text_buffer_putc(&l->label, '\0');
        for (size_t i = 0; i < l->columns->n; i++)
                if (event->fields && event->fields[i])
                        put_column(l, i, event->fields[i], s);
                else
                        text_buffer_put(&l->label, "\0", 2);
        if (l->label.error != 0 || (l->label.n == 1 && l->columns->n == 0))
                return (SampleLabel) {};
        return (SampleLabel) { .texts = l->label.data, .size = l->label.n };
}
