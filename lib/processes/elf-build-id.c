/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads build ids: the NT_GNU_BUILD_ID note of an ELF file, of the running kernel, of a module. An ELF file is read by
 * pread(2) at the few places that matter (headers, notes), never mapped: it may be truncated in the meantime, and
 * hundreds of recorders do this at the same time. Every offset, count and size in it may be hostile; notes above
 * NOTES_MAX are skipped. */

#include <elf.h>
#include <endian.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "elf-build-id.h"
#include "fd-file.h"
#include "format-text.h"

#define NOTES_MAX (64u * 1024u)
#define HEADERS_MAX 4096u    /* program or section headers of a file */
#define NATIVE_DATA (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB)

int build_id_from_notes(const void *notes, size_t size, BuildId *ret) {
        const uint8_t *p = notes;

        while (size >= sizeof(Elf32_Nhdr)) {
                Elf32_Nhdr h; /* Elf64_Nhdr is the same */
                uint64_t name_size, total;

                memcpy(&h, p, sizeof(h));
                name_size = PERF_ALIGN_UP((uint64_t) h.n_namesz, 4u);
                total = sizeof(h) + name_size + PERF_ALIGN_UP((uint64_t) h.n_descsz, 4u);
                if (sizeof(h) + name_size + h.n_descsz > size)
                        break;
                if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == sizeof(ELF_NOTE_GNU) && h.n_descsz > 0 &&
                    memcmp(p + sizeof(h), ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) == 0) {
                        BuildId id = { .size = (uint8_t) MIN_OF(h.n_descsz, PERF_BUILD_ID_SIZE) };

                        memcpy(id.bytes, p + sizeof(h) + name_size, id.size);
                        *ret = id;
                        return 0;
                }
                if (total >= size)
                        break;
                p += total;
                size -= total;
        }
        return -ENODATA;
}

static int read_notes(int fd, uint64_t offset, uint64_t size, BuildId *ret) {
        _cleanup_free_ void *notes = NULL;
        int r;

        if (size == 0 || size > NOTES_MAX)
                return -ENODATA;
        notes = malloc(size);
        if (!notes)
                return -ENOMEM;
        r = pread_exactly(fd, offset, notes, size);
        return r < 0 ? r : build_id_from_notes(notes, size, ret);
}

/* The fields of a header of either class that are needed here. */
typedef struct ElfTables {
        bool is64;
        uint64_t segments, sections; /* offsets */
        uint32_t n_segments, n_sections;
        uint32_t segment_size, section_size;
} ElfTables;

static int read_tables(int fd, ElfTables *ret) {
        union {
                unsigned char ident[EI_NIDENT];
                Elf32_Ehdr h32;
                Elf64_Ehdr h64;
        } h = {};
        int r = pread_exactly(fd, 0, &h, sizeof(h.h32));

        if (r == -ENODATA)
                return -ENOEXEC;
        if (r < 0)
                return r;
        if (memcmp(h.ident, ELFMAG, SELFMAG) != 0 || h.ident[EI_DATA] != NATIVE_DATA)
                return -ENOEXEC;
        if (h.ident[EI_CLASS] == ELFCLASS32) {
                *ret = (ElfTables) {
                        .segments = h.h32.e_phoff, .n_segments = h.h32.e_phnum, .segment_size = h.h32.e_phentsize,
                        .sections = h.h32.e_shoff, .n_sections = h.h32.e_shnum, .section_size = h.h32.e_shentsize,
                };
                return 0;
        }
        if (h.ident[EI_CLASS] != ELFCLASS64 || pread_exactly(fd, 0, &h, sizeof(h.h64)) < 0)
                return -ENOEXEC;
        *ret = (ElfTables) {
                .is64 = true,
                .segments = h.h64.e_phoff, .n_segments = h.h64.e_phnum, .segment_size = h.h64.e_phentsize,
                .sections = h.h64.e_shoff, .n_sections = h.h64.e_shnum, .section_size = h.h64.e_shentsize,
        };
        return 0;
}

/* Reads a table of headers, usually less than 4 KiB, in one go. */
static int read_table(int fd, uint64_t offset, uint32_t n, uint32_t size, size_t want, void **ret) {
        _cleanup_free_ void *table = NULL;
        int r;

        if (n == 0 || n > HEADERS_MAX || size != want)
                return -ENODATA;
        table = malloc((size_t) n * size);
        if (!table)
                return -ENOMEM;
        r = pread_exactly(fd, offset, table, (size_t) n * size);
        if (r < 0)
                return r;
        *ret = steal_ptr(table);
        return 0;
}

static int id_from_segments(int fd, const ElfTables *t, BuildId *ret) {
        _cleanup_free_ void *table = NULL;
        int r = read_table(fd, t->segments, t->n_segments, t->segment_size, t->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr),
                           &table);

        for (uint32_t i = 0; r >= 0 && i < t->n_segments; i++) {
                const Elf64_Phdr *p64 = (const Elf64_Phdr *) table + i;
                const Elf32_Phdr *p32 = (const Elf32_Phdr *) table + i;

                if ((t->is64 ? p64->p_type : p32->p_type) != PT_NOTE)
                        continue;
                if (read_notes(fd, t->is64 ? p64->p_offset : p32->p_offset, t->is64 ? p64->p_filesz : p32->p_filesz, ret) == 0)
                        return 0;
        }
        return r < 0 ? r : -ENODATA;
}

/* Object files (kernel modules) have no segments. */
static void section_of(const ElfTables *t, const void *table, uint32_t i, Elf64_Shdr *ret) {
        const Elf32_Shdr *s = (const Elf32_Shdr *) table + i;

        if (t->is64)
                *ret = ((const Elf64_Shdr *) table)[i];
        else
                *ret = (Elf64_Shdr) { .sh_type = s->sh_type, .sh_offset = s->sh_offset, .sh_size = s->sh_size };
}

static int id_from_sections(int fd, const ElfTables *t, BuildId *ret) {
        _cleanup_free_ void *table = NULL;
        int r = read_table(fd, t->sections, t->n_sections, t->section_size, t->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr),
                           &table);

        for (uint32_t i = 0; r >= 0 && i < t->n_sections; i++) {
                Elf64_Shdr s;

                section_of(t, table, i, &s);
                if (s.sh_type == SHT_NOTE && read_notes(fd, s.sh_offset, s.sh_size, ret) == 0)
                        return 0;
        }
        return r < 0 ? r : -ENODATA;
}

int build_id_of_fd(int fd, BuildId *ret) {
        struct stat st;
        ElfTables t;
        int r;

        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return -EBADFD;
        r = read_tables(fd, &t);
        if (r < 0)
                return r;
        r = id_from_segments(fd, &t, ret);
        return r == -ENODATA ? id_from_sections(fd, &t, ret) : r;
}

int build_id_of_file(int dir_fd, const char *path, BuildId *ret) {
        _cleanup_close_ int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

        return fd < 0 ? -errno : build_id_of_fd(fd, ret);
}

static int id_from_notes_file(const char *path, BuildId *ret) {
        _cleanup_free_ char *notes = NULL;
        size_t size;
        int r = read_file(path, NOTES_MAX, &notes, &size);

        return r < 0 ? r : build_id_from_notes(notes, size, ret);
}

int build_id_of_kernel(const char *root, BuildId *ret) {
        _cleanup_free_ char *path = format_text("%s/sys/kernel/notes", root ?: "");

        if (!path)
                return -ENOMEM;
        return id_from_notes_file(path, ret);
}

int build_id_of_module(const char *root, const char *name, BuildId *ret) {
        _cleanup_free_ char *path = NULL;

        if (*name == '\0' || *name == '.' || strchr(name, '/'))
                return -EINVAL;
        path = format_text("%s/sys/module/%s/notes/.note.gnu.build-id", root ?: "", name);
        if (!path)
                return -ENOMEM;
        return id_from_notes_file(path, ret);
}
