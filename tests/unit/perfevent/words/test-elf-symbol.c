/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Functions in files made for this test (probed.c), with all kinds of entries in a symbol table, and files that are
 * not ELF. */

#include "check-main.h"
#include "elf-symbol.h"
#include "scratch.h"

static void assert_found(const char *path, const char *name, ElfFunction *ret) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_(elf_file_freep) ElfFile *f = NULL;
        int r;

        ck_assert_msg(elf_file_open(path, &f, &d) == 0, "%s", d.sentence);
        r = elf_file_find_function(f, name, ret, &d);
        ck_assert_msg(r == 0, "%s of %s: %d %s", name, path, r, d.sentence);
        ck_assert(elf_file_is_code(f, ret->offset));
}

static void assert_refused(const char *path, const char *name, int error, const char *says) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        _cleanup_(elf_file_freep) ElfFile *f = NULL;
        ElfFunction unused;

        ck_assert_msg(elf_file_open(path, &f, &d) == 0, "%s", d.sentence);
        ck_assert_int_eq(elf_file_find_function(f, name, &unused, &d), error);
        ck_assert_msg(strstr(d.sentence, says), "%s", d.sentence);
}

START_TEST(test_programs) {
        static const char *const paths[] = { PROBED, PROBED_FIXED, PROBED_LIBRARY };

        for (size_t i = 0; i < ELEMENTSOF(paths); i++) {
                ElfFunction probed, assembler;

                assert_found(paths[i], "probed", &probed);
                assert_found(paths[i], "probed_assembler", &assembler);
                ck_assert_uint_gt(probed.size, 0);
                ck_assert_uint_eq(assembler.size, 0);
                ck_assert_uint_ne(probed.offset, assembler.offset);
        }
}
END_TEST

/* The bytes of probed_assembler are known: nop, ret. */
START_TEST(test_offset) {
        static const char *const paths[] = { PROBED, PROBED_FIXED, PROBED_LIBRARY };

        for (size_t i = 0; i < ELEMENTSOF(paths); i++) {
                _cleanup_fclose_ FILE *f = fopen(paths[i], "re");
                unsigned char code[2];
                ElfFunction where;

                assert_found(paths[i], "probed_assembler", &where);
                ck_assert_ptr_nonnull(f);
                ck_assert_int_eq(fseek(f, (long) where.offset, SEEK_SET), 0);
                ck_assert_uint_eq(fread(code, 1, sizeof(code), f), sizeof(code));
#ifdef __x86_64__
                ck_assert(code[0] == 0x90 && code[1] == 0xc3);
#endif
        }
}
END_TEST

START_TEST(test_versions) {
        ElfFunction any, first, second, with_two;

        assert_found(PROBED_LIBRARY, "probed_versioned", &any);
        assert_found(PROBED_LIBRARY, "probed_versioned@PROBED_1", &first);
        assert_found(PROBED_LIBRARY, "probed_versioned@PROBED_2", &second);
        assert_found(PROBED_LIBRARY, "probed_versioned@@PROBED_2", &with_two);
        ck_assert_uint_eq(any.offset, second.offset);
        ck_assert_uint_eq(with_two.offset, second.offset);
        ck_assert_uint_ne(any.offset, first.offset);
        assert_found(PROBED_LIBRARY, "probed_copy@PROBED_1", &any);
        ck_assert_uint_eq(any.offset, first.offset);
        assert_refused(PROBED_LIBRARY, "probed_copy", -EOPNOTSUPP, "IFUNC");
        assert_refused(PROBED_LIBRARY, "probed_versioned@PROBED_3", -ENOENT, "no function probed_versioned@PROBED_3");
}
END_TEST

START_TEST(test_refused_functions) {
        assert_refused(PROBED, "probed_chosen", -EOPNOTSUPP, "IFUNC");
        assert_refused(PROBED, "probed_twice", -ENOTUNIQ, "several functions probed_twice, at the offsets 0x");
        assert_refused(PROBED, "probed_data", -EOPNOTSUPP, "not a function");
        assert_refused(PROBED, "puts", -EOPNOTSUPP, "defined in another");
        assert_refused(PROBED, "probde", -ENOENT, "like it are probed");
        assert_refused(PROBED_STRIPPED, "probed", -ENOENT, "no function probed");
}
END_TEST

START_TEST(test_function_at) {
        _cleanup_(elf_file_freep) ElfFile *f = NULL;
        _cleanup_free_ char *name = NULL;
        ElfFunction twice, other;

        assert_found(PROBED, "probed_other", &other);
        ck_assert_int_eq(elf_file_open(PROBED, &f, NULL), 0);
        ck_assert(elf_file_function_at(f, other.offset + 1, &twice, &name));
        ck_assert_str_eq(name, "probed_other");
        ck_assert_uint_eq(twice.offset, other.offset);
        ck_assert(!elf_file_function_at(f, 1, &twice, &name));
        ck_assert(!elf_file_is_code(f, 1));
        ck_assert(!elf_file_is_code(f, UINT64_MAX));
        ck_assert(!elf_file_is_go(f));
}
END_TEST

static void assert_no_file(const char *path, int error, const char *says) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        ElfFile *f = NULL;

        ck_assert_int_eq(elf_file_open(path, &f, &d), error);
        ck_assert_msg(strstr(d.sentence, says), "%s", d.sentence);
        ck_assert_ptr_null(f);
}

START_TEST(test_refused_files) {
        _cleanup_(scratch_done) char *dir = scratch_new();
        _cleanup_free_ char *script = path_join(dir, "script"), *text = path_join(dir, "text"), *cut = path_join(dir, "cut");

        scratch_write_text(dir, "script", "#!/bin/sh\n");
        scratch_write_text(dir, "text", "x");
        scratch_write(dir, "cut", "\x7f" "ELF\x02\x01\x01", 7);
        assert_no_file("/nowhere/at/all", -ENOENT, "no file /nowhere");
        assert_no_file(dir, -ENOEXEC, "is not a file");
        assert_no_file("/dev/null", -ENOEXEC, "is not a file");
        assert_no_file(script, -ENOEXEC, "is a script");
        assert_no_file(text, -ENOEXEC, "neither a program");
        assert_no_file(cut, -ENOEXEC, "neither a program");
}
END_TEST

CHECK_MAIN("elf-symbol", test_programs, test_offset, test_versions, test_refused_functions, test_function_at, test_refused_files);
