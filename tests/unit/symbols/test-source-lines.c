/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The process that reads DWARF answers, and is not believed all. */

#include <fcntl.h>

#include "debug-reader.h"
#include "made-program.h"
#include "source-lines.h"

static const SymbolSources here = { .root = "" };

/* The lines of this program are known: the second one calls what is inlined. */
static const char source[] =
        "static inline __attribute__((always_inline)) int triple(int n) { volatile int x = n; return x * 3; }\n"
        "static inline __attribute__((always_inline)) int both(int n) { return triple(n) + triple(n + 1); }\n"
        "__attribute__((noinline)) int outer(int n) {\n"
        "        return both(n) + 1;\n"
        "}\n"
        "int main(void) { return outer(2) == 16 ? 0 : 1; }\n";

static char *program(const char *name, const char *flags) {
        _cleanup_free_ char *all = NULL;

        ck_assert_int_gt(asprintf(&all, "-g -Wl,--build-id %s", flags), 0);
        return made_program(name, source, all);
}

static DebugFile opened(const char *path) {
        const DsoHit dso = { .path = path, .cpumode = PERF_RECORD_MISC_USER, .id = made_build_id(path) };
        DebugFile f;

        ck_assert_ok(debug_file_open(&f, &here, &dso));
        return f;
}

/* Asks for every byte of a function. */
static void ask(SourceLines *s, const char *path, const char *function, size_t n, SourcePlace *places) {
        _cleanup_(debug_file_done) DebugFile f = opened(path);
        _cleanup_free_ uint64_t *addresses = calloc(n, sizeof(*addresses));
        uint64_t offset = made_offset(path, function);

        for (size_t i = 0; i < n; i++)
                ck_assert(debug_file_address(&f, offset + i, addresses + i));
        ck_assert_ok(source_lines_find(s, &f, addresses, n, true, places));
}

#define BYTES 24 /* outer() has more */

static void check_program(const char *path) {
        _cleanup_(source_lines_done) SourceLines s = {};
        SourcePlace places[BYTES] = {};
        bool nested = false, own = false;

        ask(&s, path, "outer", BYTES, places);
        ck_assert_uint_eq(s.failed, 0);
        ck_assert_ptr_nonnull(strstr(source_lines_text(&s, places[0].file), ".c"));
        for (size_t i = 0; i < BYTES; i++) {
                const InlinedCall *calls = s.inlined + places[i].inlined;

                ck_assert_uint_ge(places[i].line, 1);
                ck_assert_uint_le(places[i].line, 5);
                own = own || places[i].n_inlined == 0;
                if (places[i].n_inlined < 2)
                        continue;
                nested = true;
                ck_assert_uint_eq(places[i].n_inlined, 2);
                ck_assert_str_eq(source_lines_text(&s, calls[0].name), "triple");
                ck_assert_uint_eq(calls[0].line, 2);
                ck_assert_str_eq(source_lines_text(&s, calls[1].name), "both");
                ck_assert_uint_eq(calls[1].line, 4);
        }
        ck_assert(nested);
        ck_assert(own);
}

START_TEST(forms_of_dwarf) {
        static const char *const flags[] = { "-O2 -gdwarf-4", "-O2 -gdwarf-5", "-O2 -gz=zlib", "-O2 -gz=zlib-gnu", "-O2 -no-pie" };

        for (size_t i = 0; i < ELEMENTSOF(flags); i++) {
                _cleanup_free_ char *path = program("forms", flags[i]);

                if (path)
                        check_program(path);
        }
}
END_TEST

/* Functions that are never called as such have no linkage name. */
static const char scoped_source[] =
        "#define INLINED inline __attribute__((always_inline))\n"
        "namespace { struct Anon { int v; INLINED int get(int n) { volatile int x = n * v; return x; } }; }\n"
        "namespace space { namespace inner { static INLINED int plain(int n) { volatile int x = n; return x; } }\n"
        "struct Class { int v; template<typename T> INLINED T twice(T n) { volatile T x = n * 2; return x + v; } }; }\n"
        "static INLINED int global(int n) { volatile int x = n; return x; }\n"
        "extern \"C\" __attribute__((noinline)) int outer(int n) {\n"
        "        Anon a { n }; space::Class c { n };\n"
        "        struct Local { INLINED int f(int q) { volatile int x = q; return x; } } l;\n"
        "        return a.get(n) + space::inner::plain(n) + c.twice<int>(n) + global(n) + l.f(n);\n"
        "}\n"
        "int main(void) { return outer(2) == 16 ? 0 : 1; }\n";

#define SCOPED_BYTES 48

static bool is_inlined(const SourceLines *s, const SourcePlace *places, const char *name) {
        for (size_t i = 0; i < SCOPED_BYTES; i++)
                for (size_t k = 0; k < places[i].n_inlined; k++)
                        if (streq(source_lines_text(s, s->inlined[places[i].inlined + k].name) ?: "", name))
                                return true;
        return false;
}

START_TEST(names_in_scopes) {
        static const char *const names[] = { "(anonymous namespace)::Anon::get", "space::inner::plain", "_ZN5space5Class5twiceIiEET_S2_",
                                             "global", "Local::f" };
        _cleanup_free_ char *path = made_program("scoped", scoped_source, "-x c++ -g -O2 -Wl,--build-id");
        _cleanup_(source_lines_done) SourceLines s = {};
        SourcePlace places[SCOPED_BYTES] = {};

        if (!path)
                return;
        ask(&s, path, "outer", SCOPED_BYTES, places);
        for (size_t i = 0; i < ELEMENTSOF(names); i++)
                ck_assert_msg(is_inlined(&s, places, names[i]), "%s", names[i]);
}
END_TEST

START_TEST(nothing_known) {
        _cleanup_free_ char *path = program("nothing", "-O2");
        _cleanup_(debug_file_done) DebugFile f = DEBUG_FILE_EMPTY;
        _cleanup_(source_lines_done) SourceLines s = {};
        const uint64_t addresses[] = { 1, UINT64_MAX };
        SourcePlace places[2] = {};

        if (!path)
                return;
        f = opened(path);
        ck_assert_ok(source_lines_find(&s, &f, addresses, 2, true, places));
        ck_assert_uint_eq(s.failed, 0);
        ck_assert_uint_eq(places[0].line + places[1].line + places[0].file, 0);
        ck_assert_ok(source_lines_find(&s, &f, addresses, 0, true, NULL));
}
END_TEST

static bool end_at_once(void *userdata) {
        (*(unsigned *) userdata)++;
        return false;
}

/* A file that is not read because its user wants no more is not a broken one. */
START_TEST(watched) {
        _cleanup_free_ char *path = program("watched", "-O2");
        _cleanup_(debug_file_done) DebugFile f = DEBUG_FILE_EMPTY;
        _cleanup_(source_lines_done) SourceLines s = {};
        SourcePlace place = {};
        unsigned asked = 0;
        uint64_t address;

        if (!path)
                return;
        f = opened(path);
        f.watcher = (Watcher) { .go_on = end_at_once, .userdata = &asked };
        address = made_offset(path, "outer");
        ck_assert_ok(source_lines_find(&s, &f, &address, 1, true, &place));
        ck_assert(asked == 1 && s.failed == 0 && place.line == 0);
}
END_TEST

/* Any byte of the file may be broken: the test program goes on, and what is answered is within the limits. */
START_TEST(broken_files) {
        _cleanup_free_ char *path = program("broken", "-O2"), *data = NULL, *cut = test_path("cut");
        _cleanup_(source_lines_done) SourceLines s = {};
        uint64_t address;
        size_t size;

        if (!path)
                return;
        data = test_read_file(path, &size);
        address = made_offset(path, "outer");
        for (size_t i = 0; i < 12; i++) {
                DebugFile f = { .binary = -EBADF };
                SourcePlace place = {};

                test_write_file(cut, data, size / 16 * (i + 4));
                f.debug = open(cut, O_RDONLY | O_CLOEXEC);
                ck_assert_ok(source_lines_find(&s, &f, &address, 1, true, &place));
                f.debug = safe_close(f.debug);
                ck_assert_uint_le(place.n_inlined, INLINED_DEPTH_MAX);
                test_write_file(cut, data, size);
        }
        ck_assert_uint_gt(s.failed, 0);
}
END_TEST

static int take(SourceLines *s, const void *answers, size_t size, SourcePlace *places, size_t n) {
        _cleanup_fclose_ FILE *f = fmemopen((void *) answers, size, "r");

        return source_lines_take(s, f, n, places);
}

START_TEST(answers_are_not_believed) {
        _cleanup_(source_lines_done) SourceLines s = {};
        const DebugAnswer wrong_number[] = { { DEBUG_ANSWER_LINE, 2, 0, 1 } }, wrong_text[] = { { DEBUG_ANSWER_LINE, 0, 7, 1 }, { DEBUG_ANSWER_END } },
                          no_line[] = { { DEBUG_ANSWER_INLINED, 0, 0, 1 } }, no_end[] = { { DEBUG_ANSWER_LINE, 1, 0, 5 } },
                          long_text[] = { { DEBUG_ANSWER_TEXT, SOURCE_TEXT_MAX + 1 } }, no_type[] = { { 77 } };
        struct {
                DebugAnswer text;
                char bytes[4];
                DebugAnswer line, end;
        } __attribute__((packed)) control = { { DEBUG_ANSWER_TEXT, 4 }, { 'a', '\033', '\n', 'b' }, { DEBUG_ANSWER_LINE, 1, 1, 9 }, { DEBUG_ANSWER_END } };
        SourcePlace places[2] = {};

        ck_assert_int_eq(take(&s, wrong_number, sizeof(wrong_number), places, 2), -EBADMSG);
        ck_assert_int_eq(take(&s, wrong_text, sizeof(wrong_text), places, 2), 0);
        ck_assert_uint_eq(places[0].file, 0);
        ck_assert_int_eq(take(&s, no_line, sizeof(no_line), places, 2), -EBADMSG);
        ck_assert_int_eq(take(&s, no_end, sizeof(no_end), places, 2), -EBADMSG);
        ck_assert_uint_eq(places[1].line, 5);
        ck_assert_int_eq(take(&s, long_text, sizeof(long_text), places, 2), -EBADMSG);
        ck_assert_int_eq(take(&s, no_type, sizeof(no_type), places, 2), -EBADMSG);
        ck_assert_int_eq(take(&s, &control, sizeof(control), places, 2), 0);
        ck_assert_str_eq(source_lines_text(&s, places[1].file), "a? b");
}
END_TEST

START_TEST(inlined_too_deep) {
        DebugAnswer answers[INLINED_DEPTH_MAX + 2] = { { DEBUG_ANSWER_LINE, 0, 0, 1 } };
        _cleanup_(source_lines_done) SourceLines s = {};
        SourcePlace place = {};

        for (size_t i = 1; i < ELEMENTSOF(answers); i++)
                answers[i] = (DebugAnswer) { .type = DEBUG_ANSWER_INLINED };
        ck_assert_int_eq(take(&s, answers, sizeof(answers), &place, 1), -EBADMSG);
        ck_assert_uint_eq(place.n_inlined, INLINED_DEPTH_MAX);
}
END_TEST

TEST_RUN("source-lines", forms_of_dwarf, names_in_scopes, nothing_known, watched, broken_files, answers_are_not_believed, inlined_too_deep);
