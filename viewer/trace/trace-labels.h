/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sample-table.h"
#include "trace-columns.h"

/* Labels of the samples of one recording (see SampleLabel): the first text is the fields of the tracepoint as text,
 * and each column has two more, what it is sorted by and what it shows. All are empty if they are not wanted, or are
 * another event's. */
typedef struct TraceLabels TraceLabels;

/* columns and reader must outlive it. text: the first text is wanted. 0, -ENOMEM. */
int trace_labels_new(const PerfDataReader *reader, const TraceColumns *columns, bool text, TraceLabels **ret);
TraceLabels *trace_labels_free(TraceLabels *l);
DEFINE_CLEANUP(TraceLabels *, trace_labels_free);

/* Returns the label of a sample, valid until the next call. */
SampleLabel trace_labels_label(TraceLabels *l, const Moment *m);
