/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Numbers of fields are those of github.com/google/pprof, proto/profile.proto. A place is a location, and its binary a mapping
 * without a range, since places have addresses in files. Inlined functions are locations of their own. The first mapping, which
 * readers take for the program that was recorded, stands for the machine, or for the recording if that does not say which.
 *
 * Invariant: rows that differ in their event only are one sample with the values of each event. */

#include "export-formats.h"

#include <inttypes.h>

#include "array.h"
#include "byte-pool.h"
#include "frame-names.h"
#include "gzip-text.h"
#include "protobuf-writer.h"

enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING_TABLE,
       PROFILE_DURATION = 10, PROFILE_PERIOD_TYPE, PROFILE_PERIOD, PROFILE_COMMENT };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT };
enum { MAPPING_ID = 1, MAPPING_FILENAME = 5, MAPPING_BUILD_ID, MAPPING_HAS_FUNCTIONS };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME };

typedef struct PprofExport {
        const ExportedSamples *c;
        const CodePlaces *places;
        TextBuffer *out;
        TextBuffer message, inner;
        BytePool texts;         /* number: that of the string table, whose 0 is "" */
        FrameNames *frames;
        uint32_t n_functions;
        bool *places_done, *binaries_done;
        uint64_t *values;       /* of the sample at hand: for each column the number of samples and their weight */
        uint32_t *column_of;    /* for each event with samples: its number among them; UINT32_MAX: none */
        uint32_t n_columns;
} PprofExport;

static uint32_t text_number(PprofExport *x, const char *text) {
        uint32_t number = 0;

        if (*text && byte_pool_intern(&x->texts, text, strlen(text) + 1, &number) < 0)
                x->out->error = -ENOMEM;
        return number;
}

static bool counts_time(const char *event) {
        return startswith(event, "cpu-clock") || startswith(event, "task-clock");
}

static void pprof_put_type(PprofExport *x, unsigned field, const char *type, const char *unit) {
        protobuf_put_number(&x->message, TYPE_TYPE, text_number(x, type));
        protobuf_put_number(&x->message, TYPE_UNIT, text_number(x, unit));
        protobuf_put_message(x->out, field, &x->message);
}

/* One event has the usual names of types, several have their own in front. */
static void put_types(PprofExport *x, const SampleEvent *events, size_t n) {
        for (size_t i = 0; i < n; i++) {
                _cleanup_free_ char *samples = NULL;
                const char *weight = x->n_columns == 1 && counts_time(events[i].name) ? "cpu" : events[i].name;

                if (x->column_of[i] == UINT32_MAX)
                        continue;
                if (x->n_columns > 1 && asprintf(&samples, "%s samples", events[i].name) < 0)
                        x->out->error = -ENOMEM;
                pprof_put_type(x, PROFILE_SAMPLE_TYPE, samples ?: "samples", "count");
                pprof_put_type(x, PROFILE_SAMPLE_TYPE, weight, counts_time(events[i].name) ? "nanoseconds" : "count");
        }
}

static void pprof_put_label(PprofExport *x, const char *key, const char *text) {
        protobuf_put_number(&x->inner, LABEL_KEY, text_number(x, key));
        protobuf_put_number(&x->inner, LABEL_TEXT, text_number(x, text));
        protobuf_put_message(&x->message, SAMPLE_LABEL, &x->inner);
}

/* A label's number 0 means that it is not set, and CPU 0 and the idle task's PID are such numbers: it is a text. */
static void put_number_label(PprofExport *x, const char *key, uint32_t number) {
        char text[16];

        (void) snprintf(text, sizeof(text), "%" PRIu32, number);
        pprof_put_label(x, key, text);
}

static void put_labels(PprofExport *x, const SampleRow *row) {
        const ProcessView *view = sample_table_view(x->c->table);
        const CgroupNames *groups = sample_table_cgroups(x->c->table);
        const char *unit = row->cgroup > 0 ? cgroup_names_text(groups, groups->groups[row->cgroup - 1].unit) : NULL;
        const char *host = sample_table_host(x->c->table, row->host);

        pprof_put_label(x, "thread", process_view_name(view, row->name));
        put_number_label(x, "pid", view->threads[row->thread].pid);
        put_number_label(x, "tid", view->threads[row->thread].tid);
        if (row->cpu != UINT32_MAX)
                put_number_label(x, "cpu", row->cpu);
        if (unit)
                pprof_put_label(x, "unit", unit);
        if (*host)
                pprof_put_label(x, "host", host);
}

static void put_mapping(PprofExport *x, uint64_t id, const char *file, const char *build_id) {
        protobuf_put_number(&x->message, MAPPING_ID, id);
        protobuf_put_number(&x->message, MAPPING_FILENAME, text_number(x, file));
        protobuf_put_number(&x->message, MAPPING_BUILD_ID, text_number(x, build_id));
        protobuf_put_number(&x->message, MAPPING_HAS_FUNCTIONS, 1);
        protobuf_put_message(x->out, PROFILE_MAPPING, &x->message);
}

static void put_binary(PprofExport *x, uint32_t number) {
        const DsoHit *dso = x->places->dsos->dsos + number;
        char id[BUILD_ID_TEXT_SIZE] = "";

        if (x->binaries_done[number])
                return;
        x->binaries_done[number] = true;
        if (dso->id.size > 0)
                (void) build_id_format(&dso->id, id);
        put_mapping(x, (uint64_t) number + 1, place_names_text(x->c->names, x->c->names->dso_name_of[number]), id);
}

static uint64_t pprof_put_function(PprofExport *x, uint32_t place) {
        const char *name;
        uint32_t number;

        if (frame_names_place(x->frames, place, &number) < 0) {
                x->out->error = -ENOMEM;
                return 0;
        }
        if (number > x->n_functions) { /* frames are numbered as they are looked up */
                x->n_functions = number;
                name = frame_names_text(x->frames, frame_names_frame(x->frames, number)->name);
                protobuf_put_number(&x->message, FUNCTION_ID, number);
                protobuf_put_number(&x->message, FUNCTION_NAME, text_number(x, name));
                protobuf_put_number(&x->message, FUNCTION_SYSTEM_NAME, text_number(x, name));
                protobuf_put_message(x->out, PROFILE_FUNCTION, &x->message);
        }
        return number;
}

static void put_location(PprofExport *x, uint32_t number) {
        const CodePlace *place = x->places->places + number;
        uint64_t function;

        if (x->places_done[number])
                return;
        x->places_done[number] = true;
        if (place->dso != DSO_NONE)
                put_binary(x, place->dso);
        function = pprof_put_function(x, number);
        protobuf_put_number(&x->inner, LINE_FUNCTION, function);
        protobuf_put_number(&x->message, LOCATION_ID, (uint64_t) number + 1);
        protobuf_put_number(&x->message, LOCATION_MAPPING, place->dso == DSO_NONE ? 0 : (uint64_t) place->dso + 1);
        protobuf_put_number(&x->message, LOCATION_ADDRESS, place->address);
        protobuf_put_message(&x->message, LOCATION_LINE, &x->inner);
        protobuf_put_message(x->out, PROFILE_LOCATION, &x->message);
}

static int pprof_compare_samples(const SampleRow *a, const SampleRow *b) {
        const uint32_t x[] = { a->thread, a->name, a->cpu, a->cgroup, a->host, a->chain, a->leaf },
                       y[] = { b->thread, b->name, b->cpu, b->cgroup, b->host, b->chain, b->leaf };

        for (size_t i = 0; i < ELEMENTSOF(x); i++)
                if (x[i] != y[i])
                        return x[i] < y[i] ? -1 : 1;
        return 0;
}

static int pprof_compare_rows(const void *a, const void *b, void *rows) {
        uint32_t i = *(const uint32_t *) a, k = *(const uint32_t *) b;

        return pprof_compare_samples((const SampleRow *) rows + i, (const SampleRow *) rows + k) ?: i < k ? -1 : i > k;
}

/* Puts a sample of the values at hand, which are zeros afterwards. */
static void pprof_put_sample(PprofExport *x, const SampleRow *row) {
        SampleStack stack = sample_table_stack(x->c->table, row);

        for (size_t i = 0; i < stack.n; i++)
                put_location(x, sample_stack_place(&stack, i));
        for (size_t i = 0; i < stack.n; i++)
                protobuf_put_varint(&x->inner, (uint64_t) sample_stack_place(&stack, i) + 1);
        protobuf_put_message(&x->message, SAMPLE_LOCATION, &x->inner);
        for (size_t i = 0; i < (size_t) 2 * x->n_columns; i++) {
                protobuf_put_varint(&x->inner, x->values[i]);
                x->values[i] = 0;
        }
        protobuf_put_message(&x->message, SAMPLE_VALUE, &x->inner);
        put_labels(x, row);
        protobuf_put_message(x->out, PROFILE_SAMPLE, &x->message);
}

/* order: of the rows, those of one sample side by side. */
static void pprof_put_samples(PprofExport *x, const SampleRow *rows, const uint32_t *order, size_t n) {
        for (size_t i = 0; i < n && x->out->error == 0; i++) {
                const SampleRow *row = rows + order[i];
                uint32_t column = x->column_of[row->event];

                x->values[2 * column] += row->count;
                x->values[2 * column + 1] += row->period;
                if (i + 1 == n || pprof_compare_samples(row, rows + order[i + 1]) != 0)
                        pprof_put_sample(x, row);
        }
}

static void put_strings(PprofExport *x) {
        protobuf_put_number(x->out, PROFILE_COMMENT, text_number(x, x->c->title));
        protobuf_put_number(x->out, PROFILE_COMMENT, x->c->loss ? text_number(x, x->c->loss) : 0);
        protobuf_put_bytes(x->out, PROFILE_STRING_TABLE, "", 0);
        for (uint32_t i = 1; i <= x->texts.n; i++) {
                const char *text = (const char *) byte_pool_get(&x->texts, i)->data;

                protobuf_put_bytes(x->out, PROFILE_STRING_TABLE, text, strlen(text));
        }
}

/* Rows are those of events with selected samples. */
static int number_columns(PprofExport *x, const SampleEvent *events, size_t n) {
        x->column_of = calloc(n + 1, sizeof(*x->column_of));
        for (size_t i = 0; x->column_of && i < n; i++)
                x->column_of[i] = events[i].selected > 0 ? x->n_columns++ : UINT32_MAX;
        x->values = calloc((size_t) 2 * x->n_columns + 1, sizeof(*x->values));
        return x->column_of && x->values ? 0 : -ENOMEM;
}

static void pprof_put_profile(PprofExport *x) {
        size_t n_events, n;
        const SampleEvent *events = sample_table_events(x->c->table, &n_events);
        const SampleRow *rows = sample_table_rows(x->c->table, &n);
        const char *host = n > 0 && !ANY_OF(n, i, rows[i].host != rows[0].host) ? sample_table_host(x->c->table, rows[0].host) : "";
        _cleanup_free_ uint32_t *order = calloc(n + 1, sizeof(*order));

        x->places_done = calloc(x->places->n + 1, sizeof(bool));
        x->binaries_done = calloc(x->c->names->n_dsos + 1, sizeof(bool));
        if (!order || !x->places_done || !x->binaries_done || number_columns(x, events, n_events) < 0) {
                x->out->error = -ENOMEM;
                return;
        }
        for (uint32_t i = 0; i < n; i++)
                order[i] = i;
        qsort_r(order, n, sizeof(*order), pprof_compare_rows, (void *) rows);
        put_types(x, events, n_events);
        put_mapping(x, (uint64_t) x->c->names->n_dsos + 1, *host ? host : x->c->title, "");
        pprof_put_samples(x, rows, order, n);
        put_strings(x);
}

void export_put_pprof(const ExportedSamples *c, TextBuffer *out) {
        TextBuffer plain = {};
        FrameNames frames;
        PprofExport x = { .c = c, .frames = &frames, .places = sample_table_places(c->table), .out = &plain };

        plain.error = frame_names_init(&frames, c->table, c->names);
        pprof_put_profile(&x);
        gzip_text(&plain, out);
        text_buffer_done(&plain);
        text_buffer_done(&x.message);
        text_buffer_done(&x.inner);
        byte_pool_done(&x.texts);
        free(x.places_done);
        frame_names_done(&frames);
        free(x.binaries_done);
        free(x.column_of);
        free(x.values);
}
