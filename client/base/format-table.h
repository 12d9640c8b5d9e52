/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "json.h"
#include "terminal.h"

/* Rows of cells under headers, printed in aligned columns or made into an array of objects for JSON, whose keys are the
 * headers in lower case. Functions that add cells report no error: without memory table_print() and table_to_json() return
 * -ENOMEM later. */

typedef struct Table Table;

/* The headers, ended by NULL. '>' before one aligns its column to the right; '~' lets it shrink if the terminal is too narrow;
 * '?' lets it shrink and then be left out, "?>" be left out without shrinking; "HEADER|key" prints HEADER and uses "key" in
 * JSON. NULL without memory. */
Table *table_new(const char *header, ...) __attribute__((sentinel));
Table *table_free(Table *t);
DEFINE_CLEANUP(Table *, table_free);

/* Add the next cell, with a copy of the text, whose control characters are replaced. The cell after the last column of a row
 * begins the next row. */
void table_add_string(Table *t, const char *s);                      /* "-" if it is empty */
void table_add_unsigned(Table *t, uint64_t n);
void table_add_text(Table *t, const char *text, json_object *value); /* prints text; JSON has value, which it takes over */
void table_add_nothing(Table *t);                                    /* prints "-"; JSON lacks the key */
void table_colour(Table *t, Colour colour);                          /* sets the colour of the last cell */

/* Prints the table on standard output. columns: the terminal's width, 0: no limit. */
int table_print(const Table *t, bool legend, unsigned columns);

int table_to_json(const Table *t, json_object **ret);
