/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <elfutils/libdw.h>

#include "byte-pool.h"

/* The namespaces and classes of functions that have no linkage name, as those that a compiler inlined everywhere. */
typedef struct DebugScope {
        Dwarf_Die declaration;
        uint32_t name; /* of DebugScopes.names: "std::"; 0: none */
} DebugScope;

/* Zero-initialise. */
typedef struct DebugScopes {
        DebugScope *scopes;
        size_t n, allocated;
        BytePool names;
} DebugScopes;

#define DEBUG_SCOPE_MAX 4096u /* bytes; a longer one is not known */

/* Has the scope of a function found; one that has a linkage name needs none. 0, -ENOMEM. */
int debug_scopes_add(DebugScopes *s, Dwarf_Die *function);
/* Finds those that were added. 0, -ENOMEM; what is broken is left out. */
int debug_scopes_find(DebugScopes *s);
void debug_scopes_done(DebugScopes *s);

/* Returns "namespace::Class::", which may be empty; as in llvm-addr2line(1), the function that a local class is in is no part of
 * it. */
const char *debug_scopes_get(const DebugScopes *s, Dwarf_Die *function);
