/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Which parts of a binary go into the file of its symbols. Readers find the functions' addresses by .symtab and
 * .dynsym, and turn them into places in the mapped file by the segments (or by .text's address and offset), so these
 * keep their numbers though nothing is there. Symbols say which section they are in: that is looked up by address,
 * since a separate file of debug symbols has sections of its own numbers. perf 6.1 gives up a whole file for one
 * symbol whose section is not there, other than SHN_ABS. */

#include "symbol-file.h"

#include "elf-building.h"
#include "symbol-elf.h"
#include "symbol-text.h"

#define CODE_MAX 256u /* sections of code: each function one's own in some object files, not in what is linked */

/* The sections of code, in the file to be. */
typedef struct CodeSections {
        struct {
                uint64_t start, end;
                unsigned number;
        } code[CODE_MAX];
        size_t n;
} CodeSections;

static GElf_Half section_at(const CodeSections *c, uint64_t address) {
        for (size_t i = 0; i < c->n; i++)
                if (address >= c->code[i].start && address < c->code[i].end)
                        return (GElf_Half) c->code[i].number;
        return SHN_ABS;
}

static int add_code_section(ElfBuilding *b, CodeSections *c, const char *name, GElf_Shdr header) {
        int number;

        if (c->n >= CODE_MAX || header.sh_addr > UINT64_MAX - header.sh_size)
                return 0;
        header.sh_type = SHT_NOBITS;
        header.sh_link = header.sh_info = 0;
        if (header.sh_addralign & (header.sh_addralign - 1))
                header.sh_addralign = 1;
        number = elf_building_add(b, name, &header, NULL, ELF_T_BYTE);
        if (number < 0)
                return number;
        c->code[c->n].start = header.sh_addr;
        c->code[c->n].end = header.sh_addr + header.sh_size;
        c->code[c->n++].number = (unsigned) number;
        return 0;
}

static int add_code(ElfBuilding *b, const ElfImage *e, CodeSections *c) {
        Elf_Scn *section = NULL;
        GElf_Shdr header;
        int r = 0;

        while (r >= 0 && (section = elf_nextscn(e->elf, section)))
                if (gelf_getshdr(section, &header) && header.sh_flags & SHF_ALLOC && header.sh_flags & SHF_EXECINSTR)
                        r = add_code_section(b, c, elf_image_section_name(e, &header), header);
        return r;
}

/* Segments of what is not there any more would lead readers astray. */
static int add_segments(ElfBuilding *b, const ElfImage *e, bool noted) {
        GElf_Phdr p;
        size_t n;

        if (elf_getphdrnum(e->elf, &n) < 0 || n == 0)
                return 0;
        b->segments = calloc(n, sizeof(*b->segments));
        if (!b->segments)
                return -ENOMEM;
        for (size_t i = 0; i < n && gelf_getphdr(e->elf, (int) i, &p); i++)
                if (p.p_type == PT_LOAD || (p.p_type == PT_NOTE && noted)) {
                        noted = noted && p.p_type != PT_NOTE; /* there is one note */
                        b->segments[b->n_segments++] = p;
                }
        return 0;
}

/* The functions of .symtab, those of local names first, as they must be. */
static void collect_symbols(BuiltSymbols *s, const ElfImage *e, Elf_Data *data, const GElf_Shdr *header, const CodeSections *c,
                            int class) {
        size_t n = header->sh_entsize > 0 ? data->d_size / header->sh_entsize : 0;

        built_symbols_begin(s, class);
        for (unsigned global = 0; global < 2; global++) {
                for (size_t i = 1; i < n && i < INT32_MAX && built_symbols_error(s) == 0; i++) {
                        GElf_Sym sym;
                        const char *name;

                        if (!gelf_getsym(data, (int) i, &sym) || (GELF_ST_BIND(sym.st_info) != STB_LOCAL) != global ||
                            !elf_symbol_is_code(e, &sym))
                                continue;
                        name = elf_strptr(e->elf, header->sh_link, sym.st_name);
                        sym.st_shndx = section_at(c, sym.st_value);
                        if (name && *name && sym.st_shndx != SHN_ABS)
                                built_symbols_put(s, sym, name, strlen(name));
                }
                if (!global)
                        built_symbols_end_local(s);
        }
}

static Elf_Scn *find_symtab(const ElfImage *e, GElf_Shdr *ret) {
        Elf_Scn *section = NULL;

        while (e && (section = elf_nextscn(e->elf, section)))
                if (gelf_getshdr(section, ret) && ret->sh_type == SHT_SYMTAB)
                        return section;
        return NULL;
}

/* 1: added; 0: there is none, or it is more than room bytes. */
static int add_symtab(ElfBuilding *b, const ElfImage *e, const CodeSections *c, uint64_t room, int class) {
        GElf_Shdr header, strings;
        Elf_Scn *section = find_symtab(e, &header);
        _cleanup_(built_symbols_done) BuiltSymbols s = {};
        Elf_Data *data;

        /* Of a large table many may be no functions, so what is too much is known afterwards; what can't even be half
         * of that is not read at all. */
        if (!section || !gelf_getshdr(elf_getscn(e->elf, header.sh_link), &strings) || header.sh_size / 4 > room ||
            strings.sh_size / 4 > room)
                return 0;
        data = elf_image_data(section, &header);
        if (!data)
                return 0;
        collect_symbols(&s, e, data, &header, c, class);
        if (s.n <= 1 || built_symbols_size(&s) > room || built_symbols_error(&s) == -E2BIG)
                return 0;
        return built_symbols_add(&s, b);
}

static void *copy_of(const Elf_Data *data) {
        void *copy = malloc(data->d_size);

        return copy ? memcpy(copy, data->d_buf, data->d_size) : NULL;
}

static int add_copy(ElfBuilding *b, const char *name, const GElf_Shdr *header, const Elf_Data *data, unsigned link) {
        GElf_Shdr h = *header;
        void *copy = copy_of(data);

        if (!copy)
                return -ENOMEM;
        h.sh_link = link;
        h.sh_size = data->d_size;
        h.sh_flags = 0; /* nothing of it is where it was mapped */
        return elf_building_add(b, name, &h, copy, data->d_type);
}

/* In the form that they have in memory, which libelf offers no way to change in a copy. */
static void set_section(void *entries, int class, size_t i, GElf_Half section) {
        if (class == ELFCLASS64)
                ((Elf64_Sym *) entries)[i].st_shndx = section;
        else
                ((Elf32_Sym *) entries)[i].st_shndx = section;
}

static void place_symbols(void *entries, const ElfImage *e, Elf_Data *data, size_t n, const CodeSections *c) {
        GElf_Sym sym;

        for (size_t i = 1; i < n && i < INT32_MAX && gelf_getsym(data, (int) i, &sym); i++)
                if (sym.st_shndx != SHN_UNDEF)
                        set_section(entries, gelf_getclass(e->elf), i,
                                    elf_symbol_is_code(e, &sym) ? section_at(c, sym.st_value) : SHN_ABS);
}

/* What is exported and imported, each under the number that relocations know it by. */
static int add_dynsym(ElfBuilding *b, const ElfImage *e, Elf_Scn *section, const GElf_Shdr *header, const CodeSections *c) {
        Elf_Data *data = elf_image_data(section, header), *names;
        Elf_Scn *names_section = elf_getscn(e->elf, header->sh_link);
        size_t entry = gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT);
        GElf_Shdr names_header;
        int r, number;

        if (!data || header->sh_entsize != entry || !gelf_getshdr(names_section, &names_header) ||
            names_header.sh_type != SHT_STRTAB || !(names = elf_image_data(names_section, &names_header)))
                return 0;
        r = add_copy(b, ".dynstr", &names_header, names, 0);
        if (r < 0)
                return r;
        number = add_copy(b, ".dynsym", header, data, (unsigned) r);
        if (number > 0)
                place_symbols(b->sections[number - 1].data, e, data, data->d_size / entry, c);
        return number;
}

static int add_dynamic(ElfBuilding *b, const ElfImage *e, const CodeSections *c) {
        GElf_Shdr header, relocations;
        Elf_Scn *section = NULL, *plt;
        Elf_Data *data;
        int number = 0;

        while ((section = elf_nextscn(e->elf, section)))
                if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
                        break;
        if (section)
                number = add_dynsym(b, e, section, &header, c);
        if (number <= 0)
                return number;
        plt = elf_image_section(e, ".rela.plt", &relocations);
        data = plt ? elf_image_data(plt, &relocations) : NULL;
        if (!data || relocations.sh_link != elf_ndxscn(section))
                return 1;
        relocations.sh_info = 0;
        number = add_copy(b, ".rela.plt", &relocations, data, (unsigned) number);
        return number < 0 ? number : 1;
}

static int find_build_id(const ElfImage *e, BuildId *ret) {
        Elf_Scn *section = NULL;
        GElf_Shdr header;

        while ((section = elf_nextscn(e->elf, section))) {
                Elf_Data *data;

                if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE)
                        continue;
                data = elf_image_data(section, &header);
                if (data && build_id_from_notes(data->d_buf, data->d_size, ret) >= 0)
                        return 0;
        }
        return -ENODATA;
}

static int build(ElfBuilding *b, const ElfImage *e, const ElfImage *separate, uint64_t max, int class) {
        CodeSections code = {};
        bool any = false;
        BuildId id = {};
        int r;

        (void) find_build_id(e, &id);
        r = add_segments(b, e, id.size > 0);
        if (r >= 0)
                r = add_code(b, e, &code);
        if (r >= 0 && id.size > 0)
                r = elf_building_add_build_id(b, &id);
        if (r >= 0)
                r = add_dynamic(b, e, &code);
        any = r > 0;
        if (r >= 0 && elf_building_size(b) > max)
                return -EFBIG;
        if (r >= 0)
                r = add_symtab(b, separate, &code, max - elf_building_size(b), class);
        if (r == 0)
                r = add_symtab(b, e, &code, max - elf_building_size(b), class);
        return r < 0 ? r : r > 0 || any ? 0 : -ENODATA;
}

int symbol_file_write(const ElfImage *e, const ElfImage *separate, int out, uint64_t max, uint64_t *ret_size) {
        _cleanup_(elf_building_done) ElfBuilding b = {};
        int class = gelf_getclass(e->elf), r;

        if (class == ELFCLASSNONE || e->header.e_type == ET_REL)
                return -ENODATA;
        r = build(&b, e, separate, max, class);
        return r < 0 ? r : elf_building_write(&b, &e->header, class, out, ret_size);
}
