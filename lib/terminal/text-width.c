/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The width of text on a terminal. wcwidth(3) would need setlocale(3), which costs more than all the rest of "perfctl ping", so
 * this file has the few ranges that matter (Unicode's EastAsianWidth.txt, W and F, and the combining marks that
 * descriptions may contain). It does not support bidirectional text and joined emoji. */

#include "text-width.h"

#include "format-text.h"
#include "utf8.h"

typedef struct TextRange {
        uint32_t first, last;
} TextRange;

static const TextRange wide[] = {
        { 0x1100, 0x115f },   { 0x2e80, 0x303e },   { 0x3041, 0xa4cf },   { 0xa960, 0xa97c },
        { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },
        { 0xffe0, 0xffe6 },   { 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff }, { 0x1f900, 0x1f9ff },
        { 0x20000, 0x3fffd },
};

static const TextRange combining[] = {
        { 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd }, { 0x064b, 0x065f }, { 0x1ab0, 0x1aff },
        { 0x1dc0, 0x1dff }, { 0x200b, 0x200f }, { 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
};

static bool text_in_ranges(uint32_t c, const TextRange *ranges, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (c >= ranges[i].first && c <= ranges[i].last)
                        return true;
        return false;
}

/* Returns the bytes of the character at s, and its columns. */
static size_t text_measure(const char *s, size_t *ret_columns) {
        uint32_t c;
        size_t n = utf8_decode(s, SIZE_MAX, &c);

        *ret_columns = n == 0 ? 1 :
                       text_in_ranges(c, combining, ELEMENTSOF(combining)) ? 0 :
                       text_in_ranges(c, wide, ELEMENTSOF(wide)) ? 2 : 1;
        return n == 0 ? 1 : n;
}

size_t text_width(const char *s) {
        size_t width = 0, columns;

        while (*s) {
                s += text_measure(s, &columns);
                width += columns;
        }
        return width;
}

size_t text_prefix(const char *s, size_t columns) {
        size_t used = 0, bytes = 0;

        while (s[bytes]) {
                size_t c, n = text_measure(s + bytes, &c);

                if (used + c > columns)
                        break;
                used += c;
                bytes += n;
        }
        return bytes;
}

char *text_ellipsize(const char *s, size_t columns, bool words, bool utf8) {
        const char *mark = utf8 ? "…" : columns >= 4 ? "..." : "";
        size_t mark_width = utf8 ? 1 : strlen(mark), n;
        const char *blank;

        if (text_width(s) <= columns)
                return strdup(s);
        n = text_prefix(s, columns - mark_width);
        blank = words ? memrchr(s, ' ', n + 1) : NULL;
        if (blank && (size_t) (blank - s) > n / 2)
                n = (size_t) (blank - s);
        return format_text("%.*s%s", (int) n, s, mark);
}

char *text_cut_middle(const char *s, size_t columns, bool utf8) {
        const char *mark = utf8 ? "…" : columns >= 5 ? "..." : "", *end = s;
        size_t width = text_width(s), mark_width = utf8 ? 1 : strlen(mark), head, c;

        if (width <= columns)
                return strdup(s);
        head = (columns - mark_width) / 2;
        for (; width > columns - mark_width - head; width -= c)
                end += text_measure(end, &c);
        for (size_t n = text_measure(end, &c); *end && c == 0; n = text_measure(end, &c)) /* it would be the mark's */
                end += n;
        return format_text("%.*s%s%s", (int) text_prefix(s, head), s, mark, end);
}

char *text_sanitize(const char *s) {
        return utf8_line(s, SIZE_MAX, SIZE_MAX);
}
