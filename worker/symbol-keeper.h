/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"

/* Puts the symbols that a dump's samples touched beside it, in the directory that
 * symbols-directory.h names, so that it can be read where the binaries
 * are not: each binary at its path as an ELF file of symbols alone, the kernel, code that processes made. What an
 * earlier dump has already is linked, not written again. */
typedef struct SymbolKeeper SymbolKeeper;

#define SYMBOL_KEEPER_DEFAULT_SIZE (UINT64_C(64) << 20)

/* base: what the names of the dumps begin with, "perf.data". root: "" for the machine's own files. max: bytes of files
 * in one folder, of which one file has a quarter at most. */
int symbol_keeper_new(const char *root, const char *base, uint64_t max, SymbolKeeper **ret);
SymbolKeeper *symbol_keeper_free(SymbolKeeper *k); /* waits until what was ordered is done */
DEFINE_CLEANUP(SymbolKeeper *, symbol_keeper_free);

typedef struct SymbolsKept {
        size_t files;
        uint64_t bytes;    /* of them, linked ones included */
        size_t too_large;  /* files left out for lack of room */
        size_t not_found;  /* binaries that are gone, or have no symbols */
} SymbolsKept;

/* Does it now. dir_fd: where the dump is. A dump that has its symbols already keeps them. 0; -ENOSPC and others: there
 * is no folder now, or the one that was there. ret may be NULL. One caller at a time, none once symbol_keeper_order()
 * was called. */
int symbol_keeper_keep(SymbolKeeper *k, int dir_fd, const char *dump, DsoHits *hits, SymbolsKept *ret);

/* Has it done by a thread at low priority, which says in the log what did not go well. hits is the keeper's from now
 * on, also on failure. May be called from any thread. -EBUSY: there are too many orders already; -ENOMEM and others.
 */
int symbol_keeper_order(SymbolKeeper *k, int dir_fd, const char *dump, DsoHits *hits);
