/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The name of a file in a session's directory tells its kind, and only our own kinds are touched.
 *
 * Invariant: nothing is removed while a recorder runs there, whoever started it: it has the control FIFO open. A
 * temporary file that is locked belongs to a running recorder. A temporary directory of symbols has no lock, so
 * that one of the last minute is not touched; it counts only under its final name, since it may be given up, and no
 * dump should be removed for it. */

#include "directory-use.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "directory-tree.h"
#include "dump.h"
#include "fd-file.h"
#include "symbols-directory.h"

#define RECORDING "perf.data"
#define RECORDING_OLD RECORDING ".old"
#define DIRECTORY_AGE_MIN 60 /* seconds */

void directory_use_done(DirectoryUse *u) {
        free(u->recording);
        *u = (DirectoryUse) {};
}

static bool is_temporary(const char *name) {
        return startswith(name, ".#" RECORDING) || startswith(name, ".#symbols");
}

/* Files that every session has, made by session_directory_open_fifos() and session_directory_open_output(). */
static bool is_furniture(const char *name) {
        return streq(name, "control") || streq(name, "ack") || streq(name, "output");
}

/* fifo(7): opening one for writing fails without a reader. */
static bool has_recorder(int directory_fd) {
        _cleanup_close_ int fd = openat(directory_fd, "control", O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

        return fd >= 0;
}

/* Returns whether it is gone. */
static bool sweep(int directory_fd, const char *name, const struct stat *st) {
        _cleanup_close_ int fd = -EBADF;

        if (S_ISDIR(st->st_mode))
                return st->st_mtime + DIRECTORY_AGE_MIN < time(NULL) && directory_tree_remove(directory_fd, name) >= 0;
        if (!S_ISREG(st->st_mode))
                return false;
        fd = openat(directory_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) >= 0 && unlinkat(directory_fd, name, 0) >= 0;
}

static int take_entry(DirectoryUse *u, int directory_fd, const char *name, bool running, bool in_use) {
        _cleanup_free_ char *file = symbols_directory_file(name);
        struct stat st;
        uint64_t bytes;

        if (dump_name_is_valid(file ?: name)) { /* the store of dumps counts those and their symbols */
                u->empty = false;
                return 0;
        }
        if (fstatat(directory_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
                return 0;
        if (is_temporary(name) && !running && sweep(directory_fd, name, &st))
                return 0;
        bytes = (uint64_t) st.st_blocks * 512;
        if (S_ISDIR(st.st_mode) && directory_tree_usage(directory_fd, name, &bytes) < 0)
                bytes = 0;
        u->empty &= is_furniture(name);
        if (is_furniture(name) || (is_temporary(name) && !S_ISDIR(st.st_mode)) || streq(name, "symbols"))
                u->bytes += bytes;
        if (!S_ISREG(st.st_mode) || (!streq(name, RECORDING) && !streq(name, RECORDING_OLD)))
                return 0;
        u->bytes += bytes;
        if (streq(name, RECORDING) && (in_use || running || u->recording)) /* the previous recording goes before the last one */
                return 0;
        u->recording_bytes = bytes;
        return free_and_strdup(&u->recording, name);
}

int directory_use_read(int directory_fd, bool in_use, DirectoryUse *ret) {
        bool running = has_recorder(directory_fd);
        _cleanup_(directory_use_done) DirectoryUse u = { .empty = !running };
        _cleanup_closedir_ DIR *d = NULL;
        const struct dirent *e;
        int r = open_directory_at(directory_fd, ".", &d);

        while (r >= 0 && (e = readdir(d)))
                if (!streq(e->d_name, ".") && !streq(e->d_name, ".."))
                        r = take_entry(&u, directory_fd, e->d_name, running, in_use);
        if (r < 0)
                return r;
        *ret = u;
        u = (DirectoryUse) {};
        return 0;
}

int directory_use_remove(int directory_fd, const char *recording) {
        _cleanup_close_ int fd = openat(directory_fd, recording, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

        if (fd < 0)
                return -errno;
        if (dump_file_is_used(fd))
                return -EBUSY;
        return unlinkat(directory_fd, recording, 0) < 0 ? -errno : 0;
}

int directory_use_remove_directory(int base_fd, const char *name, int directory_fd) {
        static const char *const furniture[] = { "control", "ack", "output" };

        for (size_t i = 0; i < ELEMENTSOF(furniture); i++)
                if (unlinkat(directory_fd, furniture[i], 0) < 0 && errno != ENOENT)
                        return -errno;
        return unlinkat(base_fd, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}
