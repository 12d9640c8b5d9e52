/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "annotate-print.h"
#include "json-writer.h"
#include "lendings.h"
#include "sample-table.h"

/* Writes all that "annotate" shows as one object of JSON: what the samples lack, and of each event the functions with their
 * instructions. */
void annotate_json_begin(JsonWriter *w, TextBuffer *out, const SampleTotals *totals, const Lendings *lent);
void annotate_json_begin_event(JsonWriter *w, const char *name, uint64_t samples, uint64_t period);
int annotate_json_function(JsonWriter *w, const AnnotatePrint *p); /* 0, -ENOMEM */
void annotate_json_end_event(JsonWriter *w);
int annotate_json_end(JsonWriter *w); /* 0, -ENOMEM, errors of writing */
