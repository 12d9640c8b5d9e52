/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "symbol-table.h"

/* The symbols of all binaries of a recording, loaded when the first address of each is asked for, and kept. */
typedef struct Symbols Symbols;

#define SYMBOLS_MEMORY_MAX ((size_t) 1 << 30) /* bytes; once they have it, no more binaries are loaded */

/* directory: the symbols that were put beside a dump, looked at first; NULL: none. root: the file system to look for
 * what is not there, "" for the machine's own; NULL: nowhere else. */
int symbols_new(const char *directory, const char *root, Symbols **ret);
Symbols *symbols_free(Symbols *s);
DEFINE_CLEANUP(Symbols *, symbols_free);
#define _cleanup_symbols_free_ _cleanup_(symbols_freep)

/* Where the kernel's _text was when it was recorded, as the map of the kernel says (its page offset): a kernel that
 * has been booted anew since lies elsewhere. 0: not known. Before the first address of the kernel. */
void symbols_set_kernel_text(Symbols *s, uint64_t address);

/* The table of a binary. dso: as dso-hits.h describes it; code that a process made has the path "/tmp/perf-PID.map".
 * Addresses are offsets in a file (address - start of the map + its page offset); of the kernel, its modules and of
 * generated code, what the processor sees. A file of another build id than dso's, or of none known and another inode,
 * is not it. *ret is NULL if there are no symbols to be had. 0 or -ENOMEM. */
int symbols_table(Symbols *s, const DsoHit *dso, const SymbolTable **ret);

/* 1, 0: no symbol is known there; -ENOMEM. */
int symbols_resolve(Symbols *s, const DsoHit *dso, uint64_t address, Symbol *ret);

/* A path of the form "/tmp/perf-PID.map". */
bool symbols_is_perf_map(const char *path);
