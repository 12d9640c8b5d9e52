/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "call-descriptors.h"

#include <fcntl.h>

#include "check-main.h"

static uint32_t number_of(const char *name) {
        for (uint32_t i = 0; i < syscall_count(SYSCALL_X86_64); i++)
                if (syscall_name(SYSCALL_X86_64, i) && streq(syscall_name(SYSCALL_X86_64, i), name))
                        return i;
        ck_abort_msg("%s", name);
}

static uint64_t inodes[2]; /* that the next calls have */

/* A call of process 1 that has returned; text: the memory of that argument, NULL: none is known. */
static void follow(CallDescriptors *d, const char *name, const uint64_t *arguments, int64_t result, unsigned argument,
                   const void *bytes, size_t size) {
        Call c = { .number = number_of(name), .since = 1, .until = 2, .result = result };
        CallMemory m = { .number = c.number, .n = bytes ? 1 : 0, .pieces = { { .argument = argument, .size = size, .bytes = bytes } } };

        memcpy(c.arguments, arguments, sizeof(c.arguments));
        memcpy(m.inodes, inodes, sizeof(inodes));
        ck_assert_int_eq(call_descriptors_follow(d, 1, SYSCALL_X86_64, &c, &m), 0);
}

#define FOLLOW(d, name, result, argument, text, ...) \
        follow(d, name, (const uint64_t[CALL_ARGUMENTS]) { __VA_ARGS__ }, result, argument, text, sizeof(text) - 1)
#define FOLLOW_NUMBERS(d, name, result, ...) \
        follow(d, name, (const uint64_t[CALL_ARGUMENTS]) { __VA_ARGS__ }, result, 0, NULL, 0)

static void expect(CallDescriptors *d, uint32_t pid, int fd, const char *wanted) {
        const char *name = call_descriptors_name(d, pid, fd);

        ck_assert_msg(wanted ? name && streq(name, wanted) : !name, "%d of %u: %s", fd, pid, name ?: "(none)");
}

START_TEST(files) {
        CallDescriptors d = {};
        const uint64_t cwd = (uint64_t) AT_FDCWD;

        FOLLOW(&d, "chdir", 0, 0, "/var/lib", 0x1000);
        FOLLOW(&d, "openat", 3, 1, "/etc/passwd", cwd, 0x1000, O_CLOEXEC);
        FOLLOW(&d, "openat", 4, 1, "dpkg", cwd, 0x1000, 0);
        FOLLOW(&d, "openat", 5, 1, "status", 4, 0x1000, 0);
        FOLLOW(&d, "openat", -2, 1, "/nonexistent", cwd, 0x1000, 0);
        expect(&d, 1, 3, "/etc/passwd");
        expect(&d, 1, 4, "/var/lib/dpkg");
        expect(&d, 1, 5, "/var/lib/dpkg/status");
        expect(&d, 1, AT_FDCWD, "/var/lib");
        expect(&d, 1, 6, NULL);
        FOLLOW_NUMBERS(&d, "fchdir", 0, 4);
        expect(&d, 1, AT_FDCWD, "/var/lib/dpkg");
        FOLLOW_NUMBERS(&d, "close", 0, 4);
        expect(&d, 1, 4, NULL);
        FOLLOW_NUMBERS(&d, "execve", 0, 0);
        expect(&d, 1, 3, NULL);
        expect(&d, 1, 5, "/var/lib/dpkg/status");
        FOLLOW_NUMBERS(&d, "close_range", 0, 3, UINT32_MAX);
        expect(&d, 1, 5, NULL);
        call_descriptors_done(&d);
}
END_TEST

START_TEST(copies) {
        CallDescriptors d = {};

        FOLLOW_NUMBERS(&d, "socket", 3, 1, 1, 0);
        FOLLOW_NUMBERS(&d, "dup", 4, 3);
        FOLLOW_NUMBERS(&d, "dup2", 7, 3, 7);
        FOLLOW_NUMBERS(&d, "dup2", 3, 3, 3);
        FOLLOW_NUMBERS(&d, "dup3", 8, 3, 8, O_CLOEXEC);
        FOLLOW_NUMBERS(&d, "fcntl", 9, 3, F_DUPFD_CLOEXEC, 9);
        FOLLOW_NUMBERS(&d, "fcntl", 0, 4, F_SETFD, FD_CLOEXEC);
        for (int fd = 3; fd <= 9; fd++)
                expect(&d, 1, fd, fd == 5 || fd == 6 ? NULL : "socket");
        FOLLOW_NUMBERS(&d, "execve", 0, 0);
        for (int fd = 3; fd <= 9; fd++)
                expect(&d, 1, fd, fd == 3 || fd == 7 ? "socket" : NULL);
        call_descriptors_done(&d);
}
END_TEST

START_TEST(pairs_and_children) {
        CallDescriptors d = {};

        FOLLOW(&d, "pipe2", 0, 0, "\3\0\0\0\4\0\0\0", 0x1000, 0);
        FOLLOW_NUMBERS(&d, "epoll_create1", 5, 0);
        expect(&d, 1, 3, "pipe");
        expect(&d, 1, 4, "pipe");
        ck_assert_int_eq(call_descriptors_fork(&d, 1, 2), 0);
        FOLLOW_NUMBERS(&d, "close", 0, 3);
        expect(&d, 1, 3, NULL);
        expect(&d, 2, 3, "pipe");
        expect(&d, 2, 5, "anon_inode:[eventpoll]");
        call_descriptors_forget(&d, 2);
        expect(&d, 2, 3, NULL);
        call_descriptors_done(&d);
}
END_TEST

START_TEST(numbers) {
        CallDescriptors d = {};

        inodes[0] = 17;
        inodes[1] = 18;
        FOLLOW(&d, "socketpair", 0, 3, "\3\0\0\0\4\0\0\0", 1, 1, 0, 0x1000);
        FOLLOW_NUMBERS(&d, "accept4", 5, 3);
        FOLLOW_NUMBERS(&d, "eventfd2", 6, 0);
        expect(&d, 1, 3, "socket:[17]");
        expect(&d, 1, 4, "socket:[18]");
        expect(&d, 1, 5, "socket:[17]");
        expect(&d, 1, 6, "anon_inode:[eventfd]");
        call_descriptors_done(&d);
        inodes[0] = inodes[1] = 0;
}
END_TEST

/* Numbers that no process has do not take memory. */
START_TEST(hostile) {
        CallDescriptors d = {};

        FOLLOW(&d, "openat", INT32_MAX, 1, "/etc/passwd", (uint64_t) AT_FDCWD, 0x1000, 0);
        FOLLOW(&d, "pipe2", 0, 0, "\xff\xff\xff\xff\xff\xff\xff\x7f", 0x1000, 0);
        FOLLOW(&d, "pipe2", 0, 0, "\3\0", 0x1000, 0);
        FOLLOW_NUMBERS(&d, "close", 0, UINT64_MAX);
        FOLLOW_NUMBERS(&d, "close_range", 0, 0, UINT64_MAX);
        FOLLOW_NUMBERS(&d, "fcntl", 0, UINT64_MAX, F_SETFD, FD_CLOEXEC);
        expect(&d, 1, INT32_MAX, NULL);
        expect(&d, 1, -1, NULL);
        expect(&d, 1, -7, NULL);
        call_descriptors_done(&d);
}
END_TEST

START_TEST(live) {
        CallDescriptors d = { .live = true };
        _cleanup_close_ int fd = open("/etc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(call_descriptors_learn(&d, (uint32_t) getpid()), 0);
        expect(&d, (uint32_t) getpid(), fd, "/etc");
        call_descriptors_done(&d);
}
END_TEST

CHECK_MAIN("call-descriptors", files, copies, pairs_and_children, numbers, hostile, live);
