/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-pool.h"
#include "debug-file.h"

/* DWARF says which file and line of the source code comes from, and which calls the compiler inlined. All texts are one line of
 * valid UTF-8; their numbers are of SourceLines.texts, 0: not known. */

/* An inlined function, and the line that calls it. */
typedef struct InlinedCall {
        uint32_t name; /* mangled, if it is */
        uint32_t file, line;
} InlinedCall;

typedef struct SourcePlace {
        uint32_t file, line;      /* line 0: not known */
        size_t inlined;           /* of SourceLines.inlined: the innermost one; the others follow */
        uint32_t n_inlined;
} SourcePlace;

#define INLINED_DEPTH_MAX 64u
#define INLINED_MAX (UINT32_C(1) << 22)
#define SOURCE_TEXT_MAX 8192u                        /* bytes; a longer one is not known */
#define SOURCE_TEXTS_MAX ((size_t) 64 << 20)         /* bytes, of all */

/* Zero-initialise. */
typedef struct SourceLines {
        BytePool texts;
        InlinedCall *inlined;
        size_t n_inlined, allocated;
        unsigned failed; /* files that could not be read to their end: they are broken, or above the limits of size and time */
} SourceLines;

void source_lines_done(SourceLines *s);

/* Fills in the places of n addresses in a file, as linked and in ascending order. Those that are not known stay as they are.
 *
 * DWARF has a form for everything, and anybody may write some. A process with little time reads it, and if it is ended, also by the
 * file's watcher, what it had found by then remains. 0, -ENOMEM, errors of fork(2). */
int source_lines_find(SourceLines *s, const DebugFile *f, const uint64_t *addresses, size_t n, bool inlined, SourcePlace *places);

/* Takes the answers of that process (debug-reader.h) about n addresses. 0; -EBADMSG, -EFBIG: the rest is not taken; -ENOMEM. */
int source_lines_take(SourceLines *s, FILE *f, size_t n, SourcePlace *places);

static inline const char *source_lines_text(const SourceLines *s, uint32_t number) {
        return number > 0 ? (const char *) byte_pool_get(&s->texts, number)->data : NULL;
}
