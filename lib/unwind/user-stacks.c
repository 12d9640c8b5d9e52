/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Registers are in the order of their bits in the event's mask, which are those of the kernel's asm/perf_regs.h; DWARF numbers them
 * otherwise. Only the 64-bit registers of x86-64 are known here. */

#include "user-stacks.h"

#define ABI_64 2u /* PERF_SAMPLE_REGS_ABI_64 */
#define N_PERF_REGISTERS 24u

#ifdef __x86_64__
/* DWARF's number of each of the kernel's, + 1; 0: none */
static const uint8_t dwarf_number[N_PERF_REGISTERS] = {
        [0] = UNWIND_RAX + 1, [1] = UNWIND_RBX + 1, [2] = UNWIND_RCX + 1, [3] = UNWIND_RDX + 1, [4] = UNWIND_RSI + 1,
        [5] = UNWIND_RDI + 1, [6] = UNWIND_RBP + 1, [7] = UNWIND_RSP + 1, [8] = UNWIND_RIP + 1,
        [16] = UNWIND_R8 + 1, [17] = 9 + 1, [18] = 10 + 1, [19] = 11 + 1,
        [20] = 12 + 1, [21] = 13 + 1, [22] = 14 + 1, [23] = 15 + 1,
};
#else
static const uint8_t dwarf_number[N_PERF_REGISTERS];
#endif

bool user_stacks_has(const PerfSample *s, uint64_t mask) {
        const uint64_t needed = UINT64_C(1) << 7 | UINT64_C(1) << 8; /* rsp and rip */

        return dwarf_number[7] > 0 && s->user_abi == ABI_64 && s->user_registers && s->stack && s->stack_size > 0 &&
               (mask & needed) == needed;
}

static void stacks_take_registers(uint64_t registers[static UNWIND_REGISTERS], uint32_t *known, const PerfSample *s,
                                  uint64_t mask) {
        size_t n = 0;

        *known = 0;
        for (size_t bit = 0; bit < 64 && n < s->n_user_registers; bit++) {
                if (!(mask >> bit & 1))
                        continue;
                if (bit < N_PERF_REGISTERS && dwarf_number[bit] > 0) {
                        registers[dwarf_number[bit] - 1] = s->user_registers[n];
                        *known |= UINT32_C(1) << (dwarf_number[bit] - 1);
                }
                n++;
        }
}

void unwind_stack_of_sample(UnwindStack *s, const PerfSample *sample, uint64_t mask) {
        *s = (UnwindStack) { .bytes = sample->stack, .size = sample->stack_size };
        stacks_take_registers(s->registers, &s->known, sample, mask);
        s->start = s->registers[UNWIND_RSP];
}
