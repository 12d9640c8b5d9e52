/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* libelf over files that nobody vouches for. libelf checks what it hands out against the file's size; what is left to
 * check is that sizes are ones that may be allocated, and that a section has data at all. */

#include "elf-image.h"

#include <sys/stat.h>

static int read_loads(ElfImage *e) {
        size_t n;

        if (elf_getphdrnum(e->elf, &n) < 0 || n == 0)
                return 0; /* an object file */
        if (n > 4096)
                return -ENOEXEC;
        e->loads = calloc(n, sizeof(*e->loads));
        if (!e->loads)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++) {
                GElf_Phdr *p = e->loads + e->n_loads;

                if (gelf_getphdr(e->elf, (int) i, p) && p->p_type == PT_LOAD)
                        e->n_loads++;
        }
        return 0;
}

static int open_elf(ElfImage *e, int fd) {
        size_t n;

        if (elf_version(EV_CURRENT) == EV_NONE)
                return -ELIBBAD;
        e->elf = elf_begin(fd, ELF_C_READ, NULL);
        if (!e->elf || elf_kind(e->elf) != ELF_K_ELF || !gelf_getehdr(e->elf, &e->header))
                return -ENOEXEC;
        if (e->header.e_type != ET_EXEC && e->header.e_type != ET_DYN && e->header.e_type != ET_REL)
                return -ENOEXEC;
        if (elf_getshdrnum(e->elf, &n) < 0 || n > ELF_SECTIONS_MAX)
                return -ENOEXEC;
        if (elf_getshdrstrndx(e->elf, &e->section_names) < 0)
                e->section_names = SHN_UNDEF;
        return read_loads(e);
}

int elf_image_open(ElfImage *e, int fd) {
        struct stat st;
        int r;

        *e = (ElfImage) {};
        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return -EBADFD;
        r = open_elf(e, fd);
        if (r < 0)
                elf_image_done(e);
        return r;
}

void elf_image_done(ElfImage *e) {
        if (e->elf)
                (void) elf_end(e->elf);
        free(e->loads);
        *e = (ElfImage) {};
}

const char *elf_image_section_name(const ElfImage *e, const GElf_Shdr *header) {
        return e->section_names == SHN_UNDEF ? "" : elf_strptr(e->elf, e->section_names, header->sh_name) ?: "";
}

Elf_Scn *elf_image_section(const ElfImage *e, const char *name, GElf_Shdr *ret) {
        Elf_Scn *section = NULL;
        GElf_Shdr header;

        while ((section = elf_nextscn(e->elf, section)))
                if (gelf_getshdr(section, &header) && streq(elf_image_section_name(e, &header), name)) {
                        *ret = header;
                        return section;
                }
        return NULL;
}

Elf_Data *elf_image_data(Elf_Scn *section, const GElf_Shdr *header) {
        Elf_Data *data;

        if (header->sh_type == SHT_NOBITS || header->sh_size == 0 || header->sh_size > ELF_SECTION_MAX)
                return NULL;
        data = elf_getdata(section, NULL);
        return data && data->d_buf && data->d_size > 0 ? data : NULL;
}

bool elf_image_offset(const ElfImage *e, uint64_t address, uint64_t *ret) {
        for (size_t i = 0; i < e->n_loads; i++) {
                const GElf_Phdr *p = e->loads + i;

                if (address >= p->p_vaddr && address - p->p_vaddr < p->p_memsz) {
                        *ret = address - p->p_vaddr + p->p_offset;
                        return true;
                }
        }
        return false;
}
