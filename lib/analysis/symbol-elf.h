/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "elf-image.h"
#include "symbol-table.h"

/* The functions of an ELF file: what .symtab and .dynsym name, and "NAME@plt" for the stubs by which it calls other
 * libraries (x86-64, arm64). Addresses are offsets in the file that is mapped, which is what a map's records tell of:
 * the segments are those of where, the file itself or, of a separate file of debug symbols, the one that it belongs
 * to. *ret_complete (may be NULL): there is a .symtab, so no separate file is needed. 0, -E2BIG, -ENOMEM; what is
 * broken is left. */
int symbol_table_add_elf(SymbolTable *t, ElfImage *e, const ElfImage *where, bool *ret_complete);

/* Whether a symbol is a name that code is shown by. */
bool elf_symbol_is_code(const ElfImage *e, const GElf_Sym *sym);

/* The name and checksum of the separate file, from .gnu_debuglink. A new string. -ENODATA, -ENOMEM. */
int elf_image_debug_link(ElfImage *e, char **ret, uint32_t *ret_crc);
