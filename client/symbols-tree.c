/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where perf 6.1 to 6.12 look below --symfs (tools/perf/util/dso.c, dso__read_binary_type_filename()): at
 * usr/lib/debug/.build-id/xx/yyyy.debug first, then at the binary's path; a file of another build id is refused. The kernel's
 * symbols come from vmlinux there, and from kallsyms only if it is named.
 *
 * The tree has directories of its own and symbolic links, so nothing is copied, and removing it touches nothing else. Paths
 * in a recording may be anything: none leads out of the tree. Only what has names that perf would never have done with is a
 * copy, in which these names are none of C++. */

#include "symbols-tree.h"

#include <fcntl.h>
#include <limits.h>
#include <perf-recorder/dump-facts.h>
#include <sys/stat.h>

#include "costly-names.h"
#include "directory-tree.h"
#include "dump-copy.h"
#include "symbols-file.h"

#define DEPTH_MAX 128u
#define LINKS_MAX 262144u
#define COPY_MAX ((off_t) 256 << 20) /* bytes; a larger one is left out */
#define KERNEL "[kernel.kallsyms]"

typedef struct Making {
        int fd; /* the tree */
        const char *kept;
        unsigned links;
        unsigned directories;
        CostlyNames costly;
} Making;

static int copy_at(const Making *m, int fd, const char *name, int from) {
        _cleanup_close_ int to = -EBADF;
        struct stat st;
        int r;

        if (fstat(from, &st) < 0)
                return -errno;
        if (st.st_size > COPY_MAX)
                return 0;
        to = openat(fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (to < 0)
                return errno == EEXIST ? 0 : -errno;
        r = dump_copy_to_fd(from, to);
        for (size_t i = 0; r >= 0 && i < m->costly.n; i++)
                if (pwrite(to, "?", 1, (off_t) m->costly.offsets[i]) != 1)
                        r = -EIO;
        return r;
}

/* Something that is there stays. */
static int link_at(Making *m, int fd, const char *name, const char *target) {
        _cleanup_close_ int from = open(target, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        int r;

        if (m->links++ >= LINKS_MAX)
                return -E2BIG;
        r = from >= 0 ? costly_names_find(&m->costly, from) : 0;
        if (r < 0)
                return r == -E2BIG ? 0 : r;
        if (from >= 0 && m->costly.n > 0)
                return copy_at(m, fd, name, from);
        return symlinkat(target, fd, name) >= 0 || errno == EEXIST ? 0 : -errno;
}

static int link_entry(Making *m, int from_fd, const char *from, int to_fd, const char *name, unsigned depth);

/* All that is in a directory of the kept symbols; from_fd is taken over. */
static int link_all(Making *m, int from_fd, const char *from, int to_fd, unsigned depth) {
        _cleanup_closedir_ DIR *d = fdopendir(from_fd);
        const struct dirent *e;
        int r = 0;

        if (!d) {
                r = -errno;
                (void) safe_close(from_fd);
                return r;
        }
        while (r >= 0 && (e = readdir(d)))
                if (!streq(e->d_name, ".") && !streq(e->d_name, ".."))
                        r = link_entry(m, from_fd, from, to_fd, e->d_name, depth);
        return r;
}

static int link_entry(Making *m, int from_fd, const char *from, int to_fd, const char *name, unsigned depth) {
        _cleanup_free_ char *path = NULL;
        _cleanup_close_ int below = -EBADF, to = -EBADF;
        struct stat st;

        if (asprintf(&path, "%s/%s", from, name) < 0) {
                path = NULL;
                return -ENOMEM;
        }
        if (fstatat(from_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
                return -errno;
        if (S_ISREG(st.st_mode))
                return link_at(m, to_fd, name, path);
        if (!S_ISDIR(st.st_mode) || depth >= DEPTH_MAX)
                return 0;
        below = openat(from_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below < 0 || (mkdirat(to_fd, name, 0700) < 0 && errno != EEXIST))
                return -errno;
        to = openat(to_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        return to < 0 ? -errno : link_all(m, steal_fd(&below), path, to, depth + 1);
}

/* 1: it is there now; 0: something else is in its place, or it is no name. */
static int put_link(Making *m, const char *path, const char *target) {
        char name[DIRECTORY_TREE_NAME_SIZE];
        _cleanup_close_ int parent = directory_tree_open_parent(m->fd, path, &m->directories, name);
        struct stat st;
        int r;

        if (parent < 0)
                return parent == -ENOTDIR || parent == -EINVAL || parent == -ENAMETOOLONG ? 0 : parent;
        if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) >= 0)
                return 0;
        r = link_at(m, parent, name, target);
        return r < 0 ? r : 1;
}

/* A file of this machine: at its path, otherwise by its build id; and what was taken off it, by the build id. */
static int link_own(Making *m, const DsoHit *dso) {
        char id_path[SYMBOLS_ID_PATH_SIZE];
        int r;

        if (dso->id.size < 2)
                return 0;
        symbols_id_path(&dso->id, id_path);
        r = put_link(m, dso->path, dso->path);
        if (r < 0)
                return r;
        if (r == 0)
                return put_link(m, id_path, dso->path);
        return access(id_path, R_OK) >= 0 ? put_link(m, id_path, id_path) : 0;
}

static int add_missing(Making *m, const BuildIdEntry *entry) {
        DsoHit dso = { .path = entry->path, .cpumode = entry->cpumode, .id = entry->id };
        _cleanup_close_ int kept = -EBADF, own = -EBADF;
        int r;

        if (*entry->path != '/')
                return 0;
        kept = symbols_open_kept(m->kept, &dso);
        if (kept >= 0)
                return 0;
        own = symbols_open_binary("", &dso);
        r = own < 0 ? 0 : link_own(m, &dso);
        return r < 0 ? r : 0;
}

static bool is_running_kernel(const BuildIdEntry *entry) {
        BuildId running;

        return streq(entry->path, KERNEL) && build_id_of_kernel("", &running) >= 0 && running.size == entry->id.size &&
               memcmp(running.bytes, entry->id.bytes, running.size) == 0;
}

static int fill(Making *m, SymbolsTree *t, int kept_fd, const PerfDataReader *reader) {
        bool has_kernel = faccessat(kept_fd, "vmlinux", F_OK, AT_SYMLINK_NOFOLLOW) >= 0;
        BuildIdEntry entry;
        int r = link_all(m, kept_fd, m->kept, m->fd, 0);

        for (size_t cursor = 0; r >= 0 && perf_data_reader_next_build_id(reader, &cursor, &entry) == 1;) {
                t->needs_kallsyms = t->needs_kallsyms || (!has_kernel && is_running_kernel(&entry));
                r = add_missing(m, &entry);
        }
        return r;
}

static int make_directory(SymbolsTree *t) {
        const char *parent = secure_getenv("TMPDIR");

        if (asprintf(&t->path, "%s/perf-recorder-symbols.XXXXXX", parent ?: "/var/tmp") < 0) {
                t->path = NULL;
                return -ENOMEM;
        }
        if (!mkdtemp(t->path)) {
                int r = -errno;

                free(steal_ptr(t->path));
                return r;
        }
        return 0;
}

int symbols_tree_make(SymbolsTree *t, const char *kept, const PerfDataReader *reader) {
        _cleanup_free_ char *real = realpath(kept, NULL);
        _cleanup_close_ int kept_fd = -EBADF, fd = -EBADF;
        Making m = { .kept = real };
        int r;

        if (!real)
                return -errno;
        kept_fd = open(real, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (kept_fd < 0)
                return -errno;
        r = make_directory(t);
        if (r < 0)
                return r;
        fd = open(t->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        m.fd = fd;
        r = fd < 0 ? -errno : fill(&m, t, steal_fd(&kept_fd), reader);
        costly_names_done(&m.costly);
        if (r < 0)
                symbols_tree_remove(t);
        return r;
}

void symbols_tree_remove(SymbolsTree *t) {
        if (t->path)
                (void) directory_tree_remove(AT_FDCWD, t->path);
        free(t->path);
        *t = (SymbolsTree) {};
}
