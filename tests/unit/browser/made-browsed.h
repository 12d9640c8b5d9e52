/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "browser.h"
#include "made-samples.h"

/* Samples of two programs, with names, as a browser has them: 10 of "web", of which 6 hit parse() called by serve() or by main(), 3
 * serve() and 1 the library, and 5 of "db", which hit query(). All have a slice of a second: web's come first. */
typedef struct MadeBrowsed {
        SampleTable *table;
        PlaceNames names;
} MadeBrowsed;

void made_browsed_init(MadeBrowsed *m);
void made_browsed_done(MadeBrowsed *m);

/* Returns the text of a page, without styles; to be freed. */
char *made_browsed_page(Browser *b, unsigned width, unsigned height);
