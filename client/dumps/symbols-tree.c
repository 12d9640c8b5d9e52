/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tree for perf report --symfs. perf 6.1 to 6.12 look below it (tools/perf/util/dso.c, dso__read_binary_type_filename())
 * for usr/lib/debug/.build-id/xx/yyyy.debug first, then for the binary's path, and refuse a file with another build id if they
 * know the binary's. The kernel's symbols come from vmlinux there, and from kallsyms only if --kallsyms names it.
 *
 * perf takes build ids from the recording's table by the path, so all files of a path get the same one. Therefore a path that
 * several files had is left out, and so are its build ids, unless all these files have the same symbols. perf shows addresses for
 * binaries that it does not find. A build id is linked only to a file that the directory of symbols has for it: any user can
 * give a file the build id of another one.
 *
 * The tree consists of directories and symbolic links, so nothing is copied, and removing it touches nothing else. Invariant: no
 * path of a recording, which may be anything, leads out of the tree. */

#include "symbols-tree.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <perf-recorder/dump-facts.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "directory-tree.h"
#include "dso-table.h"
#include "elf-build-id.h"
#include "fd-file.h"
#include "format-text.h"
#include "map-record.h"
#include "recorded-paths.h"
#include "symbols.h"
#include "symbols-file.h"

#define LINKS_MAX 262144u
#define KERNEL "[kernel.kallsyms]"
#define KERNEL_IMAGE "/vmlinux"
#define MAPS "/tmp"

typedef struct Making {
        int fd;           /* the tree */
        const SymbolsTree *tree;
        const char *kept; /* NULL: there is none */
        unsigned links;
        unsigned directories;
        bool has_stacks;  /* samples have copied stacks, which perf unwinds */
} Making;

/* An existing file is not replaced. */
static int symbols_tree_link_at(Making *m, int fd, const char *name, const char *target) {
        _cleanup_free_ char *reached = symbols_tree_reach(m->tree, target);

        if (!reached)
                return -ENOMEM;
        if (m->links++ >= LINKS_MAX)
                return -E2BIG;
        return symlinkat(reached, fd, name) >= 0 || errno == EEXIST ? 0 : -errno;
}

/* 1: the link exists now; 0: another file is in its place, or the path is no name. */
static int symbols_tree_put_link(Making *m, const char *path, const char *target) {
        char name[DIRECTORY_TREE_NAME_SIZE];
        _cleanup_close_ int parent = directory_tree_open_parent(m->fd, path, &m->directories, name);
        struct stat st;
        int r;

        if (parent < 0)
                return parent == -ENOTDIR || parent == -EINVAL || parent == -ENAMETOOLONG ? 0 : parent;
        if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) >= 0)
                return 0;
        r = symbols_tree_link_at(m, parent, name, target);
        return r < 0 ? r : 1;
}

static int symbols_tree_put_kept(Making *m, const char *path, const char *place) {
        _cleanup_free_ char *target = path_join(m->kept, place + strspn(place, "/"));

        return target ? symbols_tree_put_link(m, path, target) : -ENOMEM;
}

/* False if links in the directory, which another user may have made, lead to another file. */
static bool symbols_tree_is_at(const Making *m, const char *place, int fd) {
        _cleanup_free_ char *path = path_join(m->kept, place + strspn(place, "/"));
        struct stat a, b;

        return path && stat(path, &a) >= 0 && fstat(fd, &b) >= 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Links the binary at its path, otherwise by its build id if it was kept by that. */
static int symbols_tree_put_kept_binary(Making *m, const DsoHit *dso, const char *place, int fd) {
        char id_path[SYMBOLS_ID_PATH_SIZE];
        int r;

        if (!symbols_tree_is_at(m, place, fd))
                return 0;
        r = symbols_tree_put_kept(m, dso->path, place);
        if (r != 0 || dso->id.size < 2 || !symbols_tree_is_at(m, symbols_id_path(&dso->id, id_path), fd))
                return r;
        return symbols_tree_put_kept(m, id_path, id_path);
}

/* Links a file of this machine, and its separate debug file. */
static int symbols_tree_put_own_binary(Making *m, const DsoHit *dso) {
        char id_path[SYMBOLS_ID_PATH_SIZE];
        int r = symbols_tree_put_link(m, dso->path, dso->path);

        if (r < 0 || dso->id.size < 2)
                return r;
        symbols_id_path(&dso->id, id_path);
        return r > 0 && access(id_path, R_OK) >= 0 ? symbols_tree_put_link(m, id_path, id_path) : 0;
}

/* perf unwinds copied stacks (--call-graph dwarf) with tables of the binary itself (.eh_frame), which the file beside the dump
 * lacks. Symbols that the binary lacks come from its separate debug file or from the file beside the dump, by the build id. */
static int symbols_tree_put_whole_binary(Making *m, const DsoHit *dso, const char *place, int kept) {
        char id_path[SYMBOLS_ID_PATH_SIZE];
        int r = symbols_tree_put_own_binary(m, dso);

        if (r < 0 || kept < 0 || dso->id.size < 2 || !symbols_tree_is_at(m, place, kept))
                return r;
        return symbols_tree_put_kept(m, symbols_id_path(&dso->id, id_path), place);
}

static bool symbols_tree_is_trusted(int fd) {
        struct stat st;

        return fstat(fd, &st) >= 0 && (st.st_uid == 0 || st.st_uid == geteuid());
}

static int symbols_tree_put_binary(Making *m, const DsoHit *dso) {
        _cleanup_close_ int kept = -EBADF, own = -EBADF;
        char place[PATH_MAX];

        if (*dso->path != '/')
                return 0;
        kept = m->kept ? symbols_open_kept(m->kept, dso, place) : -ENOENT;
        if (kept < 0 || m->has_stacks)
                own = symbols_open_binary("", dso);
        if (own >= 0)
                return symbols_tree_put_whole_binary(m, dso, place, symbols_tree_is_trusted(own) ? kept : -ENOENT);
        return kept >= 0 ? symbols_tree_put_kept_binary(m, dso, place, kept) : 0;
}

static void symbols_tree_remove_id(Making *m, const BuildId *id) {
        char id_path[SYMBOLS_ID_PATH_SIZE];

        if (id->size >= 2)
                (void) unlinkat(m->fd, symbols_id_path(id, id_path) + 1, 0);
}

/* Build ids alone do not make files the same. True if all files of the path have one file beside the dump, or none has. */
static bool symbols_tree_have_same(const Making *m, const RecordedPath *path) {
        struct stat first = {};

        for (size_t i = 0; m->kept && i < path->n_files; i++) {
                char place[PATH_MAX];
                _cleanup_close_ int fd = symbols_open_kept(m->kept, path->files[i], place);
                struct stat st = {};

                if (fd >= 0 && fstat(fd, &st) < 0)
                        return false;
                if (i > 0 && (st.st_dev != first.st_dev || st.st_ino != first.st_ino))
                        return false;
                first = st;
        }
        return true;
}

/* Removes the build ids of ambiguous paths, because perf uses one of these for all their files. */
static void symbols_tree_remove_ambiguous_ids(Making *m, const RecordedPaths *paths, const PerfDataReader *reader) {
        size_t cursor = 0;
        BuildIdEntry entry;

        for (size_t i = 0; i < paths->n; i++)
                for (size_t k = 0; paths->paths[i].ambiguous && k < paths->paths[i].n_files; k++)
                        symbols_tree_remove_id(m, &paths->paths[i].files[k]->id);
        while (perf_data_reader_next_build_id(reader, &cursor, &entry) == 1) {
                const RecordedPath *path = recorded_paths_find(paths, entry.path);

                if (path && path->ambiguous)
                        symbols_tree_remove_id(m, &entry.id);
        }
}

static int symbols_tree_put_binaries(Making *m, RecordedPaths *paths, const PerfDataReader *reader) {
        int r = 0;

        for (size_t i = 0; i < paths->n; i++) {
                RecordedPath *path = paths->paths + i;

                path->ambiguous = path->ambiguous || (path->n_files > 1 && !symbols_tree_have_same(m, path));
        }
        for (size_t i = 0; r >= 0 && i < paths->n; i++)
                if (!paths->paths[i].ambiguous)
                        r = symbols_tree_put_binary(m, paths->paths[i].files[0]);
        symbols_tree_remove_ambiguous_ids(m, paths, reader);
        return r < 0 ? r : 0;
}

static bool symbols_tree_has_stacks(const PerfDataReader *reader) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);

        for (size_t i = 0; i < n; i++)
                if (events[i].attr.sample_type & PERF_SAMPLE_STACK_USER)
                        return true;
        return false;
}

static bool symbols_tree_takes_build_ids(const PerfDataReader *reader) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);

        for (size_t i = 0; i < n; i++)
                if (events[i].attr.build_id)
                        return true;
        return false;
}

/* Collects all files that were mapped, up to the first broken record. */
static int symbols_tree_find_mapped(PerfDataReader *reader, DsoTable *t) {
        bool build_ids = symbols_tree_takes_build_ids(reader);
        const struct perf_event_header *record;
        size_t cursor = 0;
        int r;

        while ((r = perf_data_reader_next(reader, &cursor, &record)) == 1) {
                uint32_t number;
                MapRecord map;

                if ((record->type != PERF_RECORD_MMAP && record->type != PERF_RECORD_MMAP2) ||
                    !map_record_parse(record, build_ids, &map) || !map.has_file)
                        continue;
                r = dso_table_intern(t, &map.dso, &number);
                if (r < 0)
                        return r;
        }
        return r == -ENOMEM ? r : 0;
}

static int symbols_tree_put_all_binaries(Making *m, PerfDataReader *reader) {
        _cleanup_(recorded_paths_done) RecordedPaths paths = {};
        _cleanup_(dso_table_done) DsoTable mapped = {};
        int r = symbols_tree_find_mapped(reader, &mapped);

        if (r >= 0)
                r = recorded_paths_identify(&paths, mapped.dsos, mapped.n, reader);
        return r < 0 ? r : symbols_tree_put_binaries(m, &paths, reader);
}

static int symbols_tree_put_kernel(Making *m, SymbolsTree *t, const PerfDataReader *reader) {
        _cleanup_free_ char *image = m->kept ? path_join(m->kept, &KERNEL_IMAGE[1]) : NULL;
        size_t cursor = 0;
        BuildIdEntry entry;
        BuildId running;
        struct stat st;

        if (m->kept && !image)
                return -ENOMEM;
        if (image && lstat(image, &st) >= 0 && S_ISREG(st.st_mode))
                return symbols_tree_put_link(m, KERNEL_IMAGE, image);
        while (!t->needs_kallsyms && perf_data_reader_next_build_id(reader, &cursor, &entry) == 1)
                t->needs_kallsyms = streq(entry.path, KERNEL) && build_id_of_kernel("", &running) >= 0 &&
                                    build_id_equal(&running, &entry.id);
        return 0;
}

/* Links the maps of generated code in the directory. */
static int symbols_tree_put_maps_of(Making *m, const char *directory) {
        _cleanup_closedir_ DIR *d = opendir(directory);
        const struct dirent *e;
        int r = 0;

        while (d && r >= 0 && (e = readdir(d))) {
                _cleanup_free_ char *map = path_join(MAPS, e->d_name), *target = path_join(directory, e->d_name);
                struct stat st;

                if (!map || !target)
                        return -ENOMEM;
                if (symbols_is_perf_map(map) && fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) >= 0 &&
                    symbols_perf_map_counts(&st))
                        r = symbols_tree_put_link(m, map, target);
        }
        return r < 0 ? r : 0;
}

/* The maps beside the dump come first. */
static int symbols_tree_put_maps(Making *m) {
        _cleanup_free_ char *kept = m->kept ? path_join(m->kept, &MAPS[1]) : NULL;
        int r = m->kept && !kept ? -ENOMEM : 0;

        if (r >= 0 && mkdirat(m->fd, &MAPS[1], 0700) < 0)
                r = -errno;
        if (r >= 0 && kept)
                r = symbols_tree_put_maps_of(m, kept);
        return r < 0 ? r : symbols_tree_put_maps_of(m, MAPS);
}

/* Makes the directory of build ids first, so that no recorded path can take its place. */
static int symbols_tree_fill(Making *m, SymbolsTree *t, PerfDataReader *reader) {
        char name[DIRECTORY_TREE_NAME_SIZE];
        _cleanup_close_ int ids = directory_tree_open_parent(m->fd, SYMBOLS_ID_DIRECTORY "/xx/x", &m->directories, name);
        int r = ids < 0 ? ids : symbols_tree_put_kernel(m, t, reader);

        if (r >= 0)
                r = symbols_tree_put_maps(m);
        return r < 0 ? r : symbols_tree_put_all_binaries(m, reader);
}

/* Returns the directory's descriptor or a negative errno. */
static int symbols_tree_make_directory(SymbolsTree *t) {
        const char *parent = secure_getenv("TMPDIR");
        _cleanup_free_ char *path = format_text("%s/perf-recorder-symbols.XXXXXX", parent ?: "/var/tmp");
        int fd;

        if (!path)
                return -ENOMEM;
        if (!mkdtemp(path))
                return -errno;
        t->path = steal_ptr(path);
        fd = open(t->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        return fd < 0 ? -errno : fd;
}

int symbols_tree_make(SymbolsTree *t, const char *kept, PerfDataReader *reader) {
        _cleanup_close_ int fd = symbols_tree_make_directory(t);
        Making m = { .kept = kept, .fd = fd, .tree = t, .has_stacks = symbols_tree_has_stacks(reader) };
        int r = fd < 0 ? fd : 0;

        if (r >= 0 && (t->tmp_fd = open(MAPS, O_PATH | O_DIRECTORY)) < 0) /* perf inherits it */
                r = -errno;
        if (r >= 0)
                r = symbols_tree_fill(&m, t, reader);
        if (r < 0)
                symbols_tree_remove(t);
        return r;
}

void symbols_tree_remove(SymbolsTree *t) {
        if (t->path)
                (void) directory_tree_remove(AT_FDCWD, t->path);
        free(t->path);
        safe_close(t->tmp_fd);
        *t = (SymbolsTree) SYMBOLS_TREE_EMPTY;
}

char *symbols_tree_reach(const SymbolsTree *t, const char *path) {
        const char *below = startswith(path, MAPS "/");

        return below && t->tmp_fd >= 0 ? format_text("/proc/self/fd/%d/%s", t->tmp_fd, below) : strdup(path);
}

/* Without CAP_SYS_CHROOT perf can't enter the mount namespaces of processes (setns(2)), where /tmp is the machine's. */
int symbols_tree_replace_tmp(const SymbolsTree *t) {
        _cleanup_free_ char *maps = path_join(t->path, &MAPS[1]);

        if (!maps)
                return -ENOMEM;
        if (unshare(CLONE_NEWNS) < 0)
                return errno == EPERM ? 0 : -errno;
        if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0 || mount(maps, MAPS, NULL, MS_BIND, NULL) < 0 ||
            prctl(PR_CAPBSET_DROP, CAP_SYS_CHROOT, 0, 0, 0) < 0)
                return -errno;
        return 0;
}
