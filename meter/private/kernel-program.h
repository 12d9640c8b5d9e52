/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bpf-library.h"

/* A program of ours in the kernel, with its tables. It was compiled when this was built, and is a part of it. */

#define KERNEL_PROGRAM_LINKS 8u

/* Defines SYMBOL and SYMBOL_end, the bytes of a file. */
#define KERNEL_PROGRAM_OBJECT(symbol, file)        \
        __asm__(".section .rodata\n"               \
                ".balign 8\n"                      \
                #symbol ":\n"                      \
                ".incbin \"" file "\"\n"           \
                #symbol "_end:\n"                  \
                ".previous\n");                    \
        extern const uint8_t symbol[], symbol##_end[]

/* Zero-initialise. */
typedef struct KernelProgram {
        BpfLibrary bpf;
        struct bpf_object *object;
        struct bpf_link *links[KERNEL_PROGRAM_LINKS];
        size_t n_links;
} KernelProgram;

/* Loads the program without running it. -EOPNOTSUPP: libbpf is missing, or this is in a container with process ids of its own;
 * -EPERM, -EACCES: the process may not; other errors of the kernel; d has the reason. */
int kernel_program_load(KernelProgram *p, const uint8_t *bytes, const uint8_t *end, Diagnosis *d);
void kernel_program_done(KernelProgram *p);

/* The table of that name, which the program has. */
int kernel_program_table(const KernelProgram *p, const char *name);

/* Sets an entry of a table. 0 or a negative errno. */
int kernel_program_set(const KernelProgram *p, const char *table, uint32_t key, const void *value);

/* Lets the program run; without: a function that is left out, or NULL. 0 or a negative errno. */
int kernel_program_attach(KernelProgram *p, const char *without);

/* Explains a failure of the functions above. Returns r. */
int kernel_program_refuse(Diagnosis *d, int r, const char *what);
