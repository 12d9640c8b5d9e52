/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each verb that shows names shows them as the source has them, or with --no-demangle as compilers mangle them. */

#include "made-program.h"

/* The leak checker traces the process, which the sandbox refuses. */
#define PREFIX "ASAN_OPTIONS=detect_leaks=0 " VIEWER " "

static const char source[] =
        "void called(void) __asm__(\"_ZN3foo6calledEv\"), hit(void) __asm__(\"_ZN3foo3hitEi\");\n"
        "__attribute__((noinline)) void called(void) { __asm__ volatile(\"\"); }\n"
        "__attribute__((noinline)) void hit(void) { called(); called(); __asm__ volatile(\"\"); }\n"
        "int main(void) { hit(); return 0; }\n";

static char *recording(void) {
        _cleanup_(record_buffer_done) RecordBuffer b = {};
        _cleanup_free_ char *program = made_program("mangled", source, "");
        char *path = test_path("mangled.data");
        BuildIdEntry id;

        if (!program)
                exit(TEST_SKIPPED);
        id = (BuildIdEntry) { .path = program, .id = made_build_id(program) };
        test_put_map(&b, 7, 0x400000, 0x100000, program, 0);
        test_put_sample(&b, 11, PERF_RECORD_MISC_USER, 7, 0x400000 + made_offset(program, "_ZN3foo3hitEi"), 1000);
        perf_data_reader_free(test_recording(path, &b, &id, 1));
        return path;
}

START_TEST(each_verb) {
        static const char *const verbs[] = { "report -q", "script", "annotate", "flamegraph", "heatmap --format=html", "export --format=csv", "info" };
        _cleanup_free_ char *path = recording();

        for (size_t i = 0; i < ELEMENTSOF(verbs); i++) {
                _cleanup_free_ char *readable = test_command(PREFIX "%s -i %s", verbs[i], path),
                                    *raw = test_command(PREFIX "%s --no-demangle -i %s", verbs[i], path);

                ck_assert_msg(readable && strstr(readable, "foo::hit") && !strstr(readable, "_ZN"), "%s: %s", verbs[i], readable);
                ck_assert_msg(raw && strstr(raw, "_ZN3foo3hitEi") && !strstr(raw, "foo::"), "%s: %s", verbs[i], raw);
        }
}
END_TEST

START_TEST(calls_in_annotated_code) {
        _cleanup_free_ char *path = recording(), *readable = test_command(PREFIX "annotate --stdio2 -i %s", path),
                            *raw = test_command(PREFIX "annotate --stdio2 --no-demangle -i %s", path);

        ck_assert_pstr_ne(strstr(readable, "foo::called"), NULL);
        ck_assert_pstr_ne(strstr(raw, "_ZN3foo6calledEv"), NULL);
}
END_TEST

TEST_RUN("raw-names", each_verb, calls_in_annotated_code);
