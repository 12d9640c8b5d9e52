/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/bpf.h>
#include "bpf-type.h"

/* A loaded BPF program: the kernel's facts of it, in the form that perf's files have. */

typedef struct BpfProgram {
        struct bpf_prog_info info; /* its pointers are NULL */
        void *block;               /* for the file: lengths, the info with offsets for pointers, the arrays */
        size_t size;
} BpfProgram;

/* bpf(2): a descriptor, 0 or a negative errno. */
int bpf_call(int command, union bpf_attr *attr);

/* Finds the first program whose id is above *id. -ENOENT: there is none; -EPERM: it takes CAP_BPF; -ENOSYS, -EINVAL: a kernel
 * without BPF. */
int bpf_program_next(uint32_t *id);

/* -ENOENT: it was unloaded in the meantime; -EPERM; -ENODATA: its arrays do not fit together (addresses are hidden);
 * -ENOMEM. */
int bpf_program_read(uint32_t id, BpfProgram *ret);
void bpf_program_done(BpfProgram *p);

/* A function that the program was compiled to. /proc/kallsyms need not have its name. */
typedef struct BpfFunction {
        uint64_t address;
        uint32_t length;
        char name[256]; /* "bpf_prog_TAG_NAME" */
} BpfFunction;

uint32_t bpf_program_functions(const BpfProgram *p);

/* types: those of info.btf_id, NULL: they can't be read. */
void bpf_program_function(const BpfProgram *p, uint32_t index, const BpfTypes *types, BpfFunction *ret);

/* True if the names of its functions come from types (info.btf_id). */
bool bpf_program_has_types(const BpfProgram *p);
