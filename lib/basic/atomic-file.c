/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A file that is written whole or not at all. The target's directory is opened once: also if its path changes in the
 * meantime, the temporary file and the target are in the same directory. Links are never followed, neither at the
 * temporary name (O_EXCL) nor at the target (renameat replaces the link). If the directory can't be synced, the rename
 * is not undone: the file exists, and only a power failure could lose it. */

#include "atomic-file.h"
#include "fd-file.h"
#include "format-text.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/random.h>
#include <sys/stat.h>

#define TEMPORARY_TRIES 16

void atomic_file_done(AtomicFile *f) {
        f->fd = safe_close(f->fd);
        if (f->temporary)
                (void) unlinkat(f->dir_fd, f->temporary, 0);
        free(f->temporary);
        free(f->name);
        (void) safe_close(f->dir_fd);
        *f = (AtomicFile) ATOMIC_FILE_EMPTY;
}

/* Opens the directory that name is in and keeps name's last part. */
static int open_directory(AtomicFile *f, int dir_fd, const char *name) {
        const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
        _cleanup_free_ char *directory = NULL;

        if (*last == '\0' || streq(last, ".") || streq(last, ".."))
                return -EINVAL;

        directory = slash ? strndup(name, (size_t) (last - name)) : strdup(".");
        f->name = strdup(last);
        if (!directory || !f->name)
                return -ENOMEM;

        f->dir_fd = openat(dir_fd, directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        return f->dir_fd < 0 ? -errno : 0;
}

/* Creates ".#NAME.XXXXXX". */
static int create_temporary(AtomicFile *f, mode_t mode) {
        for (unsigned i = 0; i < TEMPORARY_TRIES; i++) {
                _cleanup_free_ char *temporary = NULL;
                uint32_t random;

                if (getrandom(&random, sizeof(random), 0) < 0)
                        return -errno;
                temporary = format_text(".#%s.%06" PRIx32, f->name, random & UINT32_C(0xffffff));
                if (!temporary)
                        return -ENOMEM;

                f->fd = openat(f->dir_fd, temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
                if (f->fd >= 0) {
                        f->temporary = steal_ptr(temporary);
                        return 0;
                }
                if (errno != EEXIST)
                        return -errno;
        }
        return -EEXIST;
}

int atomic_file_open(AtomicFile *f, int dir_fd, const char *name, mode_t mode) {
        _cleanup_(atomic_file_done) AtomicFile new = ATOMIC_FILE_EMPTY;
        int r = open_directory(&new, dir_fd, name);

        if (r < 0)
                return r;
        r = create_temporary(&new, mode);
        if (r < 0)
                return r;

        *f = steal_value(new, (AtomicFile) ATOMIC_FILE_EMPTY);
        return 0;
}

int atomic_file_commit(AtomicFile *f) {
        int r = !f->unsynced && fsync(f->fd) < 0 ? -errno : 0;

        if (close(steal_fd(&f->fd)) < 0 && r == 0)
                r = -errno;
        if (r == 0 && renameat(f->dir_fd, f->temporary, f->dir_fd, f->name) < 0)
                r = -errno;
        if (r == 0) {
                free(steal_ptr(f->temporary));
                if (!f->unsynced)
                        (void) fsync(f->dir_fd);
        }
        atomic_file_done(f);
        return r;
}

int write_file_atomic(int dir_fd, const char *name, mode_t mode, const void *data, size_t size) {
        _cleanup_(atomic_file_done) AtomicFile f = ATOMIC_FILE_EMPTY;
        int r = atomic_file_open(&f, dir_fd, name, mode);

        if (r < 0)
                return r;
        r = write_all(f.fd, data, size);
        if (r < 0)
                return r;
        return atomic_file_commit(&f);
}
