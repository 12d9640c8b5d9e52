/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "elf-content.h"
#include "made-elf.h"
#include "made-program.h"

#define SIZE 100000u

/* Returns what a section of debug information holds, which objcopy(1) has put into the program and compressed. */
static int read_packed(const char *program, const char *form, uint64_t max, ElfSection *ret) {
        _cleanup_free_ char *text = test_path("text"), *packed = test_path("packed"), *output = NULL;
        _cleanup_close_ int fd = -EBADF;
        char bytes[SIZE];
        GElf_Shdr header;
        ElfImage e;
        int r;

        for (size_t i = 0; i < SIZE; i++)
                bytes[i] = (char) (i * i / 31);
        test_write_file(text, bytes, SIZE);
        output = test_command("(objcopy --add-section .debug_line=%s %s %s.with &&"
                              " objcopy --compress-debug-sections=%s %s.with %s) 2>&1",
                              text, program, packed, form, packed, packed);
        ck_assert_str_eq(output, "");
        fd = open(packed, O_RDONLY | O_CLOEXEC);
        ck_assert_ok(elf_image_open(&e, fd));
        ck_assert_ptr_nonnull(elf_content_section(&e, ".debug_line", &header));
        r = elf_content_read(ret, &e, elf_content_section(&e, ".debug_line", &header), max);
        if (r >= 0) {
                ck_assert_uint_eq(ret->size, SIZE);
                ck_assert_mem_eq(ret->data, bytes, SIZE);
                ck_assert(!(ret->header.sh_flags & SHF_COMPRESSED));
        }
        elf_image_done(&e);
        return r;
}

START_TEST(each_form) {
        static const char *const forms[] = { "none", "zlib-gabi", "zlib-gnu", "zstd" };
        _cleanup_free_ char *program = made_program("plain", made_source, "");

        for (size_t i = 0; program && i < ELEMENTSOF(forms); i++) {
                ElfSection s = ELF_SECTION_EMPTY;

                ck_assert_int_eq(read_packed(program, forms[i], SIZE - 1, &s), -EFBIG);
                ck_assert_ok(read_packed(program, forms[i], SIZE, &s));
                elf_section_done(&s);
        }
}
END_TEST

/* Returns the result for a section with those bytes. */
static int read_made(const char *name, uint64_t flags, const void *bytes, size_t size) {
        const MadeSection made = { name, SHT_PROGBITS, .flags = flags, .offset = MADE_ELF_DATA, .size = size, .data = bytes };
        _cleanup_free_ char *path = made_elf("made", &made, 1, 2 << 20);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        ElfSection s = ELF_SECTION_EMPTY;
        ElfImage e;
        int r;

        ck_assert_ok(elf_image_open(&e, fd));
        r = elf_content_read(&s, &e, elf_getscn(e.elf, 1), ELF_SECTION_MAX);
        elf_section_done(&s);
        elf_image_done(&e);
        return r;
}

typedef struct PackedSection {
        Elf64_Chdr head;
        uint8_t bytes[4096];
} PackedSection;

START_TEST(what_is_not_read) {
        static const PackedSection promise = { { .ch_type = ELFCOMPRESS_ZLIB, .ch_size = UINT64_C(1) << 30 }, "x" };
        static const PackedSection other = { { .ch_type = 77, .ch_size = 16 }, "x" };
        static const PackedSection broken = { { .ch_type = ELFCOMPRESS_ZLIB, .ch_size = 16 }, "x" };
        static const PackedSection zstd = { { .ch_type = 2, .ch_size = 16 }, "x" };
        static const uint8_t old[4096] = "ZLIB\0\0\0\1", old_broken[4096] = "ZLIB\0\0\0\0\0\0\0\1x", no_magic[4096] = "ZLIP";

        ck_assert_int_eq(read_made(".debug_line", SHF_COMPRESSED, &promise, sizeof(promise)), -EFBIG);
        ck_assert_int_eq(read_made(".debug_line", SHF_COMPRESSED, &other, sizeof(other)), -EOPNOTSUPP);
        ck_assert_int_eq(read_made(".debug_line", SHF_COMPRESSED, &broken, sizeof(broken)), -EBADMSG);
        ck_assert_int_eq(read_made(".debug_line", SHF_COMPRESSED, &zstd, sizeof(zstd)), -EBADMSG);
        ck_assert_int_eq(read_made(".debug_line", SHF_COMPRESSED, &broken, sizeof(broken.head) - 1), -EBADMSG);
        ck_assert_int_eq(read_made(".zdebug_line", 0, old, sizeof(old)), -EFBIG);
        ck_assert_int_eq(read_made(".zdebug_line", 0, old_broken, sizeof(old_broken)), -EBADMSG);
        ck_assert_int_eq(read_made(".zdebug_line", 0, no_magic, sizeof(no_magic)), -EBADMSG);
        ck_assert_int_eq(read_made(".zdebug_line", 0, no_magic, 11), -EBADMSG);
        ck_assert_ok(read_made(".debug_line", 0, old, sizeof(old)));
}
END_TEST

/* The expanded bytes count for the limit of all sections that are read of a file. */
START_TEST(all_sections_together) {
        _cleanup_free_ char *program = made_program("plain", made_source, ""), *text = test_path("zeros"), *output = NULL;
        _cleanup_close_ int fd = -EBADF;
        ElfSection s = ELF_SECTION_EMPTY;
        GElf_Shdr header;
        ElfImage e;

        if (!program)
                return;
        output = test_command("head -c 90000 /dev/zero >%s &&"
                              " objcopy --add-section .debug_line=%s --compress-debug-sections=zlib %s 2>&1",
                              text, text, program);
        ck_assert_str_eq(output, "");
        fd = open(program, O_RDONLY | O_CLOEXEC);
        ck_assert_ok(elf_image_open(&e, fd));
        e.left = 100000;
        ck_assert_ok(elf_content_read(&s, &e, elf_content_section(&e, ".debug_line", &header), SIZE));
        elf_section_done(&s);
        ck_assert_uint_eq(e.left, 10000);
        ck_assert_int_eq(elf_content_read(&s, &e, elf_content_section(&e, ".debug_line", &header), SIZE), -EFBIG);
        ck_assert_ptr_null(elf_content_section(&e, ".debug_types", &header));
        elf_image_done(&e);
}
END_TEST

TEST_RUN("elf-content", each_form, what_is_not_read, all_sections_together);
