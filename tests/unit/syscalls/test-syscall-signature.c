/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <dirent.h>
#include <sys/utsname.h>

#include "check-main.h"
#include "skip.h"
#include "syscall-signature.h"

#define TRACEPOINTS "/sys/kernel/tracing/events/syscalls"

/* Every call of x86-64 that programs can make; those that Linux has dropped have no arguments that anybody needs. */
START_TEST(all_calls_have_a_row) {
        static const char *const without[] = {
                "_sysctl", "afs_syscall", "create_module", "epoll_ctl_old", "epoll_wait_old", "get_kernel_syms", "getpmsg",
                "nfsservctl", "putpmsg", "query_module", "security", "tuxcall", "vserver",
        };

        for (uint32_t i = 0; i < syscall_count(SYSCALL_X86_64); i++) {
                const char *name = syscall_name(SYSCALL_X86_64, i);
                bool expected = name != NULL;

                for (size_t k = 0; expected && k < ELEMENTSOF(without); k++)
                        expected = !streq(without[k], name);
                if (expected)
                        ck_assert_msg(syscall_signature(SYSCALL_X86_64, i) != NULL, "no row for %s", name);
        }
}
END_TEST

static void check_row(const char *name) {
        const SyscallSignature *s = syscall_signature_by_name(name);
        unsigned n = 0;

        ck_assert_msg(s != NULL, "no row for %s", name);
        while (n < SYSCALL_MAX_ARGUMENTS && s->arguments[n].kind != ARGUMENT_END)
                n++;
        for (unsigned i = 0; i < n; i++)
                ck_assert_msg(s->arguments[i].length < n, "argument %u of %s: its length is none", i, name);
        for (unsigned i = n; i < SYSCALL_MAX_ARGUMENTS; i++)
                ck_assert_int_eq(s->arguments[i].kind, ARGUMENT_END);
}

START_TEST(rows) {
        for (int abi = 0; abi < SYSCALL_ABI_MAX; abi++)
                for (uint32_t i = 0; i < syscall_count((SyscallAbi) abi); i++)
                        if (syscall_signature((SyscallAbi) abi, i))
                                check_row(syscall_name((SyscallAbi) abi, i));
        ck_assert_ptr_null(syscall_signature(SYSCALL_X86_64, 99999));
        ck_assert_ptr_null(syscall_signature_by_name("nothing"));
}
END_TEST

START_TEST(clone_has_two_orders) {
        const SyscallSignature *arm = syscall_signature(SYSCALL_AARCH64, 220);

        ck_assert_str_eq(arm->arguments[3].name, "tls");
        ck_assert_str_eq(syscall_signature_by_name("clone")->arguments[3].name, "child_tidptr");
}
END_TEST

/* Compares the fields of a tracepoint, whose names end before a semicolon, with a row. */
static void compare_fields(FILE *f, const SyscallSignature *s) {
        char line[512], name[128];
        unsigned n = 0;

        while (fgets(line, sizeof(line), f)) {
                char *end = strchr(line, ';'), *begin;

                if (!end || !strstr(line, "field:") || strstr(line, "common_") || strstr(line, "__syscall_nr"))
                        continue;
                *end = '\0';
                begin = strrchr(line, ' ');
                ck_assert_ptr_nonnull(begin);
                if (startswith(begin + 1, "__"))
                        continue; /* strings that kernels since 6.19 copy */
                (void) snprintf(name, sizeof(name), "%s", begin + 1);
                ck_assert_msg(n < SYSCALL_MAX_ARGUMENTS && s->arguments[n].name, "%s has more arguments: %s", s->name, name);
                ck_assert_msg(streq(s->arguments[n].name, name), "argument %u of %s is %s, not %s", n, s->name, name,
                              s->arguments[n].name);
                n++;
        }
        ck_assert_msg(n == SYSCALL_MAX_ARGUMENTS || s->arguments[n].kind == ARGUMENT_END, "%s has fewer arguments", s->name);
}

START_TEST(names_are_those_of_the_kernel) {
        DIR *d = opendir(TRACEPOINTS);
        struct utsname u;
        struct dirent *e;

        if (!d)
                SKIP("no tracepoints of system calls: %s", strerror(errno));
        ck_assert_int_eq(uname(&u), 0);
        while ((e = readdir(d))) {
                const char *name = startswith(e->d_name, "sys_enter_");
                char path[sizeof(TRACEPOINTS) + sizeof(e->d_name) + 16];
                const SyscallSignature *s;
                FILE *f;

                /* Calls that the headers do not have are newer than the table. */
                if (!name || syscall_number(syscall_abi_from_machine(u.machine), name) < 0)
                        continue;
                s = syscall_signature_by_name(syscall_name_from_tracepoint(name));
                ck_assert_msg(s != NULL, "no row for %s", name);
                (void) snprintf(path, sizeof(path), "%s/%s/format", TRACEPOINTS, e->d_name);
                f = fopen(path, "re");
                ck_assert_ptr_nonnull(f);
                compare_fields(f, s);
                (void) fclose(f);
        }
        (void) closedir(d);
}
END_TEST

static void expect_memory(const char *call, SyscallAbi abi, unsigned argument, ArgumentMemory wanted) {
        const ArgumentMemory m = syscall_argument_memory(syscall_signature_by_name(call), abi, argument);

        ck_assert_msg(memcmp(&m, &wanted, sizeof(m)) == 0, "%s, argument %u: %u, %u, %u, %u", call, argument, m.kind, m.length,
                      m.returned, m.unit);
}

START_TEST(memory) {
        expect_memory("read", SYSCALL_X86_64, 0, (ArgumentMemory) {});
        expect_memory("read", SYSCALL_X86_64, 1, (ArgumentMemory) { ARGUMENT_MEMORY_RESULT, 2, true, 1 });
        expect_memory("write", SYSCALL_X86_64, 1, (ArgumentMemory) { ARGUMENT_MEMORY_COUNTED, 2, false, 1 });
        expect_memory("openat", SYSCALL_X86_64, 1, (ArgumentMemory) { ARGUMENT_MEMORY_TEXT, 0, false, 1 });
        expect_memory("execve", SYSCALL_X86_64, 1, (ArgumentMemory) { ARGUMENT_MEMORY_STRINGS, 0, false, 1 });
        expect_memory("nanosleep", SYSCALL_I386, 0, (ArgumentMemory) { ARGUMENT_MEMORY_FIXED, 0, false, 8 });
        expect_memory("clock_getres", SYSCALL_X86_64, 1, (ArgumentMemory) { ARGUMENT_MEMORY_FIXED, 0, true, 16 });
        expect_memory("clone3", SYSCALL_X86_64, 0, (ArgumentMemory) { ARGUMENT_MEMORY_COUNTED, 1, false, 1 });
        expect_memory("getgroups", SYSCALL_X86_64, 1, (ArgumentMemory) { ARGUMENT_MEMORY_RESULT, 0, true, 4 });
        expect_memory("wait4", SYSCALL_X86_64, 1, (ArgumentMemory) { ARGUMENT_MEMORY_FIXED, 0, true, 4 });
        expect_memory("writev", SYSCALL_X86_64, 1, (ArgumentMemory) { ARGUMENT_MEMORY_COUNTED, 2, false, 16 });
        expect_memory("epoll_wait", SYSCALL_AARCH64, 1, (ArgumentMemory) { ARGUMENT_MEMORY_RESULT, 2, true, 16 });
}
END_TEST

CHECK_MAIN("syscall-signature", all_calls_have_a_row, rows, clone_has_two_orders, names_are_those_of_the_kernel, memory);
