/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "syscall-words.h"

/* The groups are those of strace 6.1, "strace -e trace=%desc" and so on. */
START_TEST(words) {
        ck_assert(syscall_matches("openat", "openat"));
        ck_assert(!syscall_matches("openat", "open"));
        ck_assert(syscall_matches("openat", "open*"));
        ck_assert(syscall_matches("fstat", "newfstat"));
        ck_assert(syscall_matches("openat", "%file"));
        ck_assert(syscall_matches("openat", "@file"));
        ck_assert(!syscall_matches("openat", "%nothing"));
        ck_assert(!syscall_matches("read", "%file"));
        ck_assert(syscall_matches("read", "%desc"));
        ck_assert(syscall_matches("read", "@descriptor"));
        ck_assert(syscall_matches("connect", "@network"));
        ck_assert(syscall_matches("execve", "%process"));
        ck_assert(syscall_matches("brk", "%memory"));
        ck_assert(syscall_matches("kill", "%signal"));
        ck_assert(syscall_matches("semop", "%ipc"));
        ck_assert(!syscall_matches("socket", "%desc"));
        ck_assert(syscall_matches("sendfile", "%desc") && syscall_matches("sendfile", "%network"));
        ck_assert(syscall_matches("ppoll", "%desc"));
        ck_assert(syscall_matches("getcwd", "%file"));
        ck_assert(!syscall_matches("unshare", "%process"));
        ck_assert(syscall_matches("io_uring_enter", "%signal"));
        ck_assert(syscall_word_is_known(SYSCALL_AARCH64, "openat"));
        ck_assert(syscall_word_is_known(SYSCALL_AARCH64, "op*at"));
        ck_assert(syscall_word_is_known(SYSCALL_AARCH64, "%file"));
        ck_assert(!syscall_word_is_known(SYSCALL_AARCH64, "%"));
        ck_assert(!syscall_word_is_known(SYSCALL_AARCH64, "file"));
        ck_assert(!syscall_word_is_known(SYSCALL_AARCH64, "opens"));
}
END_TEST

CHECK_MAIN("syscall-words", words);
