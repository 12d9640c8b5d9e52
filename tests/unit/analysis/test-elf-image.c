/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "elf-image.h"
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
        ck_assert_ptr_null(elf_image_data(section, &header));
        elf_image_done(&e);
}
END_TEST

TEST_RUN("elf-image", what_is_none, sections_and_segments);
