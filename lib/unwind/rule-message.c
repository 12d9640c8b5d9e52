/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The process that answers reads files that others wrote, and may have been taken over by one of them. So nothing in an answer may
 * lead the asker outside of its own arrays: registers, kinds and operations are checked here, and what a rule does to a stack is
 * checked by unwind-stack.c in any case. */

#include "rule-message.h"

size_t rule_answer_make(RuleAnswer *a, uint32_t number, RuleStatus status, const UnwindRule *rule, const UnwindFrame *frame) {
        memset(a, 0, offsetof(RuleAnswer, operations));
        a->number = number;
        a->status = (uint8_t) status;
        if (status == RULE_FOUND) {
                a->start = rule->start;
                a->end = rule->end;
                a->kind = rule->kind;
                a->signal = rule->signal;
                a->cfa_register = rule->cfa_register;
                a->cfa_offset = rule->cfa_offset;
                memcpy(a->saved, rule->saved, sizeof(a->saved));
        }
        if (a->kind == UNWIND_FRAME) {
                a->cfa = frame->cfa;
                memcpy(a->registers, frame->registers, sizeof(a->registers));
                a->n_operations = (uint32_t) MIN_OF(frame->n_operations, (size_t) UNWIND_OPERATIONS_MAX);
                if (a->n_operations > 0)
                        memcpy(a->operations, frame->operations, a->n_operations * sizeof(*a->operations));
        }
        return offsetof(RuleAnswer, operations) + a->n_operations * sizeof(*a->operations);
}

static bool value_is_valid(const RuleAnswer *a, const UnwindValue *v) {
        if (v->where > UNWIND_AT_EXPRESSION || v->reg >= UNWIND_REGISTERS)
                return false;
        return v->first <= a->n_operations && v->n <= a->n_operations - v->first;
}

/* Branches of an expression that lead behind its end only end it. */
static bool answer_is_valid(const RuleAnswer *a, size_t bytes, uint32_t number) {
        if (bytes < offsetof(RuleAnswer, operations) || a->number != number || a->status >= RULE_STATUS_MAX ||
            a->n_operations > UNWIND_OPERATIONS_MAX ||
            bytes != offsetof(RuleAnswer, operations) + a->n_operations * sizeof(*a->operations))
                return false;
        if (a->kind > UNWIND_FRAME || a->signal > 1 || a->cfa_register >= UNWIND_REGISTERS || !value_is_valid(a, &a->cfa))
                return false;
        for (size_t i = 0; i < UNWIND_REGISTERS; i++)
                if (!value_is_valid(a, a->registers + i))
                        return false;
        return true;
}

int rule_answer_take(const RuleAnswer *a, size_t bytes, uint32_t number, RuleStatus *ret_status, UnwindRule *ret,
                     UnwindFrame *ret_frame) {
        UnwindFrame frame = {};

        if (!answer_is_valid(a, bytes, number))
                return -EBADMSG;
        if (a->status == RULE_FOUND && a->kind == UNWIND_FRAME) {
                frame.cfa = a->cfa;
                memcpy(frame.registers, a->registers, sizeof(frame.registers));
                frame.n_operations = a->n_operations;
                frame.operations = calloc(MAX_OF(frame.n_operations, (size_t) 1), sizeof(*frame.operations));
                if (!frame.operations)
                        return -ENOMEM;
                memcpy(frame.operations, a->operations, frame.n_operations * sizeof(*frame.operations));
        }
        *ret_status = a->status;
        *ret = (UnwindRule) {
                .start = a->start, .end = a->end, .kind = a->kind, .signal = a->signal, .cfa_register = a->cfa_register,
                .cfa_offset = a->cfa_offset,
        };
        memcpy(ret->saved, a->saved, sizeof(ret->saved));
        *ret_frame = frame;
        return 0;
}
