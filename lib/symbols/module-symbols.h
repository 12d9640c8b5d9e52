/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "kernel-symbols.h"

/* Loads the functions of a module of the recorded kernel from its file, which must have the recorded build id: beside the
 * dump, by its build id, at its path (a map's name without one, "[ext4]", is looked up for the release, NULL: not known),
 * or its separate file. Compressed files are expanded by the helper. size: bytes that were mapped. Symbols are put by
 * their distance from the start of the map. 0; -ENOENT, -ESTALE (only another file is there), -ENOMEM and others. */
int module_symbols_load(const SymbolSources *sources, const DsoHit *dso, const char *release, uint64_t size, SymbolTable *t);

/* Opens the file that has the code of the module, found in the same way. A descriptor; -ENOENT, -ESTALE, -ENODATA (only its
 * separate file is there) and others. */
int module_symbols_open_code(const SymbolSources *sources, const DsoHit *dso, const char *release);
