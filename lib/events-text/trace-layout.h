/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* The fields of one tracepoint: where they are in raw data, and their values without the format's own words. */
typedef struct TraceLayoutField {
        char *name;
        unsigned offset, size;
        bool array, text;       /* text: of characters */
        bool dynamic, relative; /* offset is that of where it is */
        bool pointer, is_signed, is_long;
        bool common;            /* all tracepoints have it */
        bool thread;            /* of pid_t */
} TraceLayoutField;

typedef struct TraceLayout {
        TraceLayoutField *fields;
        size_t n;
} TraceLayout;

/* data: the feature TRACING_DATA. layout is initialised, and done after a failure too; event: of perf_event_attr's
 * config. 0; -ENOENT: the event has no format there; -ENOMEM. */
int trace_layout_init(TraceLayout *layout, const void *data, size_t size, uint64_t event);

/* The same, of the text of a format, which does not end in NUL. 0, -ENOMEM. */
int trace_layout_parse(TraceLayout *layout, const char *format, size_t size);
void trace_layout_done(TraceLayout *layout);

/* Returns the field of that name; NULL: there is none. */
const TraceLayoutField *trace_layout_find(const TraceLayout *layout, const char *name);

/* Finds the bytes of a field. Returns false if the data are shorter. */
bool trace_field_bytes(const TraceLayoutField *f, const void *raw, size_t size, const uint8_t **ret, size_t *ret_size);

/* Reads a field of at most eight bytes as a number without a sign. Returns false if it is longer, or the data are shorter. */
bool trace_field_number(const TraceLayoutField *f, const void *raw, size_t size, uint64_t *ret);

/* Puts the value, as libtraceevent does, in one line of printable characters; nothing if the data are shorter. */
void trace_field_put(const TraceLayoutField *f, const void *raw, size_t size, TextBuffer *out);
