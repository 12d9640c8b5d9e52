/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/stat.h>
#include "dso-hits.h"
#include "symbol-table.h"

/* The symbols of all binaries of a recording. Those of a binary are loaded when its first address is looked up, and
 * kept. */
typedef struct Symbols Symbols;

#define SYMBOLS_MEMORY_MAX ((size_t) 1 << 30) /* bytes; at that size, no more binaries are loaded */

/* directory: the symbols beside a dump, searched first; NULL: none. root: the file system to search next, "" for the
 * machine's own; NULL: none. */
int symbols_new(const char *directory, const char *root, Symbols **ret);
Symbols *symbols_free(Symbols *s);
DEFINE_CLEANUP(Symbols *, symbols_free);
#define _cleanup_symbols_free_ _cleanup_(symbols_freep)

/* Sets the address of the kernel's _text in the recording, which is the page offset in the map of the kernel: after a
 * reboot the kernel lies elsewhere. 0: not known. Call it before the first address of the kernel is looked up. */
void symbols_set_kernel_text(Symbols *s, uint64_t address);

/* Finds the symbol at an address. dso: as dso-hits.h describes it; code that a process generated has the path
 * "/tmp/perf-PID.map". Addresses are offsets in a file (address - start of the map + its page offset); for the kernel, its
 * modules and generated code they are the processor's. A file whose build id differs from dso's is not used, nor, if that is
 * not known, one of another inode, nor a map of another user below root. 1; 0: not known; -ENOMEM. */
int symbols_resolve(Symbols *s, const DsoHit *dso, uint64_t address, Symbol *ret);

/* Returns whether a path has the form "/tmp/perf-PID.map". */
bool symbols_is_perf_map(const char *path);
/* Anybody may write such a file, for any process. It counts if it is a regular file of root or of the calling user. */
bool symbols_perf_map_counts(const struct stat *st);
