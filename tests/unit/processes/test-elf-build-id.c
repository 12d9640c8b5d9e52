/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <elf.h>

#include "elf-build-id.h"
#include "perfdata-test.h"

/* A note: name, type, n bytes of 0x11 0x12 … */
static size_t make_note(uint8_t *p, const char *name, uint32_t type, uint32_t n) {
        Elf64_Nhdr h = { .n_namesz = (uint32_t) strlen(name) + 1, .n_descsz = n, .n_type = type };
        size_t name_size = PERF_ALIGN_UP(h.n_namesz, 4u);

        memcpy(p, &h, sizeof(h));
        memset(p + sizeof(h), 0, name_size);
        memcpy(p + sizeof(h), name, h.n_namesz);
        for (uint32_t i = 0; i < n; i++)
                p[sizeof(h) + name_size + i] = (uint8_t) (0x11 + i);
        return sizeof(h) + name_size + PERF_ALIGN_UP(n, 4u);
}

START_TEST(among_notes) {
        uint8_t notes[256];
        char text[BUILD_ID_TEXT_SIZE];
        BuildId id = {};
        size_t n;

        n = make_note(notes, "Linux", 0, 4);
        n += make_note(notes + n, "GNU", NT_GNU_ABI_TAG, 16);
        ck_assert_int_eq(build_id_from_notes(notes, n, &id), -ENODATA);
        n += make_note(notes + n, "GNU", NT_GNU_BUILD_ID, 20);
        ck_assert_ok(build_id_from_notes(notes, n, &id));
        ck_assert_uint_eq(id.size, 20);
        ck_assert_str_eq(build_id_format(&id, text), "1112131415161718191a1b1c1d1e1f2021222324");
        ck_assert_int_eq(build_id_from_notes(notes, n - 1, &id), -ENODATA); /* cut */
}
END_TEST

START_TEST(other_lengths) {
        uint8_t notes[256];
        BuildId id = {};

        ck_assert_ok(build_id_from_notes(notes, make_note(notes, "GNU", NT_GNU_BUILD_ID, 7), &id));
        ck_assert_uint_eq(id.size, 7);
        ck_assert_ok(build_id_from_notes(notes, make_note(notes, "GNU", NT_GNU_BUILD_ID, 32), &id));
        ck_assert_uint_eq(id.size, 20);
        ck_assert_int_eq(build_id_from_notes(notes, make_note(notes, "GNU", NT_GNU_BUILD_ID, 0), &id), -ENODATA);
        ck_assert_int_eq(build_id_from_notes(notes, 0, &id), -ENODATA);
        memset(notes, 0xff, sizeof(notes));
        ck_assert_int_eq(build_id_from_notes(notes, sizeof(notes), &id), -ENODATA);
}
END_TEST

/* An ELF file of 64 bits: header, one program header or section header, the note. */
typedef struct TinyElf {
        Elf64_Ehdr h;
        union {
                Elf64_Phdr p;
                Elf64_Shdr s;
        };
        uint8_t note[64];
} TinyElf;

static TinyElf tiny_elf(bool with_segment) {
        TinyElf e = {};
        size_t size = make_note(e.note, "GNU", NT_GNU_BUILD_ID, 20);

        memcpy(e.h.e_ident, ELFMAG, SELFMAG);
        e.h.e_ident[EI_CLASS] = ELFCLASS64;
        e.h.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
        if (with_segment) {
                e.h.e_phoff = offsetof(TinyElf, p);
                e.h.e_phnum = 1;
                e.h.e_phentsize = sizeof(e.p);
                e.p = (Elf64_Phdr) { .p_type = PT_NOTE, .p_offset = offsetof(TinyElf, note), .p_filesz = size };
        } else {
                e.h.e_shoff = offsetof(TinyElf, s);
                e.h.e_shnum = 1;
                e.h.e_shentsize = sizeof(e.s);
                e.s = (Elf64_Shdr) { .sh_type = SHT_NOTE, .sh_offset = offsetof(TinyElf, note), .sh_size = size };
        }
        return e;
}

static int id_of(const void *data, size_t size, BuildId *ret) {
        _cleanup_free_ char *path = test_path("elf");

        test_write_file(path, data, size);
        return build_id_of_file(AT_FDCWD, path, ret);
}

START_TEST(of_segments_and_sections) {
        TinyElf e = tiny_elf(true);
        BuildId id = {};

        ck_assert_ok(id_of(&e, sizeof(e), &id));
        ck_assert_uint_eq(id.bytes[19], 0x24);
        e = tiny_elf(false);
        id = (BuildId) {};
        ck_assert_ok(id_of(&e, sizeof(e), &id));
        ck_assert_uint_eq(id.bytes[19], 0x24);
}
END_TEST

START_TEST(hostile_files) {
        TinyElf good = tiny_elf(true), e;
        BuildId id = {};

        for (size_t n = 0; n < sizeof(e) - sizeof(e.note) + 36; n++) /* truncated anywhere */
                ck_assert_int_lt(id_of(&good, n, &id), 0);
        e = good;
        e.h.e_phnum = UINT16_MAX;
        ck_assert_int_eq(id_of(&e, sizeof(e), &id), -ENODATA);
        e = good;
        e.h.e_phoff = UINT64_MAX - 8;
        ck_assert_int_eq(id_of(&e, sizeof(e), &id), -ENODATA);
        e = good;
        e.h.e_phentsize = 1;
        ck_assert_int_eq(id_of(&e, sizeof(e), &id), -ENODATA);
        e = good;
        e.p.p_filesz = UINT64_MAX;
        ck_assert_int_eq(id_of(&e, sizeof(e), &id), -ENODATA);
        e = good;
        e.p.p_offset = INT64_MAX;
        ck_assert_int_eq(id_of(&e, sizeof(e), &id), -ENODATA);
        e = good;
        e.h.e_ident[EI_CLASS] = 9;
        ck_assert_int_eq(id_of(&e, sizeof(e), &id), -ENOEXEC);
        ck_assert_uint_eq(id.size, 0);
}
END_TEST

START_TEST(not_a_file) {
        BuildId id = {};

        ck_assert_int_eq(build_id_of_file(AT_FDCWD, test_directory(), &id), -EBADFD);
        ck_assert_int_eq(build_id_of_file(AT_FDCWD, "/dev/null", &id), -EBADFD);
        ck_assert_int_eq(build_id_of_file(AT_FDCWD, "/no/such/file", &id), -ENOENT);
        ck_assert_int_eq(id_of("hello", 5, &id), -ENOEXEC);
}
END_TEST

START_TEST(of_kernel_and_modules) {
        _cleanup_free_ char *root = test_path("root"), *notes = NULL, *module = NULL;
        uint8_t note[64];
        BuildId id = {};

        ck_assert(asprintf(&notes, "%s/sys/kernel/notes", root) > 0);
        ck_assert(asprintf(&module, "%s/sys/module/nls_x/notes/.note.gnu.build-id", root) > 0);
        free(test_command("mkdir -p %s/sys/kernel %s/sys/module/nls_x/notes", root, root));
        test_write_file(notes, note, make_note(note, "GNU", NT_GNU_BUILD_ID, 20));
        test_write_file(module, note, make_note(note, "GNU", NT_GNU_BUILD_ID, 16));
        ck_assert_ok(build_id_of_kernel(root, &id));
        ck_assert_uint_eq(id.size, 20);
        ck_assert_ok(build_id_of_module(root, "nls_x", &id));
        ck_assert_uint_eq(id.size, 16);
        ck_assert_int_eq(build_id_of_module(root, "none", &id), -ENOENT);
        ck_assert_int_eq(build_id_of_module(root, "../module/nls_x", &id), -EINVAL);
        ck_assert_int_eq(build_id_of_module(root, "", &id), -EINVAL);
}
END_TEST

START_TEST(as_readelf_says) {
        _cleanup_free_ char *expected = test_command("readelf -n /bin/sh 2>/dev/null | sed -n 's/.*Build ID: //p' | tr -d '\\n'");
        char text[BUILD_ID_TEXT_SIZE];
        BuildId id = {};

        if (!expected || strlen(expected) != 40) /* no binutils here */
                return;
        ck_assert_ok(build_id_of_file(AT_FDCWD, "/bin/sh", &id));
        ck_assert_str_eq(build_id_format(&id, text), expected);
}
END_TEST

TEST_RUN("build-id", among_notes, other_lengths, of_segments_and_sections, hostile_files, not_a_file, of_kernel_and_modules, as_readelf_says);
