/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gelf.h>
#include "build-id.h"
#include "cleanup.h"

/* Limits on what is read of an ELF file. Anyone can write one whose headers promise gigabytes, and a recorded process
 * may have it mapped. Honest files are well below: .symtab and .strtab of a browser's or a language runtime's binary
 * have some ten megabytes. */
#define ELF_SECTION_MAX (UINT64_C(64) << 20)  /* bytes of one section */
#define ELF_SECTIONS_READ_MAX (UINT64_C(256) << 20) /* bytes of all sections that are read of one file */
#define ELF_NAMES_MAX (UINT64_C(1) << 20)     /* bytes of the sections' names */
#define ELF_NAME_MAX (32u << 10)              /* bytes of a symbol's name; a longer one is ignored */
#define ELF_SECTIONS_MAX 8192u
#define ELF_SEGMENTS_MAX 256u

/* The contents of a section, in this machine's byte order. */
typedef struct ElfSection {
        GElf_Shdr header;
        int class;
        uint8_t *data; /* a zero byte follows behind size */
        size_t size;
} ElfSection;

#define ELF_SECTION_EMPTY {}

/* An ELF file opened to look at its symbols. The file may hold any bytes. Only the parts that are asked for are read,
 * and nothing is mapped: the file may be truncated in the meantime. libelf reads the headers only. */
typedef struct ElfImage {
        int fd;
        Elf *elf;
        GElf_Ehdr header;
        ElfSection names;     /* of the sections; may be empty */
        GElf_Phdr *loads;     /* PT_LOAD, in the file's order; of a file without segments its sections */
        size_t n_loads;
        uint64_t left;        /* bytes of sections that may still be read */
} ElfImage;

#define ELF_IMAGE_EMPTY {}

/* fd must stay open as long as the image. -ENOEXEC: not an ELF file of code, or one above the limits, -EBADFD: not a
 * regular file, -ENOMEM. */
int elf_image_open(ElfImage *e, int fd);
void elf_image_done(ElfImage *e);

/* Both return NULL if there is no such section. */
Elf_Scn *elf_image_section(const ElfImage *e, const char *name, GElf_Shdr *ret);
Elf_Scn *elf_image_section_of_type(const ElfImage *e, GElf_Word type, GElf_Shdr *ret); /* the first one */
const char *elf_image_section_name(const ElfImage *e, const GElf_Shdr *header); /* "" if it has none */

/* Returns whether the file says at which offsets of the binary code is: of a separate file, the program headers may be others. */
bool elf_image_has_offsets(const ElfImage *e);

/* Returns whether the file has the code, and not only the places of its sections, as a file of symbols does. */
bool elf_image_has_code(const ElfImage *e);

/* Returns whether a part of a file lies in a hole, which costs its author nothing. */
bool file_has_hole(int fd, uint64_t offset, uint64_t size);

/* Says whether a section's bytes may be read, at most max of them: 0, -ENODATA or -EFBIG as below. */
int elf_section_check(const ElfImage *e, const GElf_Shdr *header, uint64_t max);

/* Reads a section; type is that of its entries (ELF_T_BYTE, ELF_T_SYM …). -ENODATA: it has no contents in the file,
 * lies in a hole, or is longer than the file; -EFBIG: above the limits; -ENOMEM and errors of pread(2). */
int elf_section_read(ElfSection *s, ElfImage *e, Elf_Scn *section, Elf_Type type);
void elf_section_done(ElfSection *s);

/* Reads a table of symbols and the section of their names. 1; 0: they can't be read; -ENOMEM. Both are done by the caller. */
int elf_symbols_read(ElfSection *entries, ElfSection *names, ElfImage *e, Elf_Scn *section);

/* Both return an entry of a section of that type; false: it has fewer. */
bool elf_section_symbol(const ElfSection *s, size_t i, GElf_Sym *ret);
bool elf_section_relocation(const ElfSection *s, size_t i, GElf_Rela *ret);

/* Returns the string at that offset. NULL: there is none, or it is longer than ELF_NAME_MAX. */
const char *elf_section_string(const ElfSection *s, uint64_t offset);

/* Finds the executed segment that an offset in the file is in; NULL: none. Segments may share the pages at their borders, so that
 * an offset is in two of them: code is in the executed one. */
static inline const GElf_Phdr *elf_code_segment(const GElf_Phdr *loads, size_t n, uint64_t offset) {
        for (const GElf_Phdr *p = loads; p < loads + n; p++)
                if (p->p_flags & PF_X && offset >= p->p_offset && offset - p->p_offset < p->p_filesz)
                        return p;
        return NULL;
}

/* Returns the offset in the file of the byte at that address; false: the address is in no loaded segment. */
bool elf_image_offset(const ElfImage *e, uint64_t address, uint64_t *ret);
