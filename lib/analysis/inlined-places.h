/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "place-names.h"
#include "sample-table.h"

/* Puts the functions that the compiler inlined into the table's call chains, as places of their own, before the function whose code
 * they are in. Their names end in " (inlined)". names has the functions; other arrays by place must be filled later. sources: see
 * debug-file.h. *ret_failed: files whose debug information is broken, or above the limits. 0, -ENOMEM, errors of fork(2). */
int inlined_places_add(SampleTable *table, PlaceNames *names, const SymbolSources *sources, unsigned *ret_failed);
