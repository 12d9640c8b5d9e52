/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sample.h"
#include "unwinder.h"

/* The copies of stacks of samples that wait for their turn. Zero-initialise. */
typedef struct UserStack {
        uint64_t registers[UNWIND_REGISTERS];
        uint32_t known;
        uint32_t size; /* of bytes */
        uint64_t bytes[];
} UserStack;

typedef struct UserStacks {
        UserStack **stacks; /* by number - 1; NULL: free */
        size_t n, allocated;
        uint32_t *spare;    /* free numbers; room for all */
        size_t n_spare, spare_allocated;
        size_t bytes;       /* of all copies */
} UserStacks;

#define USER_STACKS_BYTES_MAX ((size_t) 64 << 20) /* of copies, before samples get their turn early */

void user_stacks_done(UserStacks *u);

/* Returns whether a sample has all that a call chain can be made of. mask: attr.sample_regs_user. */
bool user_stacks_has(const PerfSample *s, uint64_t mask);

/* Returns how the chain of a sample ends that has not all. foreign: it is of another processor. */
static inline UnwindEnd user_stacks_end(const PerfSample *s, bool foreign) {
        return foreign || s->user_abi != PERF_SAMPLE_REGS_ABI_64 ? UNWIND_FOREIGN : UNWIND_CUT; /* no byte was copied */
}

/* Returns the address that a sample interrupted in user space; NULL: it is of the kernel. misc: of its header. */
static inline const uint64_t *user_stacks_hit(const PerfSample *s, uint16_t misc) {
        return (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER ? &s->ip : NULL;
}

/* Makes s that of a sample, in which its bytes stay. */
void unwind_stack_of_sample(UnwindStack *s, const PerfSample *sample, uint64_t mask);

/* Copies those of a sample that has them; numbers begin with 1. 0 or -ENOMEM. */
int user_stacks_put(UserStacks *u, const PerfSample *s, uint64_t mask, uint32_t *ret);
/* Valid until it is dropped. */
void user_stacks_get(const UserStacks *u, uint32_t number, UnwindStack *ret);
void user_stacks_drop(UserStacks *u, uint32_t number);
