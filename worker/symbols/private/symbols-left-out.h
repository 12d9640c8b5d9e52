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
        bool forbidden;    /* openat2(2) is, to us */
        bool stopped;      /* the recorder was, before all was done */
} SymbolsLeftOut;

/* Reasons that no errno means by itself. */
#define LEFT_OUT_NO_SYMBOLS (-ENODATA)
#define LEFT_OUT_ANOTHER_FILE (-ESTALE)
#define LEFT_OUT_TOO_LARGE (-EFBIG)
#define LEFT_OUT_NO_NAME (-ENOKEY)       /* there is no build id to keep it by */
#define LEFT_OUT_NOT_OWN (-EKEYREJECTED) /* a perf map that is not a file of its process's user */
#define LEFT_OUT_STOPPED (-ECANCELED)

void symbols_left_out_done(SymbolsLeftOut *l);

/* error: why, a negative errno. 0 or -ENOMEM. A list that is long counts only. */
int symbols_left_out_add(SymbolsLeftOut *l, const char *path, int error);

/* The file, if there is anything to list. */
int symbols_left_out_write(SymbolsLeftOut *l, SymbolFolder *f);

/* The first lines, for a message: "/a: reason, /b: reason and 3 more". buf is filled and returned. */
char *symbols_left_out_summary(const SymbolsLeftOut *l, char *buf, size_t size);
