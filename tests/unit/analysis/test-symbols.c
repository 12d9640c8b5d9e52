/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "fd-file.h"
#include "made-program.h"
#include "symbols.h"

static char *made_root(const char *name, const char *file, const char *text) {
        char *root = test_path(name);
        _cleanup_free_ char *path = path_join(root, file), *parent = strdup(path);

        *strrchr(parent, '/') = '\0';
        ck_assert_ok(make_directories(parent, 0700));
        test_write_file(path, text, strlen(text));
        return root;
}

static const char *name_at(Symbols *s, const DsoHit *dso, uint64_t address) {
        Symbol symbol;
        int r = symbols_resolve(s, dso, address, &symbol);

        ck_assert_ok(r);
        return r > 0 ? symbol.name : "";
}

START_TEST(a_binary) {
        _cleanup_free_ char *path = made_program("a-binary", made_source, "-Wl,--build-id");
        DsoHit dso = { .path = path, .cpumode = PERF_RECORD_MISC_USER }, other = dso;
        _cleanup_symbols_free_ Symbols *s = NULL;

        if (!path)
                return;
        dso.id = made_build_id(path);
        other.id = (BuildId) { .bytes = { 5 }, .size = 20 };
        ck_assert_ok(symbols_new(NULL, "", &s));
        ck_assert_str_eq(name_at(s, &dso, made_offset(path, "inner")), "inner");
        ck_assert_str_eq(name_at(s, &other, made_offset(path, "inner")), "");
        ck_assert_str_eq(name_at(s, &dso, made_offset(path, "outer")), "outer");
}
END_TEST

static const DsoHit kernel = { .path = "[kernel.kallsyms]", .cpumode = PERF_RECORD_MISC_KERNEL, .pid = UINT32_MAX };

START_TEST(the_kernel) {
        _cleanup_free_ char *root = made_root("kernel", "proc/kallsyms", "ffffffff81000000 T _text\nffffffff81000100 T f\n");
        const DsoHit module = { .path = "/lib/modules/x.ko", .cpumode = PERF_RECORD_MISC_KERNEL, .pid = UINT32_MAX };
        _cleanup_symbols_free_ Symbols *s = NULL, *moved = NULL;

        ck_assert_ok(symbols_new(root, NULL, &s));
        symbols_set_kernel_text(s, UINT64_C(0xffffffff81000000));
        ck_assert_str_eq(name_at(s, &kernel, UINT64_C(0xffffffff81000104)), "f");
        ck_assert_str_eq(name_at(s, &module, UINT64_C(0xffffffff81000104)), "f");
        ck_assert_ok(symbols_new(root, NULL, &moved));
        symbols_set_kernel_text(moved, UINT64_C(0xffffffff92000000));
        ck_assert_str_eq(name_at(moved, &kernel, UINT64_C(0xffffffff81000104)), "");
}
END_TEST

START_TEST(beside_comes_first) {
        _cleanup_free_ char *beside = made_root("beside", "tmp/perf-77.map", "1000 10 then\n"),
                            *root = made_root("now", "tmp/perf-77.map", "1000 10 now\n");
        const DsoHit code = { .path = "/tmp/perf-77.map", .cpumode = PERF_RECORD_MISC_USER, .pid = 77 };
        const DsoHit only_now = { .path = "/tmp/perf-78.map", .cpumode = PERF_RECORD_MISC_USER, .pid = 78 };
        _cleanup_symbols_free_ Symbols *s = NULL;

        free(made_root("now", "tmp/perf-78.map", "1000 10 other\n"));
        ck_assert_ok(symbols_new(beside, root, &s));
        ck_assert_str_eq(name_at(s, &code, 0x1008), "then");
        ck_assert_str_eq(name_at(s, &only_now, 0x1008), "other");
}
END_TEST

/* Another user could name the code of root's processes. */
START_TEST(a_map_of_another_user) {
        _cleanup_free_ char *root = made_root("theirs", "tmp/perf-77.map", "1000 10 theirs\n"), *map = path_join(root, "tmp/perf-77.map");
        const DsoHit code = { .path = "/tmp/perf-77.map", .cpumode = PERF_RECORD_MISC_USER, .pid = 77 };
        _cleanup_symbols_free_ Symbols *s = NULL, *beside = NULL;

        if (geteuid() != 0)
                return; /* only root can give a file away */
        ck_assert_int_eq(chown(map, 65534, 65534), 0);
        ck_assert_ok(symbols_new(NULL, root, &s));
        ck_assert_str_eq(name_at(s, &code, 0x1008), "");
        ck_assert_ok(symbols_new(root, NULL, &beside));
        ck_assert_str_eq(name_at(beside, &code, 0x1008), "theirs");
}
END_TEST

START_TEST(nothing_to_look_at) {
        const DsoHit dso = { .path = "/bin/sh", .cpumode = PERF_RECORD_MISC_USER };
        _cleanup_symbols_free_ Symbols *s = NULL;

        ck_assert_ok(symbols_new(NULL, NULL, &s));
        ck_assert_str_eq(name_at(s, &dso, 0x1000), "");
        ck_assert_str_eq(name_at(s, &kernel, 0x1000), "");
}
END_TEST

START_TEST(names_of_maps) {
        ck_assert(symbols_is_perf_map("/tmp/perf-1.map"));
        ck_assert(!symbols_is_perf_map("/tmp/perf-.map"));
        ck_assert(!symbols_is_perf_map("/tmp/perf-1x.map"));
        ck_assert(!symbols_is_perf_map("/bin/sh"));
}
END_TEST

TEST_RUN("symbols", a_binary, the_kernel, beside_comes_first, a_map_of_another_user, nothing_to_look_at, names_of_maps);
