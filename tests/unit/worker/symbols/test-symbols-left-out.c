/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "scratch.h"
#include "symbols-left-out.h"

static char *written(SymbolsLeftOut *l, const char *dir) {
        _cleanup_close_ int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        SymbolFolder f = SYMBOL_FOLDER_EMPTY;
        char *text = NULL;

        ck_assert_int_eq(symbol_folder_open(&f, fd, "perf.data", 1 << 20), 0);
        ck_assert_int_eq(symbols_left_out_write(l, &f), 0);
        if (read_file_at(f.fd, "left-out", 1 << 20, &text, NULL) < 0)
                text = NULL;
        symbol_folder_done(&f);
        return text;
}

START_TEST(test_lines) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbols_left_out_done) SymbolsLeftOut l = {};
        _cleanup_free_ char *nothing = written(&l, dir), *text = NULL;
        char summary[256], small[20];

        ck_assert_ptr_null(nothing);
        ck_assert_int_eq(symbols_left_out_add(&l, "/usr/bin/größe", LEFT_OUT_NO_SYMBOLS), 0);
        ck_assert_int_eq(symbols_left_out_add(&l, "/a\nb\x1b[1m\\\x7f\xc2\x85\xc3", LEFT_OUT_TOO_LARGE), 0);
        ck_assert_int_eq(symbols_left_out_add(&l, "/c", LEFT_OUT_NOT_OWN), 0);
        ck_assert_int_eq(symbols_left_out_add(&l, "/d", LEFT_OUT_STOPPED), 0);
        ck_assert_int_eq(symbols_left_out_add(&l, "/e", LEFT_OUT_LARGE_TABLE), 0);
        ck_assert_int_eq(symbols_left_out_add(&l, "/f", LEFT_OUT_BROKEN_TABLE), 0);
        ck_assert_int_eq(symbols_left_out_add(&l, "/g", LEFT_OUT_DELETED), 0);
        ck_assert(l.stopped);
        ck_assert_uint_eq(l.too_large, 1);
        text = written(&l, dir);
        ck_assert_str_eq(text, "/usr/bin/größe: no symbols\n"
                               "/a\\x0ab\\x1b[1m\\x5c\\x7f\\xc2\\x85\\xc3: too large\n"
                               "/c: not a file of its process's user\n"
                               "/d: the recorder was stopped before it read this\n"
                               "/e: its symbols are too large\n"
                               "/f: broken symbol table\n"
                               "/g: deleted since it was mapped\n");
        ck_assert_str_eq(symbols_left_out_summary(&l, summary, sizeof(summary)),
                         "/usr/bin/größe: no symbols, /a\\x0ab\\x1b[1m\\x5c\\x7f\\xc2\\x85\\xc3: too large, "
                         "/c: not a file of its process's user and 4 more");
        ck_assert_uint_lt(strlen(symbols_left_out_summary(&l, small, sizeof(small))), sizeof(small));
}
END_TEST

START_TEST(test_a_long_list) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbols_left_out_done) SymbolsLeftOut l = {};
        _cleanup_free_ char *text = NULL;
        char path[4096];

        memset(path, '\1', sizeof(path) - 1);
        path[sizeof(path) - 1] = '\0';
        for (unsigned i = 0; i < 1000; i++)
                ck_assert_int_eq(symbols_left_out_add(&l, path, -ENOENT), 0);
        text = written(&l, dir);
        ck_assert_uint_lt(strlen(text), 300000);
        ck_assert_uint_eq(l.n, 1000);
        ck_assert_str_eq(strstr(text, "\nand ") ? strstr(text, "\nand ") + 5 + 3 : "", " more\n");
}
END_TEST

CHECK_MAIN("symbols-left-out", test_lines, test_a_long_list);
