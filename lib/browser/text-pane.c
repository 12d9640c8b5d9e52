/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lines are sanitized only as they come into sight: a tab becomes blanks, other control characters cannot reach the terminal. */

#include "text-pane.h"

#include "array.h"
#include "text-width.h"

#define LINE_MAX_BYTES ((size_t) 64 << 10) /* of a line that is shown */
#define TAB 8u

void text_pane_done(TextPane *p) {
        free(p->title);
        text_buffer_done(&p->text);
        free(p->lines);
        free(p->search);
        *p = (TextPane) {};
}

int text_pane_scan(TextPane *p) {
        for (; p->scanned < p->text.n; p->scanned++) {
                if (p->scanned > 0 && p->text.data[p->scanned - 1] != '\n')
                        continue;
                if (ARRAY_RESERVE(p->lines, p->lines_allocated, p->n_lines + 1) < 0)
                        return -ENOMEM;
                p->lines[p->n_lines++] = p->scanned;
        }
        return p->text.error;
}

void text_pane_move(TextPane *p, ssize_t lines, unsigned height) {
        size_t last = p->n_lines > height ? p->n_lines - height : 0, steps = lines < 0 ? 0 - (size_t) lines : (size_t) lines;

        if (lines < 0)
                p->top -= MIN_OF(steps, p->top);
        else {
                steps = MIN_OF(steps, p->n_lines);
                p->top = MIN_OF(p->top + steps, MAX_OF(last, p->top));
        }
}

void text_pane_move_side(TextPane *p, ssize_t columns) {
        p->left = columns < 0 && p->left < 0 - (size_t) columns ? 0 : p->left + (size_t) columns;
}

/* Returns a line as a new string, without what would change a terminal. */
static char *pane_line(const TextPane *p, size_t number) {
        const char *begin = p->text.data + p->lines[number];
        size_t left = p->text.n - p->lines[number], n = MIN_OF(left, LINE_MAX_BYTES);
        const char *end = memchr(begin, '\n', n);
        _cleanup_(text_buffer_done) TextBuffer b = {};

        n = end ? (size_t) (end - begin) : n;
        for (size_t i = 0; i < n; i++) {
                if (begin[i] == '\t')
                        text_buffer_put(&b, "        ", TAB - b.n % TAB);
                else
                        text_buffer_putc(&b, begin[i]);
        }
        text_buffer_putc(&b, '\0');
        return b.error < 0 ? NULL : text_sanitize(b.data);
}

bool text_pane_find(TextPane *p, const char *text) {
        for (size_t i = 1; i <= p->n_lines; i++) {
                size_t number = (p->top + i) % p->n_lines;
                _cleanup_free_ char *line = pane_line(p, number);

                if (line && strcasestr(line, text)) {
                        p->top = number;
                        return true;
                }
        }
        return false;
}

bool text_pane_find_hottest(TextPane *p, unsigned height) {
        size_t hottest = 0;
        double most = 0;

        for (size_t i = 0; i < p->n_lines; i++) {
                char begin[16] = "";
                const char *line = p->text.data + p->lines[i];
                double number;

                (void) snprintf(begin, sizeof(begin), "%.*s", (int) MIN_OF(p->text.n - p->lines[i], sizeof(begin) - 1), line);
                number = strtod(begin, NULL);
                if (number > most) {
                        most = number;
                        hottest = i;
                }
        }
        if (most > 0)
                p->top = hottest > height / 2 ? hottest - height / 2 : 0;
        return most > 0;
}

int text_pane_put(const TextPane *p, Page *page, unsigned height) {
        for (size_t i = p->top; i < p->n_lines && i < p->top + height; i++) {
                _cleanup_free_ char *line = pane_line(p, i);
                bool found = line && p->search && strcasestr(line, p->search);

                if (!line)
                        return -ENOMEM;
                page_put(page, found ? PAGE_ALERT : PAGE_PLAIN, line + text_prefix(line, p->left));
                page_end_line(page, PAGE_PLAIN);
        }
        return 0;
}
