/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

#define DEMANGLE_NAME_MAX 8192u /* bytes of a mangled name: the demangler recurses as deep as the name does */
#define DEMANGLE_MAX 8192u      /* bytes of a readable one */

/* Returns the name as the source has it, in C++, Rust, D, OCaml or Java, for a mangled one; a version, and "@plt", stay behind it.
 * Any other name is returned as it is, and so is one that is above the limits or takes long. Costs a round trip to a process that
 * is forked for the first such name and exits with this one. A new string; NULL: no memory. */
char *demangle(const char *name);

/* Returns the same without parameters and the type that is returned, as perf shows functions. */
char *demangle_function(const char *name);

/* Has all names returned as they are, for those who want to see how compilers mangle them. Called before names are asked for. */
void demangle_set_raw(bool raw);

/* In a process that was forked: it has a demangler of its own. That of its parent must be closed. */
void demangle_begin_anew(void);
