/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Answers arrive as they were made, and those that could lead out of an array do not. */

#include <dwarf.h>

#include "check-main.h"
#include "rule-message.h"

static UnwindOperation operations[] = {
        { .atom = DW_OP_breg7, .number = 8 }, { .atom = DW_OP_deref }, { .atom = DW_OP_plus_uconst, .number = 3 },
};
static const UnwindFrame frame = {
        .cfa = { .where = UNWIND_EXPRESSION, .first = 0, .n = 3 },
        .registers = {
                [UNWIND_RBX] = { .where = UNWIND_REGISTER, .reg = UNWIND_R12, .offset = -1 },
                [UNWIND_RIP] = { .where = UNWIND_AT_EXPRESSION, .first = 1, .n = 2 },
                [UNWIND_RSP] = { .where = UNWIND_CFA, .offset = 16 },
        },
        .operations = operations, .n_operations = ELEMENTSOF(operations),
};
static const UnwindRule plain = {
        .start = 16, .end = 48, .kind = UNWIND_PLAIN, .cfa_register = UNWIND_RBP, .cfa_offset = -16, .saved = { 1, -2, 0, 4, -5, 6 },
};
static const UnwindRule complex = { .kind = UNWIND_FRAME, .signal = true, .cfa_offset = 7 };

static RuleAnswer answer;

static int take(size_t size) {
        RuleStatus status;
        UnwindRule rule;
        UnwindFrame f = {};
        int r = rule_answer_take(&answer, size, 5, &status, &rule, &f);

        free(f.operations);
        return r;
}

START_TEST(test_plain) {
        size_t size = rule_answer_make(&answer, 5, RULE_FOUND, &plain, NULL);
        RuleStatus status = RULE_NEEDS_FILE;
        UnwindRule rule = {};
        UnwindFrame f = {};

        ck_assert_uint_lt(size, 1024);
        ck_assert_int_eq(rule_answer_take(&answer, size, 5, &status, &rule, &f), 0);
        ck_assert_int_eq(status, RULE_FOUND);
        ck_assert_int_eq(rule.kind, UNWIND_PLAIN);
        ck_assert_uint_eq(rule.start, 16);
        ck_assert_uint_eq(rule.end, 48);
        ck_assert(!rule.signal);
        ck_assert_int_eq(rule.cfa_register, UNWIND_RBP);
        ck_assert_int_eq(rule.cfa_offset, -16);
        ck_assert_mem_eq(rule.saved, plain.saved, sizeof(plain.saved));
        ck_assert_ptr_null(f.operations);
}
END_TEST

START_TEST(test_frame) {
        size_t size = rule_answer_make(&answer, 5, RULE_FOUND, &complex, &frame);
        RuleStatus status = RULE_NEEDS_FILE;
        UnwindRule rule = {};
        UnwindFrame f = {};

        ck_assert_int_eq(rule_answer_take(&answer, size, 5, &status, &rule, &f), 0);
        ck_assert_int_eq(rule.kind, UNWIND_FRAME);
        ck_assert(rule.signal);
        ck_assert_uint_eq(f.n_operations, 3);
        ck_assert_int_eq(f.operations[2].atom, DW_OP_plus_uconst);
        ck_assert_uint_eq(f.operations[2].number, 3);
        ck_assert_int_eq(f.cfa.where, UNWIND_EXPRESSION);
        ck_assert_int_eq(f.registers[UNWIND_RBX].offset, -1);
        ck_assert_int_eq(f.registers[UNWIND_RIP].first, 1);
        free(f.operations);
}
END_TEST

START_TEST(test_needs_file) {
        size_t size = rule_answer_make(&answer, 5, RULE_NEEDS_FILE, &complex, &frame);
        RuleStatus status = RULE_FOUND;
        UnwindRule rule = {};
        UnwindFrame f = {};

        ck_assert_int_eq(rule_answer_take(&answer, size, 5, &status, &rule, &f), 0);
        ck_assert_int_eq(status, RULE_NEEDS_FILE);
        ck_assert_int_eq(rule.kind, UNWIND_NO_RULE);
        ck_assert_ptr_null(f.operations);
}
END_TEST

/* Each change makes the answer a wrong one. */
START_TEST(test_wrong) {
        size_t size = rule_answer_make(&answer, 5, RULE_FOUND, &complex, &frame);
        const RuleAnswer good = answer;

#define ASSERT_WRONG(change) \
        do { \
                answer = good; \
                ck_assert_int_eq(take(size), 0); \
                change; \
                ck_assert_int_eq(take(size), -EBADMSG); \
        } while (0)
        ASSERT_WRONG(answer.number++);
        ASSERT_WRONG(answer.status = RULE_STATUS_MAX);
        ASSERT_WRONG(answer.kind = UNWIND_FRAME + 1);
        ASSERT_WRONG(answer.signal = 2);
        ASSERT_WRONG(answer.cfa_register = UNWIND_REGISTERS);
        ASSERT_WRONG(answer.n_operations++);
        ASSERT_WRONG(answer.n_operations = UINT32_MAX);
        ASSERT_WRONG(answer.cfa.n++);
        ASSERT_WRONG(answer.cfa.first = UINT16_MAX);
        ASSERT_WRONG(answer.cfa.where = UNWIND_AT_EXPRESSION + 1);
        ASSERT_WRONG(answer.registers[UNWIND_RBX].reg = UNWIND_REGISTERS);
        ASSERT_WRONG(answer.registers[UNWIND_REGISTERS - 1].first = 2);
        ASSERT_WRONG(size--);
        size = 3;
        answer = good;
        ck_assert_int_eq(take(size), -EBADMSG);
        ck_assert_int_eq(take(0), -EBADMSG);
}
END_TEST

CHECK_MAIN("rule-message", test_plain, test_frame, test_needs_file, test_wrong);
