/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The page of live figures. */

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "check-main.h"
#include "counters.h"
#include "fd-file.h"

static void set_environment(int fd) {
        char text[16];

        (void) snprintf(text, sizeof(text), "%d", fd);
        ck_assert_int_eq(setenv(PR_COUNTERS_ENV, text, 1), 0);
}

START_TEST(test_shared) {
        _cleanup_close_ int fd = open_memfd("counters", PR_COUNTERS_SIZE);
        int handed = dup(fd);
        const PrCounters *seen = mmap(NULL, PR_COUNTERS_SIZE, PROT_READ, MAP_SHARED, fd, 0);
        struct stat shared, kept;
        Counters c;

        ck_assert_int_eq(pwrite(fd, "old figures of somebody before", 30, 8), 30);
        set_environment(handed);
        counters_open(&c);
        ck_assert_ptr_null(getenv(PR_COUNTERS_ENV));
        ck_assert_uint_eq(seen->magic, PR_COUNTERS_MAGIC);
        ck_assert_uint_eq(seen->samples, 0);
        /* A daemon that has lost its descriptor opens it by the number in the environment; commands do not inherit it. */
        ck_assert_int_eq(fstat(fd, &shared), 0);
        ck_assert_int_eq(fstat(handed, &kept), 0);
        ck_assert_uint_eq(kept.st_ino, shared.st_ino);
        ck_assert_int_eq(fcntl(handed, F_GETFD), FD_CLOEXEC);
        counters_add(&c.page->samples, 3);
        counters_add(&c.page->samples, 4);
        counters_set(&c.page->ring_bytes, 4096);
        ck_assert_uint_eq(seen->samples, 7);
        ck_assert_uint_eq(seen->ring_bytes, 4096);
        counters_done(&c);
        counters_add(&c.page->samples, 1);
        ck_assert_uint_eq(seen->samples, 7);
        ck_assert_int_eq(fcntl(handed, F_GETFD), -1);
}
END_TEST

START_TEST(test_own) {
        _cleanup_close_ int small = open_memfd("small", 100);
        Counters c;

        ck_assert_int_eq(unsetenv(PR_COUNTERS_ENV), 0);
        counters_open(&c);
        ck_assert_ptr_eq(c.page, &c.own);
        counters_done(&c);

        set_environment(small);
        counters_open(&c);
        ck_assert_ptr_eq(c.page, &c.own);
        set_environment(1);
        counters_open(&c);
        ck_assert_ptr_eq(c.page, &c.own);
        ck_assert_int_eq(setenv(PR_COUNTERS_ENV, "nonsense", 1), 0);
        counters_open(&c);
        ck_assert_ptr_eq(c.page, &c.own);
}
END_TEST

CHECK_MAIN("counters", test_shared, test_own);
