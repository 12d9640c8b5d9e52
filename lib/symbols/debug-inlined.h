/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <elfutils/libdw.h>

#include "cleanup.h"

/* The inlined functions that some addresses of one unit are in. */
typedef struct DebugCall {
        size_t address;  /* the number of it */
        Dwarf_Die function;
        const char *file; /* of the call; NULL: not known. libdw's */
        unsigned line;
} DebugCall;

typedef struct DebugCalls {
        DebugCall *calls; /* those of each address: an outer one comes before what is inlined in it */
        size_t n, allocated;
} DebugCalls;

#define DEBUG_CALLS_MAX (4u << 20) /* of a unit */

/* Walks the unit once; part: the entry whose children are its functions. Addresses are in ascending order. 0, -EFBIG, -ENOMEM;
 * what is broken is left out. Zero-initialise calls. */
int debug_calls_find(DebugCalls *calls, Dwarf_Die *part, const uint64_t *addresses, size_t n);
void debug_calls_done(DebugCalls *calls);

/* Returns the linkage name of a function, or else its name; NULL: it has none. */
const char *debug_function_name(Dwarf_Die *function);
