/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Files of source, as debug information names them, to show their lines. */
typedef struct SourceFile {
        char *path;
        char *text;      /* NULL: it is not there */
        size_t *lines;   /* where each begins */
        size_t n_lines;
        unsigned shown;  /* the highest line that was shown of it; the user's */
        unsigned last;   /* the line that was shown last */
} SourceFile;

/* Zero-initialise. */
typedef struct SourceFiles {
        SourceFile *files;
        size_t n, allocated, bytes;
} SourceFiles;

#define SOURCE_FILE_MAX ((size_t) 16 << 20)  /* bytes of one */
#define SOURCE_FILES_MAX ((size_t) 64 << 20) /* bytes of all */

void source_files_done(SourceFiles *s);

/* Finds or reads a file; *ret is valid until the next call. 0, -ENOMEM. */
int source_files_get(SourceFiles *s, const char *path, SourceFile **ret);

/* Sets what users keep of the files to 0. */
void source_files_restart(SourceFiles *s);

/* Returns a line, from 1 on, without blanks around it, as a new string without control characters. NULL: there is none, or no
 * memory. */
char *source_file_line(const SourceFile *f, unsigned line);
