/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "strv.h"

/* The binaries that have no symbols in the directory beside a dump, as its list says: lines "PATH: reason", fit to be
 * shown. Zero-initialise. */
typedef struct SymbolsMissing {
        char **lines;
        size_t n; /* as many lines, or more that are only counted */
} SymbolsMissing;

/* Reads the list in the directory. 0, also if there is none; -ENOMEM. */
int symbols_missing_read(SymbolsMissing *l, const char *directory);
void symbols_missing_done(SymbolsMissing *l);

/* Where the reason begins in a line, behind ": ". */
const char *symbols_missing_reason(const char *line);
