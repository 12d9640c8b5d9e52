/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

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

/* The numbers of texts in a label. */
static inline size_t trace_label_order(size_t column) {
        return 1 + 2 * column;
}

static inline size_t trace_label_shown(size_t column) {
        return 2 + 2 * column;
}
