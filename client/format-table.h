/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json.h"
#include "terminal.h"

/* Rows of cells under headers: printed in aligned columns, or turned into an array of objects for JSON, whose keys are
 * the headers in lower case. Adding never fails visibly: without memory table_print() and table_to_json() answer
 * -ENOMEM. */

typedef struct Table Table;

/* The headers, ended by NULL. One that starts with '>' is aligned to the right; one that starts with '~' may be cut
 * when the terminal is too narrow; "HEADER|key" is HEADER in print and "key" in JSON. NULL without memory. */
Table *table_new(const char *header, ...) __attribute__((sentinel));
Table *table_free(Table *t);
DEFINE_CLEANUP(Table *, table_free);

/* The next cell; after the last column of a row the next row begins. */
void table_add_string(Table *t, const char *s);
void table_add_unsigned(Table *t, uint64_t n);
void table_add_text(Table *t, const char *text, json_object *value); /* shown as text, in JSON the value, taken over */
void table_add_nothing(Table *t);                              /* "-", and no key in JSON */
void table_colour(Table *t, Colour colour);                    /* of the cell added last */

/* Prints on standard output. columns: of the terminal, 0 for no limit. */
int table_print(const Table *t, bool legend, unsigned columns);

int table_to_json(const Table *t, json_object **ret);
