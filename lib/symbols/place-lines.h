/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-names.h"
#include "symbol-sources.h"

/* Fills in names->line_of, with "FILE:LINE", and names->file_of, for each place; names has the functions. A line that is not known
 * is "FUNCTION+OFFSET", and without a function "BINARY[ADDRESS]"; its file is 0. sources: see debug-file.h.
 * full: whole paths, otherwise base names. *ret_failed: files whose debug information is broken, or above
 * the limits. 0, -ENOMEM, errors of fork(2). */
int place_lines_find(PlaceNames *names, const CodePlaces *places, const SymbolSources *sources, bool full, unsigned *ret_failed);
