/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* perf report --symfs takes one directory in place of the root of the file system, and looks nowhere else. This is a directory of
 * links for one run of perf. They lead to the symbols beside a dump, or to this machine's file if it is the recorded one and
 * either these symbols lack the binary or perf needs all of it to unwind copied stacks. The tree has a path only if perf cannot
 * take its file for another. */
typedef struct SymbolsTree {
        char *path;             /* the directory */
        int tmp_fd;             /* /tmp, which perf inherits and does not see */
        bool needs_kallsyms;    /* there are no symbols of the kernel, but it is the running one */
} SymbolsTree;

#define SYMBOLS_TREE_EMPTY { .tmp_fd = -EBADF }

/* kept: the absolute path of the directory beside the dump, which must stay there; NULL: there is none. */
int symbols_tree_make(SymbolsTree *t, const char *kept, PerfDataReader *reader);
void symbols_tree_remove(SymbolsTree *t);

/* Returns a path, allocated, by which perf reaches the same file when the tree's tmp has taken the place of /tmp. */
char *symbols_tree_reach(const SymbolsTree *t, const char *path);

/* perf looks for names of generated code in /tmp/perf-PID.map whatever --symfs says, and takes what is there: any user's file, a
 * FIFO that nobody writes to, a device that never ends. This gives the calling process a /tmp that is the tree's own, if it has
 * the privilege. To be called between fork(2) and exec(2). 0 or a negative errno. */
int symbols_tree_replace_tmp(const SymbolsTree *t);
