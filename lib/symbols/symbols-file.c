/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The paths at which the files of a binary are, and how it is known that they are its own: by the build id or, if none was
 * recorded, by the inode. They are chosen from in symbol-sources.c. */

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

/* The places of a file by its build id below any root: gdb's, those of a directory of debug files, and those of
 * perf-buildid-cache(1), whose directories perf archive fills, too. */
static const struct {
        const char *directory, *end;
} id_places[] = {
        { SYMBOLS_ID_DIRECTORY, ".debug" }, { "/.build-id", ".debug" }, { "/.build-id", "/elf" }, { "/.build-id", "/debug" },
        { "/.build-id", "/vdso" },
};

bool symbols_id_place(const BuildId *id, size_t i, char buf[static SYMBOLS_ID_PATH_SIZE]) {
        char text[BUILD_ID_TEXT_SIZE];

        if (id->size < 2 || i >= ELEMENTSOF(id_places))
                return false;
        build_id_format(id, text);
        (void) snprintf(buf, SYMBOLS_ID_PATH_SIZE, "%s/%.2s/%s%s", id_places[i].directory, text, text + 2, id_places[i].end);
        return true;
}

char *symbols_id_path(const BuildId *id, char buf[static SYMBOLS_ID_PATH_SIZE]) {
        (void) symbols_id_place(id, 0, buf);
        return buf;
}

int symbols_open_by_id(const char *root, const BuildId *id) {
        char path[SYMBOLS_ID_PATH_SIZE];

        return symbols_id_place(id, 0, path) ? root_file_open(root, path) : -ENOENT;
}

int symbols_open_binary(const char *root, const DsoHit *dso) {
        _cleanup_close_ int fd = -EBADF;
        BuildId id;

        if (streq(dso->path, "[vdso]"))
                return dso->id.size > 0 ? vdso_image_open(&dso->id) : -ESTALE;
        fd = root_file_open(root, dso->path);
        if (fd < 0)
                return fd;
        if (dso->id.size == 0)
                return dso->inode != 0 && dso_has_inode(dso, fd) ? steal_fd(&fd) : -ESTALE;
        return build_id_of_fd(fd, &id) >= 0 && build_id_equal(&id, &dso->id) ? steal_fd(&fd) : -ESTALE;
}

char *symbols_inode_path(const DsoHit *dso, char buf[static SYMBOLS_INODE_PATH_SIZE]) {
        (void) snprintf(buf, SYMBOLS_INODE_PATH_SIZE, "/usr/lib/debug/.inode/%u:%u:%" PRIu64 ":%016" PRIx64, dso->major, dso->minor,
                        dso->inode, fnv_text(FNV_BEGIN, dso->path));
        return buf;
}

int symbols_open_checked(const char *root, const char *path, const BuildId *wanted) {
        _cleanup_close_ int fd = root_file_open(root, path);
        BuildId id;

        if (fd < 0)
                return fd;
        if (build_id_of_fd(fd, &id) < 0)
                id.size = 0;
        return build_id_equal(&id, wanted) ? steal_fd(&fd) : -ESTALE;
}

/* The places of a binary in a directory of symbols: by its inode, by its build id, and its path. If the build id is known, only
 * that decides. */
int symbols_open_kept_at(const char *directory, const DsoHit *dso, size_t i, char place[static PATH_MAX]) {
        if (i == 0) {
                if (dso->inode == 0)
                        return -ENOENT;
                (void) symbols_inode_path(dso, place);
                return dso->id.size > 0 ? symbols_open_checked(directory, place, &dso->id) : root_file_open(directory, place);
        }
        if (i <= ELEMENTSOF(id_places))
                return symbols_id_place(&dso->id, i - 1, place) ? symbols_open_checked(directory, place, &dso->id) : -ENOENT;
        if ((size_t) snprintf(place, PATH_MAX, "%s", dso->path) >= PATH_MAX)
                return -ENAMETOOLONG;
        return symbols_open_checked(directory, place, &dso->id);
}

const size_t symbols_kept_places = ELEMENTSOF(id_places) + 2;

int symbols_open_kept(const char *directory, const DsoHit *dso, char place[static PATH_MAX]) {
        int fd = -ENOENT;

        for (size_t i = 0; fd < 0 && i < symbols_kept_places; i++)
                fd = symbols_open_kept_at(directory, dso, i, place);
        return fd;
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

