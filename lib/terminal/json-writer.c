/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Objects of many rows are never in memory as a whole. One flag is enough for commas: what was just begun has no member, and what
 * encloses what was just ended has one. */

#include "json-writer.h"

#include <math.h>

#include "parse-time.h"

static void put_line(JsonWriter *w) {
        if (!w->pretty)
                return;
        text_buffer_putc(w->out, '\n');
        text_buffer_padded(w->out, "", 2 * w->depth);
}

static void put_key(JsonWriter *w, const char *key) {
        if (w->begun)
                text_buffer_putc(w->out, ',');
        w->begun = true;
        if (w->depth > 0)
                put_line(w);
        if (!key)
                return;
        text_buffer_putc(w->out, '"');
        text_buffer_puts(w->out, key);
        text_buffer_puts(w->out, "\":");
}

void json_writer_begin(JsonWriter *w, const char *key, char bracket) {
        put_key(w, key);
        text_buffer_putc(w->out, bracket);
        w->depth++;
        w->begun = false;
}

void json_writer_end(JsonWriter *w, char bracket) {
        w->depth--;
        if (w->begun)
                put_line(w);
        text_buffer_putc(w->out, bracket);
        w->begun = true;
}

void json_writer_number(JsonWriter *w, const char *key, uint64_t number) {
        put_key(w, key);
        text_buffer_decimal(w->out, number, 0);
}

void json_writer_signed(JsonWriter *w, const char *key, int64_t number) {
        put_key(w, key);
        if (number < 0)
                text_buffer_putc(w->out, '-');
        text_buffer_decimal(w->out, number < 0 ? -(uint64_t) number : (uint64_t) number, 0);
}

void json_writer_boolean(JsonWriter *w, const char *key, bool value) {
        put_key(w, key);
        text_buffer_puts(w->out, value ? "true" : "false");
}

void json_writer_percent(JsonWriter *w, const char *key, double percent) {
        put_key(w, key);
        text_buffer_format(w->out, "%.6f", isfinite(percent) ? percent : 0.0); /* JSON has no other numbers */
}

void json_writer_milliseconds(JsonWriter *w, const char *key, uint64_t nsec) {
        put_key(w, key);
        text_buffer_decimal(w->out, nsec / NSEC_PER_MSEC, 0);
        if (nsec % NSEC_PER_MSEC > 0) {
                text_buffer_putc(w->out, '.');
                text_buffer_digits(w->out, nsec % NSEC_PER_MSEC, 6);
        }
}

void json_writer_word(JsonWriter *w, const char *key, const char *word) {
        put_key(w, key);
        text_buffer_puts(w->out, word);
}

void json_writer_address(JsonWriter *w, const char *key, uint64_t address) {
        put_key(w, key);
        text_buffer_puts(w->out, "\"0x");
        text_buffer_hex(w->out, address, 0);
        text_buffer_putc(w->out, '"');
}

void json_writer_text(JsonWriter *w, const char *key, const char *text) {
        put_key(w, key);
        text_buffer_json(w->out, text);
}
