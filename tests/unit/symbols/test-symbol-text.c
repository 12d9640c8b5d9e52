/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-program.h"
#include "symbol-text.h"

static SymbolTable *perf_map(const char *text) {
        SymbolTable *t = NULL;

        ck_assert_ok(symbol_table_new(&t));
        ck_assert_ok(symbol_table_add_perf_map(t, text, strlen(text)));
        symbol_table_sort(t);
        return t;
}

static SymbolTable *kallsyms(const char *text, uint64_t moved) {
        SymbolTable *t = NULL;

        ck_assert_ok(symbol_table_new(&t));
        ck_assert_ok(symbol_table_add_kallsyms(t, text, strlen(text), moved));
        symbol_table_sort(t);
        return t;
}

START_TEST(generated_code) {
        _cleanup_(symbol_table_freep) SymbolTable *t = perf_map("7f0000001000 40 py::f:/a b.py\n0x7f0000002000 0x10 LazyCompile:~g\n"
                                                                "7F0000003000 10 last");

        ck_assert_uint_eq(symbol_table_size(t), 3);
        ck_assert_str_eq(found_name(t, 0x7f000000103f), "py::f:/a b.py");
        ck_assert_str_eq(found_name(t, 0x7f0000001040), "");
        ck_assert_str_eq(found_name(t, 0x7f0000002000), "LazyCompile:~g");
        ck_assert_str_eq(found_name(t, 0x7f0000003001), "last");
}
END_TEST

START_TEST(what_replaces) {
        _cleanup_(symbol_table_freep) SymbolTable *t = perf_map("1000 40 old\n1000 20 new\n");

        ck_assert_str_eq(found_name(t, 0x1000), "new");
}
END_TEST

START_TEST(broken_lines) {
        _cleanup_(symbol_table_freep) SymbolTable *t = perf_map("\n \nxyz\n1000\n1000 \n1000 40\n1000 40 \n1000 0 empty\n"
                                                                "fffffffffffffff0 20 round\n11111111111111111 1 long\n"
                                                                "2000 8 good\n3000 8 cut\033[31m\n4000 8 gr\xc3\xb6\xff\xe2\x80\xae" "evil\n"
                                                                "5000 8 cut\xc2\x9b" "31m\n");

        ck_assert_uint_eq(symbol_table_size(t), 4);
        ck_assert_str_eq(found_name(t, 0x2000), "good");
        ck_assert_str_eq(found_name(t, 0x3000), "cut");
        ck_assert_str_eq(found_name(t, 0x4000), "gr\xc3\xb6\xff");
        ck_assert_str_eq(found_name(t, 0x5000), "cut");
}
END_TEST

static const char kernel[] =
        "ffffffff81000000 T _stext\nffffffff81000000 T _text\nffffffff81000100 t helper\nffffffff81000200 T do_it\n"
        "ffffffff82000000 D data\nffffffff81000300 W weak\nffffffffc0000000 t init\t[a_module]\n";

START_TEST(of_the_kernel) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;

        ck_assert_uint_eq(kallsyms_find(kernel, strlen(kernel), "_text"), UINT64_C(0xffffffff81000000));
        ck_assert_uint_eq(kallsyms_find(kernel, strlen(kernel), "init"), 0);
        t = kallsyms(kernel, 0);
        ck_assert_uint_eq(symbol_table_size(t), 5);
        ck_assert_str_eq(found_name(t, UINT64_C(0xffffffff81000150)), "helper");
        ck_assert_str_eq(found_name(t, UINT64_C(0xffffffff81000200)), "do_it");
        ck_assert_str_eq(found_name(t, UINT64_C(0xffffffff82000000)), "");
        ck_assert_str_eq(found_name(t, UINT64_C(0xffffffffc0000010)), "init");
}
END_TEST

START_TEST(of_another_boot) {
        _cleanup_(symbol_table_freep) SymbolTable *t = kallsyms(kernel, 0x3000000);

        ck_assert_uint_eq(symbol_table_size(t), 4);
        ck_assert_str_eq(found_name(t, UINT64_C(0xffffffff84000150)), "helper");
        ck_assert_str_eq(found_name(t, UINT64_C(0xffffffff81000150)), "");
        ck_assert_str_eq(found_name(t, UINT64_C(0xffffffffc0000010)), "");
        ck_assert_str_eq(found_name(t, UINT64_C(0xffffffffc3000010)), "");
}
END_TEST

START_TEST(modules) {
        size_t cursor = 0;
        SymbolLine l = {};

        while (kallsyms_next(kernel, sizeof(kernel) - 1, &cursor, &l) == 1)
                if (l.module)
                        break;
        ck_assert_ptr_nonnull(l.module);
        ck_assert(l.module_size == 8 && memcmp(l.module, "a_module", 8) == 0);
        ck_assert(l.name_size == 4 && memcmp(l.name, "init", 4) == 0);
}
END_TEST

START_TEST(hidden_addresses) {
        _cleanup_(symbol_table_freep) SymbolTable *t = kallsyms("0000000000000000 T _text\n0000000000000000 T x\n", 0);

        ck_assert_uint_eq(symbol_table_size(t), 0);
}
END_TEST

TEST_RUN("symbol-text", generated_code, what_replaces, broken_lines, of_the_kernel, of_another_boot, modules, hidden_addresses);
