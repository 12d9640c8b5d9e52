/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cleanup.h"

/* Numbers and names of system calls. The tables are made when the project is built, from the
 * headers of the kernel that the compiler has: a call that is newer than these has no name. */

typedef enum SyscallAbi {
        SYSCALL_X86_64,
        SYSCALL_I386,
        SYSCALL_AARCH64,
        SYSCALL_ABI_MAX,
        SYSCALL_ABI_INVALID = -EINVAL,
} SyscallAbi;

/* In the number of a call of x86-64: it is that of a 32-bit program, with the number that i386 has for it. */
#define SYSCALL_COMPAT (UINT32_C(1) << 29)

/* Returns the ABI whose call it is, and makes *number that ABI's. */
SyscallAbi syscall_abi_of(SyscallAbi abi, uint32_t *number);

/* The ABI of 64-bit programs of a machine, by uname's word ("x86_64", "aarch64"); i386 … i686: SYSCALL_I386.
 * SYSCALL_ABI_INVALID: it is not known. */
SyscallAbi syscall_abi_from_machine(const char *machine);

/* Returns the name of the call ("openat"), which may be SYSCALL_COMPAT; NULL: it is not known. */
const char *syscall_name(SyscallAbi abi, uint32_t number);

/* Returns the number of the call; -ENOENT: that ABI has no such call. Names of tracepoints are understood, too ("newfstat"). */
int syscall_number(SyscallAbi abi, const char *name);

/* Returns the name of the call that the tracepoint syscalls:sys_enter_NAME and sys_exit_NAME belong to, which is that of the
 * function in the kernel: "fstat" for "newfstat". Other names are returned as they are. */
const char *syscall_name_from_tracepoint(const char *name);

/* Returns one more than the greatest number that has a name; a loop over all calls goes up to it. */
uint32_t syscall_count(SyscallAbi abi);
