/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A stub jumps to the address in a slot of the file's tables, and a relocation of the slot names the function. The stubs of .plt
 * are in the order of their slots, which need not be that of the relocations. Those of .plt.got are in any order, so their code
 * tells which slot is theirs. */

#include "elf-stubs.h"

#include <endian.h>
#include <inttypes.h>

#include "array.h"

void elf_stubs_done(ElfStubs *s) {
        elf_section_done(&s->entries);
        elf_section_done(&s->names);
        free(s->stubs);
        *s = (ElfStubs) {};
}

static int add_stub(ElfStubs *s, const ElfStub *stub) {
        if (s->n >= ELF_STUBS_MAX)
                return 0;
        if (ARRAY_RESERVE(s->stubs, s->allocated, s->n + 1) < 0)
                return -ENOMEM;
        s->stubs[s->n++] = *stub;
        return 0;
}

static int compare_slots(const void *a, const void *b) {
        const ElfStub *x = a, *y = b;

        return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* Says which function the relocation puts into the slot; false: none. */
static bool name_stub(ElfStub *stub, const ElfImage *e, const GElf_Rela *rela) {
        bool x86 = e->header.e_machine == EM_X86_64;
        uint64_t type = GELF_R_TYPE(rela->r_info);

        stub->slot = rela->r_offset;
        if (type == (x86 ? R_X86_64_IRELATIVE : R_AARCH64_IRELATIVE)) {
                stub->chooser = (uint64_t) rela->r_addend;
                return true;
        }
        stub->symbol = GELF_R_SYM(rela->r_info);
        return type == (x86 ? R_X86_64_JUMP_SLOT : R_AARCH64_JUMP_SLOT) || type == (x86 ? R_X86_64_GLOB_DAT : R_AARCH64_GLOB_DAT);
}

/* Reads the relocations of a section that are about .dynsym, and that. 1; 0: there are none; -ENOMEM. */
static int read_relocations(ElfStubs *s, ElfImage *e, const char *name, ElfSection *ret) {
        GElf_Shdr header, symbols;
        Elf_Scn *section = elf_image_section(e, name, &header), *dynamic = section ? elf_getscn(e->elf, header.sh_link) : NULL;
        int r;

        if (!dynamic || !gelf_getshdr(dynamic, &symbols) || symbols.sh_type != SHT_DYNSYM)
                return 0;
        r = elf_section_read(ret, e, section, ELF_T_RELA);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        return s->entries.data ? 1 : elf_symbols_read(&s->entries, &s->names, e, dynamic);
}

/* The stubs of a .plt, each of stub bytes, behind head bytes of the table's own. */
typedef struct Plt {
        uint64_t address, size, stub, head;
} Plt;

static bool find_plt(const ElfImage *e, Plt *ret) {
        GElf_Shdr header;

        if (e->header.e_machine == EM_X86_64 && elf_image_section(e, ".plt.sec", &header))
                *ret = (Plt) { .address = header.sh_addr, .size = header.sh_size, .stub = 16 };
        else if (elf_image_section(e, ".plt", &header))
                *ret = (Plt) { .address = header.sh_addr, .size = header.sh_size, .stub = 16,
                               .head = e->header.e_machine == EM_AARCH64 ? 32 : 16 };
        else
                return false;
        return ret->size >= ret->head;
}

static int read_plt(ElfStubs *s, ElfImage *e) {
        _cleanup_(elf_section_done) ElfSection relocations = ELF_SECTION_EMPTY;
        size_t first = s->n;
        GElf_Rela rela;
        Plt plt;
        int r = find_plt(e, &plt) ? read_relocations(s, e, ".rela.plt", &relocations) : 0;

        if (r <= 0)
                return r;
        for (size_t i = 0; r >= 0 && i < (plt.size - plt.head) / plt.stub && elf_section_relocation(&relocations, i, &rela); i++) {
                ElfStub stub = { .size = plt.stub };

                if (!name_stub(&stub, e, &rela))
                        stub.symbol = 0; /* it takes a place, though its name is not known */
                r = add_stub(s, &stub);
        }
        if (s->n > first)
                qsort(s->stubs + first, s->n - first, sizeof(*s->stubs), compare_slots);
        for (size_t i = first; i < s->n; i++)
                s->stubs[i].address = plt.address + plt.head + (i - first) * plt.stub;
        return r;
}

/* Returns whether the code of a stub of .plt.got begins there: "jmp *slot(%rip)", maybe behind endbr64 and a bnd prefix. */
static bool decode_stub(const uint8_t *code, size_t size, uint64_t address, ElfStub *ret) {
        static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
        size_t i = size >= sizeof(endbr64) && memcmp(code, endbr64, sizeof(endbr64)) == 0 ? sizeof(endbr64) : 0;
        int32_t distance;

        ret->address = address;
        ret->size = i > 0 ? 16 : 8;
        i += i < size && code[i] == 0xf2;
        if (size < i + 6 || code[i] != 0xff || code[i + 1] != 0x25)
                return false;
        memcpy(&distance, code + i + 2, sizeof(distance));
        ret->slot = address + i + 6 + (uint64_t) (int64_t) (int32_t) le32toh((uint32_t) distance);
        return true;
}

static int decode_stubs(ElfStubs *s, const ElfSection *code) {
        uint64_t size = code->header.sh_entsize;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < code->size;) {
                ElfStub stub = {};
                bool found = decode_stub(code->data + i, code->size - i, code->header.sh_addr + i, &stub);

                if (size == 8 || size == 16)
                        stub.size = size;
                if (found)
                        r = add_stub(s, &stub);
                i += stub.size;
        }
        return r;
}

static bool stubs_is_named(const ElfStub *stub) {
        return stub->symbol > 0 || stub->chooser > 0;
}

/* Several stubs may jump by one slot, whose first relocation counts. Those whose slot has none are removed. */
static void name_decoded(ElfStubs *s, size_t first, const ElfImage *e, const ElfSection *relocations) {
        size_t n = first;
        GElf_Rela rela;

        for (size_t i = 0; elf_section_relocation(relocations, i, &rela); i++) {
                ElfStub named = {};
                size_t k = first + LOWER_BOUND(s->n - first, j, s->stubs[first + j].slot < rela.r_offset);

                if (!name_stub(&named, e, &rela) || !stubs_is_named(&named))
                        continue;
                for (; k < s->n && s->stubs[k].slot == rela.r_offset && !stubs_is_named(s->stubs + k); k++) {
                        s->stubs[k].symbol = named.symbol;
                        s->stubs[k].chooser = named.chooser;
                }
        }
        for (size_t i = first; i < s->n; i++)
                if (stubs_is_named(s->stubs + i))
                        s->stubs[n++] = s->stubs[i];
        s->n = n;
}

int elf_stubs_read_got(ElfStubs *s, ElfImage *e) {
        _cleanup_(elf_section_done) ElfSection code = ELF_SECTION_EMPTY, relocations = ELF_SECTION_EMPTY;
        size_t first = s->n;
        GElf_Shdr header;
        Elf_Scn *section = e->header.e_machine == EM_X86_64 ? elf_image_section(e, ".plt.got", &header) : NULL;
        int r;

        if (!section)
                return 0;
        r = elf_section_read(&code, e, section, ELF_T_BYTE);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        r = decode_stubs(s, &code);
        if (r < 0 || s->n == first)
                return r;
        r = read_relocations(s, e, ".rela.dyn", &relocations);
        qsort(s->stubs + first, s->n - first, sizeof(*s->stubs), compare_slots);
        name_decoded(s, first, e, &relocations);
        return MIN_OF(r, 0);
}

static int read_noted(ElfStubs *s, ElfImage *e) {
        _cleanup_(elf_section_done) ElfSection noted = ELF_SECTION_EMPTY;
        GElf_Rela rela;
        int r = read_relocations(s, e, ELF_STUBS_NOTED, &noted);

        for (size_t i = 0; r > 0 && elf_section_relocation(&noted, i, &rela); i++)
                if (add_stub(s, &(ElfStub) { .address = rela.r_offset, .size = (uint64_t) rela.r_addend,
                                             .symbol = GELF_R_SYM(rela.r_info) }) < 0)
                        return -ENOMEM;
        return MIN_OF(r, 0);
}

int elf_stubs_read(ElfStubs *s, ElfImage *e) {
        int r = 0;

        if (e->header.e_machine == EM_X86_64 || e->header.e_machine == EM_AARCH64)
                r = read_plt(s, e);
        if (r >= 0)
                r = elf_stubs_read_got(s, e);
        return r < 0 ? r : read_noted(s, e);
}

bool elf_stub_name(const ElfStubs *s, size_t i, char name[static ELF_STUB_NAME_MAX]) {
        const ElfStub *stub = s->stubs + i;
        const char *function = NULL;
        GElf_Sym sym;
        int n;

        if (stub->chooser > 0)
                n = snprintf(name, ELF_STUB_NAME_MAX, "*ABS*+0x%" PRIx64 "@plt", stub->chooser);
        else {
                if (stub->symbol > 0 && elf_section_symbol(&s->entries, stub->symbol, &sym))
                        function = elf_section_string(&s->names, sym.st_name);
                n = function && *function ? snprintf(name, ELF_STUB_NAME_MAX, "%s@plt", function) : -1;
        }
        return n >= 0 && (size_t) n < ELF_STUB_NAME_MAX;
}
