/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* By libcapstone. It has AT&T's words for x86, but a suffix for the size of operands even where a register shows it, and numbers
 * and spaces of its own: operands are written here as objdump(1) writes them, but for those of vectors. */

#include "disassembly.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <inttypes.h>
#include <stdarg.h>

#include "array.h"

void disassembly_done(Disassembly *d) {
        free(d->instructions);
        *d = (Disassembly) {};
}

static bool begins_with_one_of(const char *word, const char *const *words, size_t n) {
        return ANY_OF(n, i, startswith(word, words[i]));
}

/* The number of a register's kind that vectors and the old coprocessor have, whose instructions have no suffix of a size. */
static bool is_vector(csh handle, unsigned reg) {
        static const char *const kinds[] = { "xmm", "ymm", "zmm", "mm", "st", "k", "cr", "dr", "bnd" };
        const char *name = cs_reg_name(handle, reg);

        return name && begins_with_one_of(name, kinds, ELEMENTSOF(kinds));
}

/* capstone has "movd" for moves of 64 bits, too. */
static void widen_move(char *mnemonic, csh handle, const cs_x86 *x) {
        if (streq(mnemonic, "movd") && ANY_OF(x->op_count, i, x->operands[i].type == X86_OP_REG && x->operands[i].size == 8 &&
                                              !is_vector(handle, x->operands[i].reg)))
                mnemonic[3] = 'q';
}

/* Takes away the suffix that objdump does not have. */
static void cut_suffix(char *mnemonic, const cs_x86 *x) {
        static const char *const always[] = { "push", "pop", "call", "jmp", "ret", "leave", "movabs" };
        static const char *const never[] = { "set", "movz", "movs", "verw", "smsw", "lmsw", "in", "out", "crc32" };
        char *space = strrchr(mnemonic, ' '), *word = space ? space + 1 : mnemonic;
        size_t n = strlen(word);
        bool reg = ANY_OF(x->op_count, i, x->operands[i].type == X86_OP_REG);

        if (n < 3 || !strchr("bwlq", word[n - 1]) || streq(word, "call"))
                return;
        if (begins_with_one_of(word, always, ELEMENTSOF(always)) ||
            (reg && (startswith(word, "inc") || !begins_with_one_of(word, never, ELEMENTSOF(never)))))
                word[n - 1] = '\0';
}

typedef struct Text {
        char *buf;
        size_t size, n;
} Text;

static void _printf_(2, 3) put(Text *t, const char *format, ...) {
        va_list ap;
        int n;

        va_start(ap, format);
        n = vsnprintf(t->buf + t->n, t->size - t->n, format, ap);
        va_end(ap);
        if (n > 0)
                t->n = MIN_OF(t->n + (size_t) n, t->size - 1);
}

/* Numbers are as wide as the operand. */
static void put_immediate(Text *t, const cs_x86 *x, const cs_x86_op *op) {
        unsigned size = op->size;
        uint64_t n = (uint64_t) op->imm;

        for (unsigned i = 0; i < x->op_count; i++)
                if (x->operands[i].type != X86_OP_IMM)
                        size = MAX_OF(size, x->operands[i].size);
        if (size > 0 && size < 8)
                n &= (UINT64_C(1) << 8 * size) - 1;
        put(t, "$0x%" PRIx64, n);
}

static void put_memory(Text *t, csh handle, const cs_x86 *x, const x86_op_mem *m) {
        if (m->segment != X86_REG_INVALID)
                put(t, "%%%s:", cs_reg_name(handle, m->segment));
        if (m->disp != 0 || x->encoding.disp_size > 0 || (m->base == X86_REG_INVALID && m->index == X86_REG_INVALID)) {
                if (m->disp >= 0 || (m->base == X86_REG_INVALID && m->index == X86_REG_INVALID))
                        put(t, "0x%" PRIx64, (uint64_t) m->disp);
                else
                        put(t, "-0x%" PRIx64, -(uint64_t) m->disp);
        }
        if (m->base == X86_REG_INVALID && m->index == X86_REG_INVALID)
                return;
        put(t, "(");
        if (m->base != X86_REG_INVALID)
                put(t, "%%%s", cs_reg_name(handle, m->base));
        if (m->index != X86_REG_INVALID)
                put(t, ",%%%s,%d", cs_reg_name(handle, m->index), m->scale);
        put(t, ")");
}

static void put_operands(Text *t, csh handle, const cs_x86 *x, bool indirect) {
        bool once = x->opcode[0] == 0xd0 || x->opcode[0] == 0xd1; /* a shift by 1, which is not an operand of its own */

        for (unsigned i = once && x->op_count == 2; i < x->op_count; i++) {
                const cs_x86_op *op = x->operands + i;

                put(t, "%s%s", i > (once && x->op_count == 2) ? "," : "", indirect ? "*" : "");
                if (op->type == X86_OP_REG)
                        put(t, "%%%s", cs_reg_name(handle, op->reg));
                else if (op->type == X86_OP_IMM)
                        put_immediate(t, x, op);
                else
                        put_memory(t, handle, x, &op->mem);
        }
}

/* capstone's own words, without blanks between them. */
static void copy_operands(Text *t, const char *operands) {
        for (const char *p = operands; *p; p++)
                if (*p != ' ' || p == operands || p[-1] != ',')
                        put(t, "%c", *p);
}

static void find_reference(Instruction *i, const cs_x86 *x) {
        for (unsigned k = 0; k < x->op_count; k++)
                if (x->operands[k].type == X86_OP_MEM && x->operands[k].mem.base == X86_REG_RIP)
                        i->reference = i->address + i->size + (uint64_t) x->operands[k].mem.disp;
}

/* Longer forms repeat prefixes, which objdump shows. */
static void describe_nothing(Instruction *i, const cs_insn *insn) {
        Text mnemonic = { .buf = i->mnemonic, .size = sizeof(i->mnemonic) };
        size_t wide = 0, n = 0;
        bool segment = false;

        for (; n < insn->size && (insn->bytes[n] == 0x66 || insn->bytes[n] == 0x2e); n++) {
                wide += insn->bytes[n] == 0x66;
                segment = segment || insn->bytes[n] == 0x2e;
        }
        if (n + 1 == insn->size && wide > 0) {
                put(&mnemonic, "xchg");
                (void) snprintf(i->operands, sizeof(i->operands), "%%ax,%%ax");
                return;
        }
        i->type = INSTRUCTION_NOTHING;
        for (size_t k = 1; k < wide; k++)
                put(&mnemonic, "data16 ");
        put(&mnemonic, "%s%s", segment ? "cs " : "", insn->mnemonic);
        if (segment && startswith(i->operands, "%cs:"))
                memmove(i->operands, i->operands + 4, strlen(i->operands + 4) + 1);
}

static void describe_x86(Instruction *i, csh handle, const cs_insn *insn) {
        const cs_x86 *x = &insn->detail->x86;
        Text text = { .buf = i->operands, .size = sizeof(i->operands) };
        bool goes = i->type == INSTRUCTION_JUMP || i->type == INSTRUCTION_CALL;

        if (goes && x->op_count == 1 && x->operands[0].type == X86_OP_IMM)
                i->target = (uint64_t) x->operands[0].imm;
        else if (strchr(insn->op_str, '{')) /* masks, and how to round */
                copy_operands(&text, insn->op_str);
        else
                put_operands(&text, handle, x, goes);
        find_reference(i, x);
        if (!ANY_OF(x->op_count, k, x->operands[k].type == X86_OP_REG && is_vector(handle, x->operands[k].reg)))
                cut_suffix(i->mnemonic, x);
        else
                widen_move(i->mnemonic, handle, x);
        if (insn->id == X86_INS_NOP)
                describe_nothing(i, insn);
}

/* Blanks, the case of sizes and the base of numbers are objdump's: "qword ptr [rax + 8]" becomes "QWORD PTR [rax+0x8]". */
static void put_intel_operands(Text *t, const char *p) {
        while (*p) {
                size_t word = strcspn(p, " ,+-*[]:{}()");
                bool last_blank = p[word] == ' ';

                if (word > 0 && strspn(p, "0123456789") == word && (t->n == 0 || t->buf[t->n - 1] != '*'))
                        put(t, "0x%.*s", (int) word, p);
                else if (last_blank && (startswith(p + word, " ptr ") || startswith(p, "ptr ")))
                        for (size_t i = 0; i < word; i++)
                                put(t, "%c", p[i] >= 'a' && p[i] <= 'z' ? p[i] - 'a' + 'A' : p[i]);
                else
                        put(t, "%.*s", (int) word, p);
                p += word;
                if (*p == ' ' && (startswith(p, " ptr ") || (t->n > 2 && startswith(t->buf + t->n - 3, "PTR"))))
                        put(t, " ");
                else if (*p && *p != ' ')
                        put(t, "%c", *p);
                p += *p != '\0';
        }
}

static void describe_intel(Instruction *i, const cs_insn *insn) {
        const cs_x86 *x = &insn->detail->x86;
        Text text = { .buf = i->operands, .size = sizeof(i->operands) };

        if ((i->type == INSTRUCTION_JUMP || i->type == INSTRUCTION_CALL) && x->op_count == 1 && x->operands[0].type == X86_OP_IMM)
                i->target = (uint64_t) x->operands[0].imm;
        else
                put_intel_operands(&text, insn->op_str);
        find_reference(i, x);
        if (insn->id == X86_INS_NOP)
                i->type = INSTRUCTION_NOTHING;
}

/* Returns the bytes of the operand that a ModRM byte describes, with it; 0: there are fewer. */
static size_t modrm_length(const uint8_t *code, size_t size) {
        unsigned mode, rm;
        size_t n = 1;

        if (size < 2)
                return 0;
        mode = code[0] >> 6;
        rm = code[0] & 7;
        if (mode == 3)
                return 1;
        n += rm == 4; /* an index */
        if (mode == 1)
                n += 1;
        else if (mode == 2 || rm == 5 || (rm == 4 && (code[1] & 7) == 5))
                n += 4;
        return n <= size ? n : 0;
}

/* Returns the bytes of an instruction with the prefix VEX or EVEX (Intel's manual, volume 2, 2.3 and 2.7), since not all are known
 * to each version of the library: the next one begins there. 0: it is none. */
static size_t extended_length(const uint8_t *code, size_t size) {
        size_t prefix = size < 6 ? 0 : code[0] == 0x62 ? 4 : code[0] == 0xc4 ? 3 : code[0] == 0xc5 ? 2 : 0, n;
        unsigned map, opcode;

        if (prefix == 0)
                return 0;
        map = prefix == 4 ? code[1] & 7 : prefix == 3 ? code[1] & 0x1f : 1;
        opcode = code[prefix];
        if (map == 0 || map > 6)
                return 0;
        n = modrm_length(code + prefix + 1, size - prefix - 1);
        if (n == 0)
                return 0;
        n += prefix + 1;
        if (map == 3 || (map == 1 && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6))))
                n++;
        return MIN_OF(n, size);
}

/* Called where the library knows no instruction. */
static size_t skip_unknown(const uint8_t *code, size_t size, size_t offset, void *userdata) {
        return MAX_OF(extended_length(code + offset, size - offset), (size_t) 1);
}

/* Targets are the last operand, after a register that is tested: "cbz x0, #0x1000". */
static void describe_arm64(Instruction *i, const cs_insn *insn) {
        const cs_arm64 *a = &insn->detail->arm64;
        Text text = { .buf = i->operands, .size = sizeof(i->operands) };
        bool goes = i->type == INSTRUCTION_JUMP || i->type == INSTRUCTION_CALL;

        if (goes && a->op_count > 0 && a->operands[a->op_count - 1].type == ARM64_OP_IMM)
                i->target = (uint64_t) a->operands[a->op_count - 1].imm;
        put(&text, "%s", insn->op_str);
        if (i->target) {
                char *last = strrchr(i->operands, ',');

                i->operands[last ? last + 1 - i->operands : 0] = '\0';
        }
        if (insn->id == ARM64_INS_NOP)
                i->type = INSTRUCTION_NOTHING;
}

static InstructionType disassembly_type_of(csh handle, const cs_insn *insn) {
        if (cs_insn_group(handle, insn, CS_GRP_CALL))
                return INSTRUCTION_CALL;
        if (cs_insn_group(handle, insn, CS_GRP_RET))
                return INSTRUCTION_RETURN;
        return cs_insn_group(handle, insn, CS_GRP_JUMP) ? INSTRUCTION_JUMP : INSTRUCTION_OTHER;
}

static int add_instruction(Disassembly *d, csh handle, cs_arch arch, DisassemblySyntax syntax, const cs_insn *insn) {
        Instruction *i;

        if (ARRAY_RESERVE(d->instructions, d->allocated, d->n + 1) < 0)
                return -ENOMEM;
        i = d->instructions + d->n++;
        *i = (Instruction) { .address = insn->address, .size = insn->size };
        (void) snprintf(i->mnemonic, sizeof(i->mnemonic), "%s", insn->mnemonic);
        if (insn->id == 0) { /* no instruction */
                copy_operands(&(Text) { .buf = i->operands, .size = sizeof(i->operands) }, insn->op_str);
                return 0;
        }
        i->type = disassembly_type_of(handle, insn);
        if (arch == CS_ARCH_X86 && syntax == DISASSEMBLY_INTEL)
                describe_intel(i, insn);
        else if (arch == CS_ARCH_X86)
                describe_x86(i, handle, insn);
        else
                describe_arm64(i, insn);
        return 0;
}

static int disassembly_read(Disassembly *d, csh handle, cs_arch arch, DisassemblySyntax syntax, const uint8_t *code, size_t size,
                            uint64_t address) {
        cs_insn *insn = cs_malloc(handle);
        int r = insn ? 0 : -ENOMEM;

        while (r >= 0 && size > 0 && cs_disasm_iter(handle, &code, &size, &address, insn))
                r = add_instruction(d, handle, arch, syntax, insn);
        if (insn)
                cs_free(insn, 1);
        return r;
}

int disassembly_init(Disassembly *d, unsigned machine, DisassemblySyntax syntax, const uint8_t *code, size_t size,
                     uint64_t address) {
        static const struct {
                unsigned machine;
                cs_arch arch;
                cs_mode mode;
        } known[] = {
                { EM_X86_64, CS_ARCH_X86, CS_MODE_64 },
                { EM_386, CS_ARCH_X86, CS_MODE_32 },
                { EM_AARCH64, CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN },
        };
        const cs_opt_skipdata skip = { .mnemonic = ".byte", .callback = skip_unknown };
        csh handle;

        *d = (Disassembly) {};
        if (size > DISASSEMBLY_CODE_MAX)
                return -EFBIG;
        for (size_t i = 0; i < ELEMENTSOF(known); i++)
                if (known[i].machine == machine) {
                        int r;

                        if (cs_open(known[i].arch, known[i].mode, &handle) != CS_ERR_OK)
                                return -EOPNOTSUPP;
                        (void) cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
                        (void) cs_option(handle, CS_OPT_SKIPDATA, CS_OPT_ON);
                        if (known[i].arch == CS_ARCH_X86) {
                                (void) cs_option(handle, CS_OPT_SYNTAX,
                                                 syntax == DISASSEMBLY_INTEL ? CS_OPT_SYNTAX_INTEL : CS_OPT_SYNTAX_ATT);
                                (void) cs_option(handle, CS_OPT_SKIPDATA_SETUP, (size_t) &skip);
                        }
                        r = disassembly_read(d, handle, known[i].arch, syntax, code, size, address);
                        (void) cs_close(&handle);
                        return r;
                }
        return -EOPNOTSUPP;
}
