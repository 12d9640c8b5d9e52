/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Registers, stack and rules are what others wrote: each address is checked against the copy, the expressions of a chain have
 * a limited number of steps in all, and a caller's stack pointer must be above that of the function, or the same if the return
 * address is in a register, except for what a signal interrupted, whose stack may be another one.
 *
 * As in perf, memory that is not in the copy of the stack is not known. Addresses of code in expressions (DW_OP_addr) are
 * not, either: they are relative to where the file lies. */

#include "unwind-stack.h"

#include <dwarf.h>

const uint8_t unwind_kept[UNWIND_KEPT] = { UNWIND_RBX, UNWIND_RBP, UNWIND_R12, UNWIND_R12 + 1, UNWIND_R12 + 2, UNWIND_R12 + 3 };

#define BIT(reg) (UINT32_C(1) << (reg))

/* Inlined where the size is known, since most of the time of unwinding is spent here. */
static inline bool read_bytes(UnwindStack *s, uint64_t address, size_t size, uint64_t *ret) {
        uint64_t offset = address - s->start;

        *ret = 0;
        if (address < s->start)
                return false;
        if (offset > s->size || s->size - offset < size) {
                s->beyond = true;
                return false;
        }
        memcpy(ret, (const uint8_t *) s->bytes + offset, size);
        return true;
}

bool unwind_stack_read(UnwindStack *s, uint64_t address, size_t size, uint64_t *ret) {
        return read_bytes(s, address, size, ret);
}

static bool stack_register(const UnwindStack *s, uint64_t reg, uint64_t *ret) {
        if (reg >= UNWIND_REGISTERS || !(s->known & BIT(reg)))
                return false;
        *ret = s->registers[reg];
        return true;
}

/* The values of an expression that were put down. */
typedef struct Values {
        uint64_t values[UNWIND_DEPTH_MAX];
        size_t n;
} Values;

static bool stack_put(Values *v, uint64_t value) {
        if (v->n >= UNWIND_DEPTH_MAX)
                return false;
        v->values[v->n++] = value;
        return true;
}

/* Puts down a copy of the value that is so far below the top. */
static bool put_copy(Values *v, uint64_t depth) {
        return depth < v->n && stack_put(v, v->values[v->n - 1 - depth]);
}

static bool compute_one(uint8_t atom, uint64_t number, uint64_t *value) {
        switch (atom) {
        case DW_OP_abs:
                *value = (int64_t) *value < 0 ? -*value : *value;
                return true;
        case DW_OP_neg:
                *value = -*value;
                return true;
        case DW_OP_not:
                *value = ~*value;
                return true;
        case DW_OP_plus_uconst:
                *value += number;
                return true;
        default:
                return false;
        }
}

static bool divide(int64_t a, int64_t b, uint64_t *ret) {
        if (b == 0 || (a == INT64_MIN && b == -1))
                return false;
        *ret = (uint64_t) (a / b);
        return true;
}

static bool stack_shift(uint8_t atom, uint64_t a, uint64_t b, uint64_t *ret) {
        bool negative = atom == DW_OP_shra && (int64_t) a < 0;

        if (b >= 64)
                *ret = negative ? UINT64_MAX : 0;
        else if (atom == DW_OP_shl)
                *ret = a << b;
        else
                *ret = negative ? ~(~a >> b) : a >> b;
        return true;
}

static bool stack_compare(uint8_t atom, int64_t a, int64_t b, uint64_t *ret) {
        switch (atom) {
        case DW_OP_eq:
                *ret = a == b;
                return true;
        case DW_OP_ne:
                *ret = a != b;
                return true;
        case DW_OP_lt:
                *ret = a < b;
                return true;
        case DW_OP_le:
                *ret = a <= b;
                return true;
        case DW_OP_gt:
                *ret = a > b;
                return true;
        case DW_OP_ge:
                *ret = a >= b;
                return true;
        default:
                return false;
        }
}

/* b was on top of a. */
static bool compute_two(uint8_t atom, uint64_t a, uint64_t b, uint64_t *ret) {
        switch (atom) {
        case DW_OP_and:
                *ret = a & b;
                return true;
        case DW_OP_or:
                *ret = a | b;
                return true;
        case DW_OP_xor:
                *ret = a ^ b;
                return true;
        case DW_OP_plus:
                *ret = a + b;
                return true;
        case DW_OP_minus:
                *ret = a - b;
                return true;
        case DW_OP_mul:
                *ret = a * b;
                return true;
        case DW_OP_div:
                return divide((int64_t) a, (int64_t) b, ret);
        case DW_OP_mod:
                *ret = b == 0 ? 0 : a % b;
                return b != 0;
        case DW_OP_shl:
        case DW_OP_shr:
        case DW_OP_shra:
                return stack_shift(atom, a, b, ret);
        default:
                return stack_compare(atom, (int64_t) a, (int64_t) b, ret);
        }
}

/* Operations that only put down a value. False: it is not one, or its value is not known. */
static bool stack_put_value(const UnwindStack *s, Values *v, const UnwindOperation *o) {
        uint64_t value;

        if (o->atom >= DW_OP_lit0 && o->atom <= DW_OP_lit31)
                return stack_put(v, o->atom - DW_OP_lit0);
        if (o->atom >= DW_OP_breg0 && o->atom <= DW_OP_breg31)
                return stack_register(s, (uint64_t) o->atom - DW_OP_breg0, &value) && stack_put(v, value + o->number);
        switch (o->atom) {
        case DW_OP_bregx:
                return stack_register(s, o->number, &value) && stack_put(v, value + o->number2);
        case DW_OP_const1u:
        case DW_OP_const1s:
        case DW_OP_const2u:
        case DW_OP_const2s:
        case DW_OP_const4u:
        case DW_OP_const4s:
        case DW_OP_const8u:
        case DW_OP_const8s:
        case DW_OP_constu:
        case DW_OP_consts:
                return stack_put(v, o->number);
        case DW_OP_dup:
                return put_copy(v, 0);
        case DW_OP_over:
                return put_copy(v, 1);
        case DW_OP_pick:
                return put_copy(v, o->number);
        default:
                return false;
        }
}

/* Operations that take values away or move them. */
static bool change_values(UnwindStack *s, Values *v, const UnwindOperation *o) {
        uint64_t *top = v->values + v->n - 1, value;

        if (v->n == 0)
                return false;
        if (compute_one(o->atom, o->number, top))
                return true;
        switch (o->atom) {
        case DW_OP_drop:
                v->n--;
                return true;
        case DW_OP_deref:
                return unwind_stack_read(s, *top, sizeof(*top), top);
        case DW_OP_deref_size:
                return o->number > 0 && o->number <= sizeof(*top) && unwind_stack_read(s, *top, o->number, top);
        }
        if (v->n < 2)
                return false;
        value = top[-1];
        switch (o->atom) {
        case DW_OP_swap:
                top[-1] = *top;
                *top = value;
                return true;
        case DW_OP_rot: /* the top one moves below the next two */
                if (v->n < 3)
                        return false;
                value = *top;
                *top = top[-1];
                top[-1] = top[-2];
                top[-2] = value;
                return true;
        default:
                v->n--;
                return compute_two(o->atom, top[-1], *top, top - 1);
        }
}

bool unwind_expression(UnwindStack *s, const UnwindOperation *operations, size_t n, const uint64_t *push, uint64_t *ret) {
        Values v = {};
        size_t i = 0;

        if (push)
                (void) stack_put(&v, *push);
        while (i < n) {
                const UnwindOperation *o = operations + i++;

                if (s->steps++ >= UNWIND_STEPS_MAX)
                        return false;
                if (o->atom == DW_OP_nop)
                        continue;
                if (o->atom == DW_OP_skip || o->atom == DW_OP_bra) {
                        if (o->atom == DW_OP_bra && v.n == 0)
                                return false;
                        if (o->atom == DW_OP_skip || v.values[--v.n] != 0)
                                i = (size_t) o->number;
                        continue;
                }
                if (!stack_put_value(s, &v, o) && !change_values(s, &v, o))
                        return false;
        }
        if (v.n == 0)
                return false;
        *ret = v.values[v.n - 1];
        return true;
}

bool unwind_step_plain(UnwindStack *s, const UnwindRule *rule) {
        uint64_t cfa, address;
        uint32_t known = s->known;

        if (!stack_register(s, rule->cfa_register, &cfa))
                return false;
        cfa += (uint64_t) (int64_t) rule->cfa_offset;
        if (cfa <= s->registers[UNWIND_RSP] || !read_bytes(s, cfa - sizeof(address), sizeof(address), &address))
                return false;
        for (size_t i = 0; i < UNWIND_KEPT; i++) {
                uint8_t reg = unwind_kept[i];

                if (rule->saved[i] == 0)
                        continue;
                if (read_bytes(s, cfa + (uint64_t) ((int64_t) rule->saved[i] * 8), sizeof(*s->registers), s->registers + reg))
                        known |= BIT(reg);
                else
                        known &= ~BIT(reg);
        }
        s->registers[UNWIND_RSP] = cfa;
        s->registers[UNWIND_RIP] = address;
        s->known = known | BIT(UNWIND_RSP) | BIT(UNWIND_RIP);
        s->beyond = false;
        return true;
}

static bool value_of(UnwindStack *s, const UnwindFrame *f, const UnwindValue *v, size_t reg, const uint64_t *cfa, uint64_t *ret) {
        const UnwindOperation *operations = v->n > 0 ? f->operations + v->first : NULL;

        switch (v->where) {
        case UNWIND_SAME:
                return stack_register(s, reg, ret);
        case UNWIND_REGISTER:
                if (!stack_register(s, v->reg, ret))
                        return false;
                *ret += (uint64_t) v->offset;
                return true;
        case UNWIND_AT_CFA:
                return cfa && unwind_stack_read(s, *cfa + (uint64_t) v->offset, sizeof(*ret), ret);
        case UNWIND_CFA:
                *ret = cfa ? *cfa + (uint64_t) v->offset : 0;
                return cfa;
        case UNWIND_EXPRESSION:
                return unwind_expression(s, operations, v->n, cfa, ret);
        case UNWIND_AT_EXPRESSION:
                return unwind_expression(s, operations, v->n, cfa, ret) && unwind_stack_read(s, *ret, sizeof(*ret), ret);
        default:
                return false;
        }
}

/* Code that has taken the return address into a register already leaves no more of its stack. */
static bool stack_shrinks(const UnwindStack *s, const UnwindFrame *frame, uint64_t cfa) {
        uint64_t pointer = s->registers[UNWIND_RSP];

        return cfa > pointer || (cfa == pointer && frame->registers[UNWIND_RIP].where == UNWIND_REGISTER);
}

bool unwind_step_frame(UnwindStack *s, const UnwindFrame *frame, bool signal) {
        uint64_t registers[UNWIND_REGISTERS] = {}, cfa;
        uint32_t known = 0;

        if (!value_of(s, frame, &frame->cfa, UNWIND_RSP, NULL, &cfa) || (!signal && !stack_shrinks(s, frame, cfa)))
                return false;
        for (size_t i = 0; i < UNWIND_REGISTERS; i++)
                if (value_of(s, frame, frame->registers + i, i, &cfa, registers + i))
                        known |= BIT(i);
        if (!(known & BIT(UNWIND_RIP)) || !(known & BIT(UNWIND_RSP)))
                return false;
        memcpy(s->registers, registers, sizeof(registers));
        s->known = known;
        s->beyond = false;
        return true;
}

bool unwind_step_pointer(UnwindStack *s) {
        const UnwindRule rule = { .cfa_register = UNWIND_RBP, .cfa_offset = 16, .saved = { [1] = -2 } };
        uint64_t pointer;

        return stack_register(s, UNWIND_RBP, &pointer) && pointer >= s->registers[UNWIND_RSP] && pointer % sizeof(uint64_t) == 0 &&
               unwind_step_plain(s, &rule);
}
