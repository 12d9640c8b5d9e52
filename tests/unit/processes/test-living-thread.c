/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "leaderless.h"
#include "living-thread.h"

START_TEST(test_first_thread) {
        ck_assert_uint_eq(living_thread("", (uint32_t) getpid()), (uint32_t) getpid());
        ck_assert_uint_eq(living_thread("", 2), 2); /* a kernel thread, or nothing in a container */
        ck_assert_uint_eq(living_thread("/nosuch", 7), 7);
}
END_TEST

START_TEST(test_another_thread) {
        pid_t pid = leaderless_start();
        uint32_t living = living_thread("", (uint32_t) pid);
        char path[64], target[256];

        ck_assert_uint_ne(living, (uint32_t) pid);
        (void) snprintf(path, sizeof(path), "/proc/%u/exe", living);
        ck_assert_int_gt(readlink(path, target, sizeof(target)), 0);
        (void) snprintf(path, sizeof(path), "/proc/%u/map_files", living);
        ck_assert_int_eq(access(path, F_OK), 0);
        leaderless_end(pid);
        ck_assert_uint_eq(living_thread("", (uint32_t) pid), (uint32_t) pid);
}
END_TEST

CHECK_MAIN("living-thread", test_first_thread, test_another_thread);
