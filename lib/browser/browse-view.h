/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "browse-table.h"
#include "page.h"
#include "report-fit.h"

/* A table on a page: which of its lines is selected, which part of them is in sight, and how they look. Zero-initialise. */
typedef struct BrowseView {
        BrowseTable *table;  /* complete; NULL: there is none yet */
        size_t cursor, top;  /* lines */
} BrowseView;

void browse_view_done(BrowseView *v);

/* Takes over a table, which becomes the shown one. The line with that identity is selected; 0: that one that was by its number. */
void browse_view_set(BrowseView *v, BrowseTable *table, uint64_t identity);

/* Moves the cursor by so many lines, or to the first or last one by a number that is large enough. */
void browse_view_move(BrowseView *v, ssize_t lines);

const BrowseLine *browse_view_line(const BrowseView *v); /* the selected one; NULL: there is none */

/* Puts the titles of the columns, and lines, up to that many in all; where there is room for one only, a line. 0, -ENOMEM. */
int browse_view_put(BrowseView *v, Page *page, unsigned height);

/* Puts all lines as text, as wide as they are. 0, -ENOMEM. */
int browse_view_write(BrowseView *v, TextBuffer *out, bool utf8);
