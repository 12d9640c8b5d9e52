/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From a binary's path to its symbols. A distribution's binaries are stripped; their symbols may be in a separate
 * file, by one of two conventions (gdb's manual, "Separate Debug Files"): /usr/lib/debug/.build-id/ab/cdef.debug, or
 * the name in .gnu_debuglink, beside the binary, below .debug there, or below /usr/lib/debug. The build id shows
 * whether it is the right one; without a build id the checksum would, which costs a read of the whole file: such a
 * file is not used. */

#include "symbols-file.h"

#include <inttypes.h>

#include "dso-source.h"
#include "elf-build-id.h"
#include "fnv.h"
#include "format-text.h"
#include "root-file.h"
#include "symbol-elf.h"

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

static int symbols_open_by_id(const char *root, const BuildId *id) {
        char path[SYMBOLS_ID_PATH_SIZE];

        return id->size < 2 ? -ENOENT : root_file_open(root, symbols_id_path(id, path));
}

int symbols_open_binary(const char *root, const DsoHit *dso) {
        _cleanup_close_ int fd = root_file_open(root, dso->path);

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

/* Opens the file of that name and build id in the first of the places that has it. */
static int symbols_open_by_link(const char *root, const char *path, ElfImage *e, const BuildId *id) {
        static const char *const places[] = { "%.*s/%s", "%.*s/.debug/%s", DEBUG_ROOT "%.*s/%s" };
        _cleanup_free_ char *name = NULL;
        const char *slash = strrchr(path, '/');
        uint32_t checksum;
        int r = elf_image_debug_link(e, &name, &checksum);

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
                if (fd >= 0 && file_has_id(fd, id))
                        return steal_fd(&fd);
        }
        return r < 0 ? r : -ENOENT;
}

int symbols_open_separate(const char *root, const char *path, int binary, ElfImage *e) {
        BuildId id;
        int fd;

        if (build_id_of_fd(binary, &id) < 0)
                return -ENOENT;
        fd = symbols_open_by_id(root, &id);
        return fd >= 0 ? fd : symbols_open_by_link(root, path, e, &id);
}

static int load_separate(const char *root, const char *path, int binary, ElfImage *e, SymbolTable *t) {
        _cleanup_close_ int fd = symbols_open_separate(root, path, binary, e);
        ElfImage debug = ELF_IMAGE_EMPTY;
        int r;

        if (fd < 0)
                return fd == -ENOMEM ? -ENOMEM : 0;
        r = elf_image_open(&debug, fd);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        r = symbol_table_add_elf(t, &debug, e, NULL);
        elf_image_done(&debug);
        return r;
}

int symbols_load_binary(const char *root, const char *path, int fd, SymbolTable *t) {
        ElfImage e = ELF_IMAGE_EMPTY;
        bool complete = false;
        int r = elf_image_open(&e, fd);

        if (r < 0)
                return r;
        r = symbol_table_add_elf(t, &e, &e, &complete);
        if (r >= 0 && !complete && root)
                r = load_separate(root, path, fd, &e, t);
        elf_image_done(&e);
        return r;
}
