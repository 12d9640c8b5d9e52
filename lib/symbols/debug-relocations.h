/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <libelf.h>

#include "module-layout.h"

/* Fills in the addresses that the DWARF of a kernel's module leaves to relocations, in the image in memory, before libdw reads it.
 * elf: of the same file as the layout, mapped privately (ELF_C_READ_MMAP_PRIVATE); start: of the module's memory. */
void debug_relocate(Elf *elf, const ModuleLayout *layout, uint64_t start);
