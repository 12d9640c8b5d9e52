/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gelf.h>
#include "build-id.h"
#include "cleanup.h"

/* What is read of an ELF file at most. Anyone can write one whose headers promise gigabytes, and processes that are
 * recorded have it mapped. Honest files are well below: of a browser's or a language runtime's binary, .symtab and
 * .strtab have some ten megabytes. */
#define ELF_SECTION_MAX (UINT64_C(64) << 20)  /* bytes of one section */
#define ELF_SECTIONS_READ_MAX (UINT64_C(256) << 20) /* bytes of all sections that are read of one file */
#define ELF_NAMES_MAX (UINT64_C(1) << 20)     /* bytes of the sections' names */
#define ELF_NAME_MAX (32u << 10)              /* bytes of a symbol's name; a longer one is none */
#define ELF_SECTIONS_MAX 8192u
#define ELF_SEGMENTS_MAX 256u

/* The contents of a section, in this machine's byte order. */
typedef struct ElfSection {
        GElf_Shdr header;
        int class;
        uint8_t *data; /* one zero more is behind size */
        size_t size;
} ElfSection;

#define ELF_SECTION_EMPTY {}

/* An ELF file opened to look at its symbols: any bytes, of which the parts are read that are asked for, never mapped:
 * it may be cut while it is read. libelf reads the headers, and nothing else. */
typedef struct ElfImage {
        int fd;
        Elf *elf;
        GElf_Ehdr header;
        ElfSection names;     /* of the sections; empty: there are none */
        GElf_Phdr *loads;     /* PT_LOAD, in the file's order */
        size_t n_loads;
        uint64_t left;        /* bytes of sections that may still be read */
} ElfImage;

#define ELF_IMAGE_EMPTY {}

/* fd must stay open as long. -ENOEXEC: no ELF file of code, or one above the limits, -EBADFD: no regular file, -ENOMEM. */
int elf_image_open(ElfImage *e, int fd);
void elf_image_done(ElfImage *e);

/* NULL: it has no such section. */
Elf_Scn *elf_image_section(const ElfImage *e, const char *name, GElf_Shdr *ret);
Elf_Scn *elf_image_section_of_type(const ElfImage *e, GElf_Word type, GElf_Shdr *ret); /* the first one */
const char *elf_image_section_name(const ElfImage *e, const GElf_Shdr *header); /* "" if it has none */

/* Reads a section; type is what it consists of (ELF_T_BYTE, ELF_T_SYM …). -ENODATA: nothing of it is in the file, or
 * not all of it, or the file has a hole there; -EFBIG: above the limits; -ENOMEM and what pread(2) answers. */
int elf_section_read(ElfSection *s, ElfImage *e, Elf_Scn *section, Elf_Type type);
void elf_section_done(ElfSection *s);

/* Its entries, if it consists of them; false: there are not so many. */
bool elf_section_symbol(const ElfSection *s, size_t i, GElf_Sym *ret);
bool elf_section_relocation(const ElfSection *s, size_t i, GElf_Rela *ret);

/* The string at that offset. NULL: there is none, or one above ELF_NAME_MAX. */
const char *elf_section_string(const ElfSection *s, uint64_t offset);

/* Where in the file the byte of that address is; false: in no part that is loaded. */
bool elf_image_offset(const ElfImage *e, uint64_t address, uint64_t *ret);
