/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/perf_event.h>
#include "diagnosis.h"
#include "event.h"
#if defined(__x86_64__) || defined(__aarch64__)
#include <asm/perf_regs.h>
#endif

/* The CPU's registers in samples, by perf's names, as masks of PERF_REG_* (asm/perf_regs.h). */

#if defined(__x86_64__)
#define SAMPLE_REGISTERS_ALL UINT64_C(0xff0fff) /* AX to SS, R8 to R15: the kernel refuses DS to GS of 64 bit programs */
#define SAMPLE_REGISTERS_UNWIND (UINT64_C(1) << PERF_REG_X86_IP | UINT64_C(1) << PERF_REG_X86_SP)
#define SAMPLE_WEIGHT PERF_SAMPLE_WEIGHT_STRUCT /* the latencies in parts, as perf asks for on this architecture */
#elif defined(__aarch64__)
#define SAMPLE_REGISTERS_ALL ((UINT64_C(1) << PERF_REG_ARM64_MAX) - 1)
#define SAMPLE_REGISTERS_UNWIND (UINT64_C(1) << PERF_REG_ARM64_PC | UINT64_C(1) << PERF_REG_ARM64_SP)
#define SAMPLE_WEIGHT PERF_SAMPLE_WEIGHT
#else /* the numbers are not known */
#define SAMPLE_REGISTERS_ALL UINT64_C(0)
#define SAMPLE_REGISTERS_UNWIND UINT64_C(0)
#define SAMPLE_WEIGHT PERF_SAMPLE_WEIGHT
#endif

typedef enum SampleRegistersKind {
        SAMPLE_REGISTERS_USER, /* of the program */
        SAMPLE_REGISTERS_INTR, /* at the event, in the kernel or the program; some counters give vector registers
                                * too */
} SampleRegistersKind;

/* Returns all registers of such samples on this machine. ops: NULL for the kernel; an event is opened to check for
 * vector registers. */
uint64_t sample_registers_available(SampleRegistersKind kind, const EventOps *ops);

/* Parses "ax,ip,…", in any case, to a mask of those in available. -EINVAL: an unknown name; d lists the available
 * ones. */
int sample_registers_parse(const char *list, uint64_t available, uint64_t *ret, Diagnosis *d);

/* Returns the names of a mask, separated by blanks. A new string, or NULL without memory. */
char *sample_registers_list(uint64_t mask);
