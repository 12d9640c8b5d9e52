/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "scratch.h"
#include "symbol-generated.h"

START_TEST(test_only_symbols) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int parent = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -EBADF, again = -EBADF;
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;
        _cleanup_free_ char *text = NULL;
        char path[SYMBOL_GENERATED_PATH_SIZE];
        GeneratedState a, b;

        scratch_write_text(dir, "tmp/perf-9.map", "0x1000 40 f\nroot:x:0:0:\n2000 0x8 g h\n3000 8 cut o");
        ck_assert_int_eq(symbol_generated_open(dir, 9, &fd, &a), 0);
        ck_assert_int_eq(symbol_generated_open(dir, 9, &again, &b), 0);
        ck_assert_mem_eq(&a, &b, sizeof(a));
        ck_assert_int_eq(symbol_folder_open(&f, parent, "dump", 1000), 0);
        ck_assert_int_eq(symbol_generated_write(fd, &f, symbol_generated_path(9, path), 1000), 0);
        ck_assert_int_eq(read_file_at(f.fd, "tmp/perf-9.map", 4096, &text, NULL), 0);
        ck_assert_str_eq(text, "1000 40 f\n2000 8 g h\n3000 8 cut o\n");
        ck_assert_uint_eq(f.used, strlen(text));
        ck_assert_int_eq(symbol_generated_write(again, &f, "tmp/other", 10), -EFBIG);
        symbol_folder_done(&f);
}
END_TEST

START_TEST(test_nothing) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_close_ int parent = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -EBADF;
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;
        GeneratedState state;

        scratch_write_text(dir, "tmp/perf-9.map", "secret\n");
        ck_assert_int_eq(symbol_generated_open(dir, 8, &fd, &state), -ENOENT);
        ck_assert_int_eq(symbol_generated_open(dir, 9, &fd, &state), 0);
        ck_assert_int_eq(symbol_folder_open(&f, parent, "dump", 1000), 0);
        ck_assert_int_eq(symbol_generated_write(fd, &f, "x", 1000), -ENODATA);
        symbol_folder_done(&f);
}
END_TEST

CHECK_MAIN("symbol-generated", test_only_symbols, test_nothing);
