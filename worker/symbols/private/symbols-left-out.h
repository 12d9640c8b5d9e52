/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-buffer.h"
#include "symbol-folder.h"

/* The binaries that have no symbols beside a dump, and why: a line each, "PATH: reason", in the folder's file
 * PR_SYMBOLS_LEFT_OUT. Zero-initialise. */
typedef struct SymbolsLeftOut {
        ByteBuffer text;
        size_t n, listed;
        size_t too_large;  /* of the n */
        bool stopped;      /* the recorder was stopped before all was done */
} SymbolsLeftOut;

/* Reasons that have no errno of their own. */
#define LEFT_OUT_NO_SYMBOLS (-ENODATA)
#define LEFT_OUT_ANOTHER_FILE (-ESTALE)
#define LEFT_OUT_DELETED (-EIDRM)        /* the link by which its process holds it can't be followed */
#define LEFT_OUT_TOO_LARGE (-EFBIG)
#define LEFT_OUT_LARGE_TABLE (-E2BIG)
#define LEFT_OUT_BROKEN_TABLE (-EBADMSG)
#define LEFT_OUT_NO_NAME (-ENOKEY)       /* there is no build id to keep it by */
#define LEFT_OUT_NOT_OWN (-EKEYREJECTED) /* a perf map that is not a file of its process's user */
#define LEFT_OUT_STOPPED (-ECANCELED)

void symbols_left_out_done(SymbolsLeftOut *l);

/* error: the reason, a negative errno. If the list is long already, this only counts. 0 or -ENOMEM. */
int symbols_left_out_add(SymbolsLeftOut *l, const char *path, int error);

/* Writes the file, unless the list is empty. */
int symbols_left_out_write(SymbolsLeftOut *l, SymbolFolder *f);

/* Writes the first lines into buf, for a message, and returns it: "/a: reason, /b: reason and 3 more". */
char *symbols_left_out_summary(const SymbolsLeftOut *l, char *buf, size_t size);
