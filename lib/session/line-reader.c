/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Checked lines of a text. What fails a check is described and located, never shown: the file may be a link to one
 * that only root may read, and messages are for everybody. */

#include "line-reader.h"

/* The size of the UTF-8 sequence at s, 0 if it is not valid: overlong forms, surrogates and what lies above U+10FFFF
 * are not (RFC 3629). */
static size_t utf8_sequence_size(const unsigned char *s, size_t left) {
        static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
        uint32_t c = s[0];
        size_t n;

        if (c < 0x80)
                return 1;
        if (c >= 0xc2 && c <= 0xdf)
                n = 2, c &= 0x1f;
        else if ((c & 0xf0) == 0xe0)
                n = 3, c &= 0x0f;
        else if (c >= 0xf0 && c <= 0xf4)
                n = 4, c &= 0x07;
        else
                return 0;
        if (n > left)
                return 0;

        for (size_t i = 1; i < n; i++) {
                if ((s[i] & 0xc0) != 0x80)
                        return 0;
                c = c << 6 | (s[i] & 0x3f);
        }
        return c < smallest[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff) ? 0 : n;
}

const char *line_complaint(const char *s, size_t size) {
        const unsigned char *p = (const unsigned char *) s, *end = p + size;

        while (p < end) {
                size_t n = utf8_sequence_size(p, (size_t) (end - p));

                if (n == 0)
                        return "not valid UTF-8";
                if (*p == '\0')
                        return "a NUL byte";
                if ((*p < ' ' && *p != '\t') || *p == 0x7f)
                        return "a control character";
                p += n;
        }
        return NULL;
}

void line_reader_init(LineReader *r, const char *text, size_t size) {
        static const char byte_order_mark[] = "\xef\xbb\xbf";

        *r = (LineReader) { .next = text, .end = text + size };
        if (size >= 3 && memcmp(text, byte_order_mark, 3) == 0)
                r->next += 3;
}

int line_reader_next(LineReader *r, const char **ret, size_t *ret_size, Diagnosis *d) {
        const char *start = r->next, *newline, *complaint;
        size_t size;

        if (start == r->end)
                return 0;

        newline = memchr(start, '\n', (size_t) (r->end - start));
        size = (size_t) ((newline ?: r->end) - start);
        r->next = newline ? newline + 1 : r->end;
        r->line++;

        if (size > 0 && start[size - 1] == '\r')
                size--;
        if (size > LINE_SIZE_MAX) {
                diagnosis_locate(d, NULL, r->line, NULL);
                return diagnosis_set(d, -E2BIG, "a line of more than %d bytes", LINE_SIZE_MAX);
        }
        complaint = line_complaint(start, size);
        if (complaint) {
                diagnosis_locate(d, NULL, r->line, NULL);
                return diagnosis_set(d, -EINVAL, "%s", complaint);
        }

        *ret = start;
        *ret_size = size;
        return 1;
}
