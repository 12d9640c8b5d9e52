/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-inputs.h"

/* Fields of tracepoints that are columns of a report: one for each event that has a field of that name. */
#define TRACE_COLUMNS_MAX 128u

typedef struct TraceColumn {
        char *event, *name;
        size_t width; /* the least one, as perf has it: a number in hexadecimal, all of a string */
        bool dynamic; /* a text whose length is the sample's */
        bool raw;     /* its value as it is, not as the tracepoint prints it */
} TraceColumn;

/* Zero-initialise. */
typedef struct TraceColumns {
        TraceColumn *columns;
        size_t n;
        bool raw; /* of the whole text, too */
} TraceColumns;

void trace_columns_done(TraceColumns *c);

/* Finds the fields that a word of --sort names: FIELD, of all events; EVENT.FIELD; EVENT.*; "trace_fields", all of
 * all, which may be none; each may have "/raw" behind it. Their numbers, which may be those of earlier words, are a new array. 0,
 * -ENOENT: there are none; -EINVAL: several events have EVENT in their names; -ENOSPC: these are too many; -ENOMEM. */
int trace_columns_find(TraceColumns *c, const char *word, const RecordingInputs *inputs, size_t **ret, size_t *ret_n);
