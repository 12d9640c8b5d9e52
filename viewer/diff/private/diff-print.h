/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "diff-table.h"
#include "json-writer.h"

/* Puts what is compared and what a mark means, as comments. */
void diff_print_head(const DiffOptions *o, const DiffRange *ranges, TextBuffer *out);
/* Puts a table as perf diff prints it. */
void diff_print_table(const DiffTable *t, TextBuffer *out);

/* Puts what is compared, as members of an object of JSON. */
void diff_json_head(const DiffOptions *o, const DiffRange *ranges, JsonWriter *w);
/* Puts a table as an object. */
void diff_json_table(const DiffTable *t, JsonWriter *w);
