/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "hash-index.h"

/* Files of source, as debug information names them, to show their lines. */
typedef struct SourceFile {
        char *path;
        char *text;      /* NULL: it is not there */
        size_t *lines;   /* where each begins */
        size_t n_lines;
        unsigned round;  /* of SourceFiles, in which the next two are true */
        unsigned shown;  /* the highest line that was shown of it; the user's */
        unsigned last;   /* the line that was shown last */
} SourceFile;

/* Zero-initialise. */
typedef struct SourceFiles {
        SourceFile *files;
        size_t n, allocated, bytes;
        HashIndex index; /* of number + 1, by path */
        unsigned round;
        bool trusted;    /* the user says where files of the source are, which may have any mode; the user of this sets it */
} SourceFiles;

#define SOURCE_FILE_MAX ((size_t) 16 << 20)  /* bytes of one */
#define SOURCE_FILES_MAX ((size_t) 64 << 20) /* bytes of all */

void source_files_done(SourceFiles *s);

/* Finds or reads a file; *ret is valid until the next call. Paths are any that debug information names: unless they are trusted,
 * root sees only files that everybody may read, or that belong to the user who called sudo(8). 0, -ENOMEM. */
int source_files_get(SourceFiles *s, const char *path, SourceFile **ret);

/* Sets what users keep of the files to 0. */
void source_files_restart(SourceFiles *s);

/* Returns a line, from 1 on, without blanks around it, as a new string without control characters. NULL: there is none, or no
 * memory. */
char *source_file_line(const SourceFile *f, unsigned line);
