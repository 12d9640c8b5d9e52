/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/syscall.h>

#include "check-main.h"
#include "syscall-table.h"

START_TEST(numbers) {
#ifdef __x86_64__
        ck_assert_str_eq(syscall_name(SYSCALL_X86_64, 257), "openat");
        ck_assert_int_eq(syscall_number(SYSCALL_X86_64, "openat"), SYS_openat);
        ck_assert_int_eq(syscall_number(SYSCALL_X86_64, "newfstat"), SYS_fstat);
        ck_assert_int_eq(syscall_number(SYSCALL_X86_64, "read"), 0);
        ck_assert_uint_gt(syscall_count(SYSCALL_X86_64), 440);
        ck_assert_str_eq(syscall_name(SYSCALL_I386, 295), "openat");
        ck_assert_int_eq(syscall_number(SYSCALL_I386, "socketcall"), 102);
        ck_assert_str_eq(syscall_name(SYSCALL_X86_64, 102 | SYSCALL_COMPAT), "socketcall");
        ck_assert_ptr_null(syscall_name(SYSCALL_AARCH64, 102 | SYSCALL_COMPAT));
        ck_assert_ptr_null(syscall_name(SYSCALL_X86_64, UINT32_MAX));
#endif
        ck_assert_str_eq(syscall_name(SYSCALL_AARCH64, 56), "openat");
        ck_assert_str_eq(syscall_name(SYSCALL_AARCH64, 62), "lseek");
        ck_assert_str_eq(syscall_name(SYSCALL_AARCH64, 79), "newfstatat");
        ck_assert_str_eq(syscall_name(SYSCALL_AARCH64, 222), "mmap");
        ck_assert_int_eq(syscall_number(SYSCALL_AARCH64, "open"), -ENOENT);
        for (int abi = 0; abi < SYSCALL_ABI_MAX; abi++)
                for (uint32_t i = 0; i < syscall_count((SyscallAbi) abi); i++)
                        if (syscall_name((SyscallAbi) abi, i))
                                ck_assert_int_eq(syscall_number((SyscallAbi) abi, syscall_name((SyscallAbi) abi, i)), (int) i);
        ck_assert_ptr_null(syscall_name(SYSCALL_AARCH64, UINT32_MAX));
}
END_TEST

START_TEST(machines) {
        ck_assert_int_eq(syscall_abi_from_machine("x86_64"), SYSCALL_X86_64);
        ck_assert_int_eq(syscall_abi_from_machine("aarch64"), SYSCALL_AARCH64);
        ck_assert_int_eq(syscall_abi_from_machine("i686"), SYSCALL_I386);
        ck_assert_int_eq(syscall_abi_from_machine("riscv64"), SYSCALL_ABI_INVALID);
}
END_TEST

CHECK_MAIN("syscall-table", numbers, machines);
