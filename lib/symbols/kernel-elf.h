/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "elf-image.h"
#include "symbol-table.h"

/* Add the functions of the kernel's own ELF files to a table. 0; -ENODATA (no table of symbols, or a symbol is not in
 * it), -EBADMSG, -E2BIG, -ENOMEM and errors of reading. */

/* A vmlinux; address is where the kernel that was recorded had that symbol. Symbols are put at the processor's addresses. */
int symbol_table_add_vmlinux(SymbolTable *t, ElfImage *e, const char *symbol, uint64_t address);

/* Finds how much further up that kernel was than the vmlinux is linked. */
int elf_image_find_moved(ElfImage *e, const char *symbol, uint64_t address, uint64_t *ret);

/* A module, an object file or its separate one, of which size bytes were mapped. Symbols are put by their distance from the start
 * of that map. -EBADMSG also: the module has more code than that. */
int symbol_table_add_module(SymbolTable *t, ElfImage *e, uint64_t size);
