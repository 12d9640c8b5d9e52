/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/stat.h>

#include "perfdata-test.h"
#include "place-names.h"

/* Generated code may be in a file in memory: the map of the process names the processor's addresses. */
START_TEST(generated_in_a_file_in_memory) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *directory = test_path("symbols"), *tmp = test_path("symbols/tmp"), *map = test_path("symbols/tmp/perf-7.map");
        static const char text[] = "601000 20 made_code\n";
        _cleanup_symbols_free_ Symbols *symbols = NULL;
        CodePlaces places = {};
        PlaceNames names = {};
        uint32_t made, other;
        const NamedSymbol *symbol;

        ck_assert_int_eq(mkdir(directory, 0700), 0);
        ck_assert_int_eq(mkdir(tmp, 0700), 0);
        test_write_file(map, text, strlen(text));
        ck_assert_ok(record_put_mmap2(&b, &(RecordMap) { .pid = 7, .start = 0x600000, .length = 0x2000, .page_offset = 0x10000,
                                                         .path = "/memfd:doublemapper (deleted)", .misc = PERF_RECORD_MISC_USER,
                                                         .minor = 1, .inode = 9 }, NULL));
        ck_assert_ok(code_places_init(&places));
        ck_assert_ok(code_places_take(&places, (const struct perf_event_header *) b.data));
        ck_assert_ok(code_places_find(&places, 7, PERF_RECORD_MISC_USER, 0x601010, &made));
        ck_assert_ok(code_places_find(&places, 7, PERF_RECORD_MISC_USER, 0x600010, &other));
        ck_assert_ok(symbols_new(directory, NULL, &symbols));
        ck_assert_ok(place_names_init(&names, &places, symbols));
        symbol = names.symbols + names.symbol_of[made];
        ck_assert_pstr_eq(symbol->name, "made_code");
        ck_assert_uint_eq(symbol->start, 0x11000);
        ck_assert_uint_eq(symbol->end, 0x11020);
        ck_assert_uint_eq(names.symbol_of[other], 0);
        ck_assert_str_eq(place_names_text(&names, place_names_dso(&names, places.places + other)), "memfd:doublemapper (deleted)");
        place_names_done(&names);
        code_places_done(&places);
}
END_TEST

TEST_RUN("place-names", generated_in_a_file_in_memory);
