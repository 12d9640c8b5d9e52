/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "unwind-rule.h"

/* A thread's registers in user space and what was on its stack, and one step from a function to its caller. */
typedef struct UnwindStack {
        uint64_t registers[UNWIND_REGISTERS];
        uint32_t known; /* a bit for each register whose value is known */
        uint64_t start; /* the address of the first byte of the copy */
        const void *bytes;
        size_t size;
        uint32_t steps; /* of expressions, so far */
        bool beyond;    /* something was needed that lies behind the end of the copy */
} UnwindStack;

/* All expressions of a chain together may take so many steps: one of a procedure linkage table takes ten, and those of a frame that
 * a signal interrupted 50. */
#define UNWIND_STEPS_MAX 4096u
#define UNWIND_DEPTH_MAX 64u   /* values that it may put down */

/* Reads a word of 8 bytes, or the size bytes of a smaller one. False: the copy does not have it. */
bool unwind_stack_read(UnwindStack *s, uint64_t address, size_t size, uint64_t *ret);

/* Computes an expression: push is put down first if it is not NULL. False: it is broken, too long, or needs what is not known. */
bool unwind_expression(UnwindStack *s, const UnwindOperation *operations, size_t n, const uint64_t *push, uint64_t *ret);

/* Both replace the registers by the caller's. False: they can't be known, or the stack does not shrink. */
bool unwind_step_plain(UnwindStack *s, const UnwindRule *rule);
bool unwind_step_frame(UnwindStack *s, const UnwindFrame *frame, bool signal);

/* Follows the frame pointer, where no rule is known. */
bool unwind_step_pointer(UnwindStack *s);
