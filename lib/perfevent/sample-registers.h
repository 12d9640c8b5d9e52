/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "diagnosis.h"
#if defined(__x86_64__) || defined(__aarch64__)
#include <asm/perf_regs.h>
#endif

/* The CPU's registers that samples can carry, by perf's names, as masks of PERF_REG_* (asm/perf_regs.h). */

#if defined(__x86_64__)
#define SAMPLE_REGISTERS_ALL UINT64_C(0xff0fff) /* AX to SS, R8 to R15: the kernel refuses DS to GS of 64 bit programs */
#define SAMPLE_REGISTERS_UNWIND (UINT64_C(1) << PERF_REG_X86_IP | UINT64_C(1) << PERF_REG_X86_SP)
#define SAMPLE_WEIGHT PERF_SAMPLE_WEIGHT_STRUCT /* the latencies in parts, as perf asks for on this architecture */
#elif defined(__aarch64__)
#define SAMPLE_REGISTERS_ALL ((UINT64_C(1) << PERF_REG_ARM64_MAX) - 1)
#define SAMPLE_REGISTERS_UNWIND (UINT64_C(1) << PERF_REG_ARM64_PC | UINT64_C(1) << PERF_REG_ARM64_SP)
#define SAMPLE_WEIGHT PERF_SAMPLE_WEIGHT
#else /* none that we know the numbers of */
#define SAMPLE_REGISTERS_ALL UINT64_C(0)
#define SAMPLE_REGISTERS_UNWIND UINT64_C(0)
#define SAMPLE_WEIGHT PERF_SAMPLE_WEIGHT
#endif
