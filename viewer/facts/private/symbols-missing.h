/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "strv.h"

/* The list of binaries that lack symbols in the directory beside a dump: lines "PATH: reason", ready to be printed.
 * Zero-initialise. */
typedef struct SymbolsMissing {
        char **lines;
        size_t n; /* number of binaries, of which lines may have only some */
} SymbolsMissing;

/* Reads the list in the directory. 0, even if there is none, or -ENOMEM. */
int symbols_missing_read(SymbolsMissing *l, const char *directory);
void symbols_missing_done(SymbolsMissing *l);

/* The reason in a line, behind ": ". */
const char *symbols_missing_reason(const char *line);
