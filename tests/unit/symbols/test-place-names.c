/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/stat.h>

#include "perfdata-test.h"
#include "place-names.h"

static void write_map(const char *text) {
        _cleanup_free_ char *directory = test_path("symbols"), *tmp = test_path("symbols/tmp"), *map = test_path("symbols/tmp/perf-7.map");

        (void) mkdir(directory, 0700);
        (void) mkdir(tmp, 0700);
        test_write_file(map, text, strlen(text));
}

static void take(ProcessView *view, RecordBuffer *b) {
        struct iovec all = record_buffer_iovec(b);
        size_t cursor = 0;
        const struct perf_event_header *record;

        while (record_next(all.iov_base, all.iov_len, &cursor, &record) == 1)
                ck_assert_ok(process_view_take(view, record));
        record_buffer_done(b);
        *b = (RecordBuffer) {};
}

/* The map is of what was executed last, whichever way the process got its number. */
static void check_lives(bool exec) {
        _cleanup_free_ char *directory = test_path("symbols");
        _cleanup_symbols_free_ Symbols *symbols = NULL;
        RecordBuffer b = {};
        ProcessView view = {};
        CodePlaces places = {};
        PlaceNames names = {};
        uint32_t first, second;

        write_map("601000 20 second_life\n");
        ck_assert_ok(code_places_init(&places, &view));
        ck_assert_ok(record_put_fork(&b, 7, 1, 7, 1, 1, 0, NULL));
        ck_assert_ok(record_put_mmap(&b, &(RecordMap) { .pid = 7, .start = 0x600000, .length = 0x2000, .path = "//anon",
                                                        .misc = PERF_RECORD_MISC_USER }, NULL));
        take(&view, &b);
        ck_assert_ok(code_places_find(&places, 7, PERF_RECORD_MISC_USER, 0x601010, &first));
        if (exec)
                ck_assert_ok(record_put_comm(&b, 7, 7, "again", PERF_RECORD_MISC_COMM_EXEC, NULL));
        else
                ck_assert_ok(record_put_fork(&b, 7, 1, 7, 1, 2, 0, NULL));
        ck_assert_ok(record_put_mmap(&b, &(RecordMap) { .pid = 7, .start = 0x600000, .length = 0x2000, .path = "//anon",
                                                        .misc = PERF_RECORD_MISC_USER }, NULL));
        take(&view, &b);
        ck_assert_ok(code_places_find(&places, 7, PERF_RECORD_MISC_USER, 0x601010, &second));
        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = directory, .frames = true }, &symbols));
        ck_assert_ok(place_names_init(&names, &places, symbols));
        ck_assert_uint_eq(names.symbol_of[first], 0);
        ck_assert_pstr_eq(names.symbols[names.symbol_of[second]].name, "second_life");
        place_names_done(&names);
        code_places_done(&places);
        process_view_done(&view);
}

START_TEST(generated_before_exec) {
        check_lives(true);
}
END_TEST

START_TEST(generated_by_one_of_the_same_number) {
        check_lives(false);
}
END_TEST

/* Generated code may be in a file in memory: the map of the process names the processor's addresses. */
START_TEST(generated_in_a_file_in_memory) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *directory = test_path("symbols");
        _cleanup_symbols_free_ Symbols *symbols = NULL;
        ProcessView view = {};
        CodePlaces places = {};
        PlaceNames names = {};
        uint32_t made, other;
        const NamedSymbol *symbol;

        write_map("601000 20 made_code\n");
        ck_assert_ok(record_put_mmap2(&b, &(RecordMap) { .pid = 7, .start = 0x600000, .length = 0x2000, .page_offset = 0x10000,
                                                         .path = "/memfd:doublemapper (deleted)", .misc = PERF_RECORD_MISC_USER,
                                                         .minor = 1, .inode = 9 }, NULL));
        ck_assert_ok(code_places_init(&places, &view));
        ck_assert_ok(process_view_take(&view, (const struct perf_event_header *) b.data));
        ck_assert_ok(code_places_find(&places, 7, PERF_RECORD_MISC_USER, 0x601010, &made));
        ck_assert_ok(code_places_find(&places, 7, PERF_RECORD_MISC_USER, 0x600010, &other));
        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = directory, .frames = true }, &symbols));
        ck_assert_ok(place_names_init(&names, &places, symbols));
        symbol = names.symbols + names.symbol_of[made];
        ck_assert_pstr_eq(symbol->name, "made_code");
        ck_assert_uint_eq(symbol->start, 0x11000);
        ck_assert_uint_eq(symbol->end, 0x11020);
        ck_assert_uint_eq(names.symbol_of[other], 0);
        ck_assert_str_eq(place_names_text(&names, place_names_dso(&names, places.places + other)), "memfd:doublemapper (deleted)");
        place_names_done(&names);
        code_places_done(&places);
        process_view_done(&view);
}
END_TEST

/* A call that is the last instruction of a function returns to the next one. What a signal handler returns to has no call before it. */
START_TEST(callers) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *directory = test_path("symbols");
        _cleanup_symbols_free_ Symbols *symbols = NULL;
        ProcessView view = {};
        CodePlaces places = {};
        PlaceNames names = {};
        uint32_t hit, caller, trampoline, alone;

        write_map("601000 20 calls\n601020 20 next\n");
        ck_assert_ok(record_put_mmap(&b, &(RecordMap) { .pid = 7, .start = 0x600000, .length = 0x2000, .path = "//anon",
                                                        .misc = PERF_RECORD_MISC_USER }, NULL));
        ck_assert_ok(code_places_init(&places, &view));
        take(&view, &b);
        ck_assert_ok(code_places_find(&places, 7, PERF_RECORD_MISC_USER, 0x601020, &hit));
        ck_assert_ok(code_places_find_caller(&places, 7, PERF_RECORD_MISC_USER, 0x601020, &caller));
        ck_assert_ok(code_places_find_caller(&places, 7, PERF_RECORD_MISC_USER, 0x601000, &trampoline));
        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = directory, .frames = true }, &symbols));
        ck_assert_ok(place_names_init(&names, &places, symbols));
        ck_assert_pstr_eq(names.symbols[names.symbol_of[hit]].name, "next");
        ck_assert_pstr_eq(names.symbols[names.symbol_of[caller]].name, "calls");
        ck_assert_pstr_eq(names.symbols[names.symbol_of[trampoline]].name, "calls");
        ck_assert_uint_eq(names.chain_key[caller], names.chain_key[trampoline]);
        ck_assert_uint_ne(names.chain_key[caller], names.chain_key[hit]);
        ck_assert_ok(place_names_find(&names, &places, symbols, places.dsos->dsos + places.places[caller].dso, places.places + caller,
                                      &alone));
        ck_assert_uint_eq(alone, names.symbol_of[caller]);
        place_names_done(&names);
        code_places_done(&places);
        process_view_done(&view);
}
END_TEST

TEST_RUN("place-names", generated_before_exec, generated_by_one_of_the_same_number, generated_in_a_file_in_memory, callers);
