/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Selects the parts of a binary that go into the file of its symbols. Readers find the functions' addresses by .symtab
 * and .dynsym, and turn them into offsets in the mapped file by the segments (or by .text's address and offset), so
 * these keep their numbers though they have no contents. The section of a symbol is looked up by its address, since a
 * separate file of debug symbols numbers its sections differently. A binary without .symtab keeps its unwinding rules,
 * by which its functions can be told apart. Labels within functions are left out, since other readers would take them
 * for functions. perf 6.1 gives up a whole file for one symbol whose section is missing, other than SHN_ABS. */

#include "symbol-file.h"

#include "array.h"
#include "elf-build-id.h"
#include "elf-building.h"
#include "elf-stubs.h"
#include "symbol-elf.h"

#define CODE_MAX 256u /* sections of code: only object files may have one for each function */

/* The sections of code in the new file. */
typedef struct CodeSections {
        struct {
                uint64_t start, end;
                unsigned number;
        } code[CODE_MAX];
        size_t n;
} CodeSections;

static GElf_Half code_section_at(const CodeSections *c, uint64_t address) {
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

/* Segments of contents that are left out would mislead readers. */
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
                        noted = noted && p.p_type != PT_NOTE; /* only one note is written */
                        b->segments[b->n_segments++] = p;
                }
        return 0;
}

/* Returns the error of symbol_file_write() for one of reading a table's sections. */
static int table_fault(int error) {
        return error == -ENOMEM ? error : error == -EFBIG ? -E2BIG : -EBADMSG;
}

/* Remembers the first fault of a table in *fault and returns 0, since the file may have another one; otherwise r. */
static int note_fault(int r, int *fault) {
        if (r != -E2BIG && r != -EBADMSG)
                return r;
        *fault = *fault < 0 ? *fault : r;
        return 0;
}

typedef struct FunctionRange {
        uint64_t start, end;
} FunctionRange;

/* The functions of a table that have a size, in the order of their starts; each ends where the last of it and those before it does.
 * Few tables have labels, and no others need it. */
typedef struct FunctionRanges {
        FunctionRange *ranges; /* NULL: not collected */
        size_t n;
} FunctionRanges;

static int file_compare_ranges(const void *a, const void *b) {
        const FunctionRange *x = a, *y = b;

        return x->start < y->start ? -1 : x->start > y->start;
}

static int collect_ranges(FunctionRanges *f, const ElfImage *e, const ElfSection *entries) {
        GElf_Sym sym;

        f->ranges = calloc(entries->size / gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT) + 1, sizeof(*f->ranges));
        if (!f->ranges)
                return -ENOMEM;
        for (size_t i = 1; elf_section_symbol(entries, i, &sym); i++)
                if (elf_symbol_is_code(e, &sym) && elf_symbol_rank(&sym) > SYMBOL_RANK_UNTYPED && sym.st_size > 0 &&
                    sym.st_size <= UINT64_MAX - sym.st_value)
                        f->ranges[f->n++] = (FunctionRange) { .start = sym.st_value, .end = sym.st_value + sym.st_size };
        qsort(f->ranges, f->n, sizeof(*f->ranges), file_compare_ranges);
        for (size_t i = 1; i < f->n; i++)
                f->ranges[i].end = MAX_OF(f->ranges[i].end, f->ranges[i - 1].end);
        return 0;
}

/* Returns 1 for a name within a function. */
static int symbol_is_label(FunctionRanges *f, const ElfImage *e, const ElfSection *entries, const GElf_Sym *sym) {
        size_t behind;
        int r = 0;

        if (elf_symbol_rank(sym) != SYMBOL_RANK_UNTYPED)
                return 0;
        if (!f->ranges)
                r = collect_ranges(f, e, entries);
        if (r < 0)
                return r;
        behind = LOWER_BOUND(f->n, k, f->ranges[k].start <= sym->st_value);
        return behind > 0 && sym->st_value < f->ranges[behind - 1].end;
}

/* Collects the functions of .symtab, local ones first, as ELF requires. *ret_fault is the error if functions
 * were left out, 0 if none was. 0, -ENOMEM. */
static int collect_symbols(BuiltSymbols *s, const ElfImage *e, const ElfSection *entries, const ElfSection *names,
                           const CodeSections *c, int *ret_fault) {
        FunctionRanges functions = {};
        int r = 0;

        *ret_fault = 0;
        for (unsigned global = 0; global < 2; global++) {
                GElf_Sym sym;

                for (size_t i = 1; r >= 0 && built_symbols_error(s) == 0 && elf_section_symbol(entries, i, &sym); i++) {
                        const char *name;

                        if ((GELF_ST_BIND(sym.st_info) != STB_LOCAL) != global || !elf_symbol_is_code(e, &sym))
                                continue;
                        r = symbol_is_label(&functions, e, entries, &sym);
                        if (r != 0)
                                continue;
                        sym.st_shndx = code_section_at(c, sym.st_value);
                        name = sym.st_shndx != SHN_ABS ? elf_section_string(names, sym.st_name) : NULL;
                        if (name && *name)
                                built_symbols_put(s, sym, name, strlen(name));
                        else if (!name)
                                (void) note_fault(sym.st_shndx != SHN_ABS && sym.st_name < names->size ? -E2BIG : -EBADMSG,
                                                  ret_fault);
                }
                if (!global)
                        built_symbols_end_local(s);
        }
        free(functions.ranges);
        return MIN_OF(r, 0);
}

/* Returns 1: added; 0: there is none, or it is empty; -E2BIG: it is larger than room bytes, or its names are too long;
 * -EBADMSG: it is broken. */
static int add_symtab(ElfBuilding *b, ElfImage *e, const CodeSections *c, uint64_t room, int class) {
        _cleanup_(elf_section_done) ElfSection entries = ELF_SECTION_EMPTY, names = ELF_SECTION_EMPTY;
        _cleanup_(built_symbols_done) BuiltSymbols s = {};
        GElf_Shdr header, strings;
        Elf_Scn *section = e ? elf_image_section_of_type(e, SHT_SYMTAB, &header) : NULL, *strings_section;
        int r, fault;

        if (!section || header.sh_size == 0)
                return 0;
        /* Many symbols of a large table may not be functions, so the size is known afterwards; a table that is too
         * large even if half of it were left out is not read at all. */
        strings_section = elf_getscn(e->elf, header.sh_link);
        if (!gelf_getshdr(strings_section, &strings))
                return -EBADMSG;
        if (header.sh_size / 4 > room || strings.sh_size / 4 > room - header.sh_size / 4)
                return -E2BIG;
        r = elf_section_read(&entries, e, section, ELF_T_SYM);
        if (r >= 0)
                r = elf_section_read(&names, e, strings_section, ELF_T_BYTE);
        if (r < 0)
                return table_fault(r);
        built_symbols_begin(&s, class, room);
        r = collect_symbols(&s, e, &entries, &names, c, &fault);
        if (r < 0)
                return r;
        if (built_symbols_error(&s) == -EFBIG)
                return -E2BIG;
        if (s.n <= 1)
                return fault;
        return built_symbols_add(&s, b);
}

/* Moves a section that was read into the new file. */
static int add_read_section(ElfBuilding *b, const char *name, ElfSection *s, unsigned link, Elf_Type type) {
        GElf_Shdr h = s->header;

        h.sh_link = link;
        h.sh_size = s->size;
        h.sh_flags = 0; /* it is not loaded any more */
        return elf_building_add(b, name, &h, steal_ptr(s->data), type);
}

/* Changes entries in memory, for which libelf has no function. */
static void elf_symbols_place(ElfSection *entries, const ElfImage *e, const CodeSections *c) {
        GElf_Sym sym;

        for (size_t i = 1; elf_section_symbol(entries, i, &sym); i++) {
                if (sym.st_shndx == SHN_UNDEF)
                        continue;
                sym.st_shndx = elf_symbol_is_code(e, &sym) ? code_section_at(c, sym.st_value) : SHN_ABS;
                if (entries->class == ELFCLASS64)
                        ((Elf64_Sym *) entries->data)[i].st_shndx = sym.st_shndx;
                else
                        ((Elf32_Sym *) entries->data)[i].st_shndx = sym.st_shndx;
        }
}

/* Adds the exported and imported symbols, with the numbers by which relocations refer to them. Errors as of
 * add_symtab(); -EFBIG: larger than max bytes. */
static int add_dynsym(ElfBuilding *b, ElfImage *e, Elf_Scn *section, const GElf_Shdr *header, const CodeSections *c,
                      uint64_t max) {
        _cleanup_(elf_section_done) ElfSection entries = ELF_SECTION_EMPTY, names = ELF_SECTION_EMPTY;
        Elf_Scn *names_section = elf_getscn(e->elf, header->sh_link);
        GElf_Shdr names_header;
        int r;

        if (header->sh_entsize != gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT) || !gelf_getshdr(names_section, &names_header) ||
            names_header.sh_type != SHT_STRTAB)
                return -EBADMSG;
        if (header->sh_size > max || names_header.sh_size > max - header->sh_size)
                return -EFBIG;
        r = elf_section_read(&entries, e, section, ELF_T_SYM);
        if (r >= 0)
                r = elf_section_read(&names, e, names_section, ELF_T_BYTE);
        if (r < 0)
                return table_fault(r);
        elf_symbols_place(&entries, e, c);
        r = add_read_section(b, ".dynstr", &names, 0, ELF_T_BYTE);
        return r < 0 ? r : add_read_section(b, ".dynsym", &entries, (unsigned) r, ELF_T_SYM);
}

static int add_plt(ElfBuilding *b, ElfImage *e, unsigned dynsym, size_t original_dynsym, uint64_t max) {
        _cleanup_(elf_section_done) ElfSection plt = ELF_SECTION_EMPTY;
        GElf_Shdr header;
        Elf_Scn *section = elf_image_section(e, ".rela.plt", &header);
        int r;

        if (!section || header.sh_link != original_dynsym || elf_building_size(b) > max ||
            header.sh_size > max - elf_building_size(b))
                return 0;
        r = elf_section_read(&plt, e, section, ELF_T_RELA);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        plt.header.sh_info = 0;
        return add_read_section(b, ".rela.plt", &plt, dynsym, ELF_T_RELA);
}

/* Adds the names of the stubs that only their code tells, which is left out. */
static int add_noted_stubs(ElfBuilding *b, ElfImage *e, unsigned dynsym, uint64_t max) {
        _cleanup_(elf_stubs_done) ElfStubs stubs = {};
        GElf_Shdr header = { .sh_type = SHT_RELA, .sh_link = dynsym, .sh_addralign = 8, .sh_entsize = sizeof(Elf64_Rela) };
        int r = gelf_getclass(e->elf) == ELFCLASS64 ? elf_stubs_read_got(&stubs, e) : 0;
        Elf64_Rela *noted;

        header.sh_size = stubs.n * sizeof(*noted);
        if (r < 0 || stubs.n == 0 || elf_building_size(b) > max || header.sh_size > max - elf_building_size(b))
                return r;
        noted = calloc(stubs.n, sizeof(*noted));
        if (!noted)
                return -ENOMEM;
        for (size_t i = 0; i < stubs.n; i++)
                noted[i] = (Elf64_Rela) {
                        .r_offset = stubs.stubs[i].address, .r_info = ELF64_R_INFO(stubs.stubs[i].symbol, R_X86_64_GLOB_DAT),
                        .r_addend = (Elf64_Sxword) stubs.stubs[i].size,
                };
        return elf_building_add(b, ELF_STUBS_NOTED, &header, noted, ELF_T_RELA);
}

/* 1; 0: there is no .dynsym; errors as of add_dynsym(). */
static int add_dynamic(ElfBuilding *b, ElfImage *e, const CodeSections *c, uint64_t max) {
        GElf_Shdr header;
        Elf_Scn *section = elf_image_section_of_type(e, SHT_DYNSYM, &header);
        int number = section ? add_dynsym(b, e, section, &header, c, max) : 0, r;

        if (number <= 0)
                return number;
        r = add_plt(b, e, (unsigned) number, elf_ndxscn(section), max);
        if (r >= 0)
                r = add_noted_stubs(b, e, (unsigned) number, max);
        return r < 0 ? r : 1;
}

/* Adds a section as it is, if there is room for it. 1; 0: it is missing, broken or too large. */
static int add_whole(ElfBuilding *b, ElfImage *e, const char *name, uint64_t max) {
        _cleanup_(elf_section_done) ElfSection s = ELF_SECTION_EMPTY;
        GElf_Shdr header;
        Elf_Scn *section = elf_image_section(e, name, &header);
        int r;

        if (!section || header.sh_size > max || elf_building_size(b) > max - header.sh_size)
                return 0;
        r = elf_section_read(&s, e, section, ELF_T_BYTE);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        s.header.sh_type = SHT_PROGBITS;
        s.header.sh_info = 0;
        s.header.sh_entsize = 0;
        s.header.sh_addralign = 1;
        r = add_read_section(b, name, &s, 0, ELF_T_BYTE);
        return r < 0 ? r : 1;
}

/* Adds what names functions without .symtab: a small one, compressed, and where functions begin. 1, 0 or -ENOMEM. */
static int add_starts(ElfBuilding *b, ElfImage *e, uint64_t max) {
        static const char *const sections[] = { ".gnu_debugdata", ".eh_frame", ".eh_frame_hdr" };
        bool any = false;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(sections); i++) {
                r = add_whole(b, e, sections[i], max);
                any = any || r > 0;
        }
        return r < 0 ? r : any;
}

static int symbol_file_build(ElfBuilding *b, ElfImage *e, ElfImage *separate, uint64_t max, int class) {
        CodeSections code = {};
        bool any = false;
        BuildId id = {};
        int r, fault = 0;

        if (build_id_of_fd(e->fd, &id) < 0)
                id.size = 0;
        r = add_segments(b, e, id.size > 0);
        if (r >= 0)
                r = add_code(b, e, &code);
        if (r >= 0 && id.size > 0)
                r = elf_building_add_build_id(b, &id);
        if (r >= 0)
                r = note_fault(add_dynamic(b, e, &code, max), &fault);
        any = r > 0;
        if (r >= 0 && elf_building_size(b) > max)
                return -EFBIG;
        if (r >= 0)
                r = note_fault(add_symtab(b, separate, &code, max - elf_building_size(b), class), &fault);
        if (r == 0)
                r = note_fault(add_symtab(b, e, &code, max - elf_building_size(b), class), &fault);
        if (r == 0)
                r = add_starts(b, e, max);
        return r < 0 ? r : r > 0 || any ? 0 : fault < 0 ? fault : -ENODATA;
}

int symbol_file_write(ElfImage *e, ElfImage *separate, int out, uint64_t max, uint64_t *ret_size) {
        _cleanup_(elf_building_done) ElfBuilding b = {};
        int class = gelf_getclass(e->elf), r;

        if (class == ELFCLASSNONE || e->header.e_type == ET_REL)
                return -ENODATA;
        r = symbol_file_build(&b, e, separate, max, class);
        return r < 0 ? r : elf_building_write(&b, &e->header, class, out, ret_size);
}
