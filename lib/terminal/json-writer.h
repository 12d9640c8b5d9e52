/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* Writes one value of JSON (RFC 8259) as it comes, in a line, or in lines that are indented. key is NULL in arrays, and else a word
 * that needs no quoting. Errors are the buffer's. */
typedef struct JsonWriter {
        TextBuffer *out;
        bool pretty;
        bool begun;     /* the innermost object or array has a member */
        unsigned depth;
} JsonWriter;

/* bracket: '{' or '['; '}' or ']'. */
void json_writer_begin(JsonWriter *w, const char *key, char bracket);
void json_writer_end(JsonWriter *w, char bracket);

void json_writer_number(JsonWriter *w, const char *key, uint64_t number);
void json_writer_signed(JsonWriter *w, const char *key, int64_t number);
void json_writer_boolean(JsonWriter *w, const char *key, bool value);
void json_writer_percent(JsonWriter *w, const char *key, double percent); /* with six digits behind the point */
void json_writer_milliseconds(JsonWriter *w, const char *key, uint64_t nsec); /* with as many digits */
void json_writer_word(JsonWriter *w, const char *key, const char *word);       /* as it is: "null" */
void json_writer_address(JsonWriter *w, const char *key, uint64_t address); /* a text, "0x4000" */
void json_writer_text(JsonWriter *w, const char *key, const char *text); /* of valid UTF-8 */
