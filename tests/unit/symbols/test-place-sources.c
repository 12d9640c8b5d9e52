/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Places of several binaries, and return addresses. */

#include "array.h"
#include "made-program.h"
#include "place-sources.h"

static const SymbolSources here = { .root = "" };

/* The call is on line 3, and what it returns to on line 4. */
static const char source[] =
        "__attribute__((noinline)) int callee(int n) { volatile int x = n; return x; }\n"
        "int outer(int n) {\n"
        "        int x = callee(n);\n"
        "        return x + n;\n"
        "}\n"
        "int main(void) { return outer(2); }\n";

static uint32_t place_at(CodePlaces *places, uint32_t dso, uint64_t offset) {
        ck_assert_int_eq(ARRAY_RESERVE(places->places, places->allocated, places->n + 1), 0);
        places->places[places->n] = (CodePlace) { .ip = offset, .address = offset, .dso = dso, .level = '.' };
        return (uint32_t) places->n++;
}

static uint32_t dso_of(CodePlaces *places, const char *path, uint16_t cpumode) {
        DsoHit dso = { .path = path, .cpumode = cpumode };
        uint32_t number;

        if (cpumode == PERF_RECORD_MISC_USER && *path == '/')
                dso.id = made_build_id(path);
        ck_assert_ok(dso_table_intern(&places->view->dsos, &dso, &number));
        return number;
}

/* The offset behind the call in outer(). */
static uint64_t return_offset(const char *path) {
        _cleanup_free_ char *text = test_command("objdump -d %s --disassemble=outer | grep -A1 call | tail -n 1 | cut -d: -f1", path);
        _cleanup_free_ char *symbol = test_command("nm %s | awk '$3 == \"outer\" { print $1 }'", path);

        ck_assert(text && symbol);
        return made_offset(path, "outer") + strtoull(text, NULL, 16) - strtoull(symbol, NULL, 16);
}

START_TEST(addresses) {
        _cleanup_free_ char *path = made_program("addresses", source, "-g -O0 -Wl,--build-id"), *copy = NULL;
        _cleanup_(source_lines_done) SourceLines s = {};
        _cleanup_(process_view_done) ProcessView view = {};
        _cleanup_(code_places_done) CodePlaces places = {};
        SourcePlace found[8] = {};
        uint32_t dso, caller, exact, kernel, second;

        if (!path)
                return;
        copy = test_command("cp %s %s.copy; printf %s.copy", path, path, path);
        ck_assert_ok(code_places_init(&places, &view));
        dso = dso_of(&places, path, PERF_RECORD_MISC_USER);
        caller = place_at(&places, dso, return_offset(path));
        exact = place_at(&places, dso, made_offset(path, "callee"));
        kernel = place_at(&places, dso_of(&places, "[kernel.kallsyms]", PERF_RECORD_MISC_KERNEL), made_offset(path, "callee"));
        second = place_at(&places, dso_of(&places, copy, PERF_RECORD_MISC_USER), made_offset(path, "callee"));
        places.places[caller].caller = true;
        ck_assert_ok(place_sources_find(&s, &places, &here, false, found));
        ck_assert_uint_eq(found[caller].line, 3);
        ck_assert_uint_eq(found[exact].line, 1);
        ck_assert_uint_eq(found[second].line, 1);
        ck_assert_uint_eq(found[kernel].line, 0);
        ck_assert_uint_eq(found[0].line, 0);
}
END_TEST

TEST_RUN("place-sources", addresses);
