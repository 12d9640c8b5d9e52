/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From a binary's path to its symbols. A distribution's binaries are stripped; their symbols may be in a separate
 * file, by one of two conventions (gdb's manual, "Separate Debug Files"): /usr/lib/debug/.build-id/ab/cdef.debug, or
 * the name in .gnu_debuglink, beside the binary, below .debug there, or below /usr/lib/debug. The build id shows
 * whether it is the right one; without a build id the checksum does, which costs a read of the whole file (file-sums.h). */

#include "symbols-file.h"

#include <inttypes.h>
#include <unistd.h>

#include "dso-source.h"
#include "elf-build-id.h"
#include "file-sums.h"
#include "fnv.h"
#include "format-text.h"
#include "frame-functions.h"
#include "root-file.h"
#include "symbol-elf.h"
#include "vdso-image.h"

#define DEBUG_ROOT "/usr/lib/debug"

static bool file_has_id(int fd, const BuildId *id) {
        BuildId other;

        return build_id_of_fd(fd, &other) >= 0 && build_id_equal(&other, id);
}

char *symbols_id_path(const BuildId *id, char buf[static SYMBOLS_ID_PATH_SIZE]) {
        char text[BUILD_ID_TEXT_SIZE];

        build_id_format(id, text);
        (void) snprintf(buf, SYMBOLS_ID_PATH_SIZE, SYMBOLS_ID_DIRECTORY "/%.2s/%s.debug", text, text + 2);
        return buf;
}

int symbols_open_by_id(const char *root, const BuildId *id) {
        char path[SYMBOLS_ID_PATH_SIZE];

        return id->size < 2 ? -ENOENT : root_file_open(root, symbols_id_path(id, path));
}

int symbols_open_binary(const char *root, const DsoHit *dso) {
        _cleanup_close_ int fd = -EBADF;

        if (streq(dso->path, "[vdso]"))
                return dso->id.size > 0 ? vdso_image_open(&dso->id) : -ESTALE;
        fd = root_file_open(root, dso->path);
        if (fd < 0)
                return fd;
        return (dso->id.size > 0 ? file_has_id(fd, &dso->id) : dso->inode != 0 && dso_has_inode(dso, fd)) ? steal_fd(&fd) : -ESTALE;
}

char *symbols_inode_path(const DsoHit *dso, char buf[static SYMBOLS_INODE_PATH_SIZE]) {
        (void) snprintf(buf, SYMBOLS_INODE_PATH_SIZE, "/usr/lib/debug/.inode/%u:%u:%" PRIu64 ":%016" PRIx64, dso->major, dso->minor,
                        dso->inode, fnv_text(FNV_BEGIN, dso->path));
        return buf;
}

/* If the build id is known, only that decides. */
static int symbols_open_checked(const char *directory, const char *path, const BuildId *wanted) {
        _cleanup_close_ int fd = root_file_open(directory, path);
        BuildId id;

        if (fd < 0)
                return fd;
        if (build_id_of_fd(fd, &id) < 0)
                id.size = 0;
        return build_id_equal(&id, wanted) ? steal_fd(&fd) : -ESTALE;
}

int symbols_open_kept(const char *directory, const DsoHit *dso, char place[static PATH_MAX]) {
        int fd = -ENOENT;

        if (dso->inode != 0)
                fd = dso->id.size > 0 ? symbols_open_checked(directory, symbols_inode_path(dso, place), &dso->id) :
                                        root_file_open(directory, symbols_inode_path(dso, place));
        if (fd < 0 && dso->id.size >= 2)
                fd = symbols_open_checked(directory, symbols_id_path(&dso->id, place), &dso->id);
        if (fd >= 0)
                return fd;
        if ((size_t) snprintf(place, PATH_MAX, "%s", dso->path) >= PATH_MAX)
                return -ENAMETOOLONG;
        return symbols_open_checked(directory, dso->path, &dso->id);
}

/* Opens the file of that name and build id, or checksum, in the first of the places that has it. -EFBIG: the checksum of one of
 * them was not looked at. */
static int symbols_open_by_link(const char *root, const char *path, ElfImage *e, const BuildId *id) {
        static const char *const places[] = { "%.*s/%s", "%.*s/.debug/%s", DEBUG_ROOT "%.*s/%s" };
        _cleanup_free_ char *name = NULL;
        const char *slash = strrchr(path, '/');
        uint32_t checksum;
        int r = elf_image_debug_link(e, &name, &checksum), found = -ENOENT;

        for (size_t i = 0; r >= 0 && slash && i < ELEMENTSOF(places); i++) {
                _cleanup_free_ char *candidate = NULL;
                _cleanup_close_ int fd = -EBADF;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
                candidate = format_text(places[i], (int) (slash - path), path, name);
                if (!candidate)
                        return -ENOMEM;
#pragma GCC diagnostic pop
                fd = root_file_open(root, candidate);
                r = fd < 0 ? fd : id->size == 0 ? file_sum_check(fd, checksum) : file_has_id(fd, id) ? 0 : -ESTALE;
                if (r >= 0)
                        return steal_fd(&fd);
                found = r == -EFBIG || r == -ENODATA ? -EFBIG : found;
                r = 0;
        }
        return r < 0 ? r : found;
}

int symbols_open_separate(const char *root, const char *path, int binary, ElfImage *e) {
        BuildId id;
        int fd;

        if (build_id_of_fd(binary, &id) < 0)
                id.size = 0;
        fd = symbols_open_by_id(root, &id);
        return fd >= 0 ? fd : symbols_open_by_link(root, path, e, &id);
}

bool symbols_are_stripped(int fd) {
        ElfImage e = ELF_IMAGE_EMPTY;
        GElf_Shdr header;
        bool stripped;

        if (elf_image_open(&e, fd) < 0)
                return false;
        stripped = !elf_image_section_of_type(&e, SHT_SYMTAB, &header);
        elf_image_done(&e);
        return stripped;
}

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

static int load_separate(const SymbolSources *sources, const char *path, int binary, ElfImage *e, SymbolTable *t) {
        _cleanup_close_ int fd = sources->root ? symbols_open_separate(sources->root, path, binary, e) : -ENOENT;

        if (fd == -EFBIG)
                symbol_table_set_limited(t);
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
                symbol_table_set_limited(t);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        return load_other(fd, e, t);
}

int symbols_fetch(const SymbolHelpers *helpers, const BuildId *id, bool binary) {
        bool can = helpers && helpers->fetch && id->size > 0;
        _cleanup_close_ int fd = can ? helpers->fetch(helpers->userdata, id, binary) : -ENOENT;

        return fd < 0 || file_has_id(fd, id) ? steal_fd(&fd) : -ESTALE;
}

static int load_fetched(const SymbolHelpers *helpers, int binary, ElfImage *e, SymbolTable *t) {
        _cleanup_close_ int fd = -EBADF;
        BuildId id;

        if (!helpers || !helpers->fetch || build_id_of_fd(binary, &id) < 0)
                return 0;
        fd = symbols_fetch(helpers, &id, false);
        return fd < 0 ? (fd == -ENOMEM ? fd : 0) : load_other(fd, e, t);
}

/* Returns 1 if one of the other sources has a .symtab. */
static int load_others(const SymbolSources *sources, const char *path, int binary, ElfImage *e, SymbolTable *t) {
        int r = load_separate(sources, path, binary, e, t);

        if (r == 0)
                r = load_debug_data(sources->helpers, e, t);
        if (r == 0)
                r = load_fetched(sources->helpers, binary, e, t);
        return r;
}

int symbols_load_binary(const SymbolSources *sources, const char *path, int fd, SymbolTable *t) {
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
        symbol_table_set_incomplete(t, !complete);
        if (r >= 0 && !complete && sources->frames)
                r = symbol_table_add_frames(t, &e, slash ? slash + 1 : path);
        elf_image_done(&e);
        return MIN_OF(r, 0);
}
