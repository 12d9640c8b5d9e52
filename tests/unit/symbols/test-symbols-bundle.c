/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A directory of symbols at the end of a file, read by this library and by another program. */

#include "made-program.h"
#include "symbols-bundle.h"

#define CONTENT "what is before the archive"

/* Makes "bundle" of the files below "kept", with that comment. */
static char *made_bundle(const char *comment) {
        _cleanup_free_ char *kept = test_path("kept");
        _cleanup_close_ int fd = -EBADF, directory = -EBADF;
        char *path = test_path("bundle");

        free(test_command("rm -rf %s && mkdir -p %s/usr/bin %s/empty && printf abc >%s/usr/bin/a && seq 100000 >%s/numbers && : >%s/nothing && "
                          "ln -s /etc %s/link", kept, kept, kept, kept, kept, kept, kept));
        fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        directory = open(kept, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ck_assert(fd >= 0 && directory >= 0);
        ck_assert_int_eq(write(fd, CONTENT, sizeof(CONTENT) - 1), sizeof(CONTENT) - 1);
        ck_assert_ok(symbols_bundle_append(fd, directory, comment, strlen(comment)));
        return path;
}

static int open_bundle(const char *path, int *ret_fd, SymbolsBundle **ret) {
        *ret_fd = open(path, O_RDONLY | O_CLOEXEC);
        ck_assert_int_ge(*ret_fd, 0);
        return symbols_bundle_new(*ret_fd, ret);
}

static void assert_content(SymbolsBundle *b, const char *path, const char *expected) {
        for (unsigned i = 0; i < 2; i++) { /* the second time it is in memory */
                _cleanup_close_ int fd = symbols_bundle_open(b, path);
                char buf[16] = "";

                ck_assert_int_ge(fd, 0);
                ck_assert_int_eq(read(fd, buf, sizeof(buf) - 1), (ssize_t) MIN_OF(strlen(expected), sizeof(buf) - 1));
                ck_assert_int_eq(strncmp(buf, expected, sizeof(buf) - 1), 0);
        }
}

START_TEST(files) {
        _cleanup_(symbols_bundle_freep) SymbolsBundle *b = NULL;
        _cleanup_free_ char *path = made_bundle("facts\n");
        _cleanup_close_ int fd = -EBADF;

        ck_assert_ok(open_bundle(path, &fd, &b));
        assert_content(b, "/usr/bin/a", "abc");
        assert_content(b, "numbers", "1\n2\n3\n4\n5\n6\n7\n8\n");
        assert_content(b, "/nothing", "");
        ck_assert_int_eq(symbols_bundle_open(b, "/usr/bin"), -ENOENT);
        ck_assert_int_eq(symbols_bundle_open(b, "/usr/bin/ab"), -ENOENT);
        ck_assert_int_eq(symbols_bundle_open(b, "/link"), -ENOENT);
        ck_assert_int_eq(symbols_bundle_open(b, ""), -ENOENT);
}
END_TEST

/* It is an archive for others, and what was there before stays at its place. */
START_TEST(for_others) {
        _cleanup_free_ char *path = made_bundle("facts\n"), *kept = test_path("kept"), *text = NULL;

        text = test_command("head -c %zu %s; tail -c 6 %s; cd $(dirname %s) && python3 -c 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); "
                            "print(z.testzip(), z.comment, sorted(z.namelist())); z.extractall(\"extracted\")' %s && "
                            "rm %s/link && rmdir %s/empty && diff -r extracted/symbols kept && echo same", sizeof(CONTENT) - 1, path, path, path, path,
                            kept, kept);
        ck_assert_str_eq(text, CONTENT "facts\nNone b'facts\\n' ['symbols/nothing', 'symbols/numbers', 'symbols/usr/bin/a']\nsame\n");
}
END_TEST

/* Each byte of an archive may be another one. */
START_TEST(broken) {
        _cleanup_free_ char *path = made_bundle("");
        struct stat st;

        ck_assert_int_eq(stat(path, &st), 0);
        for (off_t at = 0; at < st.st_size; at += at > 200 && at < st.st_size - 400 ? 997 : 1) {
                _cleanup_(symbols_bundle_freep) SymbolsBundle *b = NULL;
                _cleanup_close_ int fd = open(path, O_RDWR | O_CLOEXEC), file = -EBADF;
                uint8_t was, is;

                ck_assert_int_eq(pread(fd, &was, 1, at), 1);
                is = (uint8_t) ~was;
                ck_assert_int_eq(pwrite(fd, &is, 1, at), 1);
                if (symbols_bundle_new(fd, &b) >= 0)
                        file = symbols_bundle_open(b, "/numbers");
                ck_assert_int_eq(pwrite(fd, &was, 1, at), 1);
        }
}
END_TEST

/* A file that nothing but zeros make so large is no honest one. */
START_TEST(too_large) {
        _cleanup_(symbols_bundle_freep) SymbolsBundle *b = NULL;
        _cleanup_free_ char *directory = test_path("large"), *path = test_path("large.bundle");
        _cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), kept = -EBADF;

        free(test_command("mkdir -p %s && truncate -s 20M %s/zeros", directory, directory));
        kept = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ck_assert(fd >= 0 && kept >= 0);
        ck_assert_ok(symbols_bundle_append(fd, kept, NULL, 0));
        ck_assert_ok(symbols_bundle_new(fd, &b));
        ck_assert_int_eq(symbols_bundle_open(b, "/zeros"), -EFBIG);
}
END_TEST

START_TEST(none) {
        _cleanup_(symbols_bundle_freep) SymbolsBundle *b = NULL;
        _cleanup_free_ char *path = test_path("none");
        _cleanup_close_ int fd = -EBADF;

        free(test_command("seq 100 >%s", path));
        ck_assert_int_eq(open_bundle(path, &fd, &b), -ENODATA);
        free(test_command(": >%s", path));
        (void) safe_close(fd);
        ck_assert_int_eq(open_bundle(path, &fd, &b), -ENODATA);
}
END_TEST

TEST_RUN("symbols-bundle", files, for_others, broken, too_large, none);
