/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A distribution's binaries are stripped: their symbols may be in a separate file, or compressed in the binary. */

#include "binary-symbols.h"

#include "elf-build-id.h"
#include "frame-functions.h"
#include "symbol-elf.h"
#include "symbols-file.h"

/* Adds the symbols of another file of the binary. Returns 1 if it has a .symtab. */
static int load_other(int fd, ElfImage *e, SymbolTable *t) {
        ElfImage other = ELF_IMAGE_EMPTY;
        bool complete = false;
        int r = elf_image_open(&other, fd);

        if (r < 0)
                return r == -ENOMEM ? r : 0;
        r = symbol_table_add_elf(t, &other, e, &complete);
        elf_image_done(&other);
        return r < 0 ? r : complete;
}

static int fit_symtab(void *unused, int fd) {
        return symbols_are_stripped(fd) ? -ENODATA : 0;
}

static int binary_load_separate(const SymbolSources *sources, const char *path, int binary, ElfImage *e, SymbolTable *t) {
        _cleanup_close_ int fd = symbol_sources_open_separate(sources, path, binary, e, fit_symtab, NULL);

        if (fd == -EFBIG)
                symbol_table_add_trait(t, SYMBOLS_LIMITED);
        if (fd < 0)
                return fd == -ENOMEM ? fd : 0;
        return load_other(fd, e, t);
}

static int load_debug_data(const SymbolHelpers *helpers, ElfImage *e, SymbolTable *t) {
        _cleanup_(elf_section_done) ElfSection data = ELF_SECTION_EMPTY;
        _cleanup_close_ int fd = -EBADF;
        GElf_Shdr header;
        Elf_Scn *section = helpers && helpers->expand ? elf_image_section(e, ".gnu_debugdata", &header) : NULL;
        int r = section ? elf_section_read(&data, e, section, ELF_T_BYTE) : -ENODATA;

        if (r >= 0)
                r = fd = helpers->expand(helpers->userdata, data.data, data.size);
        if (r == -EFBIG)
                symbol_table_add_trait(t, SYMBOLS_LIMITED);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        return load_other(fd, e, t);
}

static int binary_load_fetched(const SymbolHelpers *helpers, int binary, ElfImage *e, SymbolTable *t) {
        _cleanup_close_ int fd = -EBADF;
        BuildId id;

        if (!helpers || !helpers->fetch || build_id_of_fd(binary, &id) < 0)
                return 0;
        fd = symbol_sources_fetch(helpers, &id, false);
        return fd < 0 ? (fd == -ENOMEM ? fd : 0) : load_other(fd, e, t);
}

/* Returns 1 if one of the other sources has a .symtab. */
static int load_others(const SymbolSources *sources, const char *path, int binary, ElfImage *e, SymbolTable *t) {
        int r = binary_load_separate(sources, path, binary, e, t);

        if (r == 0)
                r = load_debug_data(sources->helpers, e, t);
        if (r == 0)
                r = binary_load_fetched(sources->helpers, binary, e, t);
        return r;
}

int binary_symbols_load(const SymbolSources *sources, const char *path, int fd, SymbolTable *t) {
        const char *slash = strrchr(path, '/');
        ElfImage e = ELF_IMAGE_EMPTY;
        bool complete = false;
        int r = elf_image_open(&e, fd);

        if (r < 0)
                return r;
        r = symbol_table_add_elf(t, &e, &e, &complete);
        if (r >= 0 && !complete) {
                r = load_others(sources, path, fd, &e, t);
                complete = r > 0;
        }
        if (!complete)
                symbol_table_add_trait(t, SYMBOLS_INCOMPLETE);
        if (r >= 0 && !complete && sources->frames)
                r = symbol_table_add_frames(t, &e, slash ? slash + 1 : path);
        elf_image_done(&e);
        return MIN_OF(r, 0);
}
