/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Instructions of call frame information, and those that cost more than honest ones do. */

#include <dwarf.h>

#include "check-main.h"
#include "frame-row.h"

#define START UINT64_C(0x1000)
#define STEPS (UINT64_C(1) << 30)
/* CFA = rsp + 8, and the return address below it: how tables of compilers begin */
#define BEGIN DW_CFA_def_cfa, UNWIND_RSP, 8, DW_CFA_offset | UNWIND_RIP, 1

typedef struct Found {
        UnwindRule rule;
        UnwindFrame frame;
        uint64_t steps; /* that were run */
        int r;
} Found;

static Found find_row(uint64_t address, const uint8_t *program, size_t size) {
        static const uint8_t begin[] = { BEGIN };
        const FrameEntry e = {
                .start = START, .end = START + 0x1000, .code_unit = 1, .data_unit = -8, .begin = { begin, begin + sizeof(begin), false },
                .program = { program, program + size, false },
        };
        uint64_t left = STEPS;
        Found f = {};

        f.r = frame_row_find(&e, address, &left, &f.rule, &f.frame);
        f.steps = STEPS - left;
        return f;
}

#define FIND(address, ...) find_row((address), (const uint8_t[]) { __VA_ARGS__ }, sizeof((const uint8_t[]) { __VA_ARGS__ }))

START_TEST(test_rows) {
        const uint8_t program[] = {
                DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | UNWIND_RBP, 2, DW_CFA_advance_loc | 3,
                DW_CFA_def_cfa_register, UNWIND_RBP, DW_CFA_remember_state, DW_CFA_advance_loc1, 200, DW_CFA_restore | UNWIND_RBP,
                DW_CFA_def_cfa, UNWIND_RSP, 8, DW_CFA_advance_loc | 1, DW_CFA_restore_state,
        };
        const struct {
                uint64_t address, start, end;
                int reg, offset, saved;
        } rows[] = {
                { 0, 0, 1, UNWIND_RSP, 8, 0 }, { 1, 1, 4, UNWIND_RSP, 16, -2 }, { 3, 1, 4, UNWIND_RSP, 16, -2 },
                { 4, 4, 204, UNWIND_RBP, 16, -2 }, { 204, 204, 205, UNWIND_RSP, 8, 0 }, { 205, 205, 0x1000, UNWIND_RBP, 16, -2 },
                { 0xfff, 205, 0x1000, UNWIND_RBP, 16, -2 },
        };

        for (size_t i = 0; i < ELEMENTSOF(rows); i++) {
                Found f = find_row(START + rows[i].address, program, sizeof(program));

                ck_assert_int_eq(f.r, 1);
                ck_assert_int_eq(f.rule.kind, UNWIND_PLAIN);
                ck_assert_uint_eq(f.rule.start, START + rows[i].start);
                ck_assert_uint_eq(f.rule.end, START + rows[i].end);
                ck_assert_int_eq(f.rule.cfa_register, rows[i].reg);
                ck_assert_int_eq(f.rule.cfa_offset, rows[i].offset);
                ck_assert_int_eq(f.rule.saved[1], rows[i].saved);
        }
}
END_TEST

/* As a procedure linkage table has it, and a branch. */
START_TEST(test_expressions) {
        Found f = FIND(START, DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, DW_OP_lit11, DW_OP_ge,
                       DW_OP_lit3, DW_OP_shl, DW_OP_plus);

        ck_assert_int_eq(f.r, 1);
        ck_assert_int_eq(f.rule.kind, UNWIND_FRAME);
        ck_assert_int_eq(f.frame.cfa.where, UNWIND_EXPRESSION);
        ck_assert_uint_eq(f.frame.cfa.n, 9);
        ck_assert_int_eq(f.frame.operations[1].atom, DW_OP_breg16);
        free(f.frame.operations);
        f = FIND(START, DW_CFA_expression, UNWIND_RBX, 7, DW_OP_const1s, 0xff, DW_OP_skip, 1, 0, DW_OP_lit1, DW_OP_plus);
        ck_assert_int_eq(f.r, 1);
        ck_assert_int_eq(f.frame.registers[UNWIND_RBX].where, UNWIND_AT_EXPRESSION);
        ck_assert_uint_eq(f.frame.operations[0].number, UINT64_MAX);
        ck_assert_uint_eq(f.frame.operations[1].number, 3);
        free(f.frame.operations);
        /* of a register it can't be known, of the CFA there is no rule */
        f = FIND(START, DW_CFA_val_expression, UNWIND_RBX, 9, DW_OP_addr, 0, 0, 0, 0, 0, 0, 0, 0);
        ck_assert_int_eq(f.r, 1);
        ck_assert_int_eq(f.frame.registers[UNWIND_RBX].where, UNWIND_UNKNOWN);
        ck_assert_int_eq(FIND(START, DW_CFA_def_cfa_expression, 3, DW_OP_skip, 1, 0).r, 0);
        ck_assert_int_eq(FIND(START, DW_CFA_def_cfa_expression, 100, DW_OP_lit1).r, 0);
}
END_TEST

START_TEST(test_registers) {
        ck_assert_int_eq(FIND(START, DW_CFA_undefined, UNWIND_RIP).rule.kind, UNWIND_LAST);
        ck_assert_int_eq(FIND(START, DW_CFA_same_value, 127).rule.kind, UNWIND_PLAIN);
        ck_assert_int_eq(FIND(START, DW_CFA_same_value, 0x80, 1).r, 0);
        ck_assert_int_eq(FIND(START, DW_CFA_same_value, 0xc0, 0x8d, 0xb7, 1).r, 0); /* three millions */
        ck_assert_int_eq(FIND(START, DW_CFA_def_cfa, 17, 8).r, 0);
        ck_assert_int_eq(FIND(START, DW_CFA_def_cfa, UNWIND_RAX, 8).rule.cfa_register, UNWIND_RAX);
}
END_TEST

START_TEST(test_states) {
        uint8_t program[20];

        memset(program, DW_CFA_remember_state, sizeof(program));
        ck_assert_int_eq(find_row(START, program, 16).r, 1);
        ck_assert_int_eq(find_row(START, program, 17).r, 0);
        ck_assert_int_eq(FIND(START, DW_CFA_restore_state).r, 0);
        ck_assert_int_eq(FIND(START, DW_CFA_low_user).r, 0);
        ck_assert_int_eq(FIND(START, DW_CFA_def_cfa_offset).r, 0);
}
END_TEST

/* A megabyte of instructions that do nothing is for no honest function: there is no rule for all of it. */
START_TEST(test_steps) {
        _cleanup_free_ uint8_t *program = calloc(1, 1 << 20);
        Found f;

        ck_assert_ptr_nonnull(program);
        f = find_row(START + 5, program, 1 << 20);
        ck_assert_int_eq(f.r, 0);
        ck_assert_uint_eq(f.rule.start, START);
        ck_assert_uint_eq(f.rule.end, START + 0x1000);
        ck_assert_uint_lt(f.steps, 1 << 19);
        f = find_row(START + 5, program, 1 << 16);
        ck_assert_int_eq(f.r, 1);
        ck_assert_uint_eq(f.steps, 2 + (1 << 16));
}
END_TEST

CHECK_MAIN("frame-row", test_rows, test_expressions, test_registers, test_states, test_steps);
