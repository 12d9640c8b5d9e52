/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The forms of lines, with debug information and without. */

#include "made-program.h"
#include "made-samples.h"
#include "place-lines.h"
#include "recorded-paths.h"

static const SymbolSources here = { .root = "" };

#define START 0x400000u

static SampleTable *table_of(const char *program, uint64_t offset) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};

        test_put_map(&b, 7, START, 0x100000, program, 0);
        MADE_SAMPLE(&b, 7, 7, 1, START + offset);
        MADE_SAMPLE(&b, 7, 7, 2, 0x10); /* nothing is mapped there */
        return made_table(&b, NULL, 0);
}

/* The place of a sample of the program; other: of the one that hits nothing. */
static uint32_t place_of(const CodePlaces *places, bool other) {
        for (uint32_t i = 1; i < places->n; i++)
                if ((places->places[i].dso == DSO_NONE) == other)
                        return i;
        ck_abort_msg("no such place");
}

static const char *line_of(const PlaceNames *names, uint32_t place) {
        return place_names_text(names, names->line_of[place]);
}

static void check(const char *program, bool full, const char *wanted, const char *wanted_file) {
        _cleanup_sample_table_free_ SampleTable *t = table_of(program, made_offset(program, "inner"));
        CodePlaces *places = sample_table_places(t);
        _cleanup_(place_names_done) PlaceNames names = {};
        _cleanup_symbols_free_ Symbols *symbols = NULL;
        unsigned failed;
        uint32_t place;

        for (size_t i = 0; i < places->dsos->n; i++)
                if (streq(places->dsos->dsos[i].path, program))
                        places->dsos->dsos[i].id = made_build_id(program);
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &symbols));
        ck_assert_ok(place_names_init(&names, places, symbols));
        ck_assert_ok(place_lines_find(&names, places, &here, full, &failed));
        ck_assert_uint_eq(failed, 0);
        place = place_of(places, false);
        ck_assert_str_eq(line_of(&names, place), wanted);
        ck_assert_str_eq(names.file_of[place] > 0 ? place_names_text(&names, names.file_of[place]) : "", wanted_file);
        ck_assert_str_eq(line_of(&names, place_of(places, true)), "??:0");
}

START_TEST(with_lines) {
        _cleanup_free_ char *path = made_program("with", made_source, "-g -Wl,--build-id"), *file = NULL, *line = NULL;

        if (!path)
                return;
        ck_assert_int_gt(asprintf(&file, "%s.c", path), 0);
        ck_assert_int_gt(asprintf(&line, "%s:2", file), 0);
        check(path, false, "with.c:2", "with.c");
        check(path, true, line, file);
}
END_TEST

START_TEST(without_lines) {
        _cleanup_free_ char *path = made_program("without", made_source, "-Wl,--build-id");

        if (path)
                check(path, false, "inner+0", "");
}
END_TEST

TEST_RUN("place-lines", with_lines, without_lines);
