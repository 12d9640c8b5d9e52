/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The columns are found by what reads the formats of tracepoints; a label of a sample has their texts. */

#include "trace-fields.h"

void trace_columns_done(TraceColumns *c) {
        for (size_t i = 0; i < c->n; i++) {
                free(c->columns[i].event);
                free(c->columns[i].name);
        }
        free(c->columns);
        *c = (TraceColumns) {};
}
