/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* The directory of symbols beside a dump (symbols-directory.h): it is made under a temporary name, and complete when
 * it has its own. It and all in it are readable by others (0755, 0644) if its parent is closed to them, so that they
 * need a descriptor of it; in a parent that is open to others it is 0700. */

typedef struct SymbolFolder {
        int parent_fd;
        int fd;
        char *name;      /* within the parent */
        char *temporary; /* ".#" and that name */
        uint64_t max, used; /* bytes of files, linked ones included */
        unsigned names;     /* files and directories in it */
} SymbolFolder;

#define SYMBOL_FOLDER_EMPTY { .parent_fd = -EBADF, .fd = -EBADF }

/* Begins the folder of the dump of that name in the directory parent_fd, which must stay open. */
int symbol_folder_open(SymbolFolder *f, int parent_fd, const char *dump, uint64_t max);

/* Creates an empty file at the path, which may begin with a slash, and the directories above it. Returns a descriptor;
 * -EINVAL: the path leads out of the folder; -EFBIG: there are too many names in it; -EEXIST, and the errors of
 * open(2). */
int symbol_folder_create(SymbolFolder *f, const char *path);
void symbol_folder_remove(SymbolFolder *f, const char *path);

/* Links the file at the same path of the finished folder from. -ENOENT: there is none; -EFBIG: it is too large. */
int symbol_folder_link(SymbolFolder *f, const char *from, const char *path);

/* Links another name within the folder. */
int symbol_folder_alias(SymbolFolder *f, const char *path, const char *alias);

uint64_t symbol_folder_room(const SymbolFolder *f);
void symbol_folder_count(SymbolFolder *f, uint64_t size); /* adds the size of a file that was written */

int symbol_folder_commit(SymbolFolder *f); /* gives it its name, and empties f. -EEXIST: there is one of that name */
void symbol_folder_done(SymbolFolder *f);  /* removes it, unless it was committed */

/* Removes unfinished folders of "BASE" and of dumps "BASE.TIME" that killed recorders left. */
void symbol_folder_remove_stale(int parent_fd, const char *base);

/* Returns the folder of the newest dump "BASE.TIME" that has one, allocated. -ENOENT, -ENOMEM. */
int symbol_folder_newest(int parent_fd, const char *base, char **ret);
