/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <inttypes.h>

#include "frame-functions.h"
#include "made-elf.h"
#include "made-program.h"
#include "symbol-elf.h"

static SymbolTable *load(const char *path, bool symbols) {
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        SymbolTable *t = NULL;
        ElfImage e;

        ck_assert_ok(symbol_table_new(&t));
        ck_assert_ok(elf_image_open(&e, fd));
        if (symbols)
                ck_assert_ok(symbol_table_add_elf(t, &e, &e, NULL));
        ck_assert_ok(symbol_table_add_frames(t, &e, "file"));
        elf_image_done(&e);
        symbol_table_sort(t);
        return t;
}

static uint64_t address_of(const char *path, const char *function) {
        _cleanup_free_ char *text = test_command("nm %s | awk '$3 == \"%s\" { print $1 }'", path, function);

        ck_assert_ptr_nonnull(text);
        return strtoull(text, NULL, 16);
}

static void check_program(const char *name, const char *flags) {
        _cleanup_free_ char *path = made_program(name, made_source, flags), *output = NULL, *inner = NULL, *outer = NULL;
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL, *all = NULL;
        uint64_t inner_at, outer_at;

        if (!path)
                return;
        ck_assert_int_gt(asprintf(&inner, "file+%#" PRIx64, address_of(path, "inner")), 0);
        ck_assert_int_gt(asprintf(&outer, "file+%#" PRIx64, address_of(path, "outer")), 0);
        inner_at = made_offset(path, "inner");
        outer_at = made_offset(path, "outer");
        all = load(path, true);
        ck_assert_str_eq(found_name(all, inner_at + 1), "inner");
        output = test_command("strip -s %s", path);
        ck_assert_ptr_nonnull(output);
        t = load(path, false);
        ck_assert_str_eq(found_name(t, inner_at), inner);
        ck_assert_str_eq(found_name(t, inner_at + 3), inner);
        ck_assert_str_eq(found_name(t, outer_at + 1), outer);
}

START_TEST(of_free_position) {
        check_program("pie", "-pie -fPIE");
}
END_TEST

START_TEST(of_fixed_position) {
        check_program("fixed", "-no-pie");
}
END_TEST

START_TEST(exported_names_come_first) {
        _cleanup_free_ char *path = made_program("library.so", made_source, "-shared -fPIC"), *output = NULL;
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        uint64_t inner, outer;

        if (!path)
                return;
        inner = made_offset(path, "inner");
        outer = made_offset(path, "outer");
        output = test_command("strip %s", path);
        ck_assert_ptr_nonnull(output);
        t = load(path, true);
        ck_assert_str_eq(found_name(t, outer), "outer");
        ck_assert_int_eq(strncmp(found_name(t, inner), "file+0x", 7), 0);
}
END_TEST

/* A file whose only section is these bytes, at address 0x10000. */
static SymbolTable *load_made(const void *bytes, size_t size) {
        const MadeSection section = {
                ".eh_frame", SHT_PROGBITS, SHF_ALLOC, .address = MADE_ELF_DATA, .offset = MADE_ELF_DATA, .size = size, .data = bytes,
        };
        _cleanup_free_ char *path = made_elf("made", &section, 1, MADE_ELF_DATA + size);

        return load(path, false);
}

/* version 1, "zR", alignments, register, 1 byte of augmentation: pc-relative, four bytes, signed */
#define COMMON_PCREL "\x10\0\0\0\0\0\0\0\x01zR\0\x01\x78\x10\x01\x1b\0\0\0"
/* the common entry is 24 bytes before the id; the function begins 0x1000 before its field, has 16 bytes */
#define FUNCTION "\x0c\0\0\0\x18\0\0\0\x00\xf0\xff\xff\x10\0\0\0"

START_TEST(made_entries) {
        static const char bytes[] = COMMON_PCREL FUNCTION "\0\0\0";
        _cleanup_(symbol_table_freep) SymbolTable *t = load_made(bytes, sizeof(bytes));
        Symbol s;

        ck_assert_uint_eq(symbol_table_size(t), 1);
        symbol_table_get(t, 0, &s);
        ck_assert_uint_eq(s.start, MADE_ELF_DATA + 28 - 0x1000);
        ck_assert_uint_eq(s.end - s.start, 16);
        ck_assert_str_eq(s.name, "file+0xf01c");
}
END_TEST

/* Entries that are cut, or have a bit turned over, do no harm. */
START_TEST(broken_entries) {
        static const char whole[] = COMMON_PCREL FUNCTION FUNCTION;

        for (size_t size = 1; size < sizeof(whole); size++) {
                _cleanup_(symbol_table_freep) SymbolTable *t = load_made(whole, size);

                ck_assert_uint_eq(symbol_table_size(t), size >= 36);
        }
        for (size_t i = 0; i < 36; i++)
                for (unsigned bit = 0; bit < 8; bit++) {
                        char bytes[sizeof(whole)];
                        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;

                        memcpy(bytes, whole, sizeof(bytes));
                        bytes[i] = (char) (bytes[i] ^ 1 << bit);
                        t = load_made(bytes, sizeof(bytes) - 1);
                        ck_assert_uint_le(symbol_table_size(t), 2);
                }
}
END_TEST

TEST_RUN("frame-functions", of_free_position, of_fixed_position, exported_names_come_first, made_entries, broken_entries);
