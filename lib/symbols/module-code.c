/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Only relocations with addends are known, which x86-64 and arm64 have. The processor counts distances from the end of the
 * instruction, relocations of x86-64 from the field: the rest of the instruction is left to the user, who knows where it ends. */

#include "module-code.h"

#include "array.h"
#include "fd-file.h"
#include "module-layout.h"
#include "utf8.h"

#define NAME_BYTES_MAX 512u

typedef struct Reading {
        ModuleCode *code;
        ElfImage *image;
        const ModuleLayout *layout;
        uint64_t start;          /* of the code in its section */
        size_t size;
        ElfSection symbols, names;
} Reading;

static bool is_relative(unsigned machine, uint64_t type) {
        switch (type) {
        case R_X86_64_PC32:
        case R_X86_64_PLT32:
        case R_X86_64_PC64:
        case R_X86_64_GOTPCREL:
        case R_X86_64_GOTPCRELX:
        case R_X86_64_REX_GOTPCRELX:
                return machine == EM_X86_64;
        default:
                return false;
        }
}

/* Returns a new string; NULL: it has no name, or there is no memory. */
static char *name_of(const Reading *r, const GElf_Sym *symbol) {
        const char *name = elf_section_string(&r->names, symbol->st_name);
        GElf_Shdr header;

        if ((!name || !*name) && GELF_ST_TYPE(symbol->st_info) == STT_SECTION) {
                Elf_Scn *section = elf_getscn(r->image->elf, symbol->st_shndx);

                name = section && gelf_getshdr(section, &header) ? elf_image_section_name(r->image, &header) : NULL;
        }
        return name && *name ? utf8_line(name, SIZE_MAX, NAME_BYTES_MAX) : NULL;
}

static int add_reference(Reading *r, const GElf_Rela *relocation) {
        ModuleReference reference = {
                .offset = relocation->r_offset - r->start,
                .relative = is_relative(r->image->header.e_machine, GELF_R_TYPE(relocation->r_info)),
        };
        ModuleCode *c = r->code;
        GElf_Sym symbol;

        if (!elf_section_symbol(&r->symbols, GELF_R_SYM(relocation->r_info), &symbol) || c->n >= MODULE_REFERENCES_MAX)
                return 0;
        if (ARRAY_RESERVE(c->references, c->allocated, c->n + 1) < 0)
                return -ENOMEM;
        if (!module_layout_offset(r->layout, symbol.st_shndx, symbol.st_value, &reference.value)) {
                reference.name = name_of(r, &symbol);
                if (!reference.name)
                        return 0;
        }
        reference.value += (uint64_t) relocation->r_addend;
        c->references[c->n++] = reference;
        return 0;
}

static int compare_references(const void *a, const void *b) {
        const ModuleReference *x = a, *y = b;

        return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Takes the relocations of a section that are of the code. */
static int take_relocations(Reading *r, Elf_Scn *section) {
        _cleanup_(elf_section_done) ElfSection entries = ELF_SECTION_EMPTY;
        GElf_Rela relocation;
        int q = elf_section_read(&entries, r->image, section, ELF_T_RELA);

        if (q < 0)
                return q == -ENODATA ? 0 : q;
        for (size_t i = 0; q >= 0 && elf_section_relocation(&entries, i, &relocation); i++)
                if (relocation.r_offset >= r->start && relocation.r_offset - r->start < r->size)
                        q = add_reference(r, &relocation);
        return q;
}

static int read_symbols(Reading *r, size_t number) {
        Elf_Scn *section = elf_getscn(r->image->elf, number);
        GElf_Shdr header;
        int q;

        if (!section || !gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
                return -EBADMSG;
        q = elf_section_read(&r->symbols, r->image, section, ELF_T_SYM);
        return q < 0 ? q : elf_section_read(&r->names, r->image, elf_getscn(r->image->elf, header.sh_link), ELF_T_BYTE);
}

static int read_references(Reading *r, size_t of) {
        Elf_Scn *section = NULL;
        GElf_Shdr header;
        int q = 0;

        while (q >= 0 && (section = elf_nextscn(r->image->elf, section))) {
                if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || header.sh_info != of)
                        continue;
                if (!r->symbols.data)
                        q = read_symbols(r, header.sh_link);
                if (q >= 0)
                        q = take_relocations(r, section);
        }
        if (r->code->n > 0)
                qsort(r->code->references, r->code->n, sizeof(*r->code->references), compare_references);
        return q;
}

static int read_bytes(Reading *r, size_t section) {
        Elf_Scn *scn = elf_getscn(r->image->elf, section);
        GElf_Shdr header;

        if (!scn || !gelf_getshdr(scn, &header) || header.sh_type != SHT_PROGBITS || header.sh_offset > INT64_MAX - header.sh_size)
                return -ENODATA; /* a separate file has debug information only */
        r->code->bytes = malloc(r->size);
        return r->code->bytes ? pread_exactly(r->image->fd, header.sh_offset + r->start, r->code->bytes, r->size) : -ENOMEM;
}

int module_code_read(ModuleCode *c, ElfImage *e, uint64_t mapped, uint64_t offset, size_t size) {
        _cleanup_(module_layout_freep) ModuleLayout *layout = NULL;
        Reading r = { .code = c, .image = e, .size = size };
        size_t section;
        int q;

        *c = (ModuleCode) {};
        q = module_layout_new(e, mapped, &layout);
        if (q < 0)
                return q;
        r.layout = layout;
        if (size == 0 || !module_layout_section(layout, offset, size, &section, &r.start))
                return -ENODATA;
        q = read_bytes(&r, section);
        if (q >= 0)
                q = read_references(&r, section);
        elf_section_done(&r.symbols);
        elf_section_done(&r.names);
        return q;
}

void module_code_done(ModuleCode *c) {
        for (size_t i = 0; i < c->n; i++)
                free(c->references[i].name);
        free(c->references);
        free(c->bytes);
        *c = (ModuleCode) {};
}
