/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* A rule by which the registers of a caller follow from those of a function, at one address of its code: what a row of
 * call frame information says (DWARF 5, 6.4), for x86-64. Almost all rows are of one form, which is kept apart. */

/* Numbers of registers are DWARF's (System V ABI, AMD64 supplement, 3.6.2). */
enum {
        UNWIND_RAX = 0,
        UNWIND_RDX = 1,
        UNWIND_RCX = 2,
        UNWIND_RBX = 3,
        UNWIND_RSI = 4,
        UNWIND_RDI = 5,
        UNWIND_RBP = 6,
        UNWIND_RSP = 7,
        UNWIND_R8 = 8,
        UNWIND_R12 = 12,
        UNWIND_RIP = 16, /* the return address */
        UNWIND_REGISTERS = 17,
};

/* The registers that a function leaves to its caller as they were: rbx, rbp, r12 to r15. */
#define UNWIND_KEPT 6u
extern const uint8_t unwind_kept[UNWIND_KEPT];

typedef enum UnwindKind {
        UNWIND_NO_RULE, /* nothing is known of that code */
        UNWIND_LAST,    /* there is no caller */
        UNWIND_PLAIN,   /* the return address is below the CFA (canonical frame address) */
        UNWIND_FRAME,   /* see UnwindFrame */
} UnwindKind;

typedef struct UnwindRule {
        uint64_t start, end;   /* of the code that it is for, which has the address that was asked for */
        uint8_t kind;
        bool signal;           /* what it returns to was interrupted, and did not call */
        uint8_t cfa_register;  /* CFA = this register + cfa_offset */
        int32_t cfa_offset;
        int16_t saved[UNWIND_KEPT]; /* each is saved so many words of 8 bytes above the CFA; 0: it has its value still */
        uint32_t frame;        /* of the user; of UNWIND_FRAME */
} UnwindRule;

/* A step of a DWARF expression. Places that a branch leads to are numbers of steps. */
typedef struct UnwindOperation {
        uint8_t atom; /* DW_OP_… */
        uint64_t number, number2;
} UnwindOperation;

typedef enum UnwindWhere {
        UNWIND_UNKNOWN,       /* the caller's value is lost */
        UNWIND_SAME,
        UNWIND_REGISTER,      /* register + offset */
        UNWIND_AT_CFA,        /* in memory, at the CFA + offset */
        UNWIND_CFA,           /* the CFA + offset */
        UNWIND_EXPRESSION,    /* the value of an expression */
        UNWIND_AT_EXPRESSION, /* in memory, at the value of an expression */
} UnwindWhere;

typedef struct UnwindValue {
        uint8_t where, reg;
        uint16_t first, n; /* of the frame's operations */
        int64_t offset;
} UnwindValue;

/* A row of any form. */
#define UNWIND_OPERATIONS_MAX 256u /* of one row */
typedef struct UnwindFrame {
        UnwindValue cfa;
        UnwindValue registers[UNWIND_REGISTERS];
        UnwindOperation *operations;
        size_t n_operations;
} UnwindFrame;
