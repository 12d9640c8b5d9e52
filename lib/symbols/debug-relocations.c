/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sections of debug information refer to each other, and to code, by sums of a symbol and an addend. Relocations of a form that is
 * not known leave their fields as they are, and so do broken ones: libdw has to expect any bytes anyhow. */

#include "debug-relocations.h"

#include <endian.h>
#include <gelf.h>

typedef struct Relocating {
        Elf *elf;
        GElf_Ehdr header;
        const ModuleLayout *layout;
        uint64_t start;
} Relocating;

/* Returns how many bytes of an absolute address a relocation fills in; 0: it has another form. */
static size_t width_of(const Relocating *r, uint64_t type) {
        if (r->header.e_machine == EM_X86_64)
                return type == R_X86_64_64 ? 8 : type == R_X86_64_32 ? 4 : 0;
        if (r->header.e_machine == EM_AARCH64)
                return type == R_AARCH64_ABS64 ? 8 : type == R_AARCH64_ABS32 ? 4 : 0;
        return 0;
}

static void fill_in(const Relocating *r, Elf_Data *target, Elf_Data *symbols, const GElf_Rela *relocation) {
        size_t width = width_of(r, GELF_R_TYPE(relocation->r_info));
        uint64_t value, offset;
        GElf_Sym symbol;

        if (width == 0 || GELF_R_SYM(relocation->r_info) > INT32_MAX ||
            !gelf_getsym(symbols, (int) GELF_R_SYM(relocation->r_info), &symbol))
                return;
        if (relocation->r_offset > target->d_size || width > target->d_size - relocation->r_offset)
                return;
        value = symbol.st_value;
        if (module_layout_offset(r->layout, symbol.st_shndx, symbol.st_value, &offset))
                value = r->start + offset;
        value = htole64(value + (uint64_t) relocation->r_addend);
        memcpy((char *) target->d_buf + relocation->r_offset, &value, width);
}

/* Returns the section of DWARF that a section of relocations is about; NULL: it is about something else. */
static Elf_Scn *target_of(const Relocating *r, const GElf_Shdr *header) {
        Elf_Scn *target = header->sh_type == SHT_RELA ? elf_getscn(r->elf, header->sh_info) : NULL;
        GElf_Shdr h;
        const char *name;

        if (!target || !gelf_getshdr(target, &h) || h.sh_type == SHT_NOBITS || h.sh_flags & SHF_COMPRESSED)
                return NULL;
        name = elf_strptr(r->elf, r->header.e_shstrndx, h.sh_name);
        return name && startswith(name, ".debug_") ? target : NULL;
}

static void relocate_section(const Relocating *r, Elf_Scn *section, const GElf_Shdr *header) {
        Elf_Scn *target = target_of(r, header);
        Elf_Data *entries = target ? elf_getdata(section, NULL) : NULL, *bytes = entries ? elf_rawdata(target, NULL) : NULL;
        Elf_Data *symbols = bytes ? elf_getdata(elf_getscn(r->elf, header->sh_link), NULL) : NULL;
        GElf_Rela relocation;

        if (!symbols || !bytes->d_buf || symbols->d_type != ELF_T_SYM)
                return;
        for (int i = 0; gelf_getrela(entries, i, &relocation); i++)
                fill_in(r, bytes, symbols, &relocation);
}

void debug_relocate(Elf *elf, const ModuleLayout *layout, uint64_t start) {
        Relocating r = { .elf = elf, .layout = layout, .start = start };
        Elf_Scn *section = NULL;
        GElf_Shdr header;

        if (!gelf_getehdr(elf, &r.header) || r.header.e_ident[EI_DATA] != ELFDATA2LSB)
                return;
        while ((section = elf_nextscn(elf, section)))
                if (gelf_getshdr(section, &header))
                        relocate_section(&r, section, &header);
}
