/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/bpf.h>
#include "bpf-type.h"

/* A BPF program that is loaded: what the kernel says of it, in the form in which perf's files keep it. */

typedef struct BpfProgram {
        struct bpf_prog_info info; /* its pointers are NULL */
        void *block;               /* for the file: lengths, the info with offsets for pointers, the arrays */
        size_t size;
} BpfProgram;

/* bpf(2): a descriptor, 0 or a negative errno. */
int bpf_call(int command, union bpf_attr *attr);

/* The first program whose number is above *id. -ENOENT: there is none; -EPERM: not ours to know (CAP_BPF); -ENOSYS,
 * -EINVAL: a kernel without BPF. */
int bpf_program_next(uint32_t *id);

/* -ENOENT: unloaded meanwhile; -EPERM; -ENODATA: what it says does not fit together (hidden addresses); -ENOMEM. */
int bpf_program_read(uint32_t id, BpfProgram *ret);
void bpf_program_done(BpfProgram *p);

/* A function that the program was compiled to: code in the kernel that no list of symbols names for sure. */
typedef struct BpfFunction {
        uint64_t address;
        uint32_t length;
        char name[256]; /* "bpf_prog_TAG_NAME" */
} BpfFunction;

uint32_t bpf_program_functions(const BpfProgram *p);

/* types: those of info.btf_id, NULL: not to be had. */
void bpf_program_function(const BpfProgram *p, uint32_t index, const BpfTypes *types, BpfFunction *ret);

/* Whether names of its functions come from types (info.btf_id). */
bool bpf_program_has_types(const BpfProgram *p);
