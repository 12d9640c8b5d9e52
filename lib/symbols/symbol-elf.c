/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From an ELF file's tables to symbols. A symbol's value is an address as linked; the program headers map it to an
 * offset in the file, for position-independent files and others. */

#include "symbol-elf.h"

#include <inttypes.h>

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

static int add_symbol(SymbolTable *t, const ElfImage *e, const ElfImage *where, const ElfSection *names, const GElf_Sym *sym) {
        uint64_t offset, address = sym->st_value;
        const char *name;

        if (!elf_symbol_is_code(e, sym))
                return 0;
        name = elf_section_string(names, sym->st_name);
        if (!name || !*name || *name == '$' || startswith(name, ".L"))
                return 0;
        if (e->header.e_machine == EM_ARM && GELF_ST_TYPE(sym->st_info) != STT_NOTYPE)
                address &= ~UINT64_C(1); /* the bit marks Thumb code */
        if (!elf_image_offset(where, address, &offset))
                return 0;
        return symbol_table_put(t, offset, sym->st_size, elf_symbol_rank(sym), name, 1 + strcspn(name + 1, "@"));
}

/* Reads symbols and their names. 1; 0: they can't be read; -ENOMEM. */
static int read_symbols(ElfImage *e, Elf_Scn *section, ElfSection *ret_entries, ElfSection *ret_names) {
        int r = elf_section_read(ret_entries, e, section, ELF_T_SYM);

        if (r >= 0)
                r = elf_section_read(ret_names, e, elf_getscn(e->elf, ret_entries->header.sh_link), ELF_T_BYTE);
        return r >= 0 ? 1 : r == -ENOMEM ? r : 0;
}

/* Returns 1 if the section could be read, 0 if not. */
static int add_section(SymbolTable *t, ElfImage *e, const ElfImage *where, Elf_Scn *section) {
        _cleanup_(elf_section_done) ElfSection entries = ELF_SECTION_EMPTY, names = ELF_SECTION_EMPTY;
        int known = read_symbols(e, section, &entries, &names), r = known;
        GElf_Sym sym;

        for (size_t i = 1; r >= 0 && known > 0 && elf_section_symbol(&entries, i, &sym); i++)
                r = add_symbol(t, e, where, &names, &sym);
        return r < 0 ? r : known;
}

/* The place of the stubs, each of stub bytes, behind head bytes of the table's own. */
typedef struct Plt {
        uint64_t address, size, stub, head;
} Plt;

static bool find_plt(const ElfImage *e, Plt *ret) {
        GElf_Shdr header;

        if (e->header.e_machine != EM_X86_64 && e->header.e_machine != EM_AARCH64)
                return false;
        if (e->header.e_machine == EM_X86_64 && elf_image_section(e, ".plt.sec", &header))
                *ret = (Plt) { .address = header.sh_addr, .size = header.sh_size, .stub = 16 };
        else if (elf_image_section(e, ".plt", &header))
                *ret = (Plt) { .address = header.sh_addr, .size = header.sh_size, .stub = 16,
                               .head = e->header.e_machine == EM_AARCH64 ? 32 : 16 };
        else
                return false;
        return true;
}

static int add_stub(SymbolTable *t, const ElfImage *where, uint64_t address, const Plt *plt, const char *name) {
        char shown[512];
        uint64_t offset;
        int n;

        if (!*name || !elf_image_offset(where, address, &offset))
                return 0;
        n = snprintf(shown, sizeof(shown), "%s@plt", name);
        if (n < 0 || (size_t) n >= sizeof(shown))
                return 0;
        return symbol_table_put(t, offset, plt->stub, SYMBOL_RANK_MADE, shown, (size_t) n);
}

typedef struct PltSlot {
        uint64_t address; /* of the function's address, which the stub jumps to */
        const char *name;
        char made[32];    /* if there is none */
} PltSlot;

static int compare_slots(const void *a, const void *b) {
        const PltSlot *x = a, *y = b;

        return x->address < y->address ? -1 : x->address > y->address;
}

static bool is_chosen_when_loaded(const ElfImage *e, const GElf_Rela *rela) {
        return GELF_R_TYPE(rela->r_info) == (e->header.e_machine == EM_X86_64 ? R_X86_64_IRELATIVE : R_AARCH64_IRELATIVE);
}

/* Reads the slots of at most max stubs, in the order of their addresses. 0, -ENOMEM. */
static int read_slots(const ElfImage *e, const ElfSection *relocations, const ElfSection *entries, const ElfSection *names,
                      size_t max, PltSlot **ret, size_t *ret_n) {
        _cleanup_free_ PltSlot *slots = calloc(max + 1, sizeof(*slots));
        GElf_Rela rela;
        size_t n = 0;

        if (!slots)
                return -ENOMEM;
        for (size_t i = 0; n < max && elf_section_relocation(relocations, i, &rela); i++) {
                PltSlot *slot = slots + n++;
                GElf_Sym sym;

                slot->address = rela.r_offset;
                if (is_chosen_when_loaded(e, &rela))
                        (void) snprintf(slot->made, sizeof(slot->made), "*ABS*+0x%" PRIx64, (uint64_t) rela.r_addend);
                else if (elf_section_symbol(entries, GELF_R_SYM(rela.r_info), &sym))
                        slot->name = elf_section_string(names, sym.st_name);
        }
        qsort(slots, n, sizeof(*slots), compare_slots);
        *ret = steal_ptr(slots);
        *ret_n = n;
        return 0;
}

/* The stubs are in the order of the slots that they jump by, which need not be that of the relocations. The stub of a function that
 * is chosen when the file is loaded has the name of objdump and of newer versions of perf, "*ABS*+0x9f550@plt". */
static int add_stubs(SymbolTable *t, ElfImage *e, const ElfImage *where) {
        _cleanup_(elf_section_done) ElfSection relocations = ELF_SECTION_EMPTY, entries = ELF_SECTION_EMPTY,
                                               names = ELF_SECTION_EMPTY;
        _cleanup_free_ PltSlot *slots = NULL;
        GElf_Shdr header, symbols;
        Elf_Scn *section = elf_image_section(e, ".rela.plt", &header), *dynamic;
        size_t n = 0;
        Plt plt;
        int r;

        if (!section || !find_plt(e, &plt) || plt.size < plt.head)
                return 0;
        dynamic = elf_getscn(e->elf, header.sh_link);
        if (!dynamic || !gelf_getshdr(dynamic, &symbols) || symbols.sh_type != SHT_DYNSYM)
                return 0;
        r = elf_section_read(&relocations, e, section, ELF_T_RELA);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        r = read_symbols(e, dynamic, &entries, &names);
        if (r > 0)
                r = read_slots(e, &relocations, &entries, &names, MIN_OF((plt.size - plt.head) / plt.stub, header.sh_size),
                               &slots, &n);
        for (size_t i = 0; r >= 0 && i < n; i++)
                r = add_stub(t, where, plt.address + plt.head + i * plt.stub, &plt, slots[i].name ?: slots[i].made);
        return MIN_OF(r, 0);
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
