/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"

/* Puts the symbols that a dump's samples need beside it, in the directory that symbols-directory.h names, so that it
 * can be read without the binaries: an ELF file with only symbols for each binary, the kernel's symbols, and perf maps
 * of generated code. Files that an earlier dump has are linked, not written again. */
typedef struct SymbolKeeper SymbolKeeper;

#define SYMBOL_KEEPER_DEFAULT_SIZE (UINT64_C(64) << 20)

/* base: the beginning of the dumps' names, "perf.data". root: "" for the machine's own files. max: bytes of files in
 * one folder; a single file may have a quarter of them. */
int symbol_keeper_new(const char *root, const char *base, uint64_t max, SymbolKeeper **ret);
SymbolKeeper *symbol_keeper_free(SymbolKeeper *k); /* waits until all orders are done */
DEFINE_CLEANUP(SymbolKeeper *, symbol_keeper_free);

/* Waits until all orders are done (true), or max_msec have passed (false). */
bool symbol_keeper_wait(SymbolKeeper *k, unsigned max_msec);

/* Ends it within about max_msec. Symbols that are not done by then are left out; the lists in the folders name them. */
SymbolKeeper *symbol_keeper_stop(SymbolKeeper *k, unsigned max_msec);

typedef struct SymbolsKept {
        size_t files;
        uint64_t bytes;    /* of them, linked ones included */
        size_t left_out;   /* binaries and perf maps without symbols in the folder */
        size_t too_large;  /* of these, for lack of room */
        char first[1024];  /* the first of those left out, with the reasons, for a message */
} SymbolsKept;

/* Puts the symbols of a dump beside it now. dir_fd: the dump's directory. A dump that has its symbols already keeps them. 0;
 * -ENOSPC and others: no folder was made. ret may be NULL. Only one caller at a time, and none once symbol_keeper_order() was
 * called. */
int symbol_keeper_keep(SymbolKeeper *k, int dir_fd, const char *dump, DsoHits *hits, SymbolsKept *ret);

/* Orders the same from a thread of low priority, which logs failures. hits is the keeper's from now on, also on
 * failure. May be called from any thread. -EBUSY: there are too many orders already; -ENOMEM and others. */
int symbol_keeper_order(SymbolKeeper *k, int dir_fd, const char *dump, DsoHits *hits);
