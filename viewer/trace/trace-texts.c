/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Fields are printed by formats that are compiled (lib/events-text), and those of other formats by libtraceevent. */

#include "trace-texts.h"

#include "trace-format.h"
#include "trace-process.h"
#include "utf8.h"

#define FORMATS_MAX 1024u /* that are compiled */

typedef struct EventFormat {
        TraceFormat *format; /* NULL: libtraceevent prints its fields */
        bool sought;
} EventFormat;

struct TraceTexts {
        Replay *replay;
        const PerfDataEvent *recorded;
        EventFormat *events; /* as many */
        size_t n_events;
        const void *data; /* of formats */
        size_t size, n_formats; /* n_formats: that were sought */
        TextBuffer text; /* of one sample */
        TraceProcess *process;
        bool names_functions; /* of the kernel, whose symbols are still to be loaded */
};

TraceTexts *trace_texts_free(TraceTexts *t) {
        if (!t)
                return NULL;
        for (size_t i = 0; t->events && i < t->n_events; i++)
                trace_format_free(t->events[i].format);
        free(t->events);
        trace_process_free(t->process);
        text_buffer_done(&t->text);
        free(t);
        return NULL;
}

/* Names a function of the kernel. */
static const char *trace_texts_resolve_kernel(void *userdata, uint64_t *address) {
        Replay *replay = userdata;
        NamedPlace named;
        uint32_t place;

        if (replay_find_place(replay, 0, PERF_RECORD_MISC_KERNEL, *address, &place) < 0 ||
            place_lookup_name(replay_names(replay), place, &named) < 0 || !named.symbol->name)
                return NULL;
        *address = named.symbol->start;
        return named.symbol->name;
}

static bool mentions_functions(const char *data, size_t size) {
        static const char *const formats[] = { "%pS", "%ps", "%pF", "%pf" };

        return ANY_OF(ELEMENTSOF(formats), i, memmem(data, size, formats[i], strlen(formats[i])));
}

int trace_texts_new(Replay *replay, const PerfDataReader *reader, TraceTexts **ret) {
        _cleanup_(trace_texts_freep) TraceTexts *t = NULL;
        const void *data;
        size_t size;
        int r;

        *ret = NULL;
        if (perf_data_reader_feature(reader, PERF_FEATURE_TRACING_DATA, &data, &size) < 0)
                return 0;
        t = calloc(1, sizeof(*t));
        if (!t)
                return -ENOMEM;
        t->replay = replay;
        t->data = data;
        t->size = size;
        t->n_events = perf_data_reader_events(reader, &t->recorded);
        t->events = calloc(t->n_events + 1, sizeof(*t->events));
        if (!t->events)
                return -ENOMEM;
        t->names_functions = replay && mentions_functions(data, size);
        r = trace_process_new(data, size, replay ? trace_texts_resolve_kernel : NULL, replay, &t->process);
        if (r >= 0)
                *ret = steal_ptr(t);
        return r;
}

/* Makes a line of what a format put there; names in it are any bytes. */
static void clean_text(TextBuffer *out, size_t from) {
        _cleanup_free_ char *line = NULL;

        if (!ANY_OF(out->n - from, i, out->data[from + i] < ' ' || out->data[from + i] > '~'))
                return;
        line = utf8_line(out->data + from, out->n - from, 4 * (out->n - from));
        out->n = from;
        if (line)
                text_buffer_puts(out, line);
}

void trace_texts_put(TraceTexts *t, size_t number, const PerfSample *s, TextBuffer *out) {
        const struct perf_event_attr *attr = &t->recorded[number].attr;
        EventFormat *event = t->events + number;
        TextBuffer *text = &t->text;

        text->n = 0;
        if (!event->sought && attr->type == PERF_TYPE_TRACEPOINT && t->n_formats++ < FORMATS_MAX)
                (void) trace_format_new(t->data, t->size, attr->config, &event->format); /* the library has all */
        event->sought = true;
        if (event->format && trace_format_print(event->format, s->raw, s->raw_size, text) && text->error == 0)
                clean_text(text, 0);
        else {
                text->n = 0;
                if (t->names_functions) { /* each process that is forked has the names of the kernel's functions then */
                        uint64_t address = replay_view(t->replay)->recording.kernel.reference;

                        (void) trace_texts_resolve_kernel(t->replay, &address);
                        t->names_functions = false;
                }
                if (!trace_process_print(t->process, s->cpu, s->raw, s->raw_size, text))
                        return;
        }
        text_buffer_put(out, text->data, text->n);
}
