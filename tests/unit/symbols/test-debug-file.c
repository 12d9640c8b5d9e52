/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The file is found that has the DWARF of a binary. */

#include "debug-file.h"
#include "fd-file.h"
#include "made-program.h"
#include "symbols-file.h"

static const SymbolSources here = { .root = "" };

static DsoHit dso_of(const char *path) {
        return (DsoHit) { .path = path, .cpumode = PERF_RECORD_MISC_USER, .id = made_build_id(path) };
}

START_TEST(own) {
        _cleanup_free_ char *path = made_program("own", made_source, "-g -Wl,--build-id");
        _cleanup_(debug_file_done) DebugFile f = DEBUG_FILE_EMPTY;
        uint64_t address;
        DsoHit dso;

        if (!path)
                return;
        dso = dso_of(path);
        ck_assert_ok(debug_file_open(&f, &here, &dso));
        ck_assert_int_eq(f.debug, f.binary);
        ck_assert(debug_file_address(&f, made_offset(path, "inner"), &address));
        ck_assert(!debug_file_address(&f, UINT64_MAX, &address));
        debug_file_done(&f);
        dso.id.bytes[0] ^= 1;
        ck_assert_int_eq(debug_file_open(&f, &here, &dso), -ESTALE);
}
END_TEST

START_TEST(none) {
        _cleanup_free_ char *path = made_program("none", made_source, "-Wl,--build-id");
        _cleanup_(debug_file_done) DebugFile f = DEBUG_FILE_EMPTY;
        DsoHit dso;

        if (!path)
                return;
        dso = dso_of(path);
        ck_assert_int_lt(debug_file_open(&f, &here, &dso), 0);
        ck_assert_ok(debug_file_open_binary(&f, &here, &dso));
        ck_assert_int_lt(f.debug, 0);
}
END_TEST

START_TEST(separate) {
        _cleanup_free_ char *path = made_program("separate", made_source, "-g -Wl,--build-id"), *output = NULL, *root = test_path("root"),
                            *debug = NULL, *binary = path_join(root, "bin/program");
        char by_id[SYMBOLS_ID_PATH_SIZE];
        _cleanup_(debug_file_done) DebugFile f = DEBUG_FILE_EMPTY;
        DsoHit dso;

        if (!path)
                return;
        dso = dso_of(path);
        dso.path = "/bin/program";
        debug = path_join(root, symbols_id_path(&dso.id, by_id) + 1);
        output = test_command("mkdir -p $(dirname %s) $(dirname %s); objcopy --only-keep-debug %s %s && objcopy -g %s %s", binary, debug, path,
                              debug, path, binary);
        ck_assert_ptr_nonnull(output);
        ck_assert_ok(debug_file_open(&f, &(SymbolSources) { .root = root }, &dso));
        ck_assert_int_ge(f.debug, 0);
        ck_assert_int_ne(f.debug, f.binary);
}
END_TEST

TEST_RUN("debug-file", own, none, separate);
