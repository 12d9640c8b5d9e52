/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"

/* Puts the symbols that a dump's samples touched beside it, in the directory that symbols-directory.h names, so that it can
 * be read where the binaries are not: an ELF file of symbols alone for each binary, the kernel, code that processes made.
 * What an earlier dump has already is linked, not written again. */
typedef struct SymbolKeeper SymbolKeeper;

#define SYMBOL_KEEPER_DEFAULT_SIZE (UINT64_C(64) << 20)

/* base: what the names of the dumps begin with, "perf.data". root: "" for the machine's own files. max: bytes of files
 * in one folder, of which one file has a quarter at most. */
int symbol_keeper_new(const char *root, const char *base, uint64_t max, SymbolKeeper **ret);
SymbolKeeper *symbol_keeper_free(SymbolKeeper *k); /* waits until what was ordered is done */
DEFINE_CLEANUP(SymbolKeeper *, symbol_keeper_free);

/* Until what was ordered is done, which it answers, or max_msec have passed. */
bool symbol_keeper_wait(SymbolKeeper *k, unsigned max_msec);

/* Ends it within about max_msec: what is not done by then is left out, which the lists in the folders say. */
SymbolKeeper *symbol_keeper_stop(SymbolKeeper *k, unsigned max_msec);

typedef struct SymbolsKept {
        size_t files;
        uint64_t bytes;    /* of them, linked ones included */
        size_t left_out;   /* binaries and perf maps without symbols in the folder */
        size_t too_large;  /* of these, for lack of room */
        bool forbidden;    /* a sandbox keeps us from looking below the roots of processes */
        char first[1024];  /* of those left out and why, for a message */
} SymbolsKept;

/* Does it now. dir_fd: where the dump is. A dump that has its symbols already keeps them. 0; -ENOSPC and others: there
 * is no folder now, or the one that was there. ret may be NULL. One caller at a time, none once symbol_keeper_order()
 * was called. */
int symbol_keeper_keep(SymbolKeeper *k, int dir_fd, const char *dump, DsoHits *hits, SymbolsKept *ret);

/* Has it done by a thread at low priority, which says in the log what did not go well. hits is the keeper's from now
 * on, also on failure. May be called from any thread. -EBUSY: there are too many orders already; -ENOMEM and others.
 */
int symbol_keeper_order(SymbolKeeper *k, int dir_fd, const char *dump, DsoHits *hits);
