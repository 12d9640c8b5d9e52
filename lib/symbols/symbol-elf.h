/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "elf-image.h"
#include "symbol-table.h"

/* Adds the functions of an ELF file: those in .symtab and .dynsym, and "NAME@plt" for the stubs by which it calls
 * other libraries (x86-64, arm64). Addresses are offsets in the mapped file, as in a map's records: the segments are
 * those of where, which is the file itself or, for a separate file of debug symbols, the file that it belongs to.
 * *ret_complete (may be NULL): there is a .symtab, so no separate file is needed. 0, -E2BIG, -ENOMEM; broken parts are
 * ignored. */
int symbol_table_add_elf(SymbolTable *t, ElfImage *e, const ElfImage *where, bool *ret_complete);

/* Returns whether a symbol names code. */
bool elf_symbol_is_code(const ElfImage *e, const GElf_Sym *sym);

/* Returns whether a symbol of that name names a place within code, for assemblers and linkers, and no function. */
bool elf_symbol_is_label(const ElfImage *e, const char *name);
SymbolRank elf_symbol_rank(const GElf_Sym *sym);

/* Returns the name (a new string) and checksum of the separate file, from .gnu_debuglink. -ENODATA, -ENOMEM. */
int elf_image_debug_link(ElfImage *e, char **ret, uint32_t *ret_crc);
