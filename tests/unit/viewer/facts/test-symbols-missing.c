/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "check-main.h"
#include "symbols-missing.h"
#include "scratch.h"

START_TEST(test_a_list) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbols_missing_done) SymbolsMissing l = {};

        scratch_write_text(dir, "left-out", "/usr/bin/a: no symbols\n/x: y: too large\n\nand 12 more\n");
        ck_assert_int_eq(symbols_missing_read(&l, dir), 0);
        ck_assert_uint_eq(l.n, 14);
        ck_assert_uint_eq(strv_length(l.lines), 2);
        ck_assert_str_eq(l.lines[0], "/usr/bin/a: no symbols");
        ck_assert_str_eq(symbols_missing_reason(l.lines[0]), "no symbols");
        ck_assert_str_eq(symbols_missing_reason(l.lines[1]), "too large");
        ck_assert_str_eq(symbols_missing_reason("nothing"), "");
}
END_TEST

/* The list may be by a recorder that did not escape names, or by any user. */
START_TEST(test_what_it_may_hold) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbols_missing_done) SymbolsMissing l = {};

        scratch_write_text(dir, "left-out", "/a\033[2J\377: gone\nand 99999999999999999999999 more\n/without an end");
        ck_assert_int_eq(symbols_missing_read(&l, dir), 0);
        ck_assert_uint_eq(l.n, 3);
        ck_assert_str_eq(l.lines[0], "/a?[2J\xef\xbf\xbd: gone");
        ck_assert_str_eq(l.lines[2], "/without an end");
}
END_TEST

/* A recording of another user may lie beside a list that is none. */
START_TEST(test_a_link) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbols_missing_done) SymbolsMissing l = {};
        char link[PATH_MAX];

        scratch_write_text(dir, "secret", "root:*:1\n");
        (void) snprintf(link, sizeof(link), "%s/left-out", dir);
        ck_assert_int_eq(symlink("secret", link), 0);
        ck_assert_int_eq(symbols_missing_read(&l, dir), 0);
        ck_assert_uint_eq(l.n, 0);
}
END_TEST

START_TEST(test_none) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_(symbols_missing_done) SymbolsMissing l = {};

        ck_assert_int_eq(symbols_missing_read(&l, dir), 0);
        ck_assert_int_eq(symbols_missing_read(&l, "/nowhere"), 0);
        scratch_write_text(dir, "left-out/x", "");
        ck_assert_int_eq(symbols_missing_read(&l, dir), 0);
        ck_assert_uint_eq(l.n, 0);
}
END_TEST

CHECK_MAIN("symbols-missing", test_a_list, test_what_it_may_hold, test_a_link, test_none);
