/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* perf report --symfs takes one directory in place of the root of the file system, and looks nowhere else. This is a directory of
 * links for one run of perf. They lead to the symbols beside a dump, or to this machine's file if it is the recorded one and
 * either these symbols lack the binary or perf needs all of it to unwind copied stacks. A file with names that perf would take
 * forever to demangle is a copy, in which these begin with '?'. The tree has a path only if perf cannot take its file for
 * another. Zero-initialise. */
typedef struct SymbolsTree {
        char *path;             /* the directory */
        bool needs_kallsyms;    /* there are no symbols of the kernel, but it is the running one */
} SymbolsTree;

/* kept: the absolute path of the directory beside the dump, which must stay there; NULL: there is none. */
int symbols_tree_make(SymbolsTree *t, const char *kept, PerfDataReader *reader);
void symbols_tree_remove(SymbolsTree *t);
