/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "code-places.h"
#include "source-lines.h"

/* Finds out where the code of places comes from, binary by binary; sources has an element for each of places->n, which stays as
 * it is if that is not known. files: see debug-file.h; their watcher may end it early. 0, -ENOMEM, errors of fork(2). */
int place_sources_find(SourceLines *s, const CodePlaces *places, const SymbolSources *files, bool inlined, SourcePlace *sources);
