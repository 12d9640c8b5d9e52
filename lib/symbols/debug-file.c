/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Recorded addresses are offsets in the binary, so its program headers count where those of the separate file differ. */

#include "debug-file.h"

#include <fcntl.h>

#include "elf-build-id.h"
#include "elf-content.h"

void debug_file_done(DebugFile *f) {
        elf_image_done(&f->image);
        if (f->debug != f->binary)
                f->debug = safe_close(f->debug);
        f->binary = safe_close(f->binary);
        *f = (DebugFile) DEBUG_FILE_EMPTY;
}

static bool has_lines(const ElfImage *e) {
        GElf_Shdr header;

        return elf_content_section(e, ".debug_info", &header) && header.sh_type != SHT_NOBITS;
}

static int fit_lines(void *unused, int fd) {
        ElfImage e = ELF_IMAGE_EMPTY;
        int r = elf_image_open(&e, fd);

        if (r < 0)
                return r;
        r = has_lines(&e) ? 0 : -ENOENT;
        elf_image_done(&e);
        return r;
}

static int debug_file_find(DebugFile *f, const SymbolSources *sources, const char *path) {
        BuildId id;
        int fd;

        if (has_lines(&f->image)) {
                f->debug = f->binary;
                return 0;
        }
        fd = symbol_sources_open_separate(sources, path, f->binary, &f->image, fit_lines, NULL);
        if (fd < 0 && fd != -ENOMEM && build_id_of_fd(f->binary, &id) >= 0)
                fd = symbol_sources_fetch(sources->helpers, &id, false);
        if (fd < 0)
                return fd;
        f->debug = fd;
        return 0;
}

int debug_file_take(DebugFile *f, const SymbolSources *sources, const char *path, int binary) {
        int r;

        *f = (DebugFile) DEBUG_FILE_EMPTY;
        f->binary = binary;
        f->watcher = sources->watcher;
        r = elf_image_open(&f->image, binary);
        if (r >= 0) {
                r = debug_file_find(f, sources, path);
                if (r != -ENOMEM)
                        return 0;
        }
        debug_file_done(f);
        return r;
}

int debug_file_open_binary(DebugFile *f, const SymbolSources *sources, const DsoHit *dso) {
        int fd = symbol_sources_open_code(sources, dso);

        *f = (DebugFile) DEBUG_FILE_EMPTY;
        return fd < 0 ? fd : debug_file_take(f, sources, dso->path, fd);
}

typedef struct LinesSearch {
        DebugFile *file;
        const SymbolSources *sources;
        const DsoHit *dso;
} LinesSearch;

static int fit_binary(void *userdata, int fd) {
        const LinesSearch *q = userdata;
        int binary = fcntl(fd, F_DUPFD_CLOEXEC, 3), r = binary < 0 ? -errno : 0;
        DebugFile *f = q->file;

        if (r >= 0)
                r = debug_file_take(f, q->sources, q->dso->path, binary);
        if (r < 0 || (f->debug >= 0 && elf_image_has_offsets(&f->image)))
                return r;
        debug_file_done(f);
        return -ENOENT;
}

int debug_file_open(DebugFile *f, const SymbolSources *sources, const DsoHit *dso) {
        LinesSearch search = { .file = f, .sources = sources, .dso = dso };
        _cleanup_close_ int fd = -EBADF;

        *f = (DebugFile) DEBUG_FILE_EMPTY;
        fd = symbol_sources_open_binary(sources, dso, fit_binary, &search);
        return MIN_OF(fd, 0);
}

bool debug_file_address(const DebugFile *f, uint64_t offset, uint64_t *ret) {
        const GElf_Phdr *p = elf_code_segment(f->image.loads, f->image.n_loads, offset);

        if (p)
                *ret = offset - p->p_offset + p->p_vaddr;
        return p;
}

bool debug_file_offset(const DebugFile *f, uint64_t address, uint64_t *ret) {
        for (size_t i = 0; i < f->image.n_loads; i++) {
                const GElf_Phdr *p = f->image.loads + i;

                if (p->p_flags & PF_X && address >= p->p_vaddr && address - p->p_vaddr < p->p_filesz) {
                        *ret = address - p->p_vaddr + p->p_offset;
                        return true;
                }
        }
        return false;
}
