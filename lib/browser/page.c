/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Text is cut where the line ends, and never wrapped. The marks are characters that no text has: what is put has been sanitized. */

#include "page.h"

#include <stdarg.h>

#include "text-width.h"

void page_done(Page *p) {
        text_buffer_done(&p->text);
        *p = (Page) {};
}

void page_begin(Page *p, unsigned width, unsigned height, bool utf8) {
        p->text.n = 0;
        p->width = width;
        p->height = height;
        p->utf8 = utf8;
        p->n_lines = 0;
        p->used = 0;
        p->cursor = false;
}

static void page_put_piece(Page *p, PageStyle style, const char *text, size_t width) {
        if (p->n_lines >= p->height || width == 0)
                return;
        text_buffer_putc(&p->text, PAGE_MARK);
        text_buffer_putc(&p->text, (char) ((p->cursor ? PAGE_MARK_CURSOR : PAGE_MARK_STYLE) + (int) style));
        text_buffer_puts(&p->text, text);
        p->used += width;
}

void page_put(Page *p, PageStyle style, const char *text) {
        size_t left = p->width - MIN_OF(p->used, (size_t) p->width), width = text_width(text);
        _cleanup_free_ char *cut = width > left && left > 0 ? text_ellipsize(text, left, false, p->utf8) : NULL;

        if (width <= left)
                page_put_piece(p, style, text, width);
        else if (cut)
                page_put_piece(p, style, cut, text_width(cut));
}

void page_format(Page *p, PageStyle style, const char *format, ...) {
        _cleanup_free_ char *text = NULL;
        va_list arguments;
        int n;

        va_start(arguments, format);
        n = vasprintf(&text, format, arguments);
        va_end(arguments);
        if (n < 0) {
                text = NULL;
                p->text.error = -ENOMEM;
                return;
        }
        page_put(p, style, text);
}

void page_pad(Page *p, PageStyle style, size_t column) {
        static const char blanks[] = "                                ";

        for (column = MIN_OF(column, (size_t) p->width); p->used < column && p->n_lines < p->height;) {
                size_t n = MIN_OF(column - p->used, sizeof(blanks) - 1);

                page_put_piece(p, style, blanks + sizeof(blanks) - 1 - n, n);
        }
}

void page_put_cell(Page *p, PageStyle style, const char *text, size_t width, bool right) {
        size_t begin = p->used, wide = text_width(text);
        _cleanup_free_ char *cut = wide > width ? text_cut_middle(text, width, p->utf8) : NULL;

        if (wide <= width || cut) {
                if (right && wide < width)
                        page_pad(p, PAGE_PLAIN, begin + width - wide);
                page_put(p, style, cut ?: text);
        }
        page_pad(p, PAGE_PLAIN, begin + width);
}

void page_end_line(Page *p, PageStyle style) {
        if (p->n_lines >= p->height)
                return;
        if (p->cursor || style == PAGE_BAR)
                page_pad(p, style, p->width);
        text_buffer_putc(&p->text, '\n');
        p->n_lines++;
        p->used = 0;
        p->cursor = false;
}

char *page_plain(const Page *p) {
        char *plain = malloc(p->text.n + 1);
        size_t n = 0;

        if (!plain || p->text.error < 0) {
                free(plain);
                return NULL;
        }
        for (size_t i = 0; i < p->text.n; i++) {
                if (p->text.data[i] == PAGE_MARK) {
                        i++;
                        continue;
                }
                while (p->text.data[i] == '\n' && n > 0 && plain[n - 1] == ' ')
                        n--;
                plain[n++] = p->text.data[i];
        }
        plain[n] = '\0';
        return plain;
}
