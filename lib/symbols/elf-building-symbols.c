/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A table of symbols is an array of entries of one size and a block of names; the first entry stands for no symbol. */

#include "elf-building.h"

void built_symbols_done(BuiltSymbols *s) {
        byte_buffer_done(&s->entries);
        byte_buffer_done(&s->names);
        *s = (BuiltSymbols) {};
}

static size_t symbol_entry_size(const BuiltSymbols *s) {
        return s->class == ELFCLASS64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

void built_symbols_begin(BuiltSymbols *s, int class, uint64_t max) {
        s->class = class;
        s->max = max;
        (void) byte_buffer_extend(&s->entries, symbol_entry_size(s));
        byte_buffer_put(&s->names, "", 1);
        s->n = 1;
}

int built_symbols_error(const BuiltSymbols *s) {
        uint64_t size = s->entries.size + s->names.size + 4 * sizeof(Elf64_Shdr); /* with the sections' headers */

        if (s->entries.error == -ENOMEM || s->names.error == -ENOMEM)
                return -ENOMEM;
        return s->entries.error < 0 || s->names.error < 0 || size > s->max ? -EFBIG : 0;
}

void built_symbols_put(BuiltSymbols *s, GElf_Sym sym, const char *name, size_t name_size) {
        if (built_symbols_error(s) < 0)
                return;
        sym.st_name = (GElf_Word) s->names.size;
        byte_buffer_put(&s->names, name, name_size);
        byte_buffer_put(&s->names, "", 1);
        if (s->class == ELFCLASS64)
                byte_buffer_put(&s->entries, &sym, sizeof(sym));
        else
                byte_buffer_put(&s->entries, &(Elf32_Sym) {
                        .st_name = sym.st_name, .st_value = (Elf32_Addr) sym.st_value, .st_size = (Elf32_Word) sym.st_size,
                        .st_info = sym.st_info, .st_other = sym.st_other, .st_shndx = sym.st_shndx,
                }, sizeof(Elf32_Sym));
        s->n++;
}

void built_symbols_end_local(BuiltSymbols *s) {
        s->n_local = s->n;
}

int built_symbols_add(BuiltSymbols *s, ElfBuilding *b) {
        GElf_Shdr names = { .sh_type = SHT_STRTAB, .sh_size = s->names.size, .sh_addralign = 1 };
        GElf_Shdr entries = {
                .sh_type = SHT_SYMTAB, .sh_size = s->entries.size, .sh_addralign = 8, .sh_info = (GElf_Word) s->n_local,
                .sh_entsize = symbol_entry_size(s),
        };
        int r = built_symbols_error(s);

        if (r >= 0)
                r = elf_building_add(b, ".strtab", &names, steal_ptr(s->names.data), ELF_T_BYTE);
        entries.sh_link = (GElf_Word) MAX_OF(r, 0);
        if (r >= 0)
                r = elf_building_add(b, ".symtab", &entries, steal_ptr(s->entries.data), ELF_T_SYM);
        return MIN_OF(r, 1);
}
