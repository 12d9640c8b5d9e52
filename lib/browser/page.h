/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "text-buffer.h"

/* The text of a terminal's screen: lines of a given width, in which each piece has a style. It knows no terminal (screen.h has
 * one), so that what a user would see can be compared as text. */
typedef enum PageStyle {
        PAGE_PLAIN,
        PAGE_BAR,    /* the first and the last line */
        PAGE_HEAD,   /* titles of columns */
        PAGE_HOT,    /* shares, as share-color.h has their colours */
        PAGE_WARM,
        PAGE_DIM,
        PAGE_ALERT,  /* an error */
        _PAGE_STYLE_MAX,
} PageStyle;

#define PAGE_MARK '\001'       /* before a style, which is a character from PAGE_MARK_STYLE on */
#define PAGE_MARK_STYLE 'a'
#define PAGE_MARK_CURSOR 'A'   /* instead of 'a': of the selected line, in the same order */

/* Zero-initialise. The text is lines that end in '\n', with marks before pieces of another style. */
typedef struct Page {
        TextBuffer text;
        unsigned width, height;
        bool utf8;
        unsigned n_lines; /* ended ones */
        size_t used;      /* columns of the line that is put */
        bool cursor;      /* that line is the selected one */
} Page;

void page_done(Page *p);

/* Begins an empty page. Lines beyond its height are not put. */
void page_begin(Page *p, unsigned width, unsigned height, bool utf8);

/* Puts text, cut to what is left of the line; it must be one line without control characters (text_sanitize()). */
void page_put(Page *p, PageStyle style, const char *text);
void page_format(Page *p, PageStyle style, const char *format, ...) _printf_(3, 4);

/* Puts blanks up to that column. */
void page_pad(Page *p, PageStyle style, size_t column);

/* Puts text in a column of that width, with blanks around it: at its right, or its left. It is cut in the middle. */
void page_put_cell(Page *p, PageStyle style, const char *text, size_t width, bool right);

/* Ends the line, which is the selected one if page.cursor was set: then, or as a bar, it has its style up to the edge. */
void page_end_line(Page *p, PageStyle style);

/* Returns the text without marks, as a new string with blanks at the ends of lines removed. NULL without memory. */
char *page_plain(const Page *p);
