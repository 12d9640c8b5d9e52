/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "elf-image.h"
#include "symbol-table.h"

/* Adds the functions that an ELF file has unwinding rules for (.eh_frame, which stripping leaves), each as
 * "FILE+0xADDRESS", with the address of its start as linked, which objdump and addr2line take. A function that has a
 * symbol, or begins within one, is left out. Addresses are offsets in the mapped file, as of symbol_table_add_elf(). 0,
 * -ENOMEM; a broken part ends the search. */
int symbol_table_add_frames(SymbolTable *t, ElfImage *e, const char *file);
