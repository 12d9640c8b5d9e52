/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads ELF files that are hostile input. libelf checks headers against the file's size, but a file of 16 KiB on the
 * disk may have any size, and libelf keeps each section that it was ever asked for. So sections are read here, within
 * the limits of elf-image.h, and freed by the callers. A section that lies in a hole costs its author nothing and has
 * no contents: it is refused. */

#include "elf-image.h"

#include <sys/stat.h>
#include <unistd.h>

#include "array.h"
#include "fd-file.h"

/* A linker makes segments; perf inject --jit before 6.1 wrote files without them, whose sections say where they are. Those of code
 * may have no contents, as in a file of symbols (symbol-file.h). */
static int make_loads(ElfImage *e) {
        Elf_Scn *section = NULL;
        GElf_Shdr h;

        e->loads = calloc(ELF_SEGMENTS_MAX, sizeof(*e->loads));
        if (!e->loads)
                return -ENOMEM;
        while (e->n_loads < ELF_SEGMENTS_MAX && (section = elf_nextscn(e->elf, section)))
                if (gelf_getshdr(section, &h) && h.sh_flags & SHF_ALLOC && (h.sh_type != SHT_NOBITS || h.sh_flags & SHF_EXECINSTR))
                        e->loads[e->n_loads++] = (GElf_Phdr) {
                                .p_type = PT_LOAD, .p_flags = PF_R | (h.sh_flags & SHF_EXECINSTR ? PF_X : 0),
                                .p_offset = h.sh_offset, .p_vaddr = h.sh_addr, .p_filesz = h.sh_size, .p_memsz = h.sh_size,
                        };
        return 0;
}

static int read_loads(ElfImage *e) {
        size_t n;

        if (elf_getphdrnum(e->elf, &n) < 0)
                return 0;
        if (n == 0)
                return e->header.e_type == ET_REL ? 0 : make_loads(e);
        if (n > ELF_SEGMENTS_MAX)
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

/* If e_shnum is zero, the first section has the number of sections, in 32 bits, and elf_begin(3) allocates for all of
 * them. Zero is zero in either byte order. */
static int check_sections(int fd) {
        union {
                unsigned char ident[EI_NIDENT];
                Elf32_Ehdr h32;
                Elf64_Ehdr h64;
        } h = {};
        int r = pread_exactly(fd, 0, &h, sizeof(h.h32));

        if (r >= 0 && h.ident[EI_CLASS] == ELFCLASS64)
                r = pread_exactly(fd, 0, &h, sizeof(h.h64));
        if (r < 0)
                return r == -ENODATA ? -ENOEXEC : r;
        if (h.ident[EI_CLASS] == ELFCLASS64)
                return h.h64.e_shnum == 0 && h.h64.e_shoff != 0 ? -ENOEXEC : 0;
        return h.h32.e_shnum == 0 && h.h32.e_shoff != 0 ? -ENOEXEC : 0;
}

static int elf_read_names(ElfImage *e) {
        Elf_Scn *section;
        GElf_Shdr header;
        size_t number;
        int r;

        if (elf_getshdrstrndx(e->elf, &number) < 0 || number == SHN_UNDEF)
                return 0;
        section = elf_getscn(e->elf, number);
        if (!section || !gelf_getshdr(section, &header) || header.sh_size > ELF_NAMES_MAX)
                return 0;
        r = elf_section_read(&e->names, e, section, ELF_T_BYTE);
        return r == -ENOMEM ? r : 0;
}

static int elf_image_begin(ElfImage *e) {
        size_t n;
        int r;

        if (elf_version(EV_CURRENT) == EV_NONE)
                return -ELIBBAD;
        r = check_sections(e->fd);
        if (r < 0)
                return r;
        e->elf = elf_begin(e->fd, ELF_C_READ, NULL);
        if (!e->elf || elf_kind(e->elf) != ELF_K_ELF || !gelf_getehdr(e->elf, &e->header))
                return -ENOEXEC;
        if (e->header.e_type != ET_EXEC && e->header.e_type != ET_DYN && e->header.e_type != ET_REL)
                return -ENOEXEC;
        if (elf_getshdrnum(e->elf, &n) < 0 || n > ELF_SECTIONS_MAX)
                return -ENOEXEC;
        r = elf_read_names(e);
        return r < 0 ? r : read_loads(e);
}

int elf_image_open(ElfImage *e, int fd) {
        struct stat st;
        int r;

        *e = (ElfImage) { .fd = fd, .left = ELF_SECTIONS_READ_MAX };
        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return -EBADFD;
        r = elf_image_begin(e);
        if (r < 0)
                elf_image_done(e);
        return r;
}

void elf_image_done(ElfImage *e) {
        if (e->elf)
                (void) elf_end(e->elf);
        elf_section_done(&e->names);
        free(e->loads);
        *e = (ElfImage) {};
}

const char *elf_image_section_name(const ElfImage *e, const GElf_Shdr *header) {
        return elf_section_string(&e->names, header->sh_name) ?: "";
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

Elf_Scn *elf_image_section_of_type(const ElfImage *e, GElf_Word type, GElf_Shdr *ret) {
        Elf_Scn *section = NULL;
        GElf_Shdr header;

        while ((section = elf_nextscn(e->elf, section)))
                if (gelf_getshdr(section, &header) && header.sh_type == type) {
                        *ret = header;
                        return section;
                }
        return NULL;
}

/* File systems without holes report data up to the end, or refuse these seeks. */
bool file_has_hole(int fd, uint64_t offset, uint64_t size) {
        off_t data = lseek(fd, (off_t) offset, SEEK_DATA), hole;

        if (data < 0)
                return errno == ENXIO;
        hole = lseek(fd, (off_t) offset, SEEK_HOLE);
        return data != (off_t) offset || (hole >= 0 && (uint64_t) hole - offset < size);
}

int elf_section_check(const ElfImage *e, const GElf_Shdr *header, uint64_t max) {
        if (header->sh_type == SHT_NOBITS || header->sh_size == 0)
                return -ENODATA;
        if (header->sh_size > max || header->sh_size > e->left)
                return -EFBIG;
        if (header->sh_offset > INT64_MAX - header->sh_size)
                return -ENODATA;
        return file_has_hole(e->fd, header->sh_offset, header->sh_size) ? -ENODATA : 0;
}

/* Translates in place: an entry has the same size in the file and in memory. */
static bool elf_section_translate(ElfSection *s, const ElfImage *e, Elf_Type type) {
        size_t entry = gelf_fsize(e->elf, type, 1, EV_CURRENT);
        Elf_Data data = { .d_buf = s->data, .d_type = type, .d_version = EV_CURRENT };

        if (entry == 0)
                return false;
        data.d_size = s->size = s->size / entry * entry;
        return s->size > 0 && gelf_xlatetom(e->elf, &data, &data, e->header.e_ident[EI_DATA]);
}

int elf_section_read(ElfSection *s, ElfImage *e, Elf_Scn *section, Elf_Type type) {
        ElfSection new = { .class = gelf_getclass(e->elf) };
        int r;

        if (!section || !gelf_getshdr(section, &new.header))
                return -ENODATA;
        r = elf_section_check(e, &new.header, ELF_SECTION_MAX);
        if (r < 0)
                return r;
        new.size = new.header.sh_size;
        new.data = malloc(new.size + 1);
        if (!new.data)
                return -ENOMEM;
        e->left -= new.size;
        r = pread_exactly(e->fd, new.header.sh_offset, new.data, new.size);
        if (r >= 0 && type != ELF_T_BYTE && !elf_section_translate(&new, e, type))
                r = -ENODATA;
        if (r < 0) {
                elf_section_done(&new);
                return r;
        }
        new.data[new.size] = '\0';
        *s = new;
        return 0;
}

void elf_section_done(ElfSection *s) {
        free(s->data);
        *s = (ElfSection) {};
}

int elf_symbols_read(ElfSection *entries, ElfSection *names, ElfImage *e, Elf_Scn *section) {
        int r = elf_section_read(entries, e, section, ELF_T_SYM);

        if (r >= 0)
                r = elf_section_read(names, e, elf_getscn(e->elf, entries->header.sh_link), ELF_T_BYTE);
        return r >= 0 ? 1 : r == -ENOMEM ? r : 0;
}

bool elf_section_symbol(const ElfSection *s, size_t i, GElf_Sym *ret) {
        const Elf64_Sym *wide = (const Elf64_Sym *) s->data;
        const Elf32_Sym *narrow = (const Elf32_Sym *) s->data;

        if (i >= s->size / (s->class == ELFCLASS64 ? sizeof(*wide) : sizeof(*narrow)))
                return false;
        if (s->class == ELFCLASS64)
                *ret = wide[i];
        else
                *ret = (GElf_Sym) {
                        .st_name = narrow[i].st_name, .st_value = narrow[i].st_value, .st_size = narrow[i].st_size,
                        .st_info = narrow[i].st_info, .st_other = narrow[i].st_other, .st_shndx = narrow[i].st_shndx,
                };
        return true;
}

bool elf_section_relocation(const ElfSection *s, size_t i, GElf_Rela *ret) {
        const Elf64_Rela *wide = (const Elf64_Rela *) s->data;
        const Elf32_Rela *narrow = (const Elf32_Rela *) s->data;

        if (i >= s->size / (s->class == ELFCLASS64 ? sizeof(*wide) : sizeof(*narrow)))
                return false;
        if (s->class == ELFCLASS64)
                *ret = wide[i];
        else
                *ret = (GElf_Rela) {
                        .r_offset = narrow[i].r_offset, .r_addend = narrow[i].r_addend,
                        .r_info = GELF_R_INFO(ELF32_R_SYM(narrow[i].r_info), ELF32_R_TYPE(narrow[i].r_info)),
                };
        return true;
}

const char *elf_section_string(const ElfSection *s, uint64_t offset) {
        const char *string;

        if (offset >= s->size)
                return NULL;
        string = (const char *) s->data + offset;
        return strnlen(string, ELF_NAME_MAX) < ELF_NAME_MAX ? string : NULL;
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

bool elf_image_has_offsets(const ElfImage *e) {
        return ANY_OF(e->n_loads, i, e->loads[i].p_flags & PF_X && e->loads[i].p_filesz > 0);
}

bool elf_image_has_code(const ElfImage *e) {
        Elf_Scn *section = NULL;
        GElf_Shdr h;

        if (!elf_nextscn(e->elf, NULL))
                return elf_image_has_offsets(e);
        while ((section = elf_nextscn(e->elf, section)))
                if (gelf_getshdr(section, &h) && h.sh_type == SHT_PROGBITS && h.sh_flags & SHF_EXECINSTR && h.sh_size > 0)
                        return true;
        return false;
}
