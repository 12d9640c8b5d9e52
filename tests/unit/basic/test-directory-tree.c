/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "directory-tree.h"
#include "scratch.h"

static char *dir;
static int fd;

static void setup(void) {
        dir = scratch_new();
        scratch_write_text(dir, "tree/usr/bin/cat", "elf");
        scratch_write_text(dir, "tree/boot/vmlinux", "elf");
        scratch_write_text(dir, "outside/kept", "text");
        fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ck_assert_int_ge(fd, 0);
}

static void teardown(void) {
        safe_close(fd);
        scratch_done(&dir);
}

START_TEST(test_remove) {
        ck_assert_int_eq(symlinkat("../outside", fd, "tree/link"), 0);
        ck_assert_int_eq(symlinkat("../../outside/kept", fd, "tree/usr/link"), 0);
        ck_assert_int_eq(directory_tree_remove(fd, "tree"), 0);
        ck_assert_int_lt(faccessat(fd, "tree", F_OK, 0), 0);
        ck_assert_int_eq(faccessat(fd, "outside/kept", F_OK, 0), 0);
        ck_assert_int_eq(directory_tree_remove(fd, "tree"), -ENOENT);
}
END_TEST

START_TEST(test_no_directory) {
        uint64_t bytes;

        ck_assert_int_eq(symlinkat("outside", fd, "link"), 0);
        ck_assert_int_eq(directory_tree_remove(fd, "link"), -ENOTDIR);
        ck_assert_int_eq(directory_tree_remove(fd, "outside/kept"), -ENOTDIR);
        ck_assert_int_eq(directory_tree_usage(fd, "link", &bytes), -ENOTDIR);
        ck_assert_int_eq(faccessat(fd, "outside/kept", F_OK, 0), 0);
}
END_TEST

/* Two names of one file count half each. */
START_TEST(test_usage) {
        uint64_t before, shared, other;

        ck_assert_int_eq(directory_tree_usage(fd, "tree", &before), 0);
        ck_assert_int_eq(directory_tree_usage(fd, "outside", &other), 0);
        ck_assert_int_eq(linkat(fd, "tree/usr/bin/cat", fd, "outside/cat", 0), 0);
        ck_assert_int_eq(directory_tree_usage(fd, "tree", &shared), 0);
        ck_assert_uint_le(shared, before);
        ck_assert_int_eq(directory_tree_usage(fd, "outside", &other), 0);
}
END_TEST

/* The same file below two trees has the same inode, and all its bytes in each. */
START_TEST(test_files) {
        _cleanup_free_ TreeFile *tree = NULL, *outside = NULL;
        uint64_t usage, directories;
        size_t n, m, shared = 0;

        ck_assert_int_eq(linkat(fd, "tree/usr/bin/cat", fd, "outside/cat", 0), 0);
        ck_assert_int_eq(directory_tree_files(fd, "tree", &usage, &directories, &tree, &n), 0);
        ck_assert_int_eq(directory_tree_files(fd, "outside", &usage, &directories, &outside, &m), 0);
        ck_assert_uint_eq(n, 2);
        ck_assert_uint_eq(m, 2);
        ck_assert_uint_eq(directories, 0); /* it has none below */
        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < m; k++)
                        if (tree[i].inode == outside[k].inode) {
                                ck_assert_uint_eq(tree[i].bytes, outside[k].bytes);
                                shared++;
                        }
        ck_assert_uint_eq(shared, 1);
        ck_assert_int_eq(directory_tree_files(fd, "nosuch", &usage, &directories, &tree, &n), -ENOENT);
}
END_TEST

/* A deeper tree than any of ours is an error, and does not use up descriptors. */
START_TEST(test_depth) {
        _cleanup_free_ char *path = strdup("deep");

        for (unsigned i = 0; i < 200; i++) {
                char *longer;

                ck_assert_int_gt(asprintf(&longer, "%s/d", path), 0);
                free(path);
                path = longer;
        }
        scratch_write_text(dir, path, "text");
        ck_assert_int_lt(directory_tree_remove(fd, "deep"), 0);
}
END_TEST

static void expect_parent(const char *path, bool make, int error) {
        char name[DIRECTORY_TREE_NAME_SIZE];
        unsigned made = 0;
        _cleanup_close_ int parent = directory_tree_open_parent(fd, path, make ? &made : NULL, name);

        if (error < 0)
                ck_assert_int_eq(parent, error);
        else
                ck_assert_int_ge(parent, 0);
}

START_TEST(test_parent) {
        char name[DIRECTORY_TREE_NAME_SIZE], longer[300];
        unsigned made = 0;
        _cleanup_close_ int parent = directory_tree_open_parent(fd, "//new/a//b/c", &made, name);

        ck_assert_int_ge(parent, 0);
        ck_assert_uint_eq(made, 3);
        ck_assert_str_eq(name, "c");
        ck_assert_int_eq(faccessat(fd, "new/a/b", F_OK, 0), 0);
        expect_parent("tree/usr/bin/cat", false, 0);
        expect_parent("tree/nothing/cat", false, -ENOENT);
        expect_parent("tree/usr/bin/cat/x", true, -ENOTDIR);
        expect_parent("tree/../outside/kept", true, -EINVAL);
        expect_parent("./tree", true, -EINVAL);
        expect_parent("", true, -EINVAL);
        expect_parent("/", true, -EINVAL);
        ck_assert_int_eq(symlinkat("../outside", fd, "tree/link"), 0);
        expect_parent("tree/link/kept", true, -ENOTDIR);
        memset(longer, 'x', sizeof(longer) - 1);
        longer[sizeof(longer) - 1] = '\0';
        expect_parent(longer, true, -ENAMETOOLONG);
}
END_TEST

CHECK_MAIN_WITH("directory-tree", setup, teardown, test_remove, test_no_directory, test_usage, test_files, test_depth, test_parent);
