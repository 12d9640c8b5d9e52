/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Inlined functions in call chains. */

#include "inlined-places.h"
#include "made-program.h"
#include "made-samples.h"

static const SymbolSources here = { .root = "" };

#define START 0x400000u
#define BYTES 24u /* outer() has more */

static const char source[] =
        "static inline __attribute__((always_inline)) int triple(int n) { volatile int x = n; return x * 3; }\n"
        "static inline __attribute__((always_inline)) int both(int n) { return triple(n) + triple(n + 1); }\n"
        "__attribute__((noinline)) int outer(int n) { return both(n) + 1; }\n"
        "__attribute__((noinline)) int other(int n) { return triple(n) + 1; }\n"
        "int main(void) { return outer(2) + other(1); }\n";

typedef struct Made {
        SampleTable *table;
        PlaceNames names;
        Symbols *symbols;
} Made;

static void made_done(Made *m) {
        sample_table_free(m->table);
        place_names_done(&m->names);
        symbols_free(m->symbols);
}

/* A sample at each byte of two functions, which main() called. */
static bool make(Made *m, const char *flags) {
        _cleanup_free_ char *path = made_program("inlined", source, flags);
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        CodePlaces *places;
        unsigned failed = 7;
        uint64_t outer, other, main_offset;

        if (!path)
                return false;
        outer = made_offset(path, "outer");
        other = made_offset(path, "other");
        main_offset = made_offset(path, "main");
        test_put_map(&b, 7, START, 0x100000, path, 0);
        for (uint64_t i = 0; i < BYTES; i++) {
                MADE_SAMPLE(&b, 7, 7, 1, START + outer + i, START + main_offset + 5);
                MADE_SAMPLE(&b, 7, 7, 1, START + other + i % 16, START + main_offset + 5);
        }
        m->table = made_table(&b, NULL, 0);
        places = sample_table_places(m->table);
        for (size_t i = 0; i < places->dsos->n; i++)
                places->dsos->dsos[i].id = made_build_id(path);
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &m->symbols));
        ck_assert_ok(place_names_init(&m->names, places, m->symbols));
        ck_assert_ok(inlined_places_add(m->table, &m->names, &here, &failed));
        ck_assert_uint_eq(failed, 0);
        ck_assert_uint_eq(m->names.n_places, places->n);
        return true;
}

static const char *name_in(const Made *m, uint32_t place) {
        return m->names.symbols[m->names.symbol_of[place]].name ?: ""; /* between functions */
}

START_TEST(chains) {
        _cleanup_(made_done) Made m = {};
        uint32_t first = 0, second = 0, key = 0, other_key = 0;
        size_t n;
        const SampleRow *rows;

        if (!make(&m, "-O2 -g -Wl,--build-id -fno-ipa-icf"))
                return;
        rows = sample_table_rows(m.table, &n);
        for (size_t i = 0; i < n; i++) {
                size_t depth;
                const uint32_t *chain = sample_table_chain(m.table, rows[i].chain, &depth);

                ck_assert_uint_ge(depth, 2);
                ck_assert_str_eq(name_in(&m, chain[depth - 1]), "main");
                if (depth == 4) {
                        ck_assert_str_eq(name_in(&m, chain[0]), "triple (inlined)");
                        ck_assert_str_eq(name_in(&m, chain[1]), "both (inlined)");
                        ck_assert_str_eq(name_in(&m, chain[2]), "outer");
                        first = m.names.symbol_of[chain[0]];
                        key = m.names.chain_key[chain[0]];
                } else if (depth == 3 && streq(name_in(&m, chain[1]), "other")) {
                        second = m.names.symbol_of[chain[0]];
                        other_key = m.names.chain_key[chain[0]];
                }
                ck_assert_ptr_null(strstr(name_in(&m, rows[i].leaf), "inlined")); /* who has the code is hit */
        }
        ck_assert(first > 0 && second > 0);
        ck_assert_uint_ne(first, second);
        ck_assert_uint_eq(key, other_key);
}
END_TEST

START_TEST(without_debug_information) {
        _cleanup_(made_done) Made m = {};
        size_t n;
        const SampleRow *rows;

        if (!make(&m, "-O2 -Wl,--build-id -fno-ipa-icf"))
                return;
        rows = sample_table_rows(m.table, &n);
        for (size_t i = 0; i < n; i++) {
                size_t depth;

                (void) sample_table_chain(m.table, rows[i].chain, &depth);
                ck_assert_uint_eq(depth, 2);
        }
}
END_TEST

TEST_RUN("inlined-places", chains, without_debug_information);
