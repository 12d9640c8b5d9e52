/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names and numbers of calls. The arrays of names are made by make-calls.awk. */

#include "syscall-table.h"

#include <fnmatch.h>

#include "call-names.h"

static const struct {
        const char *const *names;
        const unsigned *size;
} tables[SYSCALL_ABI_MAX] = {
        [SYSCALL_X86_64] = { syscall_names_x86_64, &syscall_names_x86_64_size },
        [SYSCALL_I386] = { syscall_names_i386, &syscall_names_i386_size },
        [SYSCALL_AARCH64] = { syscall_names_aarch64, &syscall_names_aarch64_size },
};

/* Functions of the kernel whose names differ from those of their calls. */
static const struct {
        const char *tracepoint, *name;
} renamed[] = {
        { "newfstat", "fstat" }, { "newlstat", "lstat" },        { "newstat", "stat" },
        { "newuname", "uname" }, { "sendfile64", "sendfile" },   { "umount", "umount2" },
};

SyscallAbi syscall_abi_from_machine(const char *machine) {
        if (streq(machine, "x86_64"))
                return SYSCALL_X86_64;
        if (streq(machine, "aarch64") || streq(machine, "arm64"))
                return SYSCALL_AARCH64;
        if (fnmatch("i[3-6]86", machine, 0) == 0)
                return SYSCALL_I386;
        return SYSCALL_ABI_INVALID;
}

uint32_t syscall_count(SyscallAbi abi) {
        return *tables[abi].size;
}

SyscallAbi syscall_abi_of(SyscallAbi abi, uint32_t *number) {
        if (abi != SYSCALL_X86_64 || !(*number & SYSCALL_COMPAT))
                return abi;
        *number &= ~SYSCALL_COMPAT;
        return SYSCALL_I386;
}

const char *syscall_name(SyscallAbi abi, uint32_t number) {
        abi = syscall_abi_of(abi, &number);
        return number < syscall_count(abi) ? tables[abi].names[number] : NULL;
}

const char *syscall_name_from_tracepoint(const char *name) {
        for (size_t i = 0; i < ELEMENTSOF(renamed); i++)
                if (streq(renamed[i].tracepoint, name))
                        return renamed[i].name;
        return name;
}

static int find_number(SyscallAbi abi, const char *name) {
        for (uint32_t i = 0; i < syscall_count(abi); i++)
                if (tables[abi].names[i] && streq(tables[abi].names[i], name))
                        return (int) i;
        return -ENOENT;
}

int syscall_number(SyscallAbi abi, const char *name) {
        int number = find_number(abi, name);

        return number >= 0 ? number : find_number(abi, syscall_name_from_tracepoint(name));
}
