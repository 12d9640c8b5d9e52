/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "symbol-sources.h"
#include "symbol-table.h"

/* Loads the symbols of an open binary and, if it lacks .symtab, those of its separate file, found by build id or
 * .gnu_debuglink, of .gnu_debugdata, or of a separate file from elsewhere; otherwise the starts of its functions. path: as
 * recorded. 0; -ENOEXEC (not an ELF file), -ENOMEM and others. */
int binary_symbols_load(const SymbolSources *sources, const char *path, int fd, SymbolTable *t);
