/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The headers and the names of the sections are before MADE_ELF_DATA. */

#include "made-elf.h"

#include "perfdata-test.h"

#define NAMES_OFFSET 0x1000u
#define SECTIONS_OFFSET 0x2000u

static void put(int fd, uint64_t offset, const void *data, size_t size) {
        ck_assert_int_eq(pwrite(fd, data, size, (off_t) offset), (ssize_t) size);
}

static Elf64_Word put_name(int fd, size_t *size, const char *name) {
        size_t at = *size;

        put(fd, NAMES_OFFSET + at, name, strlen(name) + 1);
        *size += strlen(name) + 1;
        return (Elf64_Word) at;
}

char *made_elf(const char *name, const MadeSection *sections, size_t n, uint64_t size) {
        _cleanup_free_ char *path = test_path(name);
        _cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        const Elf64_Ehdr header = {
                .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT }, .e_type = ET_DYN,
                .e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_phoff = sizeof(header), .e_shoff = SECTIONS_OFFSET,
                .e_ehsize = sizeof(header), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1, .e_shentsize = sizeof(Elf64_Shdr),
                .e_shnum = (Elf64_Half) (n + 2), .e_shstrndx = (Elf64_Half) (n + 1),
        };
        const Elf64_Phdr segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = size, .p_memsz = size, .p_align = 4096 };
        Elf64_Shdr names = { .sh_type = SHT_STRTAB, .sh_offset = NAMES_OFFSET };
        size_t names_size = 1;

        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(ftruncate(fd, (off_t) MAX_OF(size, MADE_ELF_DATA)), 0);
        put(fd, 0, &header, sizeof(header));
        put(fd, header.e_phoff, &segment, sizeof(segment));
        for (size_t i = 0; i < n; i++) {
                const MadeSection *s = sections + i;
                const Elf64_Shdr h = {
                        .sh_name = put_name(fd, &names_size, s->name), .sh_type = s->type, .sh_flags = s->flags, .sh_addr = s->address,
                        .sh_offset = s->offset, .sh_size = s->size, .sh_link = s->link, .sh_entsize = s->entry, .sh_addralign = 1,
                };

                put(fd, SECTIONS_OFFSET + (i + 1) * sizeof(h), &h, sizeof(h));
                if (s->data)
                        put(fd, s->offset, s->data, s->size);
        }
        names.sh_name = put_name(fd, &names_size, ".shstrtab");
        names.sh_size = names_size;
        put(fd, SECTIONS_OFFSET + (n + 1) * sizeof(names), &names, sizeof(names));
        return steal_ptr(path);
}
