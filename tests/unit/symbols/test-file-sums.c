/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/stat.h>

#include "file-sums.h"
#include "perfdata-test.h"

#define SUM 0xcbf43926u /* of "123456789", as all descriptions of this checksum have it */

static int check(const char *path, uint32_t wanted) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

        ck_assert_int_ge(fd, 0);
        return file_sum_check(fd, wanted);
}

START_TEST(sums) {
        _cleanup_free_ char *path = test_path("digits"), *empty = test_path("empty");

        test_write_file(path, "123456789", 9);
        test_write_file(empty, "", 0);
        ck_assert_int_eq(check(path, SUM), 0);
        ck_assert_int_eq(check(path, SUM ^ 1), -ESTALE);
        ck_assert_int_eq(check(empty, 0), 0);
        test_write_file(path, "12345678", 8);
        ck_assert_int_eq(check(path, SUM), -ESTALE);
}
END_TEST

/* A file that did not change is not read again, by any of its names. */
START_TEST(limits) {
        _cleanup_free_ char *path = test_path("twice"), *other = test_path("other"), *link = test_path("link");

        test_write_file(path, "123456789", 9);
        test_write_file(other, "123456789", 9);
        ck_assert_int_eq(symlink(path, link), 0);
        file_sums_allow(10);
        ck_assert_int_eq(check(path, SUM), 0);
        ck_assert_int_eq(check(other, SUM), -EFBIG);
        for (unsigned i = 0; i < 3; i++)
                ck_assert_int_eq(check(i % 2 ? link : path, SUM), 0);
        file_sums_allow(FILE_SUMS_MAX);
        ck_assert_int_eq(check(other, SUM), 0);
}
END_TEST

START_TEST(holes) {
        _cleanup_free_ char *path = test_path("sparse"), *large = test_path("large");

        test_write_file(path, "123456789", 9);
        ck_assert_int_eq(truncate(path, 1 << 20), 0);
        ck_assert_int_eq(check(path, SUM), -ENODATA);
        test_write_file(large, "", 0);
        ck_assert_int_eq(truncate(large, FILE_SUM_MAX + 1), 0);
        ck_assert_int_eq(check(large, SUM), -EFBIG);
}
END_TEST

TEST_RUN("file-sums", sums, limits, holes);
