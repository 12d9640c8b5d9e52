/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sample.h"
#include "unwinder.h"

/* Copies of stacks, as samples have them. */

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
