/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds the files of a binary. Those beside the dump, or in the directory that the user named, come first; this machine's own
 * count if they are those that were recorded.
 *
 * A distribution's binaries are stripped; their symbols may be in a separate file, by one of two conventions (gdb's manual,
 * "Separate Debug Files"): its build id, or the name in .gnu_debuglink, beside the binary, below .debug there, or below
 * /usr/lib/debug. The build id shows whether it is the right one; without a build id the checksum does, which costs a read of the
 * whole file (file-sums.h). */

#include "symbol-sources.h"

#include <limits.h>

#include "elf-build-id.h"
#include "file-sums.h"
#include "format-text.h"
#include "root-file.h"
#include "symbol-elf.h"
#include "symbols-file.h"

typedef struct FileSearch {
        SymbolsFit fit;
        void *userdata;
        int found; /* a descriptor, or the most telling error so far */
} FileSearch;

/* An error further down tells more. */
static unsigned weight(int error) {
        switch (error) {
        case -ENOENT:
                return 0;
        case -ESTALE:
                return 2;
        case -EFBIG:
                return 3;
        case -ENOMEM:
                return 4;
        default:
                return 1;
        }
}

/* Takes over an open file, or the error of opening it. Returns whether the search is over. */
static bool search_take(FileSearch *q, int opened) {
        _cleanup_close_ int fd = opened;
        int r = fd >= 0 && q->fit ? q->fit(q->userdata, fd) : fd;

        if (r >= 0)
                q->found = steal_fd(&fd);
        else if (weight(r) >= weight(q->found))
                q->found = r;
        return q->found >= 0 || q->found == -ENOMEM;
}

static bool search_directory(FileSearch *q, const SymbolSources *s, const DsoHit *dso) {
        char place[PATH_MAX];
        bool done = false;

        for (size_t i = 0; s->directory && !done && i < symbols_kept_places; i++)
                done = search_take(q, symbols_open_kept_at(s->directory, dso, i, place));
        if (!done && s->directory && s->named && dso->id.size == 0)
                done = search_take(q, root_file_open(s->directory, dso->path));
        return done;
}

static bool search_ids(FileSearch *q, const char *root, const BuildId *id) {
        char place[SYMBOLS_ID_PATH_SIZE];
        bool done = false;

        for (size_t i = 0; root && !done && symbols_id_place(id, i, place); i++)
                done = search_take(q, symbols_open_checked(root, place, id));
        return done;
}

int symbol_sources_open_binary(const SymbolSources *s, const DsoHit *dso, SymbolsFit fit, void *userdata) {
        FileSearch q = { .fit = fit, .userdata = userdata, .found = -ENOENT };
        bool living = s->living && dso->cpumode == PERF_RECORD_MISC_USER && dso->pid > 0;
        char root[64]; /* a container has files of its own */

        (void) snprintf(root, sizeof(root), "/proc/%u/root", dso->pid);
        if (!search_directory(&q, s, dso) && !(living && search_take(&q, symbols_open_binary(root, dso))) &&
            !(s->root && search_take(&q, symbols_open_binary(s->root, dso))) && !search_ids(&q, s->cache, &dso->id) &&
            *dso->path == '/')
                (void) search_take(&q, symbol_sources_fetch(s->helpers, &dso->id, true));
        return q.found;
}

static int fit_code(void *unused, int fd) {
        ElfImage e = ELF_IMAGE_EMPTY;
        int r = elf_image_open(&e, fd);

        if (r < 0)
                return r;
        r = elf_image_has_code(&e) ? 0 : -ENOENT;
        elf_image_done(&e);
        return r;
}

int symbol_sources_open_code(const SymbolSources *s, const DsoHit *dso) {
        return symbol_sources_open_binary(s, dso, fit_code, NULL);
}

typedef struct DebugLink {
        char *name; /* NULL: there is none */
        uint32_t checksum;
} DebugLink;

/* Looks below a root for the file of that name and build id, or checksum. */
static bool search_link(FileSearch *q, const char *root, const char *path, const DebugLink *link, const BuildId *id) {
        static const char *const places[][2] = { { "", "" }, { "", "/.debug" }, { "/usr/lib/debug", "" } };
        const char *slash = strrchr(path, '/');
        bool done = false;

        for (size_t i = 0; root && slash && link->name && !done && i < ELEMENTSOF(places); i++) {
                _cleanup_free_ char *candidate = format_text("%s%.*s%s/%s", places[i][0], (int) (slash - path), path,
                                                             places[i][1], link->name);
                _cleanup_close_ int fd = candidate ? root_file_open(root, candidate) : -ENOMEM;
                int r = fd < 0 || id->size > 0 ? 0 : file_sum_check(fd, link->checksum);
                BuildId other;

                if (fd >= 0 && id->size > 0 && (build_id_of_fd(fd, &other) < 0 || !build_id_equal(&other, id)))
                        r = -ESTALE;
                done = search_take(q, r == -ENODATA ? -EFBIG : r < 0 ? r : steal_fd(&fd));
        }
        return done;
}

int symbol_sources_open_separate(const SymbolSources *s, const char *path, int binary, ElfImage *e, SymbolsFit fit,
                                 void *userdata) {
        const char *const roots[] = { s->directory, s->root, s->cache };
        FileSearch q = { .fit = fit, .userdata = userdata, .found = -ENOENT };
        DebugLink link = {};
        bool done = false;
        BuildId id;

        if (build_id_of_fd(binary, &id) < 0)
                id.size = 0;
        if (elf_image_debug_link(e, &link.name, &link.checksum) < 0)
                link.name = NULL;
        for (size_t i = 0; !done && i < ELEMENTSOF(roots); i++)
                done = search_ids(&q, roots[i], &id) || search_link(&q, roots[i], path, &link, &id);
        free(link.name);
        return q.found;
}

int symbol_sources_fetch(const SymbolHelpers *helpers, const BuildId *id, bool binary) {
        bool can = helpers && helpers->fetch && id->size > 0;
        _cleanup_close_ int fd = can ? helpers->fetch(helpers->userdata, id, binary) : -ENOENT;
        BuildId other;

        return fd < 0 || (build_id_of_fd(fd, &other) >= 0 && build_id_equal(&other, id)) ? steal_fd(&fd) : -ESTALE;
}
