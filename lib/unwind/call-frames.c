/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libdw interprets the tables. It would read all of a file that has them, whatever its size, so it is given another
 * one in memory, which
 * has only the sections that it needs, within the limits of elf-image.h.
 *
 * .eh_frame_hdr, if it is there, is a table for binary search; otherwise libdw reads .eh_frame up to the address, and
 * remembers what it
 * has seen.
 *
 * It makes room for each register that a table names, whose number may be any. So it gets a limit of memory for the time of a
 * call. */

#include "call-frames.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "process-limits.h"

/* One table, in a file of its own. */
typedef struct FrameTable {
        uint8_t *file;
        Elf *elf;
        Dwarf *dwarf;
        Dwarf_CFI *cfi;
} FrameTable;

enum { TABLE_EH, TABLE_DEBUG, TABLE_MAX };

struct CallFrames {
        FrameTable tables[TABLE_MAX];
        uint64_t used; /* of this process's memory, when it was looked at last */
};

#define MEMORY_MAX (UINT64_C(128) << 20) /* of a call */

static void frame_table_done(FrameTable *t) {
        if (t->cfi && !t->dwarf)
                (void) dwarf_cfi_end(t->cfi);
        if (t->dwarf)
                (void) dwarf_end(t->dwarf);
        if (t->elf)
                (void) elf_end(t->elf);
        free(t->file);
        *t = (FrameTable) {};
}

CallFrames *call_frames_free(CallFrames *f) {
        if (!f)
                return NULL;
        for (size_t i = 0; i < TABLE_MAX; i++)
                frame_table_done(f->tables + i);
        free(f);
        return NULL;
}

/* The file: header, contents of the sections, their names, their headers. */
#define NAMES_EH "\0.eh_frame_hdr\0.eh_frame\0.shstrtab"
#define NAMES_DEBUG "\0.debug_frame\0.shstrtab"
#define SECTIONS_MAX 2u

typedef struct FrameSections {
        ElfSection sections[SECTIONS_MAX];
        size_t n;
        const char *names;
        size_t names_size;
} FrameSections;

static void frame_sections_done(FrameSections *s) {
        for (size_t i = 0; i < s->n; i++)
                elf_section_done(s->sections + i);
}

/* 1; 0: the file has no such section, or above the limits. */
static int add_section(FrameSections *s, ElfImage *e, const char *name) {
        GElf_Shdr header;
        Elf_Scn *section = elf_image_section(e, name, &header);
        int r;

        if (!section || header.sh_flags & SHF_COMPRESSED)
                return 0;
        r = elf_section_read(s->sections + s->n, e, section, ELF_T_BYTE);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        s->sections[s->n++].header.sh_name = (GElf_Word) ((const char *) memmem(s->names, s->names_size, name, strlen(name) + 1) -
                                                            s->names);
        return 1;
}

static int frame_table_build(FrameTable *t, const FrameSections *s) {
        size_t size = sizeof(Elf64_Ehdr), n = s->n + 2, at = sizeof(Elf64_Ehdr);
        Elf64_Ehdr *header;
        Elf64_Shdr *headers;

        for (size_t i = 0; i < s->n; i++)
                size += (s->sections[i].size + 7) & ~(size_t) 7;
        size += (s->names_size + 7) & ~(size_t) 7;
        t->file = calloc(1, size + n * sizeof(*headers));
        if (!t->file)
                return -ENOMEM;
        header = (Elf64_Ehdr *) t->file;
        headers = (Elf64_Shdr *) (t->file + size);
        *header = (Elf64_Ehdr) {
                .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
                .e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_shoff = size, .e_ehsize = sizeof(*header),
                .e_shentsize = sizeof(*headers), .e_shnum = (uint16_t) n, .e_shstrndx = (uint16_t) (n - 1),
        };
        for (size_t i = 0; i < s->n; i++) {
                const ElfSection *section = s->sections + i;

                headers[i + 1] = (Elf64_Shdr) {
                        .sh_name = section->header.sh_name, .sh_type = SHT_PROGBITS,
                        .sh_flags = section->header.sh_flags & SHF_ALLOC,
                        .sh_addr = section->header.sh_addr, .sh_offset = at, .sh_size = section->size, .sh_addralign = 8,
                };
                memcpy(t->file + at, section->data, section->size);
                at += (section->size + 7) & ~(size_t) 7;
        }
        headers[n - 1] = (Elf64_Shdr) {
                .sh_name = (uint32_t) (s->names_size - sizeof(".shstrtab")), .sh_type = SHT_STRTAB, .sh_offset = at,
                .sh_size = s->names_size, .sh_addralign = 1,
        };
        memcpy(t->file + at, s->names, s->names_size);
        t->elf = elf_memory((char *) t->file, size + n * sizeof(*headers));
        return t->elf ? 0 : -ENODATA;
}

/* 1; 0: there is no such table. */
static int frame_table_open(FrameTable *t, ElfImage *e, bool debug) {
        _cleanup_(frame_sections_done) FrameSections s = {
                .names = debug ? NAMES_DEBUG : NAMES_EH, .names_size = debug ? sizeof(NAMES_DEBUG) : sizeof(NAMES_EH),
        };
        int r = debug ? 0 : add_section(&s, e, ".eh_frame_hdr");

        if (r >= 0)
                r = add_section(&s, e, debug ? ".debug_frame" : ".eh_frame");
        if (r <= 0)
                return r;
        r = frame_table_build(t, &s);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        if (debug) {
                t->dwarf = dwarf_begin_elf(t->elf, DWARF_C_READ, NULL);
                t->cfi = t->dwarf ? dwarf_getcfi(t->dwarf) : NULL;
        } else
                t->cfi = dwarf_getcfi_elf(t->elf);
        return t->cfi != NULL;
}

int call_frames_new(ElfImage *e, CallFrames **ret) {
        _cleanup_call_frames_free_ CallFrames *f = calloc(1, sizeof(*f));
        int n = 0;

        if (!f)
                return -ENOMEM;
        if (e->header.e_machine != EM_X86_64 || e->header.e_ident[EI_CLASS] != ELFCLASS64 ||
            e->header.e_ident[EI_DATA] != ELFDATA2LSB)
                return -ENODATA;
        for (size_t i = 0; i < TABLE_MAX; i++) {
                int r = frame_table_open(f->tables + i, e, i == TABLE_DEBUG);

                if (r < 0)
                        return r;
                n += r;
        }
        if (n == 0)
                return -ENODATA;
        *ret = steal_ptr(f);
        return 0;
}

/* The operation that begins at that byte of the expression; a branch may lead to its end. False: none does. */
static bool find_target(const Dwarf_Op *ops, size_t n, int64_t offset, uint64_t *ret) {
        for (size_t i = 0; i < n; i++)
                if ((int64_t) ops[i].offset == offset) {
                        *ret = i;
                        return true;
                }
        *ret = n;
        return n > 0 && offset > (int64_t) ops[n - 1].offset;
}

/* Copies an expression. 1; 0: it is too long, or broken; -ENOMEM. */
static int add_operations(UnwindFrame *f, UnwindValue *v, const Dwarf_Op *ops, size_t n) {
        UnwindOperation *larger;

        if (n == 0 || n > UNWIND_OPERATIONS_MAX - f->n_operations)
                return 0;
        larger = reallocarray(f->operations, f->n_operations + n, sizeof(*larger));
        if (!larger)
                return -ENOMEM;
        f->operations = larger;
        v->first = (uint16_t) f->n_operations;
        v->n = (uint16_t) n;
        for (size_t i = 0; i < n; i++) {
                UnwindOperation *o = larger + f->n_operations++;

                *o = (UnwindOperation) { .atom = ops[i].atom, .number = ops[i].number, .number2 = ops[i].number2 };
                if ((o->atom == DW_OP_skip || o->atom == DW_OP_bra) &&
                    !find_target(ops, n, (int64_t) ops[i].offset + 3 + (int16_t) ops[i].number, &o->number))
                        return 0;
        }
        return 1;
}

/* 1, 0 (there is no rule), -ENOMEM. */
static int read_cfa(Dwarf_Frame *frame, UnwindFrame *f) {
        UnwindValue *v = &f->cfa;
        Dwarf_Op *ops;
        size_t n;

        if (dwarf_frame_cfa(frame, &ops, &n) < 0 || n == 0)
                return 0;
        if (n == 1 && ops->atom == DW_OP_bregx && ops->number < UNWIND_REGISTERS) {
                *v = (UnwindValue) { .where = UNWIND_REGISTER, .reg = (uint8_t) ops->number, .offset = (int64_t) ops->number2 };
                return 1;
        }
        if (n == 1 && ops->atom >= DW_OP_breg0 && ops->atom < DW_OP_breg0 + UNWIND_REGISTERS) {
                *v = (UnwindValue) {
                        .where = UNWIND_REGISTER, .reg = (uint8_t) (ops->atom - DW_OP_breg0), .offset = (int64_t) ops->number,
                };
                return 1;
        }
        v->where = UNWIND_EXPRESSION;
        return add_operations(f, v, ops, n);
}

/* Expressions begin with the CFA, and end in DW_OP_stack_value if they are the value itself. */
static int read_value(UnwindFrame *f, UnwindValue *v, const Dwarf_Op *ops, size_t n) {
        bool value = ops[n - 1].atom == DW_OP_stack_value;

        if (n == 1 && ops->atom == DW_OP_regx && ops->number < UNWIND_REGISTERS) {
                *v = (UnwindValue) { .where = UNWIND_REGISTER, .reg = (uint8_t) ops->number };
                return 1;
        }
        n -= value;
        if (n == 0 || ops->atom != DW_OP_call_frame_cfa)
                return 0;
        if (n == 1 || (n == 2 && ops[1].atom == DW_OP_plus_uconst)) {
                *v = (UnwindValue) { .where = value ? UNWIND_CFA : UNWIND_AT_CFA, .offset = n == 2 ? (int64_t) ops[1].number : 0 };
                return 1;
        }
        v->where = value ? UNWIND_EXPRESSION : UNWIND_AT_EXPRESSION;
        return add_operations(f, v, ops + 1, n - 1);
}

static int read_register(Dwarf_Frame *frame, UnwindFrame *f, int number) {
        UnwindValue *v = f->registers + number;
        Dwarf_Op memory[3] = {}, *ops = NULL;
        size_t n;

        if (dwarf_frame_register(frame, number, memory, &ops, &n) < 0)
                return 0;
        if (n > 0)
                return read_value(f, v, ops, n);
        v->where = ops ? UNWIND_UNKNOWN : UNWIND_SAME;
        return 1;
}

/* libdw (seen in 0.188) takes the ABI's rules for registers of which the tables say nothing, but with a mistake: it has rax as one
 * that a function leaves as it was, where it means rbx. */
static void correct_defaults(UnwindFrame *f) {
        UnwindValue *rax = f->registers + UNWIND_RAX, *rbx = f->registers + UNWIND_RBX;

        if (rax->where != UNWIND_SAME)
                return;
        rax->where = UNWIND_UNKNOWN;
        if (rbx->where == UNWIND_UNKNOWN)
                rbx->where = UNWIND_SAME;
}

static bool is_kept(size_t reg, size_t *ret) {
        for (size_t i = 0; i < UNWIND_KEPT; i++)
                if (unwind_kept[i] == reg) {
                        *ret = i;
                        return true;
                }
        return false;
}

static bool plain_register(const UnwindValue *v, size_t reg, UnwindRule *rule) {
        size_t kept;

        if (reg == UNWIND_RIP)
                return v->where == UNWIND_AT_CFA && v->offset == -8;
        if (reg == UNWIND_RSP)
                return v->where == UNWIND_CFA && v->offset == 0;
        if (!is_kept(reg, &kept))
                return v->where == UNWIND_UNKNOWN;
        if (v->where == UNWIND_AT_CFA && v->offset % 8 == 0 && v->offset < 0 && v->offset / 8 >= INT16_MIN) {
                rule->saved[kept] = (int16_t) (v->offset / 8);
                return true;
        }
        return v->where == UNWIND_SAME;
}

static bool make_plain(const UnwindFrame *f, UnwindRule *rule) {
        UnwindRule plain = { .kind = UNWIND_PLAIN, .cfa_register = f->cfa.reg, .cfa_offset = (int32_t) f->cfa.offset };

        if (rule->signal || f->cfa.where != UNWIND_REGISTER || f->cfa.offset != plain.cfa_offset)
                return false;
        for (size_t i = 0; i < UNWIND_REGISTERS; i++)
                if (!plain_register(f->registers + i, i, &plain))
                        return false;
        *rule = plain;
        return true;
}

static int read_frame(Dwarf_Frame *frame, UnwindRule *rule, UnwindFrame *f) {
        int r;

        if (dwarf_frame_info(frame, NULL, NULL, &rule->signal) != UNWIND_RIP)
                return 0;
        r = read_cfa(frame, f);
        for (int i = 0; r > 0 && i < (int) UNWIND_REGISTERS; i++)
                r = read_register(frame, f, i);
        if (r <= 0)
                return r;
        correct_defaults(f);
        if (f->registers[UNWIND_RIP].where == UNWIND_UNKNOWN)
                rule->kind = UNWIND_LAST;
        else if (!make_plain(f, rule))
                rule->kind = UNWIND_FRAME;
        return 1;
}

/* used: 0: not known, as in a process that may not open files and has a limit already. */
static bool frame_table_ask(FrameTable *t, uint64_t address, uint64_t used, Dwarf_Frame **ret) {
        ProcessMemory before;
        bool found;

        if (used == 0)
                return dwarf_cfi_addrframe(t->cfi, address, ret) == 0;
        process_narrow_memory(used + MEMORY_MAX, &before);
        found = dwarf_cfi_addrframe(t->cfi, address, ret) == 0;
        process_restore_memory(&before);
        return found;
}

/* Asks again if it may have failed because this process has grown. */
static bool frame_table_ask_twice(FrameTable *t, uint64_t address, uint64_t *used, Dwarf_Frame **ret) {
        uint64_t before = *used;

        if (before > 0 && frame_table_ask(t, address, before, ret))
                return true;
        *used = process_data_size();
        return (*used == 0 || *used > before) && frame_table_ask(t, address, *used, ret);
}

static int frame_table_find(FrameTable *t, uint64_t address, uint64_t *used, UnwindRule *ret, UnwindFrame *ret_frame) {
        UnwindRule rule = {};
        UnwindFrame f = {};
        Dwarf_Frame *frame;
        int r;

        if (!t->cfi || !frame_table_ask_twice(t, address, used, &frame))
                return 0;
        r = read_frame(frame, &rule, &f);
        free(frame);
        if (r <= 0) {
                free(f.operations);
                return r;
        }
        *ret = rule;
        *ret_frame = f;
        return 1;
}

int call_frames_find(CallFrames *f, uint64_t address, UnwindRule *ret, UnwindFrame *ret_frame) {
        int r = 0;

        for (size_t i = 0; r == 0 && i < TABLE_MAX; i++)
                r = frame_table_find(f->tables + i, address, &f->used, ret, ret_frame);
        return r;
}
