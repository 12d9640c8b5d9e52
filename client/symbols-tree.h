/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"

/* perf report --symfs takes one directory in place of the root of the file system, and looks nowhere else. This is one of
 * links for a single run of it: to the symbols that were kept beside a dump, and where these lack a binary, or where perf needs
 * more of it than symbols to follow copied stacks, to this machine's file if it is the one that was recorded. A file with names
 * that perf would never have demangled is a copy, in which these begin with '?'. A path is there only if perf can take its file
 * for no other. Zero-initialise. */
typedef struct SymbolsTree {
        char *path;             /* the directory */
        bool needs_kallsyms;    /* no symbols of the kernel were kept, and it is the one that runs here */
} SymbolsTree;

/* kept: the absolute path of the directory beside the dump, which stays; NULL: there is none. */
int symbols_tree_make(SymbolsTree *t, const char *kept, PerfDataReader *reader);
void symbols_tree_remove(SymbolsTree *t);
