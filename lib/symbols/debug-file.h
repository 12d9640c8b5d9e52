/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "elf-image.h"
#include "module-layout.h"
#include "symbol-sources.h"

/* A binary of a recording, and the file that says where its code comes from: itself, or its separate one. */
typedef struct DebugFile {
        int binary, debug; /* debug may be the same number; -EBADF: there is none */
        ElfImage image;    /* of the binary */
        ModuleMemory memory; /* a kernel's module: where it was; its addresses are those in there */
        Watcher watcher;     /* of the sources: asked while it is read */
} DebugFile;

#define DEBUG_FILE_EMPTY { .binary = -EBADF, .debug = -EBADF }

/* Opens the files, see symbol-sources.h. 0; -ENOENT and others: the binary is not there, or has no such information; -ENOMEM. */
int debug_file_open(DebugFile *f, const SymbolSources *sources, const DsoHit *dso);

/* The same for a binary with its code; 0 also without such information. */
int debug_file_open_binary(DebugFile *f, const SymbolSources *sources, const DsoHit *dso);
/* Takes over a binary that is open, whose separate file is looked for by its build id. 0 also without one; -ENOMEM and others. */
int debug_file_take(DebugFile *f, const SymbolSources *sources, const char *path, int binary);
void debug_file_done(DebugFile *f);

/* Returns the offset in the file of code at that address, as linked; false: no code is loaded from there. */
bool debug_file_offset(const DebugFile *f, uint64_t address, uint64_t *ret);

/* Returns the address, as linked, of what is at that offset in the file; false: no code is loaded from there. */
bool debug_file_address(const DebugFile *f, uint64_t offset, uint64_t *ret);
