/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>
#include "cleanup.h"

/* Facts about a file: names and values of one line of text. They are the file's extended attributes, and lie at its end as well,
 * where the readers of its format do not look: so they are there on file systems without user attributes, and in copies. */

#define FILE_FACTS_MAX 65536u /* bytes of them at the end of a file */

typedef struct FileFacts {
        char *text; /* what goes to the end of the file, complete after each file_facts_add() */
        size_t size;
} FileFacts;

void file_facts_done(FileFacts *f);

/* Adds a fact; of several of one name the last one counts. A line end in the value becomes a blank. -E2BIG, -ENOMEM. */
int file_facts_add(FileFacts *f, const char *name, const char *value, size_t size);

/* The same, and sets the attribute of the file at once if its file system supports that. */
int file_facts_put(FileFacts *f, int fd, const char *name, const char *value, size_t size);

/* Appends them to the file, which has none at its end. 0 or a negative errno. */
int file_facts_append(const FileFacts *f, int fd);

/* The value of the file's attribute, otherwise that at its end, without a NUL byte: as fgetxattr(2), a negative errno on failure.
 * Anybody may have written it. */
ssize_t file_fact_get(int fd, const char *name, char *value, size_t size);

bool file_has_facts(int fd); /* at its end */

/* Takes those at the file's end. -ENODATA: it has none; -ENOMEM and others. f is empty. */
int file_facts_read(FileFacts *f, int fd);
