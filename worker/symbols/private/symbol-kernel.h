/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "symbol-folder.h"

/* The kernel's symbols for a dump's folder: "vmlinux" for perf report --symfs, "proc/kallsyms" (only code, with modules) for
 * perf's --kallsyms and for lib/analysis. */
#define SYMBOL_KERNEL_IMAGE "vmlinux"
#define SYMBOL_KERNEL_TEXT "proc/kallsyms"

/* max: bytes of a file. 0; -ENODATA: the kernel hides addresses; -EFBIG: one of the files was left out; and errors of
 * writing. */
int symbol_kernel_write(const char *root, SymbolFolder *f, uint64_t max);
