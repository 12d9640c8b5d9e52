/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From an ELF file's tables to symbols. A symbol's value is an address as linked; the program headers map it to an
 * offset in the file, for position-independent files and others. */

#include "symbol-elf.h"

#include "elf-stubs.h"

#define DEBUG_LINK_MAX 4096u /* bytes: a file's name and its checksum */
#define NAMES_FREE (UINT64_C(1) << 20) /* bytes of names that symbols of a table may have … */
#define NAMES_RATIO_MAX 8u             /* … beyond so many times those of its names */
#define NAMES_READ_MAX (UINT64_C(16) << 20) /* bytes of names of a table; more of them stay in the file */

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

/* A table of symbols, and their names; those of a large one stay in the file. */
typedef struct SymbolSection {
        ElfSection entries, names;
        bool in_file;
        uint64_t left; /* bytes of names that are copied: several symbols may have one, but not all of them a long one */
} SymbolSection;

static void symbol_section_done(SymbolSection *s) {
        elf_section_done(&s->entries);
        elf_section_done(&s->names);
}

/* Returns whether a function has a name, other than that of a label. Names that stay in the file are only looked at where labels
 * may be. */
static bool symbol_elf_find_name(const SymbolTable *t, const ElfImage *e, const SymbolSection *s, const GElf_Sym *sym,
                                 const char **ret) {
        char begin[64];

        *ret = NULL;
        if (!s->in_file)
                *ret = elf_section_string(&s->names, sym->st_name);
        else if (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE) {
                symbol_table_read_name(t, sym->st_name, begin, sizeof(begin));
                return !elf_symbol_is_label(e, begin);
        } else
                return true;
        return *ret && **ret && !elf_symbol_is_label(e, *ret);
}

static int symbol_elf_add_symbol(SymbolTable *t, const ElfImage *e, const ElfImage *where, SymbolSection *s, const GElf_Sym *sym) {
        uint64_t offset, limit, address = sym->st_value;
        SymbolRank rank = elf_symbol_rank(sym);
        const char *name;
        size_t size;

        if (!elf_symbol_is_code(e, sym) || !symbol_elf_find_name(t, e, s, sym, &name))
                return 0;
        if (e->header.e_machine == EM_ARM && GELF_ST_TYPE(sym->st_info) != STT_NOTYPE)
                address &= ~UINT64_C(1); /* the bit marks Thumb code */
        if (!elf_image_offset(where, address, &offset))
                return 0;
        limit = sym->st_size == 0 ? section_end(e, where, sym) : 0;
        if (s->in_file)
                return symbol_table_put_in_file(t, offset, sym->st_size, limit, rank, sym->st_name);
        size = strlen(name);
        if (size > s->left)
                return -E2BIG;
        s->left -= size;
        return sym->st_size == 0 ? symbol_table_put_open(t, offset, limit, rank, name, size) :
                                   symbol_table_put(t, offset, sym->st_size, rank, name, size);
}

/* 1; 0: they can't be read; -EFBIG: they are above the limits; -ENOMEM. */
static int read_section(SymbolSection *s, SymbolTable *t, ElfImage *e, Elf_Scn *section) {
        int r = elf_section_read(&s->entries, e, section, ELF_T_SYM);
        Elf_Scn *strings = r < 0 ? NULL : elf_getscn(e->elf, s->entries.header.sh_link);
        GElf_Shdr header;

        if (r >= 0)
                r = strings && gelf_getshdr(strings, &header) && header.sh_type != SHT_NOBITS ? 0 : -ENODATA;
        if (r >= 0) {
                s->in_file = header.sh_size > NAMES_READ_MAX && header.sh_size <= UINT32_MAX;
                r = s->in_file ? symbol_table_set_file(t, e->fd, header.sh_offset, header.sh_size) :
                                 elf_section_read(&s->names, e, strings, ELF_T_BYTE);
        }
        s->left = NAMES_FREE + s->names.size * NAMES_RATIO_MAX;
        return r >= 0 ? 1 : r == -ENOMEM ? r : r == -EFBIG || r == -EEXIST ? -EFBIG : 0;
}

/* Returns 1 if the section could be read, 0 if not. */
static int add_section(SymbolTable *t, ElfImage *e, const ElfImage *where, Elf_Scn *section) {
        _cleanup_(symbol_section_done) SymbolSection s = {};
        int known = read_section(&s, t, e, section), r = MIN_OF(known, 0);
        GElf_Sym sym;

        for (size_t i = 1; r >= 0 && known > 0 && elf_section_symbol(&s.entries, i, &sym); i++)
                r = symbol_elf_add_symbol(t, e, where, &s, &sym);
        if (r == -EFBIG || r == -E2BIG)
                symbol_table_add_trait(t, SYMBOLS_LIMITED);
        return r == -EFBIG ? 0 : r < 0 ? r : known;
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

        symbol_table_add_trait(t, SYMBOLS_LABELS_INSIDE);
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
