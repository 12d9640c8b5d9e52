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
        const void *data; /* size bytes at offset; NULL: unchanged, a hole if nothing was written there */
} MadeSection;

#define MADE_ELF_DATA 0x10000u /* the file's bytes from here on are the test's */

/* Makes a file in the scratch directory and returns its path, a new string. One segment has all of the file, at
 * address 0. size: the file's minimum. */
char *made_elf(const char *name, const MadeSection *sections, size_t n, uint64_t size);
