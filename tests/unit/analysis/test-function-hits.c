/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Samples by function and address. */

#include "function-hits.h"
#include "made-program.h"
#include "made-samples.h"

#define START 0x400000u

START_TEST(by_function) {
        _cleanup_free_ char *path = made_program("by-function", made_source, "-Wl,--build-id");
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_sample_table_free_ SampleTable *t = NULL;
        _cleanup_(place_names_done) PlaceNames names = {};
        _cleanup_(function_hits_done) FunctionHits h = {};
        _cleanup_symbols_free_ Symbols *symbols = NULL;
        uint64_t inner, outer;
        CodePlaces *places;

        if (!path)
                return;
        inner = made_offset(path, "inner");
        outer = made_offset(path, "outer");
        test_put_map(&b, 7, START, 0x100000, path, 0);
        MADE_SAMPLE(&b, 7, 7, 1, START + outer);
        MADE_SAMPLE(&b, 7, 7, 2, START + inner + 4);
        MADE_SAMPLE(&b, 7, 8, 3, START + inner, START + outer); /* callers do not count */
        MADE_SAMPLE(&b, 7, 7, 4, START + inner + 4);
        MADE_SAMPLE(&b, 7, 7, 5, 0x10);
        t = made_table(&b, NULL, 0);
        places = sample_table_places(t);
        for (size_t i = 0; i < places->dsos->n; i++)
                places->dsos->dsos[i].id = made_build_id(path);
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &symbols));
        ck_assert_ok(place_names_init(&names, places, symbols));
        ck_assert_ok(function_hits_find(&h, t, &names, 0));
        ck_assert_uint_eq(h.samples, 5);
        ck_assert_uint_eq(h.n, 2);
        ck_assert_str_eq(names.symbols[h.functions[0].symbol].name, "inner");
        ck_assert_uint_eq(h.functions[0].samples, 3);
        ck_assert_uint_eq(h.functions[0].n, 2);
        ck_assert_uint_eq(h.addresses[h.functions[0].first].address, inner);
        ck_assert_uint_eq(h.addresses[h.functions[0].first + 1].samples, 2);
        ck_assert_str_eq(names.symbols[h.functions[1].symbol].name, "outer");
        function_hits_done(&h);
        ck_assert_ok(function_hits_find(&h, t, &names, 1));
        ck_assert_uint_eq(h.n, 0);
}
END_TEST

TEST_RUN("function-hits", by_function);
