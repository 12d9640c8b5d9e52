/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "unwind-rule.h"

/* Questions for rules, and their answers, between a recorder and the process that reads call frame information for it: one
 * message of a SOCK_SEQPACKET socket each. Both programs are of the same package. */

/* A descriptor of the binary may come with it: it is used for this number from then on. */
typedef struct RuleQuestion {
        uint64_t address; /* an offset in the file */
        uint32_t dso;     /* the asker's number of the binary */
        uint32_t number;  /* of the question */
} RuleQuestion;

typedef enum RuleStatus {
        RULE_FOUND,      /* the rule, which may be UNWIND_NO_RULE */
        RULE_NEEDS_FILE, /* the binary is not open (any more): ask again, with its descriptor */
        RULE_STATUS_MAX,
} RuleStatus;

typedef struct RuleAnswer {
        uint64_t start, end; /* offsets of the code that the rule is for */
        uint32_t number; /* of the question */
        uint8_t status, kind, signal, cfa_register;
        int32_t cfa_offset;
        uint32_t n_operations;
        int16_t saved[UNWIND_KEPT];
        UnwindValue cfa;
        UnwindValue registers[UNWIND_REGISTERS];
        UnwindOperation operations[UNWIND_OPERATIONS_MAX]; /* only n_operations of them are sent */
} RuleAnswer;

/* Fills an answer, and returns its bytes. frame: of UNWIND_FRAME only. */
size_t rule_answer_make(RuleAnswer *a, uint32_t number, RuleStatus status, const UnwindRule *rule, const UnwindFrame *frame);

/* Takes an answer of so many bytes, which is not trusted. ret_frame->operations are the caller's. *ret_status: RuleStatus. 0;
 * -EBADMSG: it is none, or not to that question; -ENOMEM. */
int rule_answer_take(const RuleAnswer *a, size_t bytes, uint32_t number, RuleStatus *ret_status, UnwindRule *ret,
                     UnwindFrame *ret_frame);
