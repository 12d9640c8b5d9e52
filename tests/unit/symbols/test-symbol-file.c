/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <sys/resource.h>
#include <sys/wait.h>

#include "elf-image.h"
#include "fd-file.h"
#include "made-elf.h"
#include "made-program.h"
#include "symbol-file.h"
#include "binary-symbols.h"

/* Writes the program's symbols to the file at to. */
static int shrink(const char *program, const char *separate, const char *to, uint64_t max, uint64_t *ret_size) {
        _cleanup_close_ int in = open(program, O_RDONLY | O_CLOEXEC), out = -EBADF, debug = -EBADF;
        ElfImage e, d;
        int r;

        out = open(to, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        ck_assert_ok(elf_image_open(&e, in));
        if (separate) {
                debug = open(separate, O_RDONLY | O_CLOEXEC);
                ck_assert_ok(elf_image_open(&d, debug));
        }
        r = symbol_file_write(&e, separate ? &d : NULL, out, max, ret_size);
        elf_image_done(&e);
        if (separate)
                elf_image_done(&d);
        return r;
}

static uint64_t file_size(const char *path) {
        struct stat st;

        ck_assert_int_eq(stat(path, &st), 0);
        return (uint64_t) st.st_size;
}

static void check_same(const char *name, const char *flags) {
        _cleanup_free_ char *program = made_program(name, made_source, flags), *left = test_path("left"), *output = NULL;
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        BuildId a, b;
        uint64_t size;

        if (!program)
                return;
        ck_assert_ok(shrink(program, NULL, left, 1 << 20, &size));
        ck_assert_uint_eq(size, file_size(left));
        ck_assert_uint_lt(size, file_size(program));
        t = loaded_symbols(NULL, left);
        ck_assert_str_eq(found_name(t, made_offset(program, "inner")), "inner");
        ck_assert_str_eq(found_name(t, made_offset(program, "outer")), "outer");
        a = made_build_id(program);
        b = made_build_id(left);
        ck_assert_int_eq(a.size, b.size);
        ck_assert_mem_eq(a.bytes, b.bytes, a.size);
        output = test_command("readelf -aW %s 2>&1 | grep -iE 'warning|error' || true", left);
        ck_assert_pstr_eq(output, "");
}

START_TEST(of_free_position) {
        check_same("pie", "-pie -fPIE -Wl,--build-id");
}
END_TEST

START_TEST(of_fixed_position) {
        check_same("fixed", "-no-pie -Wl,--build-id");
}
END_TEST

START_TEST(of_a_library) {
        check_same("library.so", "-shared -fPIC -Wl,--build-id");
}
END_TEST

/* The label is not in the file, where perf would take it for a function. */
START_TEST(labels_are_left_out) {
        _cleanup_free_ char *program = made_program("labels", made_assembly_source, ""), *left = test_path("left"), *output = NULL;
        _cleanup_(symbol_table_freep) SymbolTable *before = NULL, *after = NULL;
        uint64_t size, labelled;

        if (!program)
                return;
        ck_assert_ok(shrink(program, NULL, left, 1 << 20, &size));
        labelled = made_offset(program, "labelled");
        before = loaded_symbols(NULL, program);
        after = loaded_symbols(NULL, left);
        ck_assert_str_eq(found_name(before, labelled + 40), "labelled");
        ck_assert_str_eq(found_name(after, labelled + 40), "labelled");
        ck_assert_str_eq(found_name(after, made_offset(program, "unsized") + 40), "unsized");
        output = test_command("nm %s", left);
        ck_assert_pstr_ne(strstr(output, " labelled"), NULL);
        ck_assert_pstr_eq(strstr(output, " loop"), NULL);
}
END_TEST

/* Compares the names of stubs, of which there are at least min. */
static void check_stubs(const char *name, const char *source, const char *flags, unsigned min) {
        _cleanup_free_ char *program = made_program(name, source, flags), *left = test_path("left");
        _cleanup_(symbol_table_freep) SymbolTable *before = NULL, *after = NULL;
        unsigned n = 0;
        uint64_t size;

        if (!program)
                return;
        ck_assert_ok(shrink(program, NULL, left, 1 << 20, &size));
        before = loaded_symbols(NULL, program);
        after = loaded_symbols(NULL, left);
        for (size_t i = 0; i < symbol_table_size(before); i++) {
                Symbol s;

                symbol_table_get(before, i, &s);
                if (strstr(s.name, "@plt")) {
                        ck_assert_str_eq(found_name(after, s.start), s.name);
                        ck_assert_str_eq(found_name(after, s.end - 1), s.name);
                        n++;
                }
        }
        ck_assert_uint_ge(n, min);
}

START_TEST(stubs_are_known) {
        check_stubs("calls", "#include <stdio.h>\nint main(int n, char **v) { puts(v[0]); return 0; }\n", "-Wl,-z,lazy", 1);
        check_stubs("pointers", made_calls_by_pointer, "-fcf-protection=none -Wl,-z,now", 2); /* flags of x86-64 */
}
END_TEST

START_TEST(symbols_of_a_separate_file) {
        _cleanup_free_ char *program = made_program("apart", made_source, "-Wl,--build-id"), *left = test_path("left"), *output = NULL,
                            *separate = test_path("apart.debug");
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        uint64_t inner, size;

        if (!program)
                return;
        inner = made_offset(program, "inner");
        output = test_command("objcopy --only-keep-debug %s %s && strip %s", program, separate, program);
        ck_assert_ptr_nonnull(output);
        ck_assert_ok(shrink(program, separate, left, 1 << 20, &size));
        t = loaded_symbols(NULL, left);
        ck_assert_str_eq(found_name(t, inner), "inner");
}
END_TEST

/* A stripped binary keeps where its functions begin, and its compressed symbols. */
START_TEST(what_stripping_left) {
        _cleanup_free_ char *program = made_program("bare", made_source, "-Wl,--build-id"), *left = test_path("left"), *output = NULL;
        _cleanup_(symbol_table_freep) SymbolTable *before = NULL, *after = NULL;
        uint64_t inner, size;

        if (!program)
                return;
        inner = made_offset(program, "inner");
        output = test_command("echo data >%s.xz && objcopy --add-section .gnu_debugdata=%s.xz %s && strip -s %s", program, program,
                              program, program);
        ck_assert_ptr_nonnull(output);
        ck_assert_ok(shrink(program, NULL, left, 1 << 20, &size));
        ck_assert_uint_lt(size, file_size(program));
        before = loaded_symbols(NULL, program);
        after = loaded_symbols(NULL, left);
        ck_assert_int_eq(strncmp(found_name(after, inner), "left+0x", 7), 0);
        ck_assert_str_eq(strchr(found_name(after, inner), '+'), strchr(found_name(before, inner), '+'));
        free(output);
        output = test_command("readelf -SW %s 2>&1 | grep -cE '[.]eh_frame |[.]eh_frame_hdr |[.]gnu_debugdata |arning'", left);
        ck_assert_pstr_eq(output, "3\n");
}
END_TEST

START_TEST(limits) {
        _cleanup_free_ char *program = made_program("limits.so", made_source, "-shared -fPIC"), *left = test_path("left");
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        uint64_t whole, exported;

        if (!program)
                return;
        ck_assert_ok(shrink(program, NULL, left, 1 << 20, &whole));
        ck_assert_ok(shrink(program, NULL, left, whole - 64, &exported));
        ck_assert_uint_lt(exported, whole);
        t = loaded_symbols(NULL, left);
        ck_assert_str_eq(found_name(t, made_offset(program, "outer")), "outer");
        ck_assert_str_ne(found_name(t, made_offset(program, "inner")), "inner"); /* where it begins, if there is room for that */
        ck_assert_int_eq(shrink(program, NULL, left, 100, &exported), -EFBIG);
        ck_assert_uint_eq(file_size(left), 0);
}
END_TEST

/* Returns the peak memory of a process, in KiB, that writes the symbols of a program and loads them; *ret_error: the
 * result of writing. */
static long peak_of(const char *program, uint64_t max, int *ret_error) {
        _cleanup_free_ char *left = test_path("left");
        struct rusage usage;
        int status;
        pid_t pid = fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
                _cleanup_close_ int fd = open(program, O_RDONLY | O_CLOEXEC);
                SymbolTable *t = NULL;
                uint64_t size;
                int r = shrink(program, NULL, left, max, &size);

                if (symbol_table_new(&t) < 0)
                        _exit(EXIT_FAILURE);
                (void) binary_symbols_load(&(SymbolSources) {}, program, fd, t);
                _exit(-r);
        }
        ck_assert_int_eq(wait4(pid, &status, 0, &usage), pid);
        ck_assert(WIFEXITED(status));
        *ret_error = -WEXITSTATUS(status);
        return usage.ru_maxrss;
}

#define PEAK_MAX (128 * 1024L) /* KiB, with the sanitizers' part */

/* Each section that a reader of symbols may read has a gigabyte that is not on the disk. */
START_TEST(sections_that_are_not_there) {
        const uint64_t size = UINT64_C(1000) << 20;
        const MadeSection sections[] = {
                { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, .offset = MADE_ELF_DATA, .size = 16 },
                { ".note", SHT_NOTE, SHF_ALLOC, .offset = MADE_ELF_DATA, .size = size },
                { ".note", SHT_NOTE, SHF_ALLOC, .offset = MADE_ELF_DATA, .size = size },
                { ".dynstr", SHT_STRTAB, SHF_ALLOC, .offset = MADE_ELF_DATA, .size = size },
                { ".dynsym", SHT_DYNSYM, SHF_ALLOC, .offset = MADE_ELF_DATA, .size = size / 24 * 24, .link = 4, .entry = 24 },
                { ".rela.plt", SHT_RELA, SHF_ALLOC, .offset = MADE_ELF_DATA, .size = size / 24 * 24, .link = 5, .entry = 24 },
                { ".symtab", SHT_SYMTAB, .offset = MADE_ELF_DATA, .size = size / 24 * 24, .link = 4, .entry = 24 },
                { ".gnu_debuglink", SHT_PROGBITS, .offset = MADE_ELF_DATA, .size = size },
        };
        _cleanup_free_ char *program = made_elf("sparse", sections, ELEMENTSOF(sections), 2 * size);
        int error;

        ck_assert_int_lt(peak_of(program, 16 << 20, &error), PEAK_MAX);
        ck_assert_int_eq(error, -EFBIG);
        ck_assert_int_lt(peak_of(program, UINT64_C(4) << 30, &error), PEAK_MAX);
        ck_assert_int_eq(error, -E2BIG);
}
END_TEST

/* Many symbols of one long name. */
START_TEST(names_that_add_up) {
        enum { COUNT = 60000, LENGTH = 30000 };
        _cleanup_free_ Elf64_Sym *symbols = calloc(COUNT, sizeof(*symbols));
        _cleanup_free_ char *program = NULL;
        static char names[LENGTH];
        int error;

        memset(names + 1, 'x', LENGTH - 2);
        for (size_t i = 1; i < COUNT; i++)
                symbols[i] = (Elf64_Sym) { .st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1,
                                           .st_value = MADE_ELF_DATA + i * 16, .st_size = 16 };
        program = made_elf("names", (MadeSection[]) {
                { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, .address = MADE_ELF_DATA, .offset = MADE_ELF_DATA, .size = COUNT * 16 },
                { ".strtab", SHT_STRTAB, .offset = MADE_ELF_DATA, .size = LENGTH, .data = names },
                { ".symtab", SHT_SYMTAB, .offset = MADE_ELF_DATA + 0x10000, .size = COUNT * sizeof(*symbols), .link = 2, .entry = 24,
                  .data = symbols },
        }, 3, MADE_ELF_DATA + COUNT * 16);
        ck_assert_int_lt(peak_of(program, 4 << 20, &error), PEAK_MAX);
        ck_assert_int_eq(error, -E2BIG);
}
END_TEST

/* Writes the symbols of a file with one function. */
static int write_one(Elf64_Sym symbol, const char *names, size_t size, uint32_t link, uint64_t table) {
        const Elf64_Sym symbols[2] = { [1] = symbol };
        _cleanup_free_ char *left = test_path("left"), *program = made_elf("one", (MadeSection[]) {
                { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, .address = MADE_ELF_DATA, .offset = MADE_ELF_DATA, .size = 64 },
                { ".strtab", SHT_STRTAB, .offset = MADE_ELF_DATA + 0x1000, .size = size, .data = names },
                { ".symtab", SHT_SYMTAB, .offset = table, .size = sizeof(symbols), .link = link, .entry = 24,
                  .data = table < (2 << 20) ? symbols : NULL },
        }, 3, 2 << 20);
        uint64_t written;

        return shrink(program, NULL, left, 8 << 20, &written);
}

/* A file whose only function can't be kept has symbols. */
START_TEST(faults_are_told_apart) {
        enum { LENGTH = 200000 };
        const Elf64_Sym function = { .st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1,
                                     .st_value = MADE_ELF_DATA, .st_size = 16 };
        Elf64_Sym nameless = function, outside = function, variable = function;
        const uint64_t table = MADE_ELF_DATA + 0x100000;
        static char large[LENGTH];

        memset(large + 1, 'x', LENGTH - 2);
        nameless.st_name = 400;
        outside.st_value = 1;
        variable.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
        ck_assert_int_eq(write_one(function, "\0one", 5, 2, table), 0);
        ck_assert_int_eq(write_one(variable, "\0one", 5, 2, table), -ENODATA);
        ck_assert_int_eq(write_one(function, large, LENGTH, 2, table), -E2BIG);
        ck_assert_int_eq(write_one(nameless, "\0one", 5, 2, table), -EBADMSG);
        ck_assert_int_eq(write_one(outside, "\0one", 5, 2, table), -EBADMSG);
        ck_assert_int_eq(write_one(function, "\0one", 5, 200, table), -EBADMSG);
        ck_assert_int_eq(write_one(function, "\0one", 5, 2, 16 << 20), -EBADMSG);
}
END_TEST

START_TEST(no_symbols) {
        _cleanup_free_ char *program = made_program("static", made_source, "-static"), *left = test_path("left"), *output = NULL;
        uint64_t size;

        if (!program)
                return;
        output = test_command("strip -R .eh_frame %s", program);
        ck_assert_int_eq(shrink(program, NULL, left, 1 << 20, &size), -ENODATA);
}
END_TEST

static const char kallsyms[] =
        "ffffffff81000000 T _stext\nffffffff81000000 T _text\nffffffff81000100 t helper\nffffffff81000200 T do_it\n"
        "ffffffff81001000 T _etext\nffffffff82000000 D data\nffffffff83000000 T after\nffffffffc0000000 t init\t[a_module]\n";

static int write_kernel(const char *text, const char *to, uint64_t max, uint64_t *ret_size) {
        _cleanup_close_ int out = open(to, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
        const BuildId id = { .bytes = { 0xab, 0xcd }, .size = 20 };
        ElfImage like;
        int r;

        ck_assert_ok(elf_image_open(&like, self));
        r = symbol_file_write_kernel(text, strlen(text), &id, &like, out, max, ret_size);
        elf_image_done(&like);
        return r;
}

START_TEST(a_kernel) {
        _cleanup_free_ char *path = test_path("vmlinux"), *names = NULL;
        uint64_t size;
        BuildId id;

        ck_assert_ok(write_kernel(kallsyms, path, 1 << 20, &size));
        id = made_build_id(path);
        ck_assert_uint_eq(id.bytes[0], 0xab);
        names = test_command("nm -n %s", path);
        if (names)
                ck_assert_str_eq(names, "ffffffff81000000 T _stext\nffffffff81000000 T _text\nffffffff81000100 t helper\n"
                                 "ffffffff81000200 T do_it\n");
        ck_assert_int_eq(write_kernel(kallsyms, path, 64, &size), -EFBIG);
        ck_assert_int_eq(write_kernel("0000000000000000 T _text\n0000000000000000 T _etext\n", path, 1 << 20, &size), -ENODATA);
        ck_assert_int_eq(write_kernel("", path, 1 << 20, &size), -ENODATA);
}
END_TEST

/* perf finds the names of a program that was removed. */
START_TEST(perf_reads_it) {
        _cleanup_free_ char *program = NULL, *data = test_path("perf.data"), *output = NULL, *before = NULL, *after = NULL,
                            *root = test_path("symfs"), *left = NULL, *folder = NULL;
        uint64_t size;

        program = made_program("spin", "__attribute__((noinline)) static unsigned spin(unsigned n) { volatile unsigned x = n; "
                                       "while (x) x--; return x; }\nint main(void) { return (int) spin(100000000); }\n",
                               "-Wl,--build-id");
        if (!program || !test_have_perf())
                return;
        output = test_command("perf record -q -e cpu-clock:u -F 499 -o %s %s 2>/dev/null", data, program);
        if (!output)
                return;
        before = test_command("perf script -i %s -F ip,sym 2>/dev/null", data);
        left = path_join(root, program);
        folder = strdup(left);
        *strrchr(folder, '/') = '\0';
        ck_assert_ok(make_directories(folder, 0700));
        ck_assert_ok(shrink(program, NULL, left, 1 << 20, &size));
        ck_assert_int_eq(unlink(program), 0);
        after = test_command("HOME=/nowhere perf script -i %s --symfs %s -F ip,sym 2>/dev/null | grep spin", data, root);
        ck_assert_ptr_nonnull(after);
        ck_assert(strstr(after, " spin\n"));
        free(output);
        output = test_command("grep spin <<'END' | cmp - /dev/fd/3 3<<'FIN'\n%sEND\n%sFIN\n", before, after);
        ck_assert_ptr_nonnull(output);
}
END_TEST

TEST_RUN("symbol-file", of_free_position, of_fixed_position, of_a_library, labels_are_left_out, stubs_are_known, symbols_of_a_separate_file,
         what_stripping_left, limits, sections_that_are_not_there, names_that_add_up, faults_are_told_apart, no_symbols, a_kernel, perf_reads_it);
