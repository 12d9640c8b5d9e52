/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "elf-image.h"

/* The memory of a module that was loaded; size 0: there is none. */
typedef struct ModuleMemory {
        uint64_t start, size;
} ModuleMemory;

/* The places at which the kernel puts the code of a module, an object file: offsets are from the start of its memory. */
typedef struct ModuleLayout ModuleLayout;

/* size: bytes of that memory. 0; -EBADMSG: the file has more code, or is broken; -ENODATA: it is no object file; -ENOMEM. */
int module_layout_new(const ElfImage *e, uint64_t size, ModuleLayout **ret);
ModuleLayout *module_layout_free(ModuleLayout *l);
DEFINE_CLEANUP(ModuleLayout *, module_layout_free);

/* Finds the offset of what has that value in a section. false: it is no code that stays, or its place is not known. */
bool module_layout_offset(const ModuleLayout *l, size_t section, uint64_t value, uint64_t *ret);

/* Finds the section of size bytes at an offset, and their place in it. false: no section has all of them. */
bool module_layout_section(const ModuleLayout *l, uint64_t offset, uint64_t size, size_t *ret_section, uint64_t *ret_value);
