/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <limits.h>

#include "check-main.h"
#include "fd-file.h"
#include "root-file.h"
#include "scratch.h"

static void link_to(const char *root, const char *name, const char *text) {
        _cleanup_free_ char *path = path_join(root, name);

        ck_assert_int_eq(symlink(text, path), 0);
}

/* openat2(2) with RESOLVE_IN_ROOT finds the same, and gives up at the same. */
static void made_links(const char *root) {
        char name[16], text[16], longest[PATH_MAX] = "/";

        link_to(root, "folder", "etc/.");
        link_to(root, "turn", "folder/../etc//./file");
        link_to(root, "loop", "./loop");
        link_to(root, "l0", "etc/file");
        for (unsigned i = 1; i <= 41; i++) {
                (void) snprintf(name, sizeof(name), "l%u", i);
                (void) snprintf(text, sizeof(text), "l%u", i - 1);
                link_to(root, name, text);
        }
        memset(longest + 1, 'x', sizeof(longest) - 2);
        longest[sizeof(longest) - 1] = '\0';
        for (size_t i = 200; i < sizeof(longest) - 1; i += 200)
                longest[i] = '/';
        link_to(root, "longest", longest);
}

static char *made_root(void) {
        char *root = scratch_new();
        _cleanup_free_ char *out = path_join(root, "out"), *up = path_join(root, "up"), *fifo = path_join(root, "fifo");

        scratch_write_text(root, "etc/file", "inside");
        ck_assert_int_eq(symlink("/etc/file", out), 0);
        ck_assert_int_eq(symlink("../../../../../../../../etc/file", up), 0);
        ck_assert_int_eq(mkfifo(fifo, 0600), 0);
        made_links(root);
        return root;
}

static void expect_inside(const char *root, const char *path) {
        _cleanup_close_ int fd = root_file_open(root, path);
        char text[8] = "";

        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(read(fd, text, sizeof(text) - 1), 6);
        ck_assert_str_eq(text, "inside");
}

START_TEST(test_links_stay_inside) {
        _cleanup_(scratch_done) char *root = made_root();

        expect_inside(root, "/etc/file");
        expect_inside(root, "etc/file");
        expect_inside(root, "/out");
        expect_inside(root, "/up");
        expect_inside(root, "/../etc/file");
        expect_inside(root, "/folder/file");
        expect_inside(root, "/turn");
        expect_inside(root, "/l39");
        ck_assert_int_eq(root_file_open(root, "/l41"), -ELOOP);
        ck_assert_int_eq(root_file_open(root, "/loop"), -ELOOP);
        ck_assert_int_eq(root_file_open(root, "/longest/file"), -ENAMETOOLONG);
        ck_assert_int_eq(root_file_open(root, "/etc/file/x"), -ENOTDIR);
        ck_assert_int_eq(root_file_open(root, "/etc"), -EBADFD);
        ck_assert_int_eq(root_file_open(root, "/fifo"), -EBADFD);
        ck_assert_int_eq(root_file_open(root, "/nothing"), -ENOENT);
        ck_assert_int_eq(root_file_open("/nowhere/at/all", "/etc/file"), -ENOENT);
}
END_TEST

START_TEST(test_of_the_machine) {
        _cleanup_close_ int fd = root_file_open("", "/etc/passwd");

        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(root_file_open("", "/dev/null"), -EBADFD);
        ck_assert_int_eq(root_file_open("", "/proc/self/status"), -EBADFD);
        ck_assert_int_eq(root_file_open("", "/sys/kernel/notes"), -EBADFD);
}
END_TEST

static int open_added(void *userdata, const char *path) {
        ck_assert_str_eq(path, "/etc/passwd");
        return userdata ? -EXDEV : -ENOENT;
}

/* A root may be no directory. */
START_TEST(test_added_root) {
        int userdata;

        ck_assert_int_eq(root_file_add_root("no directory", open_added, &userdata), 0);
        ck_assert_int_eq(root_file_open("no directory", "/etc/passwd"), -EXDEV);
        ck_assert_int_eq(root_file_open("another", "/etc/passwd"), -ENOENT);
        root_file_remove_root(&userdata);
        ck_assert_int_eq(root_file_open("no directory", "/etc/passwd"), -ENOENT);
}
END_TEST

CHECK_MAIN("root-file", test_links_stay_inside, test_of_the_machine, test_added_root);
