/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Functions of the BPF programs that are loaded and compiled: code in the kernel that no list of symbols names for sure. */

typedef struct BpfFunction {
        uint64_t address;
        uint32_t length;
        char name[64]; /* "bpf_prog_TAG_NAME", as the kernel calls it */
} BpfFunction;

typedef int (*BpfFunctionHandler)(void *userdata, const BpfFunction *f);

/* Calls handler for each; a negative answer of its ends it and is answered. -EPERM: not ours to know (CAP_BPF); -ENOSYS,
 * -EINVAL: a kernel without BPF. */
int bpf_program_each(BpfFunctionHandler handler, void *userdata);
