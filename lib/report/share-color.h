/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdio.h>

#include "view-options.h"

/* Colours of shares, which are those of perf report: from 5 % on red, above 0.5 % green. */

/* Returns whether standard output is a terminal that shows colours, or the environment says so. */
bool share_colors_wanted(void);

/* Sets a bool by a value of --stdio-color: always, never or auto. 0; -EINVAL, which was printed. */
int share_colors_take(void *colors, const ViewOption *option, const char *value);

/* Returns what begins and ends the colour of a share, or "". */
const char *share_color_begin(double percent, bool colors);
const char *share_color_end(double percent, bool colors);

/* Prints a share that wide, behind a text of the same colour. Returns the columns that both take. */
size_t share_print(double percent, bool colors, FILE *f, const char *before, int width);
