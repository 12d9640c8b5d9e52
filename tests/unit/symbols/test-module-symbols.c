/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Modules of a kernel that does not run here: their files are object files that the compiler makes. */

#include "fd-file.h"
#include "made-program.h"
#include "symbols.h"

#define START UINT64_C(0xffffffffc0400000)
#define RELEASE "6.1.0-x"

static const char source[] =
        "int first(int n) { return n + 1; }\n"
        "__attribute__((section(\".init.text\"))) int at_begin(int n) { return n + 2; }\n"
        "int data = 3;\n"
        "__attribute__((section(\".text.unlikely\"), aligned(64))) int second(int n) { return n + 4; }\n"
        "__attribute__((section(\".text.unlikely\"))) int third(int n) { return n + 5; }\n";

/* Makes the object file at that path below the root. */
static char *made_module(const char *root, const char *file) {
        _cleanup_free_ char *made = made_program("module.ko", source, "-r -nostdlib -fcf-protection=none -Wl,--build-id=sha1"),
                            *path = path_join(root, file), *parent = strdup(path), *output = NULL;

        if (!made)
                exit(TEST_SKIPPED);
        *strrchr(parent, '/') = '\0';
        ck_assert_ok(make_directories(parent, 0700));
        output = test_command("mv %s %s", made, path);
        ck_assert_ptr_nonnull(output);
        return steal_ptr(path);
}

/* Returns the offset of a function in its section, plus that of the section behind .text. */
static uint64_t place_of(const char *path, const char *function, bool behind) {
        _cleanup_free_ char *value = test_command("nm %s | awk '$3 == \"%s\" { print $1 }'", path, function),
                            *size = test_command("readelf -SW %s | sed 's/^ *\\[ *[0-9]*\\]//' | awk '$1 == \".text\" { print $5 }'", path);
        uint64_t text = strtoull(size, NULL, 16);

        ck_assert(value && *value && text > 0);
        return strtoull(value, NULL, 16) + (behind ? (text + 63) / 64 * 64 : 0);
}

static RecordedModule one = { .start = START, .end = START + 0x4000 };
static RecordedKernel kernel = { .symbol = "_text", .reference = UINT64_C(0xffffffff81000000), .modules = &one, .n_modules = 1 };

static Symbols *symbols_of(const char *root, const DsoHit *dso, const SymbolHelpers *helpers) {
        Symbols *s = NULL;

        one.path = dso->path;
        one.end = START + 0x4000;
        ck_assert_ok(symbols_new(&(SymbolSources) { .root = root, .frames = true, .helpers = helpers }, &s));
        symbols_set_kernel(s, &kernel);
        ck_assert_ok(symbols_set_kernel_identity(s, &(BuildId) { .bytes = { 1 }, .size = 20 }, RELEASE));
        return s;
}

static const char *name_at(Symbols *s, const DsoHit *dso, uint64_t address) {
        Symbol symbol;
        int r = symbols_resolve(s, dso, address, &symbol);

        ck_assert_ok(r);
        ck_assert(r == 0 || (address >= symbol.start && address < symbol.end));
        return r > 0 ? symbol.name : "";
}

static void expect_names(const char *root, const char *file, const DsoHit *dso, const SymbolHelpers *helpers) {
        _cleanup_symbols_free_ Symbols *s = symbols_of(root, dso, helpers);

        ck_assert_str_eq(name_at(s, dso, START + place_of(file, "first", false)), "first");
        ck_assert_str_eq(name_at(s, dso, START + place_of(file, "second", true) + 1), "second");
        ck_assert_str_eq(name_at(s, dso, START + place_of(file, "third", true)), "third");
        ck_assert_str_eq(name_at(s, dso, START + 0x3fff), "");
        ck_assert_str_eq(name_at(s, dso, START + 0x4000), "");
        ck_assert_str_eq(name_at(s, dso, START - 1), "");
}

START_TEST(by_path) {
        _cleanup_free_ char *root = test_path("by-path"), *file = made_module(root, "lib/modules/" RELEASE "/kernel/a/nf-x.ko");
        DsoHit dso = { .path = "/lib/modules/" RELEASE "/kernel/a/nf-x.ko", .cpumode = PERF_RECORD_MISC_KERNEL, .pid = UINT32_MAX,
                       .id = made_build_id(file) }, other = dso, unknown = dso;
        _cleanup_symbols_free_ Symbols *wrong = NULL, *without = NULL, *small = NULL;

        expect_names(root, file, &dso, NULL);
        other.id.bytes[0] ^= 1;
        wrong = symbols_of(root, &other, NULL);
        ck_assert_str_eq(name_at(wrong, &other, START), "");
        unknown.id.size = 0;
        without = symbols_of(root, &unknown, NULL);
        ck_assert_str_eq(name_at(without, &unknown, START), "");
        small = symbols_of(root, &dso, NULL);
        one.end = START + 8; /* less than the module's code */
        ck_assert_str_eq(name_at(small, &dso, START), "");
}
END_TEST

START_TEST(by_name) {
        static const char list[] = "kernel/b/y.ko: kernel/a/nf-x.ko\nbroken\nkernel/a/nf-x.ko:\nkernel/a/nf-xy.ko:\n";
        _cleanup_free_ char *root = test_path("by-name"), *file = made_module(root, "lib/modules/" RELEASE "/kernel/a/nf-x.ko"),
                            *modules = path_join(root, "lib/modules/" RELEASE "/modules.dep");
        const DsoHit dso = { .path = "[nf_x]", .cpumode = PERF_RECORD_MISC_KERNEL, .pid = UINT32_MAX, .id = made_build_id(file) },
                     prefix = { .path = "[nf]", .cpumode = PERF_RECORD_MISC_KERNEL, .pid = UINT32_MAX, .id = dso.id };
        _cleanup_symbols_free_ Symbols *s = NULL;

        test_write_file(modules, list, strlen(list));
        expect_names(root, file, &dso, NULL);
        s = symbols_of(root, &prefix, NULL);
        ck_assert_str_eq(name_at(s, &prefix, START), "");
}
END_TEST

START_TEST(separate_files) {
        static const char *const places[] = { "usr/lib/debug/lib/modules/" RELEASE "/kernel/x.ko",
                                              "usr/lib/debug/lib/modules/" RELEASE "/kernel/x.ko.debug" };

        for (size_t i = 0; i < ELEMENTSOF(places); i++) {
                _cleanup_free_ char *name = test_command("printf separate-%zu", i), *root = test_path(name),
                                    *file = made_module(root, places[i]), *output = NULL, *whole = NULL;
                const DsoHit dso = { .path = "/lib/modules/" RELEASE "/kernel/x.ko.xz", .cpumode = PERF_RECORD_MISC_KERNEL,
                                     .pid = UINT32_MAX, .id = made_build_id(file) };

                whole = test_command("cp %s %s.whole && echo %s.whole | tr -d '\\n'", file, file, file);
                output = test_command("objcopy --only-keep-debug %s", file);
                ck_assert(whole && output);
                expect_names(root, whole, &dso, NULL);
        }
}
END_TEST

/* Gives back what was compressed. */
static int expand(void *userdata, const void *data, size_t size) {
        ck_assert(size > 6 && memcmp(data, "\xfd" "7zXZ", 6) == 0);
        return open(userdata, O_RDONLY | O_CLOEXEC);
}

START_TEST(compressed) {
        _cleanup_free_ char *root = test_path("compressed"), *file = made_module(root, "x.ko"), *output = NULL;
        const DsoHit dso = { .path = "/x.ko.xz", .cpumode = PERF_RECORD_MISC_KERNEL, .pid = UINT32_MAX, .id = made_build_id(file) };
        _cleanup_symbols_free_ Symbols *s = NULL;

        output = test_command("xz -k %s", file);
        if (!output)
                return;
        expect_names(root, file, &dso, &(SymbolHelpers) { .expand = expand, .userdata = file });
        s = symbols_of(root, &dso, NULL);
        ck_assert_str_eq(name_at(s, &dso, START), "");
}
END_TEST

typedef struct Refused {
        unsigned n;
        const char *path;
} Refused;

static void refuse(void *userdata, const char *path, const BuildId *recorded, const BuildId *present) {
        Refused *r = userdata;

        r->n++;
        ck_assert(streq(path, r->path) && recorded->size > 0 && present->size > 0 && !build_id_equal(recorded, present));
}

START_TEST(another_file_is_reported) {
        _cleanup_free_ char *root = test_path("refused"), *file = NULL;
        const DsoHit dso = { .path = "/x.ko", .cpumode = PERF_RECORD_MISC_KERNEL, .pid = UINT32_MAX, .id = { .bytes = { 9 }, .size = 20 } };
        Refused refused = { .path = "/x.ko" };
        _cleanup_symbols_free_ Symbols *s = NULL;

        file = made_module(root, "x.ko");
        ck_assert_ptr_nonnull(file);
        s = symbols_of(root, &dso, &(SymbolHelpers) { .refuse = refuse, .userdata = &refused });
        ck_assert_str_eq(name_at(s, &dso, START), "");
        ck_assert_str_eq(name_at(s, &dso, START + 1), "");
        ck_assert_uint_eq(refused.n, 1);
}
END_TEST

/* The list of a kernel that lacks the module now would name its code by what is before it. */
START_TEST(beside_the_list) {
        static const char list[] = "ffffffff81000000 T _text\nffffffffc03ff000 t before\t[other]\nffffffffc0400010 t inside\t[m]\n";
        _cleanup_free_ char *root = test_path("listed"), *path = path_join(root, "proc/kallsyms"), *parent = path_join(root, "proc");
        const DsoHit dso = { .path = "[m]", .cpumode = PERF_RECORD_MISC_KERNEL, .pid = UINT32_MAX };
        _cleanup_symbols_free_ Symbols *s = NULL;

        ck_assert_ok(make_directories(parent, 0700));
        test_write_file(path, list, strlen(list));
        one.path = dso.path;
        one.end = START + 0x4000;
        ck_assert_ok(symbols_new(&(SymbolSources) { .directory = root, .frames = true }, &s));
        symbols_set_kernel(s, &kernel);
        ck_assert_str_eq(name_at(s, &dso, START + 8), "");
        ck_assert_str_eq(name_at(s, &dso, START + 0x18), "inside");
}
END_TEST

TEST_RUN("module-symbols", by_path, by_name, separate_files, compressed, another_file_is_reported, beside_the_list);
