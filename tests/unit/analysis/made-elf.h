/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

/* ELF files with headers that no compiler writes. */

typedef struct MadeSection {
        const char *name;
        uint32_t type;
        uint64_t flags, address, offset, size;
        uint32_t link; /* number of a section; the first of sections is 1 */
        uint64_t entry;
        const void *data; /* size bytes at offset; NULL: what is there already, a hole if nothing is */
} MadeSection;

#define MADE_ELF_DATA 0x10000u /* from here on the file is free */

/* In the scratch directory: a new string, its path. One segment has all of the file, at address 0. size: of the file,
 * at least. */
char *made_elf(const char *name, const MadeSection *sections, size_t n, uint64_t size);
