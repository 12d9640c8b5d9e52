/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "scratch.h"
#include "symbol-kernel.h"

static const char kallsyms[] =
        "ffffffff81000000 T _stext\nffffffff81000000 T _text\nffffffff81000100 t helper\nffffffff81001000 T _etext\n"
        "ffffffff82000000 D data\nffffffffc0000000 t init\t[a_module]\nffffffffc1000000 t bpf_prog_1_x\t[bpf]\n";

static SymbolFolder open_folder(const char *dir, uint64_t max) {
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;
        int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        ck_assert_int_eq(symbol_folder_open(&f, fd, "dump", max), 0);
        return f;
}

static void close_folder(SymbolFolder *f) {
        int fd = f->parent_fd;

        symbol_folder_done(f);
        (void) close(fd);
}

START_TEST(test_both_files) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *text = NULL;
        struct stat image, lines;
        SymbolFolder f;

        scratch_write_text(dir, "proc/kallsyms", kallsyms);
        f = open_folder(dir, 1 << 20);
        ck_assert_int_eq(symbol_kernel_write(dir, &f, 1 << 20), 0);
        ck_assert_int_eq(read_file_at(f.fd, SYMBOL_KERNEL_TEXT, 4096, &text, NULL), 0);
        ck_assert_str_eq(text, "ffffffff81000000 T _stext\nffffffff81000000 T _text\nffffffff81000100 t helper\n"
                         "ffffffff81001000 T _etext\nffffffffc0000000 t init\t[a_module]\n");
        ck_assert_int_eq(fstatat(f.fd, SYMBOL_KERNEL_IMAGE, &image, 0), 0);
        ck_assert_int_eq(fstatat(f.fd, SYMBOL_KERNEL_TEXT, &lines, 0), 0);
        ck_assert_uint_eq(f.used, (uint64_t) (image.st_size + lines.st_size));
        close_folder(&f);
}
END_TEST

START_TEST(test_too_much) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        SymbolFolder f;

        scratch_write_text(dir, "proc/kallsyms", kallsyms);
        f = open_folder(dir, 1 << 20);
        ck_assert_int_eq(symbol_kernel_write(dir, &f, 20), -EFBIG);
        ck_assert_uint_eq(f.used, 0);
        ck_assert_int_lt(faccessat(f.fd, SYMBOL_KERNEL_IMAGE, F_OK, 0), 0);
        close_folder(&f);
}
END_TEST

START_TEST(test_hidden) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        SymbolFolder f;

        scratch_write_text(dir, "proc/kallsyms", "0000000000000000 T _text\n0000000000000000 T _etext\n");
        f = open_folder(dir, 1 << 20);
        ck_assert_int_eq(symbol_kernel_write(dir, &f, 1 << 20), -ENODATA);
        close_folder(&f);
}
END_TEST

CHECK_MAIN("symbol-kernel", test_both_files, test_too_much, test_hidden);
