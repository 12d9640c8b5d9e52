/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A vmlinux is linked at fixed addresses, and the kernel moves itself as a whole when it boots: one symbol says how far. The
 * places of a module's functions follow from those of its sections. */

#include "kernel-elf.h"

#include "module-layout.h"
#include "symbol-elf.h"

/* Reads the table of symbols and their names. */
static int read_symtab(ElfImage *e, ElfSection *ret_entries, ElfSection *ret_names) {
        GElf_Shdr header;
        Elf_Scn *section = elf_image_section_of_type(e, SHT_SYMTAB, &header);
        int r = section ? elf_section_read(ret_entries, e, section, ELF_T_SYM) : -ENODATA;

        return r < 0 ? r : elf_section_read(ret_names, e, elf_getscn(e->elf, ret_entries->header.sh_link), ELF_T_BYTE);
}

static int kernel_elf_put_symbol(SymbolTable *t, const ElfImage *e, const ElfSection *names, const GElf_Sym *sym,
                                 uint64_t address) {
        const char *name = elf_section_string(names, sym->st_name);

        if (!name || !*name || elf_symbol_is_label(e, name) || sym->st_size > UINT64_MAX - address)
                return 0;
        return symbol_table_put(t, address, sym->st_size, elf_symbol_rank(sym), name, strlen(name));
}

static bool kernel_elf_find_value(const ElfSection *entries, const ElfSection *names, const char *wanted, uint64_t *ret) {
        GElf_Sym sym;

        for (size_t i = 1; elf_section_symbol(entries, i, &sym); i++) {
                const char *name = sym.st_shndx != SHN_UNDEF ? elf_section_string(names, sym.st_name) : NULL;

                if (name && streq(name, wanted)) {
                        *ret = sym.st_value;
                        return true;
                }
        }
        return false;
}

int elf_image_find_moved(ElfImage *e, const char *symbol, uint64_t address, uint64_t *ret) {
        _cleanup_(elf_section_done) ElfSection entries = ELF_SECTION_EMPTY, names = ELF_SECTION_EMPTY;
        int r = read_symtab(e, &entries, &names);
        uint64_t linked;

        if (r < 0)
                return r;
        if (!kernel_elf_find_value(&entries, &names, symbol, &linked))
                return -ENODATA;
        *ret = address - linked;
        return 0;
}

int symbol_table_add_vmlinux(SymbolTable *t, ElfImage *e, const char *symbol, uint64_t address) {
        _cleanup_(elf_section_done) ElfSection entries = ELF_SECTION_EMPTY, names = ELF_SECTION_EMPTY;
        int r = e->header.e_type == ET_REL ? -ENODATA : read_symtab(e, &entries, &names);
        uint64_t linked;
        GElf_Sym sym;

        if (r < 0)
                return r;
        if (!kernel_elf_find_value(&entries, &names, symbol, &linked))
                return -ENODATA;
        for (size_t i = 1; r >= 0 && elf_section_symbol(&entries, i, &sym); i++)
                if (elf_symbol_is_code(e, &sym))
                        r = kernel_elf_put_symbol(t, e, &names, &sym, sym.st_value + (address - linked));
        return r;
}

int symbol_table_add_module(SymbolTable *t, ElfImage *e, uint64_t size) {
        _cleanup_(elf_section_done) ElfSection entries = ELF_SECTION_EMPTY, names = ELF_SECTION_EMPTY;
        _cleanup_(module_layout_freep) ModuleLayout *layout = NULL;
        int r = module_layout_new(e, size, &layout);
        uint64_t offset;
        GElf_Sym sym;

        if (r >= 0)
                r = read_symtab(e, &entries, &names);
        for (size_t i = 1; r >= 0 && elf_section_symbol(&entries, i, &sym); i++)
                if (elf_symbol_is_code(e, &sym) && module_layout_offset(layout, sym.st_shndx, sym.st_value, &offset))
                        r = kernel_elf_put_symbol(t, e, &names, &sym, offset);
        return r;
}
