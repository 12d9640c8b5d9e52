/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "byte-buffer.h"
#include "build-id.h"
#include "elf-image.h"

/* A small ELF file that is made section by section, then written at once. Zero-initialise. */
#define ELF_BUILDING_SECTIONS_MAX 1024u

typedef struct BuiltSection {
        GElf_Shdr header; /* sh_name is set when its name is put */
        void *data;       /* NULL: no bytes in the file */
        Elf_Type type;
} BuiltSection;

typedef struct ElfBuilding {
        BuiltSection *sections; /* the section of number 0 is not among them */
        size_t n, allocated;
        ByteBuffer names;
        GElf_Phdr *segments;
        size_t n_segments;
} ElfBuilding;

void elf_building_done(ElfBuilding *b);

/* Overwrites header's name and, for sections with data, its offset. data is the building's from now on, also on
 * failure: a block of malloc(3) in this machine's form, of header->sh_size bytes. Returns the section's number,
 * -ENOMEM, -E2BIG. */
int elf_building_add(ElfBuilding *b, const char *name, const GElf_Shdr *header, void *data, Elf_Type type);

int elf_building_add_build_id(ElfBuilding *b, const BuildId *id); /* as a note */

uint64_t elf_building_size(const ElfBuilding *b); /* of the file, about */

/* Machine, type, flags and entry are those of like. fd is empty. 0, -ENOMEM, -EIO, an error of write(2). */
int elf_building_write(ElfBuilding *b, const GElf_Ehdr *like, int class, int fd, uint64_t *ret_size);

/* The symbols of a .symtab and their names. Zero-initialise. */
typedef struct BuiltSymbols {
        ByteBuffer entries, names;
        int class;
        uint64_t max;
        size_t n, n_local;
} BuiltSymbols;

void built_symbols_done(BuiltSymbols *s);
void built_symbols_begin(BuiltSymbols *s, int class, uint64_t max); /* bytes */

/* Local ones come first. st_name is set here. A failure is kept for built_symbols_error(), and nothing is put after
 * one. */
void built_symbols_put(BuiltSymbols *s, GElf_Sym sym, const char *name, size_t name_size);
void built_symbols_end_local(BuiltSymbols *s);

int built_symbols_error(const BuiltSymbols *s); /* 0, -ENOMEM, -EFBIG (above max) */

/* Moves them into .strtab and .symtab. 1, or a negative errno. */
int built_symbols_add(BuiltSymbols *s, ElfBuilding *b);
