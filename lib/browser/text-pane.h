/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "page.h"

/* Text that is read while it is shown: what a program prints, or a page of help. Zero-initialise. */
typedef struct TextPane {
        char *title;
        TextBuffer text;        /* lines; may grow while it is shown */
        size_t *lines;          /* where each begins */
        size_t n_lines, lines_allocated, scanned;
        size_t top, left;       /* the first line and column in sight */
        char *search;           /* NULL: nothing was searched */
} TextPane;

void text_pane_done(TextPane *p);

/* Finds the lines of text that was added to p->text. 0, -ENOMEM. */
int text_pane_scan(TextPane *p);

void text_pane_move(TextPane *p, ssize_t lines, unsigned height);
void text_pane_move_side(TextPane *p, ssize_t columns);

/* Goes to the next line behind the top one that has the text, in any case, and begins again at the first. Returns whether there
 * is one. */
bool text_pane_find(TextPane *p, const char *text);

/* Goes to the line with the greatest number in front, which is in the middle of so many lines then. Returns whether there is
 * one. */
bool text_pane_find_hottest(TextPane *p, unsigned height);

/* Puts its lines, up to that many. 0, -ENOMEM. */
int text_pane_put(const TextPane *p, Page *page, unsigned height);
