/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* printf(3) would take most of the time of what prints a million lines a second. */

#include "text-buffer.h"

#include <inttypes.h>
#include <stdarg.h>

#include "utf8.h"

#define NUMBER_MAX 32u /* bytes of a number */

void text_buffer_done(TextBuffer *b) {
        free(b->data);
        *b = (TextBuffer) {};
}

int text_buffer_flush(TextBuffer *b) {
        if (b->file && b->n > 0 && b->error == 0 && fwrite(b->data, 1, b->n, b->file) != b->n)
                b->error = errno > 0 ? -errno : -EIO;
        if (b->file)
                b->n = 0;
        return b->error;
}

char *text_buffer_make_room(TextBuffer *b, size_t n) {
        if (b->error == 0 && b->file && b->n >= TEXT_BUFFER_FLUSH)
                (void) text_buffer_flush(b);
        if (b->error == 0 && ARRAY_RESERVE(b->data, b->allocated, MAX_OF(b->n + n, b->file ? 2 * TEXT_BUFFER_FLUSH : 1)) < 0)
                b->error = -ENOMEM;
        return b->error == 0 ? b->data + b->n : NULL;
}

/* Puts what lies before end, behind fill characters. */
static void put_number(TextBuffer *b, const char *begin, const char *end, unsigned width, char fill) {
        size_t n = (size_t) (end - begin), whole = MAX_OF(n, width);
        char *p = text_buffer_room(b, whole);

        if (!p)
                return;
        memset(p, fill, whole - n);
        memcpy(p + whole - n, begin, n);
        b->n += whole;
}

static char *write_decimal(char *end, uint64_t number) {
        do {
                *--end = (char) ('0' + number % 10);
                number /= 10;
        } while (number > 0);
        return end;
}

void text_buffer_decimal(TextBuffer *b, uint64_t number, unsigned width) {
        char digits[NUMBER_MAX], *end = digits + sizeof(digits);

        put_number(b, write_decimal(end, number), end, width, ' ');
}

void text_buffer_digits(TextBuffer *b, uint64_t number, unsigned width) {
        char digits[NUMBER_MAX], *end = digits + sizeof(digits);

        put_number(b, write_decimal(end, number), end, width, '0');
}

void text_buffer_grouped(TextBuffer *b, uint64_t number) {
        char digits[NUMBER_MAX], *end = digits + sizeof(digits);

        for (const char *p = write_decimal(end, number); p < end; p++) {
                text_buffer_putc(b, *p);
                if ((end - p) % 3 == 1 && p + 1 < end)
                        text_buffer_putc(b, ',');
        }
}

/* A unit is used up to 999.5 of it, which is written as 1.00 of the next one. */
void text_buffer_span(TextBuffer *b, uint64_t nsec) {
        static const char *const units[] = { "ns", "µs", "ms", "s" };
        double value = (double) nsec;
        size_t unit = 0;
        uint64_t seconds = nsec / 1000000000 + (nsec % 1000000000 >= 500000000);

        for (; unit < 3 && value >= 999.5; unit++)
                value /= 1000;
        if (unit < 3 || value < 119.5)
                text_buffer_format(b, "%.*f %s", unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value, units[unit]);
        else if (seconds < 7200)
                text_buffer_format(b, "%u min %u s", (unsigned) (seconds / 60), (unsigned) (seconds % 60));
        else
                text_buffer_format(b, "%" PRIu64 " h %u min", seconds / 3600, (unsigned) (seconds / 60 % 60));
}

void text_buffer_hex(TextBuffer *b, uint64_t number, unsigned width) {
        char digits[NUMBER_MAX], *end = digits + sizeof(digits), *p = end;

        do {
                *--p = "0123456789abcdef"[number & 15];
                number >>= 4;
        } while (number > 0);
        put_number(b, p, end, width, ' ');
}

void text_buffer_padded(TextBuffer *b, const char *text, unsigned width) {
        put_number(b, text, text + strlen(text), width, ' ');
}

/* Puts the character there, which is no plain one. Returns its bytes. */
static size_t put_json_character(TextBuffer *b, const char *p) {
        uint32_t c = 0;
        size_t n = utf8_decode(p, strnlen(p, 4), &c);

        if (*p == '"' || *p == '\\') {
                text_buffer_putc(b, '\\');
                text_buffer_putc(b, *p);
        } else if (n > 0 && utf8_is_control(c))
                text_buffer_format(b, "\\u%04x", (unsigned) c);
        else
                text_buffer_put(b, p, MAX_OF(n, (size_t) 1));
        return MAX_OF(n, (size_t) 1);
}

void text_buffer_json(TextBuffer *b, const char *text) {
        text_buffer_putc(b, '"');
        for (const char *p = text; *p;) {
                size_t n = 0;

                while (p[n] >= ' ' && p[n] <= '~' && p[n] != '"' && p[n] != '\\')
                        n++;
                text_buffer_put(b, p, n);
                p += n;
                if (*p)
                        p += put_json_character(b, p);
        }
        text_buffer_putc(b, '"');
}

void text_buffer_format(TextBuffer *b, const char *format, ...) {
        va_list arguments;
        char text[512];
        int n;

        va_start(arguments, format);
        n = vsnprintf(text, sizeof(text), format, arguments);
        va_end(arguments);
        if (n > 0)
                text_buffer_put(b, text, MIN_OF((size_t) n, sizeof(text) - 1));
}
