/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names of registers, as perf record 6.1 has them for --user-regs and --intr-regs. The numbers are the kernel's
 * (PERF_REG_* of asm/perf_regs.h), and so is the choice: for a 64-bit x86 program CS and SS are the only segment
 * registers, and vector registers come only with Intel's counters that write samples themselves (PEBS). */

#include "sample-registers.h"

#include "strv.h"

static const char *const register_names[64] = {
#if defined(__x86_64__)
        [PERF_REG_X86_AX] = "AX",   [PERF_REG_X86_BX] = "BX",   [PERF_REG_X86_CX] = "CX",       [PERF_REG_X86_DX] = "DX",
        [PERF_REG_X86_SI] = "SI",   [PERF_REG_X86_DI] = "DI",   [PERF_REG_X86_BP] = "BP",       [PERF_REG_X86_SP] = "SP",
        [PERF_REG_X86_IP] = "IP",   [PERF_REG_X86_CS] = "CS",   [PERF_REG_X86_FLAGS] = "FLAGS", [PERF_REG_X86_SS] = "SS",
        [PERF_REG_X86_R8] = "R8",   [PERF_REG_X86_R9] = "R9",   [PERF_REG_X86_R10] = "R10",     [PERF_REG_X86_R11] = "R11",
        [PERF_REG_X86_R12] = "R12", [PERF_REG_X86_R13] = "R13", [PERF_REG_X86_R14] = "R14",     [PERF_REG_X86_R15] = "R15",
        /* Each of these has two numbers, for its halves. */
        [PERF_REG_X86_XMM0] = "XMM0",   [PERF_REG_X86_XMM1] = "XMM1",   [PERF_REG_X86_XMM2] = "XMM2",
        [PERF_REG_X86_XMM3] = "XMM3",   [PERF_REG_X86_XMM4] = "XMM4",   [PERF_REG_X86_XMM5] = "XMM5",
        [PERF_REG_X86_XMM6] = "XMM6",   [PERF_REG_X86_XMM7] = "XMM7",   [PERF_REG_X86_XMM8] = "XMM8",
        [PERF_REG_X86_XMM9] = "XMM9",   [PERF_REG_X86_XMM10] = "XMM10", [PERF_REG_X86_XMM11] = "XMM11",
        [PERF_REG_X86_XMM12] = "XMM12", [PERF_REG_X86_XMM13] = "XMM13", [PERF_REG_X86_XMM14] = "XMM14",
        [PERF_REG_X86_XMM15] = "XMM15",
#elif defined(__aarch64__)
        "x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10", "x11", "x12", "x13", "x14", "x15", "x16",
        "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc",
#endif
};

static uint64_t register_mask(unsigned i) {
#if defined(__x86_64__)
        return UINT64_C(1) << i | (i >= PERF_REG_X86_XMM0 ? UINT64_C(1) << (i + 1) : 0);
#else
        return UINT64_C(1) << i;
#endif
}

#if defined(__x86_64__)
static bool has_vector_registers(const EventOps *ops) {
        struct perf_event_attr attr = {
                .type = PERF_TYPE_HARDWARE,
                .size = sizeof(attr),
                .config = PERF_COUNT_HW_CPU_CYCLES,
                .sample_period = 1,
                .sample_type = PERF_SAMPLE_REGS_INTR,
                .sample_regs_intr = PERF_REG_EXTENDED_MASK,
                .precise_ip = 1,
                .disabled = true,
                .exclude_kernel = true,
        };
        Event e = EVENT_EMPTY;
        int r = event_open(&e, ops, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

        event_done(&e);
        return r >= 0;
}
#endif

uint64_t sample_registers_available(SampleRegistersKind kind, const EventOps *ops) {
#if defined(__x86_64__)
        if (kind == SAMPLE_REGISTERS_INTR && has_vector_registers(ops ?: &event_ops_kernel))
                return SAMPLE_REGISTERS_ALL | PERF_REG_EXTENDED_MASK;
#endif
        return SAMPLE_REGISTERS_ALL;
}

static uint64_t find_register(const char *name, uint64_t available) {
        for (unsigned i = 0; i < ELEMENTSOF(register_names); i++)
                if (register_names[i] && (available & register_mask(i)) && strcasecmp(register_names[i], name) == 0)
                        return register_mask(i);
        return 0;
}

int sample_registers_parse(const char *list, uint64_t available, uint64_t *ret, Diagnosis *d) {
        _cleanup_free_ char *copy = strdup(list);
        char *rest = copy, *name;
        uint64_t mask = 0;

        if (!copy)
                return -ENOMEM;
        while ((name = strsep(&rest, ","))) {
                uint64_t one = find_register(name, available);

                if (one == 0) {
                        _cleanup_free_ char *all = sample_registers_list(available);

                        return diagnosis_set(d, -EINVAL, "Unknown register \"%s\"; available registers: %s", name, all ?: "");
                }
                mask |= one;
        }
        *ret = mask;
        return 0;
}

char *sample_registers_list(uint64_t mask) {
        const char *names[ELEMENTSOF(register_names) + 1] = {};
        size_t n = 0;

        for (unsigned i = 0; i < ELEMENTSOF(register_names); i++)
                if (register_names[i] && (mask & register_mask(i)))
                        names[n++] = register_names[i];
        return strv_join((char *const *) names, " ");
}
