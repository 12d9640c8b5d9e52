/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "elf-image.h"
#include "made-elf.h"
#include "made-program.h"

static int open_bytes(const char *name, const void *data, size_t size) {
        _cleanup_free_ char *path = test_path(name);
        _cleanup_close_ int fd = -EBADF;
        ElfImage e;
        int r;

        test_write_file(path, data, size);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        r = elf_image_open(&e, fd);
        elf_image_done(&e);
        return r;
}

START_TEST(what_is_none) {
        _cleanup_close_ int directory = open("/", O_RDONLY | O_CLOEXEC);
        ElfImage e;

        ck_assert_int_eq(open_bytes("empty", "", 0), -ENOEXEC);
        ck_assert_int_eq(open_bytes("text", "#!/bin/sh\n", 10), -ENOEXEC);
        ck_assert_int_eq(open_bytes("begin", "\177ELF\2\1\1", 7), -ENOEXEC);
        ck_assert_int_eq(elf_image_open(&e, directory), -EBADFD);
        ck_assert_int_eq(elf_image_open(&e, -EBADF), -EBADF);
}
END_TEST

START_TEST(sections_and_segments) {
        _cleanup_close_ int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
        GElf_Shdr header;
        uint64_t offset;
        Elf_Scn *section;
        ElfSection bytes;
        ElfImage e;

        ck_assert_ok(elf_image_open(&e, fd));
        section = elf_image_section(&e, ".text", &header);
        ck_assert_ptr_nonnull(section);
        ck_assert_str_eq(elf_image_section_name(&e, &header), ".text");
        ck_assert(elf_image_offset(&e, header.sh_addr, &offset));
        ck_assert_uint_eq(offset, header.sh_offset);
        ck_assert(!elf_image_offset(&e, UINT64_MAX, &offset));
        ck_assert_ptr_null(elf_image_section(&e, ".nothing", &header));
        section = elf_image_section(&e, ".bss", &header);
        ck_assert_ptr_nonnull(section);
        ck_assert_int_eq(elf_section_read(&bytes, &e, section, ELF_T_BYTE), -ENODATA);
        elf_image_done(&e);
}
END_TEST

/* Returns the result of elf_section_read() for the first section of such a file. */
static int read_made(const MadeSection *sections, size_t n, uint64_t size) {
        _cleanup_free_ char *path = made_elf("made", sections, n, size);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        ElfSection bytes = ELF_SECTION_EMPTY;
        ElfImage e;
        int r;

        ck_assert_ok(elf_image_open(&e, fd));
        r = elf_section_read(&bytes, &e, elf_getscn(e.elf, 1), ELF_T_BYTE);
        elf_section_done(&bytes);
        elf_image_done(&e);
        return r;
}

START_TEST(what_is_not_read) {
        static const char page[4096] = "data";
        const MadeSection whole = { ".x", SHT_PROGBITS, .offset = MADE_ELF_DATA, .size = sizeof(page), .data = page };
        const MadeSection hole = { ".x", SHT_PROGBITS, .offset = MADE_ELF_DATA, .size = 1 << 20 };
        const MadeSection begun[] = { { ".x", SHT_PROGBITS, .offset = MADE_ELF_DATA, .size = 1 << 20 }, whole };
        const MadeSection large = { ".x", SHT_PROGBITS, .offset = MADE_ELF_DATA, .size = ELF_SECTION_MAX + 1 };
        const MadeSection outside[] = { { ".x", SHT_PROGBITS, .offset = MADE_ELF_DATA, .size = sizeof(page) + 1 }, whole };
        const MadeSection far = { ".x", SHT_PROGBITS, .offset = UINT64_MAX - 16, .size = 64 };

        ck_assert_int_eq(read_made(&whole, 1, 2 << 20), 0);
        ck_assert_int_eq(read_made(&hole, 1, 2 << 20), -ENODATA);
        ck_assert_int_eq(read_made(begun, 2, 2 << 20), -ENODATA);
        ck_assert_int_eq(read_made(&large, 1, UINT64_C(1) << 30), -EFBIG);
        ck_assert_int_eq(read_made(outside, 2, 0), -ENODATA);
        ck_assert_int_eq(read_made(&far, 1, 2 << 20), -ENODATA);
}
END_TEST

START_TEST(all_sections_together) {
        static char data[16 << 20] = "data";
        const MadeSection one = { ".x", SHT_PROGBITS, .offset = MADE_ELF_DATA, .size = sizeof(data), .data = data };
        _cleanup_free_ char *path = made_elf("made", &one, 1, 0);
        _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
        ElfSection bytes = ELF_SECTION_EMPTY;
        size_t n = 0;
        ElfImage e;
        int r;

        ck_assert_ok(elf_image_open(&e, fd));
        while ((r = elf_section_read(&bytes, &e, elf_getscn(e.elf, 1), ELF_T_BYTE)) == 0 && n < 1000) {
                elf_section_done(&bytes);
                n++;
        }
        ck_assert_int_eq(r, -EFBIG);
        ck_assert_uint_le(n, ELF_SECTIONS_READ_MAX / sizeof(data));
        ck_assert_uint_ge(n, ELF_SECTIONS_READ_MAX / sizeof(data) - 1); /* the sections' names count too */
        elf_image_done(&e);
}
END_TEST

/* The first section has the number of sections if the header does not. */
START_TEST(sections_without_number) {
        const MadeSection one = { ".x", SHT_PROGBITS, .offset = MADE_ELF_DATA, .size = 16 };
        _cleanup_free_ char *path = made_elf("made", &one, 1, UINT64_C(8) << 30);
        _cleanup_close_ int fd = open(path, O_RDWR | O_CLOEXEC);
        const Elf64_Half none = 0;
        const Elf64_Shdr many = { .sh_size = 100000000 };
        Elf64_Ehdr header;
        ElfImage e;

        ck_assert_int_eq(pread(fd, &header, sizeof(header), 0), sizeof(header));
        ck_assert_int_eq(pwrite(fd, &many, sizeof(many), (off_t) header.e_shoff), sizeof(many));
        ck_assert_int_eq(pwrite(fd, &none, sizeof(none), offsetof(Elf64_Ehdr, e_shnum)), sizeof(none));
        ck_assert_int_eq(elf_image_open(&e, fd), -ENOEXEC);
}
END_TEST

START_TEST(strings) {
        static char long_name[ELF_NAME_MAX + 1];
        ElfSection s = { .data = (uint8_t *) long_name, .size = sizeof(long_name) - 1 };

        memset(long_name, 'x', sizeof(long_name) - 1);
        ck_assert_ptr_null(elf_section_string(&s, 0));
        ck_assert_str_eq(elf_section_string(&s, 1), long_name + 1);
        ck_assert_ptr_null(elf_section_string(&s, s.size));
        ck_assert_ptr_null(elf_section_string(&s, UINT64_MAX));
}
END_TEST

TEST_RUN("elf-image", what_is_none, sections_and_segments, what_is_not_read, all_sections_together, sections_without_number, strings);
