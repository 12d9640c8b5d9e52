/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "debug-data.h"
#include "fd-file.h"
#include "perfdata-test.h"

static int expand(const void *data, size_t size) {
        uint64_t left = DEBUG_DATA_MAX;

        return debug_data_expand(data, size, &left);
}

/* Returns what xz or zstd makes of the output of a command. */
static char *compressed(const char *command, const char *by, size_t *ret_size) {
        _cleanup_free_ char *path = test_path("data.xz"), *output = test_command("%s | %s -c >%s", command, by, path);
        char *data;

        if (!output || read_file(path, 1 << 20, &data, ret_size) < 0 || *ret_size == 0)
                return NULL;
        return data;
}

START_TEST(of_xz) {
        size_t size, expanded;
        _cleanup_free_ char *data = compressed("printf 'some bytes'", "xz", &size), *text = NULL;
        _cleanup_close_ int fd = -EBADF;

        if (!data)
                return;
        fd = expand(data, size);
        ck_assert_int_ge(fd, 0);
        ck_assert_ok(read_fd(fd, 100, &text, &expanded));
        ck_assert_str_eq(text, "some bytes");
        for (size_t n = 0; n < size; n++)
                ck_assert_int_eq(expand(data, n), -EBADMSG);
        data[size / 2] ^= 1;
        ck_assert_int_eq(expand(data, size), -EBADMSG);
        ck_assert_int_eq(expand("ELF", 3), -EBADMSG);
}
END_TEST

START_TEST(of_zstd) {
        size_t size, expanded;
        _cleanup_free_ char *data = compressed("printf 'some bytes'", "zstd", &size), *text = NULL, *large = NULL;
        _cleanup_close_ int fd = -EBADF;

        if (!data)
                return;
        fd = expand(data, size);
        ck_assert_int_ge(fd, 0);
        ck_assert_ok(read_fd(fd, 100, &text, &expanded));
        ck_assert_str_eq(text, "some bytes");
        for (size_t n = 0; n < size; n++)
                ck_assert_int_eq(expand(data, n), -EBADMSG);
        data[size / 2] ^= 1;
        ck_assert_int_eq(expand(data, size), -EBADMSG);
        large = compressed("head -c 70000000 /dev/zero", "zstd", &size);
        ck_assert_ptr_nonnull(large);
        ck_assert_int_eq(expand(large, size), -EFBIG);
}
END_TEST

START_TEST(bombs) {
        size_t size;
        _cleanup_free_ char *large = compressed("head -c 70000000 /dev/zero", "xz", &size), *dictionary = NULL, *path = NULL, *output = NULL;

        if (!large)
                return;
        ck_assert_uint_lt(size, 100000);
        ck_assert_int_eq(expand(large, size), -EFBIG);
        path = test_path("large.xz");
        output = test_command("echo x | xz --lzma2=dict=1GiB -c >%s", path);
        if (!output || read_file(path, 1 << 20, &dictionary, &size) < 0 || size == 0)
                return;
        ck_assert_int_eq(expand(dictionary, size), -EFBIG); /* the decoder would take a gigabyte */
}
END_TEST

/* Expanded bytes count, whether they were of use or not. */
START_TEST(the_sum_of_all) {
        size_t size;
        _cleanup_free_ char *data = compressed("head -c 1000 /dev/zero", "xz", &size);
        uint64_t left = 1500;
        int fd;

        if (!data)
                return;
        fd = debug_data_expand(data, size, &left);
        ck_assert_int_ge(fd, 0);
        (void) safe_close(fd);
        ck_assert_uint_eq(left, 500);
        ck_assert_int_eq(debug_data_expand(data, size, &left), -EFBIG);
        ck_assert_uint_eq(left, 0);
}
END_TEST

TEST_RUN("debug-data", of_xz, of_zstd, bombs, the_sum_of_all);
