/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Checked lines of a text. A line that fails a check is described and located, but never quoted: the file may be a link to one that
 * only root may read, while all users may see messages. */

#include "line-reader.h"

#include "utf8.h"

const char *line_complaint(const char *s, size_t size) {
        const char *end = s + size;

        while (s < end) {
                uint32_t c;
                size_t n = utf8_decode(s, (size_t) (end - s), &c);

                if (n == 0)
                        return "not valid UTF-8";
                if (c == '\0')
                        return "a NUL byte";
                if ((c < ' ' && c != '\t') || c == 0x7f)
                        return "a control character";
                s += n;
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
