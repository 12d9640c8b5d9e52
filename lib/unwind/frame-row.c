/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Instructions are what others wrote. Their memory is a row for each state that they remember, of which there are few, and their
 * time is a number of steps. Rules for registers that are not followed here (of vectors and floating point) are passed over.
 *
 * What instructions do not say of a register: one that the ABI has functions keep is unchanged, the stack pointer is the CFA, and
 * there is no return address. Others may be anything, but are taken as unchanged too, as other debuggers do: there is code written
 * by hand whose CFA is in rax across calls that it makes. */

#include "frame-row.h"

#include <dwarf.h>

#define STATES_MAX 16u       /* that are remembered */
#define REGISTERS_MAX 128u   /* numbers of registers */
#define STEPS_MAX (UINT64_C(1) << 18) /* to one row */

/* The value of a register of the caller, whose expression is still as in the file. */
typedef struct RowValue {
        uint8_t where, reg;
        int64_t offset;
        FrameBytes expression;
} RowValue;

typedef struct Row {
        RowValue cfa;
        RowValue registers[UNWIND_REGISTERS];
} Row;

typedef struct Machine {
        const FrameEntry *entry;
        uint64_t address;     /* the one that is asked for */
        uint64_t start, end;  /* of the row */
        Row row;
        Row initial;          /* before the entry's own instructions */
        Row states[STATES_MAX];
        size_t n_states;
        bool broken;
} Machine;

static void machine_set(Machine *m, uint64_t reg, RowValue value) {
        if (reg < UNWIND_REGISTERS)
                m->row.registers[reg] = value;
        else if (reg >= REGISTERS_MAX)
                m->broken = true;
}

static void machine_set_saved(Machine *m, uint64_t reg, UnwindWhere where, int64_t units) {
        int64_t offset = (int64_t) ((uint64_t) units * (uint64_t) m->entry->data_unit);

        machine_set(m, reg, (RowValue) { .where = (uint8_t) where, .offset = offset });
}

static void machine_restore(Machine *m, uint64_t reg) {
        machine_set(m, reg, m->initial.registers[reg < UNWIND_REGISTERS ? reg : 0]);
}

static void machine_set_cfa(Machine *m, uint64_t reg, int64_t offset) {
        m->row.cfa = (RowValue) { .where = UNWIND_REGISTER, .reg = (uint8_t) reg, .offset = offset };
        if (reg >= UNWIND_REGISTERS)
                m->broken = true;
}

static void machine_change_cfa(Machine *m, uint64_t reg, int64_t offset) {
        if (m->row.cfa.where != UNWIND_REGISTER)
                m->broken = true;
        machine_set_cfa(m, reg, offset);
}

static void machine_keep_state(Machine *m, bool keep) {
        if (keep ? m->n_states >= STATES_MAX : m->n_states == 0)
                m->broken = true;
        else if (keep)
                m->states[m->n_states++] = m->row;
        else
                m->row = m->states[--m->n_states];
}

static FrameBytes read_expression(FrameBytes *b) {
        return frame_bytes_take(b, frame_bytes_uleb(b));
}

/* Instructions that begin another row, where the one before ends. *ret_go_on: that is not behind the address. False: it is none. */
static bool machine_move(Machine *m, uint8_t code, FrameBytes *b, bool *ret_go_on) {
        uint64_t by, to;

        switch (code) {
        case DW_CFA_advance_loc1:
                by = frame_bytes_unsigned(b, 1);
                break;
        case DW_CFA_advance_loc2:
                by = frame_bytes_unsigned(b, 2);
                break;
        case DW_CFA_advance_loc4:
                by = frame_bytes_unsigned(b, 4);
                break;
        case DW_CFA_MIPS_advance_loc8:
                by = frame_bytes_unsigned(b, 8);
                break;
        default:
                if ((code & 0xc0) != DW_CFA_advance_loc)
                        return false;
                by = code & 0x3f;
        }
        to = m->start + by * m->entry->code_unit;
        *ret_go_on = to <= m->address;
        if (*ret_go_on)
                m->start = MAX_OF(to, m->start);
        else
                m->end = MIN_OF(to, m->end);
        return true;
}

static bool machine_define_cfa(Machine *m, uint8_t code, FrameBytes *b) {
        int64_t unit = m->entry->data_unit;
        uint64_t reg;

        switch (code) {
        case DW_CFA_def_cfa:
                reg = frame_bytes_uleb(b);
                machine_set_cfa(m, reg, (int64_t) frame_bytes_uleb(b));
                return true;
        case DW_CFA_def_cfa_sf:
                reg = frame_bytes_uleb(b);
                machine_set_cfa(m, reg, (int64_t) ((uint64_t) frame_bytes_sleb(b) * (uint64_t) unit));
                return true;
        case DW_CFA_def_cfa_register:
                machine_change_cfa(m, frame_bytes_uleb(b), m->row.cfa.offset);
                return true;
        case DW_CFA_def_cfa_offset:
                machine_change_cfa(m, m->row.cfa.reg, (int64_t) frame_bytes_uleb(b));
                return true;
        case DW_CFA_def_cfa_offset_sf:
                machine_change_cfa(m, m->row.cfa.reg, (int64_t) ((uint64_t) frame_bytes_sleb(b) * (uint64_t) unit));
                return true;
        case DW_CFA_def_cfa_expression:
                m->row.cfa = (RowValue) { .where = UNWIND_EXPRESSION, .expression = read_expression(b) };
                return true;
        default:
                return false;
        }
}

/* Instructions with the number of a register. */
static void machine_define(Machine *m, uint8_t code, FrameBytes *b) {
        uint64_t reg = frame_bytes_uleb(b);

        switch (code) {
        case DW_CFA_offset_extended:
                machine_set_saved(m, reg, UNWIND_AT_CFA, (int64_t) frame_bytes_uleb(b));
                break;
        case DW_CFA_offset_extended_sf:
                machine_set_saved(m, reg, UNWIND_AT_CFA, frame_bytes_sleb(b));
                break;
        case DW_CFA_GNU_negative_offset_extended:
                machine_set_saved(m, reg, UNWIND_AT_CFA, (int64_t) (0 - frame_bytes_uleb(b)));
                break;
        case DW_CFA_val_offset:
                machine_set_saved(m, reg, UNWIND_CFA, (int64_t) frame_bytes_uleb(b));
                break;
        case DW_CFA_val_offset_sf:
                machine_set_saved(m, reg, UNWIND_CFA, frame_bytes_sleb(b));
                break;
        case DW_CFA_restore_extended:
                machine_restore(m, reg);
                break;
        case DW_CFA_undefined:
                machine_set(m, reg, (RowValue) { .where = UNWIND_UNKNOWN });
                break;
        case DW_CFA_same_value:
                machine_set(m, reg, (RowValue) { .where = UNWIND_SAME });
                break;
        case DW_CFA_register: {
                uint64_t from = frame_bytes_uleb(b);
                RowValue value = { .where = UNWIND_REGISTER, .reg = (uint8_t) from };

                machine_set(m, reg, from < UNWIND_REGISTERS ? value : (RowValue) { .where = UNWIND_UNKNOWN });
                break;
        }
        case DW_CFA_expression:
                machine_set(m, reg, (RowValue) { .where = UNWIND_AT_EXPRESSION, .expression = read_expression(b) });
                break;
        case DW_CFA_val_expression:
                machine_set(m, reg, (RowValue) { .where = UNWIND_EXPRESSION, .expression = read_expression(b) });
                break;
        default:
                m->broken = true;
        }
}

/* One instruction. False: the row is complete. */
static bool machine_step(Machine *m, FrameBytes *b) {
        uint8_t code = (uint8_t) frame_bytes_unsigned(b, 1);
        bool go_on = true;

        if (machine_move(m, code, b, &go_on))
                return go_on;
        if ((code & 0xc0) == DW_CFA_offset)
                machine_set_saved(m, code & 0x3f, UNWIND_AT_CFA, (int64_t) frame_bytes_uleb(b));
        else if ((code & 0xc0) == DW_CFA_restore)
                machine_restore(m, code & 0x3f);
        else if (code == DW_CFA_remember_state || code == DW_CFA_restore_state)
                machine_keep_state(m, code == DW_CFA_remember_state);
        else if (code == DW_CFA_GNU_args_size)
                (void) frame_bytes_uleb(b);
        else if (code != DW_CFA_nop && !machine_define_cfa(m, code, b))
                machine_define(m, code, b);
        return true;
}

/* False: they are broken, or too many. */
static bool machine_run(Machine *m, FrameBytes b, uint64_t *steps) {
        uint64_t left = MIN_OF(*steps, STEPS_MAX), before = left;
        bool go_on = true;

        while (go_on && frame_bytes_left(&b) > 0 && left > 0 && !m->broken && !b.broken) {
                go_on = machine_step(m, &b);
                left--;
        }
        *steps -= before - left;
        return !m->broken && !b.broken && (!go_on || frame_bytes_left(&b) == 0);
}

static void machine_begin(Machine *m, const FrameEntry *e, uint64_t address) {
        m->entry = e; /* the states that are remembered have no values yet */
        m->address = address;
        m->start = e->start;
        m->end = e->end;
        m->n_states = 0;
        m->broken = false;
        m->row = (Row) {};
        for (size_t i = 0; i < UNWIND_REGISTERS; i++)
                m->row.registers[i].where = UNWIND_SAME;
        m->row.registers[UNWIND_RSP].where = UNWIND_CFA;
        m->row.registers[UNWIND_RIP].where = UNWIND_UNKNOWN;
}

typedef enum Operand {
        OPERAND_NONE,
        OPERAND_U1,
        OPERAND_S1,
        OPERAND_U2,
        OPERAND_S2,
        OPERAND_U4,
        OPERAND_S4,
        OPERAND_8,
        OPERAND_ULEB,
        OPERAND_SLEB,
        OPERAND_REGISTER, /* its number and a signed offset */
} Operand;

/* False: the operation can't be computed of a stack and registers. */
static bool operand_of(uint8_t atom, Operand *ret) {
        static const uint8_t operands[UINT8_MAX + 1] = {
                [DW_OP_const1u] = OPERAND_U1, [DW_OP_const1s] = OPERAND_S1, [DW_OP_const2u] = OPERAND_U2,
                [DW_OP_const2s] = OPERAND_S2, [DW_OP_const4u] = OPERAND_U4, [DW_OP_const4s] = OPERAND_S4,
                [DW_OP_const8u] = OPERAND_8, [DW_OP_const8s] = OPERAND_8,
                [DW_OP_constu] = OPERAND_ULEB, [DW_OP_consts] = OPERAND_SLEB, [DW_OP_pick] = OPERAND_U1,
                [DW_OP_plus_uconst] = OPERAND_ULEB, [DW_OP_skip] = OPERAND_S2, [DW_OP_bra] = OPERAND_S2,
                [DW_OP_deref_size] = OPERAND_U1, [DW_OP_bregx] = OPERAND_REGISTER,
        };

        *ret = atom >= DW_OP_breg0 && atom <= DW_OP_breg31 ? OPERAND_SLEB : operands[atom];
        return *ret != OPERAND_NONE || atom == DW_OP_deref || atom == DW_OP_nop ||
               (atom >= DW_OP_dup && atom <= DW_OP_lit31 && atom != DW_OP_xderef);
}

static bool read_operation(FrameBytes *b, UnwindOperation *ret) {
        UnwindOperation o = { .atom = (uint8_t) frame_bytes_unsigned(b, 1) };
        Operand operand;

        if (!operand_of(o.atom, &operand))
                return false;
        switch (operand) {
        case OPERAND_NONE:
                break;
        case OPERAND_U1:
        case OPERAND_U2:
        case OPERAND_U4:
                o.number = frame_bytes_unsigned(b, operand == OPERAND_U1 ? 1 : operand == OPERAND_U2 ? 2 : 4);
                break;
        case OPERAND_S1:
        case OPERAND_S2:
        case OPERAND_S4:
                o.number = (uint64_t) frame_bytes_signed(b, operand == OPERAND_S1 ? 1 : operand == OPERAND_S2 ? 2 : 4);
                break;
        case OPERAND_8:
                o.number = frame_bytes_unsigned(b, 8);
                break;
        case OPERAND_SLEB:
                o.number = (uint64_t) frame_bytes_sleb(b);
                break;
        case OPERAND_ULEB:
        case OPERAND_REGISTER:
                o.number = frame_bytes_uleb(b);
                if (operand == OPERAND_REGISTER)
                        o.number2 = (uint64_t) frame_bytes_sleb(b);
        }
        *ret = o;
        return !b->broken;
}

typedef struct Expression {
        UnwindOperation operations[UNWIND_OPERATIONS_MAX];
        ptrdiff_t places[UNWIND_OPERATIONS_MAX + 1]; /* of the operations in the bytes */
        size_t n;
} Expression;

/* A branch leads from behind its operation to the beginning of one, or to the end. False: it does not. */
static bool find_target(const Expression *x, size_t from, uint64_t *number) {
        ptrdiff_t place = x->places[from + 1] + (ptrdiff_t) (int64_t) *number;

        for (size_t i = 0; i <= x->n; i++)
                if (x->places[i] == place) {
                        *number = i;
                        return true;
                }
        return false;
}

/* False: it has operations that are not known here, is too long, or broken. */
static bool read_operations(FrameBytes b, Expression *x) {
        const uint8_t *begin = b.at;

        for (x->n = 0; frame_bytes_left(&b) > 0; x->n++) {
                if (x->n >= UNWIND_OPERATIONS_MAX || !read_operation(&b, x->operations + x->n))
                        return false;
                x->places[x->n] = x->n == 0 ? 0 : x->places[x->n];
                x->places[x->n + 1] = b.at - begin;
        }
        for (size_t i = 0; i < x->n; i++)
                if ((x->operations[i].atom == DW_OP_skip || x->operations[i].atom == DW_OP_bra) &&
                    !find_target(x, i, &x->operations[i].number))
                        return false;
        return x->n > 0;
}

/* 1; 0: the value can't be known; -ENOMEM. */
static int add_value(UnwindFrame *f, UnwindValue *v, const RowValue *from) {
        UnwindOperation *larger;
        Expression x;

        *v = (UnwindValue) { .where = from->where, .reg = from->reg, .offset = from->offset };
        if (from->where != UNWIND_EXPRESSION && from->where != UNWIND_AT_EXPRESSION)
                return 1;
        if (!read_operations(from->expression, &x) || x.n > UNWIND_OPERATIONS_MAX - f->n_operations) {
                *v = (UnwindValue) { .where = UNWIND_UNKNOWN };
                return 0;
        }
        larger = reallocarray(f->operations, f->n_operations + x.n, sizeof(*larger));
        if (!larger)
                return -ENOMEM;
        f->operations = larger;
        memcpy(larger + f->n_operations, x.operations, x.n * sizeof(*larger));
        v->first = (uint16_t) f->n_operations;
        v->n = (uint16_t) x.n;
        f->n_operations += x.n;
        return 1;
}

static bool plain_register(const RowValue *v, size_t reg, UnwindRule *rule) {
        size_t kept = 0;

        if (reg == UNWIND_RIP)
                return v->where == UNWIND_AT_CFA && v->offset == -8;
        if (reg == UNWIND_RSP)
                return v->where == UNWIND_CFA && v->offset == 0;
        while (kept < UNWIND_KEPT && unwind_kept[kept] != reg)
                kept++;
        if (v->where == UNWIND_AT_CFA && kept < UNWIND_KEPT && v->offset % 8 == 0 && v->offset < 0 && v->offset / 8 >= INT16_MIN) {
                rule->saved[kept] = (int16_t) (v->offset / 8);
                return true;
        }
        return v->where == UNWIND_SAME;
}

static bool make_plain(const Row *row, UnwindRule *rule) {
        UnwindRule plain = *rule;

        plain.kind = UNWIND_PLAIN;
        plain.cfa_register = row->cfa.reg;
        plain.cfa_offset = (int32_t) row->cfa.offset;
        if (rule->signal || row->cfa.where != UNWIND_REGISTER || row->cfa.offset != plain.cfa_offset)
                return false;
        for (size_t i = 0; i < UNWIND_REGISTERS; i++)
                if (!plain_register(row->registers + i, i, &plain))
                        return false;
        *rule = plain;
        return true;
}

/* 1, 0 or -ENOMEM. */
static int make_frame(const Row *row, UnwindRule *rule, UnwindFrame *ret) {
        UnwindFrame f = {};
        int r = row->cfa.where == UNWIND_UNKNOWN ? 0 : add_value(&f, &f.cfa, &row->cfa);

        for (size_t i = 0; r > 0 && i < UNWIND_REGISTERS; i++)
                r = add_value(&f, f.registers + i, row->registers + i) < 0 ? -ENOMEM : 1;
        if (r <= 0) {
                free(f.operations);
                return r;
        }
        rule->kind = UNWIND_FRAME;
        *ret = f;
        return 1;
}

int frame_row_find(const FrameEntry *e, uint64_t address, uint64_t *steps, UnwindRule *ret, UnwindFrame *ret_frame) {
        Machine m;
        bool good;

        machine_begin(&m, e, address);
        good = machine_run(&m, e->begin, steps);
        m.initial = m.row;
        good = good && machine_run(&m, e->program, steps);
        *ret = (UnwindRule) { .signal = e->signal, .start = good ? m.start : e->start, .end = good ? m.end : e->end };
        if (!good)
                return 0;
        if (m.row.registers[UNWIND_RIP].where == UNWIND_UNKNOWN)
                ret->kind = UNWIND_LAST;
        else if (!make_plain(&m.row, ret))
                return make_frame(&m.row, ret, ret_frame);
        return 1;
}
