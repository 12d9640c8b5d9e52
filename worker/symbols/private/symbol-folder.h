/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The directory of symbols beside a dump (symbols-directory.h): made under a temporary name, whole when it has its own. It
 * and all in it can be read by others (0755, 0644) if its parent is closed to them, so that they need a descriptor of it; in
 * a parent that is open to others it is 0700. */

typedef struct SymbolFolder {
        int parent_fd;
        int fd;
        char *name;      /* within the parent */
        char *temporary; /* ".#" and that name */
        uint64_t max, used; /* bytes of files, linked ones included */
        unsigned names;     /* files and directories in it */
} SymbolFolder;

#define SYMBOL_FOLDER_EMPTY { .parent_fd = -EBADF, .fd = -EBADF }

/* Of the dump of that name in the directory parent_fd, which must stay open. */
int symbol_folder_open(SymbolFolder *f, int parent_fd, const char *dump, uint64_t max);

/* An empty file at the path, which may begin with a slash, in directories that are made. A descriptor; -EINVAL: the
 * path leads out of the folder; -EFBIG: there are too many names in it; -EEXIST, what open(2) answers. */
int symbol_folder_create(SymbolFolder *f, const char *path);
void symbol_folder_remove(SymbolFolder *f, const char *path);

/* The same file as in the folder that is called from, which is finished. -ENOENT: it is not there, -EFBIG: it would be
 * too much. */
int symbol_folder_link(SymbolFolder *f, const char *from, const char *path);

/* A further name within the folder. */
int symbol_folder_alias(SymbolFolder *f, const char *path, const char *alias);

uint64_t symbol_folder_room(const SymbolFolder *f);
void symbol_folder_count(SymbolFolder *f, uint64_t size); /* of a file that was filled */

int symbol_folder_commit(SymbolFolder *f); /* it has its name now; f is empty. -EEXIST: there is one of that name */
void symbol_folder_done(SymbolFolder *f);  /* without a commit: all of it goes */

/* Removes what recorders that were killed left of the folders of "BASE" and of dumps "BASE.TIME". */
void symbol_folder_remove_stale(int parent_fd, const char *base);

/* The folder of the newest dump "BASE.TIME" that has one. A new string. -ENOENT, -ENOMEM. */
int symbol_folder_newest(int parent_fd, const char *base, char **ret);
