/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "fd-file.h"
#include "perfdata-test.h"
#include "root-file.h"

static char *made_root(void) {
        char *root = test_path("root");
        _cleanup_free_ char *etc = path_join(root, "etc"), *file = path_join(root, "etc/file"), *out = path_join(root, "out"),
                            *up = path_join(root, "up"), *fifo = path_join(root, "fifo");

        ck_assert_ok(make_directories(etc, 0700));
        test_write_file(file, "inside", 6);
        ck_assert_int_eq(symlink("/etc/file", out), 0);
        ck_assert_int_eq(symlink("../../../../../../../../etc/file", up), 0);
        ck_assert_int_eq(mkfifo(fifo, 0600), 0);
        return root;
}

static void expect_inside(const char *root, const char *path) {
        _cleanup_close_ int fd = root_file_open(root, path);
        char text[8] = "";

        ck_assert_ok(fd);
        ck_assert_int_eq(read(fd, text, sizeof(text) - 1), 6);
        ck_assert_str_eq(text, "inside");
}

START_TEST(links_stay_inside) {
        _cleanup_free_ char *root = made_root();

        expect_inside(root, "/etc/file");
        expect_inside(root, "etc/file");
        expect_inside(root, "/out");
        expect_inside(root, "/up");
        expect_inside(root, "/../etc/file");
        ck_assert_int_eq(root_file_open(root, "/etc"), -EBADFD);
        ck_assert_int_eq(root_file_open(root, "/fifo"), -EBADFD);
        ck_assert_int_eq(root_file_open(root, "/nothing"), -ENOENT);
        ck_assert_int_eq(root_file_open("/nowhere/at/all", "/etc/file"), -ENOENT);
}
END_TEST

START_TEST(of_the_machine) {
        _cleanup_close_ int fd = root_file_open("", "/proc/self/status");

        ck_assert_ok(fd);
        ck_assert_int_eq(root_file_open("", "/dev/null"), -EBADFD);
}
END_TEST

TEST_RUN("root-file", links_stay_inside, of_the_machine);
