/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A vmlinux with symbols only, at the addresses at which the kernel runs: readers that compare its _text with the one
 * in the recording see that it was not relocated. Code before and behind .text (which ran at boot) is left out. */

#include "elf-building.h"
#include "symbol-file.h"
#include "symbol-text.h"

#define TEXT_OFFSET 0x1000u /* of .text in the file */

typedef struct Range {
        uint64_t start, end;
} Range;

static bool line_is_named(const SymbolLine *l, const char *name) {
        return !l->module && l->name_size == strlen(name) && memcmp(l->name, name, l->name_size) == 0;
}

static bool kernel_file_find_text(const char *kallsyms, size_t size, Range *ret) {
        size_t cursor = 0;
        Range r = {};
        SymbolLine l;

        while (kallsyms_next(kallsyms, size, &cursor, &l) == 1) {
                if (line_is_named(&l, "_text") || (line_is_named(&l, "_stext") && r.start == 0))
                        r.start = l.address;
                if (line_is_named(&l, "_etext"))
                        r.end = l.address;
        }
        *ret = r;
        return r.start > 0 && r.start < r.end;
}

static void kernel_file_put_line(BuiltSymbols *s, const SymbolLine *l, GElf_Half text) {
        bool local = l->type == 't';

        built_symbols_put(s, (GElf_Sym) {
                .st_value = l->address, .st_info = GELF_ST_INFO(local ? STB_LOCAL : STB_GLOBAL, STT_FUNC), .st_shndx = text,
        }, l->name, l->name_size);
}

static void put_kallsyms(BuiltSymbols *s, const char *kallsyms, size_t size, const Range *range, GElf_Half text) {
        SymbolLine l;

        for (unsigned global = 0; global < 2; global++) {
                size_t cursor = 0;

                while (kallsyms_next(kallsyms, size, &cursor, &l) == 1)
                        if (l.name_size > 0 && !l.module && symbol_line_is_code(&l) && (l.type != 't') == global &&
                            l.address >= range->start && l.address < range->end)
                                kernel_file_put_line(s, &l, text);
                if (!global)
                        built_symbols_end_local(s);
        }
}

static int add_text(ElfBuilding *b, const Range *range) {
        GElf_Shdr header = {
                .sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = range->start, .sh_offset = TEXT_OFFSET,
                .sh_size = range->end - range->start, .sh_addralign = 16,
        };

        b->segments = calloc(1, sizeof(*b->segments));
        if (!b->segments)
                return -ENOMEM;
        b->segments[b->n_segments++] = (GElf_Phdr) {
                .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = TEXT_OFFSET,
                .p_vaddr = range->start, .p_paddr = range->start, .p_filesz = header.sh_size, .p_memsz = header.sh_size,
                .p_align = 0x1000,
        };
        return elf_building_add(b, ".text", &header, NULL, ELF_T_BYTE);
}

int symbol_file_write_kernel(const char *kallsyms, size_t size, const BuildId *id, const ElfImage *like, int out, uint64_t max,
                             uint64_t *ret_size) {
        _cleanup_(elf_building_done) ElfBuilding b = {};
        _cleanup_(built_symbols_done) BuiltSymbols s = {};
        GElf_Ehdr header = like->header;
        int class = gelf_getclass(like->elf), r;
        Range range;

        if (!kernel_file_find_text(kallsyms, size, &range))
                return -ENODATA;
        r = add_text(&b, &range);
        if (r < 0)
                return r;
        built_symbols_begin(&s, class, max);
        put_kallsyms(&s, kallsyms, size, &range, (GElf_Half) r);
        r = built_symbols_add(&s, &b);
        if (r >= 0 && id->size > 0)
                r = elf_building_add_build_id(&b, id);
        if (r < 0)
                return r;
        header.e_type = ET_EXEC;
        header.e_entry = range.start;
        return elf_building_write(&b, &header, class, out, ret_size);
}
