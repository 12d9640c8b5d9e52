/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "binary-symbols.h"
#include "elf-build-id.h"
#include "fd-file.h"
#include "made-program.h"
#include "symbols.h"
#include "symbols-file.h"
#include "vdso-image.h"

static char *made_root_of(const char *name, const char *file, const char *text, size_t size) {
        char *root = test_path(name);
        _cleanup_free_ char *path = path_join(root, file), *parent = strdup(path);

        *strrchr(parent, '/') = '\0';
        ck_assert_ok(make_directories(parent, 0700));
        test_write_file(path, text, size);
        return root;
}

static char *made_root(const char *name, const char *file, const char *text) {
        return made_root_of(name, file, text, strlen(text));
}

static const char *name_at(Symbols *s, const DsoHit *dso, uint64_t address) {
        Symbol symbol;
        int r = symbols_resolve(s, dso, address, &symbol);

        ck_assert_ok(r);
        return r > 0 ? symbol.name : "";
}

/* Symbols of the machine's files. */
static int symbols_helped(const SymbolHelpers *helpers, Symbols **ret) {
        return symbols_new(&(SymbolSources) { .root = "", .frames = true, .helpers = helpers }, ret);
}

START_TEST(a_binary) {
        _cleanup_free_ char *path = made_program("a-binary", made_source, "-Wl,--build-id");
        DsoHit dso = { .path = path, .cpumode = PERF_RECORD_MISC_USER }, other = dso;
        _cleanup_symbols_free_ Symbols *s = NULL;

        if (!path)
                return;
        dso.id = made_build_id(path);
        other.id = (BuildId) { .bytes = { 5 }, .size = 20 };
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &s));
        ck_assert_str_eq(name_at(s, &dso, made_offset(path, "inner")), "inner");
        ck_assert_str_eq(name_at(s, &other, made_offset(path, "inner")), "");
        ck_assert_str_eq(name_at(s, &dso, made_offset(path, "outer")), "outer");
}
END_TEST

typedef struct Refused {
        unsigned n;
        BuildId recorded, present;
} Refused;

static void refuse(void *userdata, const char *path, const BuildId *recorded, const BuildId *present) {
        Refused *r = userdata;

        ck_assert_ptr_nonnull(strstr(path, "demo"));
        *r = (Refused) { .n = r->n + 1, .recorded = *recorded, .present = *present };
}

START_TEST(another_file_is_reported) {
        _cleanup_free_ char *path = made_program("demo", made_source, "-Wl,--build-id");
        DsoHit other = { .path = path, .cpumode = PERF_RECORD_MISC_USER, .id = { .bytes = { 5 }, .size = 20 } }, gone = other;
        _cleanup_symbols_free_ Symbols *s = NULL;
        Refused refused = {};
        BuildId id;

        if (!path)
                return;
        id = made_build_id(path);
        gone.path = "/does-not-exist/demo";
        ck_assert_ok(symbols_helped(&(SymbolHelpers) { .refuse = refuse, .userdata = &refused }, &s));
        ck_assert_str_eq(name_at(s, &gone, 0x1000), "");
        ck_assert_uint_eq(refused.n, 0);
        ck_assert_str_eq(name_at(s, &other, made_offset(path, "inner")), "");
        ck_assert_str_eq(name_at(s, &other, made_offset(path, "outer")), "");
        ck_assert_uint_eq(refused.n, 1);
        ck_assert(build_id_equal(&refused.recorded, &other.id));
        ck_assert(build_id_equal(&refused.present, &id));
}
END_TEST

/* Opens the file whose path is the userdata, whatever is asked for. */
static int fetch(void *userdata, const BuildId *id, bool binary) {
        return open(userdata, O_RDONLY | O_CLOEXEC);
}

START_TEST(separate_files_from_elsewhere) {
        _cleanup_free_ char *path = made_program("demo", made_source, "-Wl,--build-id=0x1234567890"), *output = NULL,
                            *separate = test_path("fetched"), *other = NULL;
        DsoHit dso = { .path = path, .cpumode = PERF_RECORD_MISC_USER };
        _cleanup_symbols_free_ Symbols *s = NULL, *wrong = NULL;
        uint64_t inner;

        if (!path)
                return;
        inner = made_offset(path, "inner");
        output = test_command("objcopy --only-keep-debug %s %s && strip -s %s", path, separate, path);
        ck_assert_ptr_nonnull(output);
        dso.id = made_build_id(path);
        ck_assert_ok(symbols_helped(&(SymbolHelpers) { .fetch = fetch, .userdata = separate }, &s));
        ck_assert_str_eq(name_at(s, &dso, inner), "inner");
        other = made_program("other", made_source, "-Wl,--build-id=0x1234567891");
        ck_assert_ok(symbols_helped(&(SymbolHelpers) { .fetch = fetch, .userdata = other }, &wrong));
        ck_assert_int_eq(strncmp(name_at(wrong, &dso, inner), "demo+0x", 7), 0);
}
END_TEST

START_TEST(functions_without_symbols) {
        _cleanup_free_ char *path = made_program("bare", made_source, "-Wl,--build-id"), *output = NULL;
        DsoHit dso = { .path = path, .cpumode = PERF_RECORD_MISC_USER };
        _cleanup_symbols_free_ Symbols *s = NULL, *plain = NULL;
        uint64_t inner;

        if (!path)
                return;
        inner = made_offset(path, "inner");
        output = test_command("strip -s %s", path);
        ck_assert_ptr_nonnull(output);
        dso.id = made_build_id(path);
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &s));
        ck_assert_int_eq(strncmp(name_at(s, &dso, inner), "bare+0x", 7), 0);
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "" }, &plain));
        ck_assert_str_eq(name_at(plain, &dso, inner), "");
}
END_TEST

static int expand_nothing(void *userdata, const void *data, size_t size) {
        (*(unsigned *) userdata)++;
        return -EFBIG;
}

static void count_limited(void *userdata, const char *path) {
        (*(unsigned *) userdata) += 1000;
}

/* A file is loaded once, however its path is written. */
START_TEST(many_paths_of_a_file) {
        _cleanup_free_ char *path = made_program("spelled", made_source, "-Wl,--build-id"), *output = NULL;
        static const char *const spellings[] = { "", "/.", "/./." };
        _cleanup_symbols_free_ Symbols *s = NULL;
        unsigned expanded = 0;
        uint64_t inner;

        if (!path)
                return;
        inner = made_offset(path, "inner");
        output = test_command("echo data >%s.xz && objcopy --add-section .gnu_debugdata=%s.xz %s && strip -s %s", path, path, path, path);
        ck_assert_ptr_nonnull(output);
        ck_assert_ok(symbols_helped(&(SymbolHelpers) { .expand = expand_nothing, .limit = count_limited, .userdata = &expanded }, &s));
        for (size_t i = 0; i < 3; i++) {
                _cleanup_free_ char *spelled = NULL;
                DsoHit dso = { .cpumode = PERF_RECORD_MISC_USER, .id = made_build_id(path) };

                ck_assert_int_gt(asprintf(&spelled, "%.*s%s%s", (int) (strrchr(path, '/') - path), path, spellings[i],
                                          strrchr(path, '/')), 0);
                dso.path = spelled;
                ck_assert_int_eq(strncmp(name_at(s, &dso, inner), "spelled+0x", 10), 0);
        }
        ck_assert_uint_eq(expanded, 1001); /* expanded once, and reported once */
}
END_TEST

/* A stripped binary that was kept gets its names of the separate file that was installed later. */
START_TEST(kept_before_its_separate_file) {
        _cleanup_free_ char *path = made_program("late", made_source, "-Wl,--build-id"), *output = NULL, *beside = NULL, *root = NULL;
        DsoHit dso = { .path = "/bin/late", .cpumode = PERF_RECORD_MISC_USER }, unknown = dso;
        _cleanup_symbols_free_ Symbols *s = NULL, *later = NULL;
        _cleanup_free_ char *kept = NULL, *separate = NULL;
        char place[SYMBOLS_ID_PATH_SIZE];
        size_t size;
        uint64_t inner;

        if (!path)
                return;
        inner = made_offset(path, "inner");
        dso.id = made_build_id(path);
        output = test_command("objcopy --only-keep-debug %s %s.debug && strip -s %s && echo %s.debug | tr -d '\n'", path, path, path, path);
        ck_assert_ptr_nonnull(output);
        kept = test_read_file(path, &size);
        beside = made_root_of("late-beside", "bin/late", kept, size);
        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = beside, .root = "", .frames = true }, &s));
        ck_assert_int_eq(strncmp(name_at(s, &dso, inner), "late+0x", 7), 0);
        ck_assert_int_eq(symbols_lack_names(s, &dso), 1);
        ck_assert_int_eq(symbols_lack_names(s, &unknown), 0);
        separate = test_read_file(output, &size);
        root = made_root_of("late-root", symbols_id_path(&dso.id, place), separate, size);
        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = beside, .root = root, .frames = true }, &later));
        ck_assert_str_eq(name_at(later, &dso, inner), "inner");
        ck_assert_int_eq(symbols_lack_names(later, &dso), 0);
}
END_TEST

static const DsoHit kernel = { .path = "[kernel.kallsyms]", .cpumode = PERF_RECORD_MISC_KERNEL, .pid = UINT32_MAX };

START_TEST(the_kernel) {
        _cleanup_free_ char *root = made_root("kernel", "proc/kallsyms", "ffffffff81000000 T _text\nffffffff81000100 T f\n");
        const DsoHit module = { .path = "/lib/modules/x.ko", .cpumode = PERF_RECORD_MISC_KERNEL, .pid = UINT32_MAX };
        _cleanup_symbols_free_ Symbols *s = NULL, *moved = NULL;

        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = root, .frames = true }, &s));
        symbols_set_kernel(s, &(RecordedKernel) { .symbol = "_text", .reference = UINT64_C(0xffffffff81000000) });
        ck_assert_str_eq(name_at(s, &kernel, UINT64_C(0xffffffff81000104)), "f");
        ck_assert_str_eq(name_at(s, &module, UINT64_C(0xffffffff81000104)), "f");
        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = root, .frames = true }, &moved));
        symbols_set_kernel(moved, &(RecordedKernel) { .symbol = "_text", .reference = UINT64_C(0xffffffff92000000) });
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
        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = beside, .root = root, .frames = true }, &s));
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
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = root, .frames = true }, &s));
        ck_assert_str_eq(name_at(s, &code, 0x1008), "");
        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = root, .frames = true }, &beside));
        ck_assert_str_eq(name_at(beside, &code, 0x1008), "theirs");
}
END_TEST

/* Returns the offset of the vdso's first function that has a name. */
static bool find_in_vdso(int fd, Symbol *ret) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;

        ck_assert_ok(symbol_table_new(&t));
        ck_assert_ok(binary_symbols_load(&(SymbolSources) {}, "[vdso]", fd, t));
        symbol_table_sort(t);
        if (symbol_table_size(t) == 0)
                return false;
        symbol_table_get(t, 0, ret);
        ret->name = strdup(ret->name);
        ck_assert_ptr_nonnull(ret->name);
        return true;
}

START_TEST(the_vdso) {
        DsoHit dso = { .path = "[vdso]", .cpumode = PERF_RECORD_MISC_USER, .pid = 7 }, other = dso, unknown = dso;
        _cleanup_symbols_free_ Symbols *s = NULL, *beside = NULL, *nowhere = NULL;
        _cleanup_close_ int fd = vdso_image_open(NULL);
        _cleanup_free_ char *image = NULL, *root = NULL, *name = NULL;
        char place[SYMBOLS_ID_PATH_SIZE];
        Symbol function;
        size_t size;

        if (fd < 0 || !find_in_vdso(fd, &function))
                return;
        name = (char *) function.name;
        ck_assert_ok(build_id_of_fd(fd, &dso.id));
        other.id = (BuildId) { .bytes = { 5 }, .size = 20 };
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &s));
        ck_assert_str_eq(name_at(s, &dso, function.start), name);
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = "", .frames = true }, &nowhere));
        ck_assert_str_eq(name_at(nowhere, &other, function.start), "");
        ck_assert_str_eq(name_at(nowhere, &unknown, function.start), "");
        ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
        ck_assert_ok(read_fd(fd, 1 << 20, &image, &size));
        root = made_root_of("vdso-beside", symbols_id_path(&dso.id, place), image, size);
        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = root, .frames = true }, &beside));
        ck_assert_str_eq(name_at(beside, &dso, function.start), name);
}
END_TEST

START_TEST(nothing_to_look_at) {
        const DsoHit dso = { .path = "/bin/sh", .cpumode = PERF_RECORD_MISC_USER };
        _cleanup_symbols_free_ Symbols *s = NULL;

        ck_assert_ok(symbols_new(&(SymbolSources) { .frames = true }, &s));
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

TEST_RUN("symbols", a_binary, another_file_is_reported, separate_files_from_elsewhere,
         functions_without_symbols, many_paths_of_a_file, kept_before_its_separate_file, the_kernel, beside_comes_first, a_map_of_another_user, the_vdso, nothing_to_look_at, names_of_maps);
