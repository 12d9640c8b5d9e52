/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "symbol-folder.h"

/* The kernel's symbols for a dump's folder: "vmlinux" for perf report --symfs, "proc/kallsyms" (code alone, modules
 * too) for its --kallsyms and for ours. */
#define SYMBOL_KERNEL_IMAGE "vmlinux"
#define SYMBOL_KERNEL_TEXT "proc/kallsyms"

/* max: bytes of a file. 0; -ENODATA: the kernel shows no addresses; -EFBIG: one of them was left out; what writing
 * answers. */
int symbol_kernel_write(const char *root, SymbolFolder *f, uint64_t max);
