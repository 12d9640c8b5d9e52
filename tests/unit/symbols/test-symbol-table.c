/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <inttypes.h>

#include "perfdata-test.h"
#include "symbol-table.h"

static SymbolTable *made(void) {
        SymbolTable *t = NULL;

        ck_assert_ok(symbol_table_new(&t));
        return t;
}

static void put(SymbolTable *t, uint64_t start, uint64_t size, SymbolRank rank, const char *name) {
        ck_assert_ok(symbol_table_put(t, start, size, rank, name, strlen(name)));
}

static void expect(const SymbolTable *t, uint64_t address, const char *name) {
        Symbol s;

        if (!symbol_table_find(t, address, &s))
                ck_assert_msg(!name, "nothing at %#lx", (unsigned long) address);
        else
                ck_assert_pstr_eq(s.name, name);
}

START_TEST(between_and_around) {
        _cleanup_(symbol_table_freep) SymbolTable *t = made();

        put(t, 0x2000, 0x10, SYMBOL_RANK_GLOBAL, "second");
        put(t, 0x1000, 0x10, SYMBOL_RANK_LOCAL, "first");
        symbol_table_sort(t);
        ck_assert_uint_eq(symbol_table_size(t), 2);
        expect(t, 0xfff, NULL);
        expect(t, 0x1000, "first");
        expect(t, 0x100f, "first");
        expect(t, 0x1010, NULL);
        expect(t, 0x2005, "second");
        expect(t, UINT64_MAX, NULL);
}
END_TEST

START_TEST(nothing) {
        _cleanup_(symbol_table_freep) SymbolTable *t = made();

        symbol_table_sort(t);
        expect(t, 0, NULL);
        ck_assert_ptr_null(symbol_table_free(NULL));
}
END_TEST

START_TEST(without_a_size) {
        _cleanup_(symbol_table_freep) SymbolTable *t = made();

        put(t, 0x1000, 0, SYMBOL_RANK_GLOBAL, "a");
        put(t, 0x1800, 0, SYMBOL_RANK_GLOBAL, "b");
        put(t, 0x90001000, 0, SYMBOL_RANK_GLOBAL, "far");
        put(t, UINT64_MAX - 5, 0, SYMBOL_RANK_GLOBAL, "last");
        symbol_table_sort(t);
        expect(t, 0x17ff, "a");
        expect(t, 0x1fff, "b");
        expect(t, 0x2000, NULL);
        expect(t, 0x90001fff, "far");
        expect(t, UINT64_MAX - 1, "last");
}
END_TEST

/* In a stripped file, what lies between the symbols is not the earlier one's. */
START_TEST(between_functions_without_symbols) {
        _cleanup_(symbol_table_freep) SymbolTable *t = made();

        put(t, 0x1000, 0, SYMBOL_RANK_GLOBAL, "a");
        put(t, 0x1100, 0, SYMBOL_RANK_GLOBAL, "framed");
        put(t, 0x1100, 0x20, SYMBOL_RANK_FRAME, "file+0x1100");
        put(t, 0x1200, 0x20, SYMBOL_RANK_FRAME, "file+0x1200");
        put(t, 0x1800, 0x10, SYMBOL_RANK_GLOBAL, "b");
        symbol_table_add_trait(t, SYMBOLS_INCOMPLETE);
        symbol_table_sort(t);
        expect(t, 0x1000, "a");
        expect(t, 0x1001, NULL);
        expect(t, 0x111f, "framed");
        expect(t, 0x1120, NULL);
        expect(t, 0x1210, "file+0x1200");
        expect(t, 0x1800, "b");
}
END_TEST

START_TEST(labels) {
        _cleanup_(symbol_table_freep) SymbolTable *t = made(), *kernel = made();

        symbol_table_add_trait(t, SYMBOLS_LABELS_INSIDE);
        put(t, 0x1000, 0x100, SYMBOL_RANK_LOCAL, "function");
        put(t, 0x1010, 0, SYMBOL_RANK_UNTYPED, "loop");
        put(t, 0x1020, 0x10, SYMBOL_RANK_UNTYPED, "loop_of_a_size");
        put(t, 0x1040, 0x10, SYMBOL_RANK_GLOBAL, "inner");
        put(t, 0x1060, 0, SYMBOL_RANK_UNTYPED, "behind_inner");
        put(t, 0x1100, 0, SYMBOL_RANK_UNTYPED, "behind");
        put(t, 0x1200, 0, SYMBOL_RANK_GLOBAL, "without_size");
        put(t, 0x1220, 0, SYMBOL_RANK_UNTYPED, "maybe_inside");
        symbol_table_sort(t);
        expect(t, 0x1011, "function");
        expect(t, 0x1025, "function");
        expect(t, 0x1045, "inner");
        expect(t, 0x1065, "function");
        expect(t, 0x1100, "behind");
        expect(t, 0x121f, "without_size");
        expect(t, 0x1221, "maybe_inside");
        put(kernel, 0x1000, 0x100, SYMBOL_RANK_LOCAL, "function");
        put(kernel, 0x1010, 0, SYMBOL_RANK_UNTYPED, "entry");
        symbol_table_sort(kernel);
        expect(kernel, 0x1011, "entry");
}
END_TEST

START_TEST(one_in_another) {
        _cleanup_(symbol_table_freep) SymbolTable *t = made();

        put(t, 0x1000, 0x1000, SYMBOL_RANK_GLOBAL, "outer");
        put(t, 0x1100, 0x10, SYMBOL_RANK_GLOBAL, "inner");
        symbol_table_sort(t);
        expect(t, 0x1105, "inner");
        expect(t, 0x1200, "outer");
}
END_TEST

START_TEST(which_name) {
        _cleanup_(symbol_table_freep) SymbolTable *t = made();

        put(t, 0x1000, 8, SYMBOL_RANK_LOCAL, "local");
        put(t, 0x1000, 8, SYMBOL_RANK_GLOBAL, "__global");
        put(t, 0x1000, 8, SYMBOL_RANK_GLOBAL, "global");
        put(t, 0x1000, 0, SYMBOL_RANK_GLOBAL, "open");
        put(t, 0x1000, 8, SYMBOL_RANK_WEAK, "weak");
        symbol_table_sort(t);
        ck_assert_uint_eq(symbol_table_size(t), 1);
        expect(t, 0x1000, "global");
}
END_TEST

START_TEST(the_last_one) {
        _cleanup_(symbol_table_freep) SymbolTable *t = made();
        Symbol s;

        symbol_table_add_trait(t, SYMBOLS_LAST_WINS);
        put(t, 0x1000, 8, SYMBOL_RANK_GLOBAL, "old");
        put(t, 0x1000, 16, SYMBOL_RANK_LOCAL, "__new");
        symbol_table_sort(t);
        expect(t, 0x1008, "__new");
        symbol_table_get(t, 0, &s);
        ck_assert_uint_eq(s.end, 0x1010);
}
END_TEST

/* Memory that is used again: the newer symbol hides what it covers, whatever its size and wherever it begins. */
START_TEST(newest_covers) {
        _cleanup_(symbol_table_freep) SymbolTable *t = made();

        symbol_table_add_trait(t, SYMBOLS_NEWEST_COVERS);
        put(t, 0x1000, 0x1000, SYMBOL_RANK_GLOBAL, "old");
        put(t, 0x0f00, 0x0900, SYMBOL_RANK_GLOBAL, "new");
        put(t, 0x1a00, 0x0100, SYMBOL_RANK_GLOBAL, "inside");
        put(t, 0x4000, 0x0100, SYMBOL_RANK_GLOBAL, "hidden");
        put(t, 0x4050, 0x0010, SYMBOL_RANK_GLOBAL, "hidden too");
        put(t, 0x3f00, 0x1000, SYMBOL_RANK_GLOBAL, "wide");
        put(t, UINT64_MAX - 8, 8, SYMBOL_RANK_GLOBAL, "last");
        put(t, UINT64_MAX - 4, 2, SYMBOL_RANK_GLOBAL, "in the last");
        symbol_table_sort(t);
        expect(t, 0x0eff, NULL);
        expect(t, 0x0f00, "new");
        expect(t, 0x1100, "new");
        expect(t, 0x17ff, "new");
        expect(t, 0x1800, "old");
        expect(t, 0x1a00, "inside");
        expect(t, 0x1b00, "old");
        expect(t, 0x2000, NULL);
        expect(t, 0x4055, "wide");
        expect(t, UINT64_MAX - 3, "in the last");
        expect(t, UINT64_MAX - 1, "last");
        ck_assert_uint_eq(symbol_table_size(t), 8);
}
END_TEST

/* Compares with a list of who put a name over each address last. */
START_TEST(newest_covers_anywhere) {
        _cleanup_(symbol_table_freep) SymbolTable *t = made();
        int newest[1024] = {};
        uint32_t number = 1;

        symbol_table_add_trait(t, SYMBOLS_NEWEST_COVERS);
        for (int i = 1; i <= 500; i++) {
                size_t start = (number = number * 1664525 + 1013904223) >> 8 & 0x3ff, size = 1 + (number >> 20 & 0x3f);
                char name[16];

                (void) snprintf(name, sizeof(name), "f%d", i);
                put(t, start, size, SYMBOL_RANK_GLOBAL, name);
                for (size_t k = start; k < start + size && k < ELEMENTSOF(newest); k++)
                        newest[k] = i;
        }
        symbol_table_sort(t);
        for (size_t k = 0; k < ELEMENTSOF(newest); k++) {
                char name[16];

                (void) snprintf(name, sizeof(name), "f%d", newest[k]);
                expect(t, k, newest[k] > 0 ? name : NULL);
        }
}
END_TEST

/* Addresses that differ in each of their bytes, and several names at some. */
START_TEST(any_order) {
        _cleanup_(symbol_table_freep) SymbolTable *t = made();
        uint64_t start = 1;
        Symbol s, next;

        for (size_t i = 0; i < 5000; i++) {
                char name[32];

                start = start * UINT64_C(6364136223846793005) + 1442695040888963407;
                (void) snprintf(name, sizeof(name), "f%016" PRIx64, start >> 1);
                put(t, start >> 1, 1, SYMBOL_RANK_GLOBAL, name);
                if (i % 7 == 0)
                        put(t, start >> 1, 1, SYMBOL_RANK_LOCAL, "a_longer_name_of_a_lower_rank");
        }
        symbol_table_sort(t);
        ck_assert_uint_eq(symbol_table_size(t), 5000);
        symbol_table_get(t, 0, &s);
        for (size_t i = 1; i < 5000; i++, s = next) {
                symbol_table_get(t, i, &next);
                ck_assert_uint_lt(s.start, next.start);
                ck_assert_uint_eq(strtoull(s.name + 1, NULL, 16), s.start);
        }
}
END_TEST

TEST_RUN("symbol-table", between_and_around, nothing, without_a_size, between_functions_without_symbols, labels,
         one_in_another, which_name, the_last_one, newest_covers, newest_covers_anywhere, any_order);
