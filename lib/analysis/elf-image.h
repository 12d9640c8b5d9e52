/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gelf.h>
#include "build-id.h"
#include "cleanup.h"

/* An ELF file opened to look at its symbols: any bytes, of which the parts are read that are asked for, never mapped:
 * it may be cut while it is read. */
typedef struct ElfImage {
        Elf *elf;
        GElf_Ehdr header;
        size_t section_names; /* SHN_UNDEF: there are none */
        GElf_Phdr *loads;     /* PT_LOAD, in the file's order */
        size_t n_loads;
} ElfImage;

#define ELF_IMAGE_EMPTY {}
#define ELF_SECTION_MAX (UINT64_C(1) << 30) /* bytes of a section that is read */
#define ELF_SECTIONS_MAX 65536u

/* fd must stay open as long. -ENOEXEC: no ELF file of code, -EBADFD: no regular file, -ENOMEM. */
int elf_image_open(ElfImage *e, int fd);
void elf_image_done(ElfImage *e);

/* NULL: it has no such section. */
Elf_Scn *elf_image_section(const ElfImage *e, const char *name, GElf_Shdr *ret);
const char *elf_image_section_name(const ElfImage *e, const GElf_Shdr *header); /* "" if it has none */

/* What a section holds; NULL: nothing in the file, too much, or it does not lie in the file. */
Elf_Data *elf_image_data(Elf_Scn *section, const GElf_Shdr *header);

/* Where in the file the byte of that address is; false: in no part that is loaded. */
bool elf_image_offset(const ElfImage *e, uint64_t address, uint64_t *ret);
