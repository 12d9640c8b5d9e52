/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* The format of one tracepoint, compiled, for those events that come by the million: fields, numbers, strings, flags
 * and conditions. Formats with anything else are not compiled. A test compares
 * the texts of this machine's formats with those of libtraceevent. */
typedef struct TraceFormat TraceFormat;

/* Returns the text of the event's format in the feature TRACING_DATA, which does not end in NUL; NULL: it has none. */
const char *trace_format_find(const void *data, size_t size, uint64_t event, size_t *ret_size);

/* data: the feature TRACING_DATA. 0; -ENOENT: the event has no format there; -EOPNOTSUPP: it has something else;
 * -ENOMEM. */
int trace_format_new(const void *data, size_t size, uint64_t event, TraceFormat **ret);
TraceFormat *trace_format_free(TraceFormat *f);
DEFINE_CLEANUP(TraceFormat *, trace_format_free);

/* Puts the fields of a sample's raw data, as they are: the caller makes text of them. Returns false if the data are
 * shorter than the format says. */
bool trace_format_print(const TraceFormat *f, const void *raw, size_t size, TextBuffer *out);
