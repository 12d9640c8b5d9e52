/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/stat.h>
#include "dso-hits.h"
#include "recorded-kernel.h"
#include "symbol-table.h"
#include "symbol-sources.h"
#include "watcher.h"

/* The symbols of all binaries of a recording. Those of a binary are loaded when its first address is looked up, and
 * kept. */
typedef struct Symbols Symbols;

#define SYMBOLS_MEMORY_MAX ((size_t) 1 << 30) /* bytes; at that size, no more binaries are loaded */

/* The sources are copied, but not what userdata of the helpers refers to. 0, -ENOMEM. */
int symbols_new(const SymbolSources *sources, Symbols **ret);
Symbols *symbols_free(Symbols *s);
DEFINE_CLEANUP(Symbols *, symbols_free);
#define _cleanup_symbols_free_ _cleanup_(symbols_freep)

/* Return those of the sources. */
const char *symbols_directory(const Symbols *s);
const char *symbols_root(const Symbols *s);

/* Returns where it looks for files, for others that need them. Valid as long as s. */
SymbolSources symbols_sources(const Symbols *s);

/* Say of which kernel the recording is, and where that was. Call them before the first address of the kernel is looked up; kernel
 * must outlive the lookups. id: size 0: not known, or that of its map; release: NULL: not known. */
void symbols_set_kernel(Symbols *s, const RecordedKernel *kernel);
int symbols_set_kernel_identity(Symbols *s, const BuildId *id, const char *release); /* 0, -ENOMEM */
int symbols_identify_kernel(Symbols *s, const PerfDataReader *reader); /* the same, from the header of the recording */

/* Has it ask the watch at each address; when that ends it, further addresses have no symbols. */
void symbols_set_watcher(Symbols *s, Watcher watcher);

/* Finds the symbol at an address. dso: as dso-hits.h describes it; code that a process generated has the path
 * "/tmp/perf-PID.map", or that of its jitdump. Addresses are offsets in a file (address - start of the map + its page offset);
 * for the kernel, its modules and generated code they are the processor's, in a jitdump the places of jit-dump.h. A file whose
 * build id differs from dso's is not used, nor, if that is not known, one of another inode, nor a map of another user below root.
 * 1; 0: not known; -ENOMEM. */
int symbols_resolve(Symbols *s, const DsoHit *dso, uint64_t address, Symbol *ret);

/* 1: the binary's symbols are those of a file without .symtab, and no separate file was found, so that functions which it does not
 * export have no names; 0: they are complete, or there are none; -ENOMEM. */
int symbols_lack_names(Symbols *s, const DsoHit *dso);

/* Opens the code of the recorded kernel, as kernel_symbols_open_code() does; it is looked for once. */
int symbols_open_kernel_code(Symbols *s, uint64_t *ret_moved);

/* Opens the file of the module that was at an address, as module_symbols_open_code() does, once for each of some; *ret: where it
 * was. -ENOENT also: it is not known that a module was there. */
int symbols_open_module_code(Symbols *s, const DsoHit *dso, uint64_t address, RecordedModule *ret);

/* Opens the jitdump of that path: the one beside the dump, otherwise the one below root if it has the recorded inode. -ENOENT,
 * -ESTALE and others. */
int symbols_open_jit_dump(const char *directory, const char *root, const DsoHit *dso);

/* Returns whether a path is that of names of generated code, a perf map or a jitdump. */
bool symbols_are_generated(const char *path);
/* Returns whether a path has the form "/tmp/perf-PID.map". */
bool symbols_is_perf_map(const char *path);
/* Anybody may write such a file, for any process. It counts if it is a regular file of root or of the calling user. */
bool symbols_perf_map_counts(const struct stat *st);
