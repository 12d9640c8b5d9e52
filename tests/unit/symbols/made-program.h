/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "build-id.h"
#include "perfdata-test.h"
#include "symbol-table.h"

/* Programs and libraries for the tests of this folder, compiled from a few lines of C; without a compiler such tests
 * are skipped. */

/* Compiles source into the scratch directory, as NAME. flags: the compiler's. A new string, its path; NULL: no
 * compiler. */
char *made_program(const char *name, const char *source, const char *flags);

/* The source of three functions: "outer" (exported), "inner" (static), main. */
extern const char made_source[];

/* The source of a function without a size, exported; of "worker", hidden, with call frame information; of "labelled", with an untyped
 * label "loop" in it, and behind it one without a size. */
extern const char made_assembly_source[];

/* The source of a program that calls two functions of a library, whose addresses it takes, too. */
extern const char made_calls_by_pointer[];

BuildId made_build_id(const char *path);

/* Returns a function's offset in the file, from nm(1) and the program headers. */
uint64_t made_offset(const char *path, const char *function);

/* Returns the name at the address, "" if there is none. */
const char *found_name(const SymbolTable *t, uint64_t address);

/* Loads the symbols of the program at path below root, which has its separate file; root NULL: of the program only. */
SymbolTable *loaded_symbols(const char *root, const char *path);
