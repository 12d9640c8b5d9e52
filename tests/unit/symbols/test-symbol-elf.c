/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "made-elf.h"
#include "made-program.h"
#include "symbol-elf.h"

static SymbolTable *load(const char *path, bool *ret_complete) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        SymbolTable *t = NULL;
        ElfImage e;

        ck_assert_ok(symbol_table_new(&t));
        ck_assert_ok(elf_image_open(&e, fd));
        ck_assert_ok(symbol_table_add_elf(t, &e, &e, ret_complete));
        elf_image_done(&e);
        symbol_table_sort(t);
        return t;
}

static void check_functions(const char *name, const char *flags) {
        _cleanup_free_ char *path = made_program(name, made_source, flags);
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        bool complete = false;

        if (!path)
                return;
        t = load(path, &complete);
        ck_assert(complete);
        ck_assert_str_eq(found_name(t, made_offset(path, "outer")), "outer");
        ck_assert_str_eq(found_name(t, made_offset(path, "inner") + 1), "inner");
        ck_assert_str_eq(found_name(t, made_offset(path, "main")), "main");
        ck_assert_str_eq(found_name(t, 0), "");
}

START_TEST(of_free_position) {
        check_functions("pie", "-pie -fPIE");
}
END_TEST

START_TEST(of_fixed_position) {
        check_functions("fixed", "-no-pie");
}
END_TEST

START_TEST(names_with_dollars) {
        _cleanup_free_ char *path = made_program("dollar",
                "int hot(void) __asm__(\"$s4main3hotyyF\");\nint hot(void) { return 3; }\nint main(void) { return hot(); }\n", "");
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;

        if (!path)
                return;
        t = load(path, NULL);
        ck_assert_str_eq(found_name(t, made_offset(path, "$s4main3hotyyF")), "$s4main3hotyyF");
}
END_TEST

/* Two versions of one function are two functions. */
START_TEST(versions) {
        _cleanup_free_ char *script = test_path("versions.map"), *flags = NULL, *path = NULL;
        static const char text[] = "V1 { global: work; local: *; }; V2 { global: work; } V1;\n";
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;

        test_write_file(script, text, strlen(text));
        ck_assert_int_gt(asprintf(&flags, "-shared -fPIC -Wl,--version-script=%s", script), 0);
        path = made_program("versions.so",
                            "int old(int n) { return n; }\nint new(int n) { return n + 1; }\n"
                            "__asm__(\".symver old,work@V1\\n.symver new,work@@V2\\n\");\n", flags);
        if (!path)
                return;
        t = load(path, NULL);
        ck_assert_str_eq(found_name(t, made_offset(path, "work@V1")), "work@V1");
        ck_assert_str_eq(found_name(t, made_offset(path, "work@@V2")), "work@@V2");
}
END_TEST

/* The header of a file of perf inject --jit before 6.1 has no segments. */
START_TEST(without_segments) {
        _cleanup_free_ char *path = made_program("segments", made_source, "-shared -fPIC");
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        const Elf64_Half none = 0;
        _cleanup_close_ int fd = -EBADF;
        uint64_t inner;

        if (!path)
                return;
        inner = made_offset(path, "inner");
        fd = open(path, O_WRONLY | O_CLOEXEC);
        ck_assert_int_eq(pwrite(fd, &none, sizeof(none), offsetof(Elf64_Ehdr, e_phnum)), sizeof(none));
        t = load(path, NULL);
        ck_assert_str_eq(found_name(t, inner), "inner");
        ck_assert_str_eq(found_name(t, inner + 1), "inner");
}
END_TEST

START_TEST(what_stripping_leaves) {
        _cleanup_free_ char *path = made_program("stripped.so", made_source, "-shared -fPIC"), *output = NULL;
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        uint64_t outer, inner;
        bool complete = true;

        if (!path)
                return;
        outer = made_offset(path, "outer");
        inner = made_offset(path, "inner");
        output = test_command("strip %s", path);
        ck_assert_ptr_nonnull(output);
        t = load(path, &complete);
        ck_assert(!complete);
        ck_assert_str_eq(found_name(t, outer), "outer");
        ck_assert_str_eq(found_name(t, inner), "");
}
END_TEST

/* Compares the stubs with those of objdump, which reads their code; returns how many there are. */
static unsigned check_stubs(const char *path) {
        _cleanup_(symbol_table_freep) SymbolTable *t = load(path, NULL);
        unsigned seen = 0;
        Symbol s;

        for (size_t i = 0; i < symbol_table_size(t); i++) {
                _cleanup_free_ char *line = NULL;

                symbol_table_get(t, i, &s);
                if (!strstr(s.name, "@plt"))
                        continue;
                line = test_command("objdump -d %s | grep -F '<%s>:' | cut -d' ' -f1", path, s.name);
                ck_assert_ptr_nonnull(line);
                ck_assert_uint_eq(s.start & 0xfff, strtoull(line, NULL, 16) & 0xfff);
                seen++;
        }
        return seen;
}

/* The linker puts the relocations of functions that are chosen when the file is loaded behind all others, and their stubs among the
 * others. */
START_TEST(stubs) {
        _cleanup_free_ char *path = made_program("calls",
                "#include <stdio.h>\n"
                "static int one(void) { return 1; }\n"
                "static void *choose(void) { return one; }\n"
                "int chosen(void) __attribute__((ifunc(\"choose\"), visibility(\"hidden\")));\n"
                "int call(char **v) { return chosen() + puts(v[0]) + getchar(); }\n", "-shared -fPIC -Wl,-z,lazy");
        unsigned seen = path ? check_stubs(path) : 0;

        (void) seen;
#if defined(__x86_64__) || defined(__aarch64__)
        ck_assert(!path || seen >= 3);
#endif
}
END_TEST

/* A function whose address is taken, too, has its stub in .plt.got. The flags are those of x86-64. */
START_TEST(stubs_of_functions_by_pointer) {
        static const char *const flags[] = { "-fcf-protection=none -Wl,-z,now", "-fcf-protection -Wl,-z,now -Wl,-z,ibtplt" };

        for (size_t i = 0; i < ELEMENTSOF(flags); i++) {
                _cleanup_free_ char *path = made_program("pointers", made_calls_by_pointer, flags[i]), *n = NULL;

                if (!path)
                        return;
                n = test_command("objdump -d -j .plt.got %s | grep -c '@plt>:$'", path);
                ck_assert_pstr_ne(n, NULL);
                ck_assert_uint_ge(strtoul(n, NULL, 10), 2);
                ck_assert_uint_ge(check_stubs(path), strtoul(n, NULL, 10));
        }
}
END_TEST

/* The function has no size and is the last one of its section; behind it is one that has no symbol at all. */
START_TEST(symbols_end_with_their_section) {
        _cleanup_free_ char *path = made_program("ends",
                "__asm__(\".section .first, \\\"ax\\\"\\n.globl first\\n.type first, %function\\nfirst: .skip 24\\n\"\n"
                "        \".section .second, \\\"ax\\\"\\n.skip 64\\n\");\n"
                "int main(void) { return 0; }\n", "");
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        uint64_t first;

        if (!path)
                return;
        t = load(path, NULL);
        first = made_offset(path, "first");
        ck_assert_str_eq(found_name(t, first + 23), "first");
        ck_assert_str_ne(found_name(t, first + 24), "first");
        ck_assert_str_ne(found_name(t, first + 40), "first");
}
END_TEST

static bool is_label(GElf_Half machine, const char *name) {
        return elf_symbol_is_label(&(ElfImage) { .header.e_machine = machine }, name);
}

/* Names of Swift begin with "$s" and "$S". */
START_TEST(labels) {
        static const char *const functions[] = { "$s4main3hotyyF", "$S4main3hotyyF", "$xylophone", "$", "$$x", "x", "$z" };
        static const GElf_Half machines[] = { EM_X86_64, EM_386, EM_ARM, EM_AARCH64, EM_RISCV };

        for (size_t i = 0; i < ELEMENTSOF(machines); i++) {
                bool arm = machines[i] == EM_ARM, other = machines[i] == EM_AARCH64 || machines[i] == EM_RISCV;

                for (size_t k = 0; k < ELEMENTSOF(functions); k++)
                        ck_assert(!is_label(machines[i], functions[k]));
                ck_assert_int_eq(is_label(machines[i], "$d"), arm || other);
                ck_assert_int_eq(is_label(machines[i], "$d.17"), arm || other);
                ck_assert_int_eq(is_label(machines[i], "$x"), other);
                ck_assert_int_eq(is_label(machines[i], "$a"), arm);
                ck_assert_int_eq(is_label(machines[i], "$t.1"), arm);
                ck_assert_int_eq(is_label(machines[i], "$xrv64i2p1_m2p0"), machines[i] == EM_RISCV);
                ck_assert(is_label(machines[i], ".L3"));
        }
}
END_TEST

/* Names that are too many to be read stay in the file; of two at one address the one with fewer underscores is shown. */
START_TEST(large_names) {
        enum { SIZE = 70 << 20 };
        const Elf64_Sym symbols[] = {
                {}, { .st_name = 1 }, { .st_name = SIZE / 2 }, { .st_name = SIZE - 12, .st_value = 32 },
                { .st_name = SIZE - 5, .st_value = 48 }, { .st_name = SIZE + 1, .st_value = 64 }, { .st_name = 100, .st_value = 80 },
        };
        Elf64_Sym made[ELEMENTSOF(symbols)] = {};
        _cleanup_free_ char *names = calloc(1, SIZE), *path = NULL;
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        bool complete = false;

        memset(names + 100, 'x', ELF_NAME_MAX); /* longer than names are */
        memcpy(names + 1, "__first", 7);
        memcpy(names + SIZE / 2, "first_@V", 8); /* with a version */
        memcpy(names + SIZE - 12, "second", 6);
        memcpy(names + SIZE - 5, "no en", 5);
        for (size_t i = 1; i < ELEMENTSOF(symbols); i++) {
                made[i] = symbols[i];
                made[i].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
                made[i].st_shndx = 1;
                made[i].st_size = 16;
                made[i].st_value += MADE_ELF_DATA;
        }
        path = made_elf("large", (MadeSection[]) {
                { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, .address = MADE_ELF_DATA, .offset = MADE_ELF_DATA, .size = 96 },
                { ".strtab", SHT_STRTAB, .offset = MADE_ELF_DATA + 0x2000, .size = SIZE, .data = names },
                { ".symtab", SHT_SYMTAB, .offset = MADE_ELF_DATA + 0x1000, .size = sizeof(made), .link = 2, .entry = 24, .data = made },
        }, 3, 2 * MADE_ELF_DATA);
        t = load(path, &complete);
        ck_assert(complete && !symbol_table_has_trait(t, SYMBOLS_LIMITED));
        ck_assert_str_eq(found_name(t, MADE_ELF_DATA), "first_@V");
        ck_assert_str_eq(found_name(t, MADE_ELF_DATA + 47), "second");
        for (unsigned i = 48; i < 96; i += 16)
                ck_assert_str_eq(found_name(t, MADE_ELF_DATA + i), "");
}
END_TEST

/* A table of symbols that is larger than any that is read. */
START_TEST(large_tables) {
        static const char names[] = "\0name", some[64];
        const uint64_t size = ELF_SECTION_MAX + 24;
        _cleanup_free_ char *path = made_elf("many", (MadeSection[]) {
                { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, .address = MADE_ELF_DATA, .offset = MADE_ELF_DATA, .size = 96 },
                { ".strtab", SHT_STRTAB, .offset = MADE_ELF_DATA + 0x1000, .size = sizeof(names), .data = names },
                { ".symtab", SHT_SYMTAB, .offset = MADE_ELF_DATA + 0x2000, .size = size, .link = 2, .entry = 24 },
                { ".last", SHT_PROGBITS, .offset = MADE_ELF_DATA + 0x2000 + size, .size = sizeof(some), .data = some },
        }, 4, 2 * MADE_ELF_DATA);
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        bool complete = true;

        t = load(path, &complete);
        ck_assert(!complete && symbol_table_has_trait(t, SYMBOLS_LIMITED));
}
END_TEST

START_TEST(debug_link) {
        _cleanup_free_ char *path = made_program("linked", made_source, ""), *output = NULL, *name = NULL;
        _cleanup_close_ int fd = -EBADF;
        uint32_t checksum = 0;
        ElfImage e;

        if (!path)
                return;
        fd = open(path, O_RDONLY | O_CLOEXEC);
        ck_assert_ok(elf_image_open(&e, fd));
        ck_assert_int_eq(elf_image_debug_link(&e, &name, &checksum), -ENODATA);
        elf_image_done(&e);
        fd = safe_close(fd);
        output = test_command("objcopy --only-keep-debug %s %s.debug && objcopy --strip-all --add-gnu-debuglink=%s.debug %s", path,
                              path, path, path);
        ck_assert_ptr_nonnull(output);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        ck_assert_ok(elf_image_open(&e, fd));
        ck_assert_ok(elf_image_debug_link(&e, &name, &checksum));
        elf_image_done(&e);
        ck_assert_str_eq(name, "linked.debug");
        ck_assert_uint_ne(checksum, 0);
}
END_TEST

TEST_RUN("symbol-elf", of_free_position, of_fixed_position, names_with_dollars, versions, without_segments, what_stripping_leaves,
         stubs, stubs_of_functions_by_pointer, symbols_end_with_their_section, labels, large_names, large_tables, debug_link);
