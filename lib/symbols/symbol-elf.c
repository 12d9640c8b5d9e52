/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From an ELF file's tables to symbols. A symbol's value is an address as linked; the program headers map it to an
 * offset in the file, for position-independent files and others. */

#include "symbol-elf.h"

#include "elf-stubs.h"

#define DEBUG_LINK_MAX 4096u /* bytes: a file's name and its checksum */

/* Assemblers leave names without a type; on processors other than x86, some of these mark where code and data
 * begin. */
static bool is_untyped_name(const ElfImage *e, const GElf_Sym *sym) {
        Elf_Scn *section = elf_getscn(e->elf, sym->st_shndx);
        GElf_Shdr header;

        return GELF_ST_TYPE(sym->st_info) == STT_NOTYPE && GELF_ST_VISIBILITY(sym->st_other) != STV_HIDDEN && section &&
               gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR);
}

bool elf_symbol_is_code(const ElfImage *e, const GElf_Sym *sym) {
        unsigned type = GELF_ST_TYPE(sym->st_info);

        if (sym->st_name == 0 || sym->st_shndx == SHN_UNDEF || (sym->st_shndx >= SHN_LORESERVE && sym->st_shndx != SHN_XINDEX))
                return false;
        return type == STT_FUNC || type == STT_GNU_IFUNC || is_untyped_name(e, sym);
}

/* Returns whether the name marks where code ("$x", on ARM "$a", "$t") or data ("$d") begins, as the ABIs of these processors
 * define. A suffix makes it unique, and on RISC-V the extensions of the code may follow: "$xrv64i2p1". Elsewhere names of functions
 * may begin so, as those of Swift do. */
static bool is_mapping_symbol(const ElfImage *e, const char *name) {
        GElf_Half machine = e->header.e_machine;
        const char *letters = machine == EM_ARM ? "atd" : machine == EM_AARCH64 || machine == EM_RISCV ? "xd" : "";

        return name[0] == '$' && name[1] != '\0' && strchr(letters, name[1]) &&
               (name[2] == '\0' || name[2] == '.' || (machine == EM_RISCV && startswith(name + 1, "xrv")));
}

bool elf_symbol_is_label(const ElfImage *e, const char *name) {
        return startswith(name, ".L") || is_mapping_symbol(e, name);
}

SymbolRank elf_symbol_rank(const GElf_Sym *sym) {
        if (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE)
                return SYMBOL_RANK_UNTYPED;
        switch (GELF_ST_BIND(sym->st_info)) {
        case STB_LOCAL:
                return SYMBOL_RANK_LOCAL;
        case STB_WEAK:
                return SYMBOL_RANK_WEAK;
        default:
                return SYMBOL_RANK_GLOBAL;
        }
}

/* Returns the offset in the file behind the section that the symbol is in; UINT64_MAX: it is not known. */
static uint64_t section_end(const ElfImage *e, const ElfImage *where, const GElf_Sym *sym) {
        Elf_Scn *section = sym->st_shndx < SHN_LORESERVE ? elf_getscn(e->elf, sym->st_shndx) : NULL;
        GElf_Shdr header;
        uint64_t offset;

        if (!section || !gelf_getshdr(section, &header) || sym->st_value < header.sh_addr ||
            sym->st_value - header.sh_addr >= header.sh_size ||
            !elf_image_offset(where, header.sh_addr + header.sh_size - 1, &offset))
                return UINT64_MAX;
        return offset + 1;
}

static int add_symbol(SymbolTable *t, const ElfImage *e, const ElfImage *where, const ElfSection *names, const GElf_Sym *sym) {
        uint64_t offset, address = sym->st_value;
        const char *name;
        size_t size;

        if (!elf_symbol_is_code(e, sym))
                return 0;
        name = elf_section_string(names, sym->st_name);
        if (!name || !*name || elf_symbol_is_label(e, name))
                return 0;
        if (e->header.e_machine == EM_ARM && GELF_ST_TYPE(sym->st_info) != STT_NOTYPE)
                address &= ~UINT64_C(1); /* the bit marks Thumb code */
        if (!elf_image_offset(where, address, &offset))
                return 0;
        size = 1 + strcspn(name + 1, "@");
        if (sym->st_size == 0)
                return symbol_table_put_open(t, offset, section_end(e, where, sym), elf_symbol_rank(sym), name, size);
        return symbol_table_put(t, offset, sym->st_size, elf_symbol_rank(sym), name, size);
}

/* Returns 1 if the section could be read, 0 if not. */
static int add_section(SymbolTable *t, ElfImage *e, const ElfImage *where, Elf_Scn *section) {
        _cleanup_(elf_section_done) ElfSection entries = ELF_SECTION_EMPTY, names = ELF_SECTION_EMPTY;
        int known = elf_symbols_read(&entries, &names, e, section), r = known;
        GElf_Sym sym;

        for (size_t i = 1; r >= 0 && known > 0 && elf_section_symbol(&entries, i, &sym); i++)
                r = add_symbol(t, e, where, &names, &sym);
        return r < 0 ? r : known;
}

static int add_stubs(SymbolTable *t, ElfImage *e, const ElfImage *where) {
        _cleanup_(elf_stubs_done) ElfStubs stubs = {};
        int r = elf_stubs_read(&stubs, e);

        for (size_t i = 0; r >= 0 && i < stubs.n; i++) {
                char name[ELF_STUB_NAME_MAX];
                uint64_t offset;

                if (elf_stub_name(&stubs, i, name) && elf_image_offset(where, stubs.stubs[i].address, &offset))
                        r = symbol_table_put(t, offset, stubs.stubs[i].size, SYMBOL_RANK_MADE, name, strlen(name));
        }
        return r;
}

int symbol_table_add_elf(SymbolTable *t, ElfImage *e, const ElfImage *where, bool *ret_complete) {
        Elf_Scn *section = NULL;
        bool complete = false;
        int r = 0;

        symbol_table_set_labels_inside(t);
        while (r >= 0 && (section = elf_nextscn(e->elf, section))) {
                GElf_Shdr header;

                if (!gelf_getshdr(section, &header) || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
                        continue;
                r = add_section(t, e, where, section);
                complete = complete || (r > 0 && header.sh_type == SHT_SYMTAB);
        }
        if (r >= 0)
                r = add_stubs(t, e, where);
        if (r >= 0 && ret_complete)
                *ret_complete = complete;
        return r;
}

int elf_image_debug_link(ElfImage *e, char **ret, uint32_t *ret_crc) {
        _cleanup_(elf_section_done) ElfSection link = ELF_SECTION_EMPTY;
        GElf_Shdr header;
        Elf_Scn *section = elf_image_section(e, ".gnu_debuglink", &header);
        size_t n, place;
        char *name;
        int r;

        if (!section || header.sh_size > DEBUG_LINK_MAX)
                return -ENODATA;
        r = elf_section_read(&link, e, section, ELF_T_BYTE);
        if (r < 0)
                return r == -ENOMEM ? r : -ENODATA;
        n = strnlen((const char *) link.data, link.size);
        place = (n + 4) / 4 * 4; /* the checksum is aligned behind the name's zero */
        if (n == 0 || place + 4 > link.size || memchr(link.data, '/', n))
                return -ENODATA;
        name = strndup((const char *) link.data, n);
        if (!name)
                return -ENOMEM;
        memcpy(ret_crc, link.data + place, 4);
        *ret = name;
        return 0;
}
