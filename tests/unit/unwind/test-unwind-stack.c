/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <dwarf.h>

#include "perfdata-test.h"
#include "unwind-stack.h"

#define BASE UINT64_C(0x7ffc00001000)
#define WORDS 16u
#define ALL_KNOWN ((UINT32_C(1) << UNWIND_REGISTERS) - 1)

static UnwindStack made_stack(const uint64_t *words, size_t n) {
        UnwindStack s = { .known = ALL_KNOWN, .start = BASE, .bytes = words, .size = n * sizeof(*words) };

        for (uint64_t i = 0; i < UNWIND_REGISTERS; i++)
                s.registers[i] = 100 + i;
        s.registers[UNWIND_RSP] = BASE;
        s.registers[UNWIND_RBP] = BASE + 32;
        return s;
}

#define COMPUTE(s, ret, ...)                                                                             \
        unwind_expression((s), (const UnwindOperation[]) { __VA_ARGS__ },                                \
                          sizeof((const UnwindOperation[]) { __VA_ARGS__ }) / sizeof(UnwindOperation), NULL, (ret))

START_TEST(plain_step) {
        const uint64_t words[WORDS] = { [2] = 0xb1, [3] = 0xb2, [4] = 0x401234 };
        const UnwindRule rule = { .kind = UNWIND_PLAIN, .cfa_register = UNWIND_RSP, .cfa_offset = 40, .saved = { -3, -2 } };
        UnwindStack s = made_stack(words, WORDS);

        ck_assert(unwind_step_plain(&s, &rule));
        ck_assert_uint_eq(s.registers[UNWIND_RIP], 0x401234);
        ck_assert_uint_eq(s.registers[UNWIND_RSP], BASE + 40);
        ck_assert_uint_eq(s.registers[UNWIND_RBX], 0xb1);
        ck_assert_uint_eq(s.registers[UNWIND_RBP], 0xb2);
        ck_assert_uint_eq(s.registers[13], 113);
        ck_assert_uint_eq(s.registers[UNWIND_RAX], 100); /* the rule does not say that it changes */
        ck_assert_uint_eq(s.known, ALL_KNOWN);
}
END_TEST

START_TEST(stack_ends) {
        const uint64_t words[4] = { 1, 2, 3, 4 };
        const UnwindRule inside = { .cfa_register = UNWIND_RSP, .cfa_offset = 32 };
        const UnwindRule behind = { .cfa_register = UNWIND_RSP, .cfa_offset = 40 }, across = { .cfa_register = UNWIND_RSP, .cfa_offset = 33 };
        const UnwindRule below = { .cfa_register = UNWIND_RSP, .cfa_offset = -8 }, stays = { .cfa_register = UNWIND_RSP };
        const UnwindRule wraps = { .cfa_register = UNWIND_RAX, .cfa_offset = INT32_MIN };
        UnwindStack s = made_stack(words, 4);

        ck_assert(!unwind_step_plain(&s, &behind) && s.beyond);
        s = made_stack(words, 4);
        ck_assert(!unwind_step_plain(&s, &across) && s.beyond);
        s = made_stack(words, 4);
        ck_assert(!unwind_step_plain(&s, &below) && !s.beyond);
        ck_assert(!unwind_step_plain(&s, &stays) && !s.beyond);
        ck_assert(!unwind_step_plain(&s, &wraps) && s.beyond);
        s.known &= ~(1u << UNWIND_RSP);
        ck_assert(!unwind_step_plain(&s, &inside));
        s = made_stack(words, 4);
        ck_assert(unwind_step_plain(&s, &inside));
        ck_assert_uint_eq(s.registers[UNWIND_RIP], 4);
}
END_TEST

START_TEST(expressions) {
        const uint64_t words[WORDS] = { [1] = BASE + 24, [3] = 77 };
        UnwindStack s = made_stack(words, WORDS);
        uint64_t value;

        /* the entry of a PLT, of which two forms differ in how far the code is in it */
        for (uint64_t at = 0; at < 16; at++) {
                s.registers[UNWIND_RIP] = 0x1000 + at;
                ck_assert(COMPUTE(&s, &value, { DW_OP_breg7, 8, 0 }, { DW_OP_breg16, 0, 0 }, { DW_OP_lit15, 0, 0 }, { DW_OP_and, 0, 0 },
                                  { DW_OP_lit11, 0, 0 }, { DW_OP_ge, 0, 0 }, { DW_OP_lit3, 0, 0 }, { DW_OP_shl, 0, 0 },
                                  { DW_OP_plus, 0, 0 }));
                ck_assert_uint_eq(value, BASE + 8 + (at >= 11 ? 8 : 0));
        }
        ck_assert(COMPUTE(&s, &value, { DW_OP_breg7, 8, 0 }, { DW_OP_deref, 0, 0 }, { DW_OP_deref, 0, 0 }));
        ck_assert_uint_eq(value, 77);
        ck_assert(COMPUTE(&s, &value, { DW_OP_const1s, (uint64_t) -7, 0 }, { DW_OP_lit2, 0, 0 }, { DW_OP_div, 0, 0 }, { DW_OP_abs, 0, 0 }));
        ck_assert_uint_eq(value, 3);
        ck_assert(COMPUTE(&s, &value, { DW_OP_const1s, (uint64_t) -8, 0 }, { DW_OP_lit1, 0, 0 }, { DW_OP_shra, 0, 0 }, { DW_OP_neg, 0, 0 }));
        ck_assert_uint_eq(value, 4);
        ck_assert(COMPUTE(&s, &value, { DW_OP_lit1, 0, 0 }, { DW_OP_lit2, 0, 0 }, { DW_OP_lit3, 0, 0 }, { DW_OP_rot, 0, 0 },
                          { DW_OP_drop, 0, 0 }, { DW_OP_pick, 1, 0 }, { DW_OP_swap, 0, 0 }, { DW_OP_minus, 0, 0 }));
        ck_assert_uint_eq(value, 2); /* 3 1 3 1: 3 - 1 */
        ck_assert(COMPUTE(&s, &value, { DW_OP_lit5, 0, 0 }, { DW_OP_lit0, 0, 0 }, { DW_OP_bra, 9, 0 }, { DW_OP_plus_uconst, 1, 0 },
                          { DW_OP_skip, 5, 0 }));
        ck_assert_uint_eq(value, 6);
}
END_TEST

START_TEST(broken_expressions) {
        const uint64_t words[WORDS] = {};
        UnwindStack s = made_stack(words, WORDS);
        uint64_t value;

        ck_assert(!unwind_expression(&s, NULL, 0, NULL, &value));
        ck_assert(!COMPUTE(&s, &value, { DW_OP_plus, 0, 0 }));
        ck_assert(!COMPUTE(&s, &value, { DW_OP_lit1, 0, 0 }, { DW_OP_plus, 0, 0 }));
        ck_assert(!COMPUTE(&s, &value, { DW_OP_lit1, 0, 0 }, { DW_OP_lit0, 0, 0 }, { DW_OP_div, 0, 0 }));
        ck_assert(!COMPUTE(&s, &value, { DW_OP_lit1, 0, 0 }, { DW_OP_lit0, 0, 0 }, { DW_OP_mod, 0, 0 }));
        ck_assert(!COMPUTE(&s, &value, { DW_OP_constu, UINT64_C(1) << 63, 0 }, { DW_OP_consts, UINT64_MAX, 0 }, { DW_OP_div, 0, 0 }));
        ck_assert(!COMPUTE(&s, &value, { DW_OP_lit0, 0, 0 }, { DW_OP_deref, 0, 0 }));
        ck_assert(!COMPUTE(&s, &value, { DW_OP_breg7, 0, 0 }, { DW_OP_deref_size, 9, 0 }));
        ck_assert(!COMPUTE(&s, &value, { DW_OP_bregx, UINT64_C(1) << 40, 0 }));
        ck_assert(!COMPUTE(&s, &value, { DW_OP_lit1, 0, 0 }, { DW_OP_pick, 1, 0 }));
        ck_assert(!COMPUTE(&s, &value, { DW_OP_addr, 0x1000, 0 }));
        ck_assert(!COMPUTE(&s, &value, { DW_OP_lit1, 0, 0 }, { DW_OP_skip, 1, 0 })); /* for ever */
        s = made_stack(words, WORDS);
        ck_assert(!COMPUTE(&s, &value, { DW_OP_lit1, 0, 0 }, { DW_OP_skip, 0, 0 })); /* more than it can put down */
}
END_TEST

/* Registers that are each the value of an expression of 300 steps: a chain of such frames ends, however far the stack goes. */
START_TEST(steps_of_a_chain) {
        enum { N = 300 };
        const uint64_t words[WORDS] = { [1] = 0x401000 };
        UnwindOperation operations[N] = { { DW_OP_lit1, 0, 0 } };
        UnwindFrame frame = {
                .cfa = { .where = UNWIND_REGISTER, .reg = UNWIND_RSP, .offset = 8 },
                .registers = { [UNWIND_RSP] = { .where = UNWIND_CFA }, [UNWIND_RIP] = { .where = UNWIND_EXPRESSION, .n = N } },
                .operations = operations, .n_operations = N,
        };
        UnwindStack s = made_stack(words, WORDS);
        unsigned frames = 0;

        for (size_t i = 1; i < N; i++)
                operations[i].atom = DW_OP_nop;
        while (frames < WORDS && unwind_step_frame(&s, &frame, false))
                frames++;
        ck_assert_uint_eq(frames, UNWIND_STEPS_MAX / N);
        s = made_stack(words, WORDS); /* another chain */
        ck_assert(unwind_step_frame(&s, &frame, false));
}
END_TEST

START_TEST(signal_frame) {
        uint64_t words[WORDS] = { [0] = 0xa0, [1] = BASE + 0x10000, [2] = 0x401000 };
        UnwindOperation operations[] = { { DW_OP_breg7, 8, 0 }, { DW_OP_deref, 0, 0 } };
        UnwindFrame frame = {
                .cfa = { .where = UNWIND_EXPRESSION, .first = 0, .n = 2 },
                .registers = {
                        [UNWIND_RAX] = { .where = UNWIND_REGISTER, .reg = UNWIND_RBX, .offset = 1 },
                        [UNWIND_RSP] = { .where = UNWIND_CFA },
                        [UNWIND_RIP] = { .where = UNWIND_AT_CFA, .offset = 16 - 0x10000 },
                        [12] = { .where = UNWIND_SAME },
                },
                .operations = operations, .n_operations = 2,
        };
        UnwindStack s = made_stack(words, WORDS);

        ck_assert(unwind_step_frame(&s, &frame, true));
        ck_assert_uint_eq(s.registers[UNWIND_RIP], 0x401000);
        ck_assert_uint_eq(s.registers[UNWIND_RSP], BASE + 0x10000);
        ck_assert_uint_eq(s.registers[UNWIND_RAX], 104);
        ck_assert_uint_eq(s.known, 1u << UNWIND_RAX | 1u << UNWIND_RSP | 1u << UNWIND_RIP | 1u << 12);
        words[1] = BASE - 64; /* what a signal interrupted may have another stack */
        frame.registers[UNWIND_RIP].offset = 80;
        s = made_stack(words, WORDS);
        ck_assert(unwind_step_frame(&s, &frame, true));
        s = made_stack(words, WORDS);
        ck_assert(!unwind_step_frame(&s, &frame, false));
}
END_TEST

/* As at the end of libgcc's _Unwind_Resume(), which has taken the address off the stack already. */
START_TEST(return_by_register) {
        uint64_t words[WORDS] = { 0x401000 };
        UnwindFrame frame = {
                .cfa = { .where = UNWIND_REGISTER, .reg = UNWIND_RSP },
                .registers = {
                        [UNWIND_RBP] = { .where = UNWIND_SAME },
                        [UNWIND_RSP] = { .where = UNWIND_CFA },
                        [UNWIND_RIP] = { .where = UNWIND_REGISTER, .reg = UNWIND_RCX },
                },
        };
        UnwindStack s = made_stack(words, WORDS);
        uint64_t stack = s.registers[UNWIND_RSP];

        s.registers[UNWIND_RCX] = 0x402000;
        ck_assert(unwind_step_frame(&s, &frame, false));
        ck_assert_uint_eq(s.registers[UNWIND_RIP], 0x402000);
        ck_assert_uint_eq(s.registers[UNWIND_RSP], stack);
        ck_assert(!unwind_step_frame(&s, &frame, false)); /* rcx is not known any more */
        s = made_stack(words, WORDS);
        frame.cfa.offset = -8;
        ck_assert(!unwind_step_frame(&s, &frame, false));
        frame.cfa.offset = 0;
        frame.registers[UNWIND_RIP] = (UnwindValue) { .where = UNWIND_AT_CFA };
        ck_assert(!unwind_step_frame(&s, &frame, false)); /* what was called has an address on the stack */
}
END_TEST

TEST_RUN("unwind-stack", plain_step, stack_ends, expressions, broken_expressions, steps_of_a_chain, signal_frame, return_by_register);
