/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each name in a session's directory is of one kind, and only kinds of ours are touched. Invariant: nothing is removed while
 * a recorder lives there, whoever started it: it has the control FIFO open. A temporary file belongs to a
 * living recorder if that has it locked, as all of ours do; a temporary directory of symbols has no lock, so that one of
 * the last minute is not touched, and counts only once it has its name: it may be given up, and no dump goes for that. */

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

static bool is_of_a_dump(const char *name) {
        _cleanup_free_ char *file = symbols_directory_file(name);

        return dump_name_is_valid(file ?: name);
}

/* Made by base_directory_open_session() and its kin. */
static bool is_furniture(const char *name) {
        return streq(name, "control") || streq(name, "ack") || streq(name, "output");
}

/* fifo(7): to open one for writing needs a reader. */
static bool has_recorder(int directory_fd) {
        _cleanup_close_ int fd = openat(directory_fd, "control", O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

        return fd >= 0;
}

static bool is_locked(int directory_fd, const char *name) {
        _cleanup_close_ int fd = openat(directory_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

        return fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0;
}

/* Answers whether it is gone. */
static bool sweep(int directory_fd, const char *name, const struct stat *st) {
        if (S_ISDIR(st->st_mode))
                return st->st_mtime + DIRECTORY_AGE_MIN < time(NULL) && directory_tree_remove(directory_fd, name) >= 0;
        return S_ISREG(st->st_mode) && !is_locked(directory_fd, name) && unlinkat(directory_fd, name, 0) >= 0;
}

static uint64_t usage_of(int directory_fd, const char *name, const struct stat *st) {
        uint64_t bytes;

        if (S_ISDIR(st->st_mode))
                return directory_tree_usage(directory_fd, name, &bytes) < 0 ? 0 : bytes;
        return (uint64_t) st->st_blocks * 512;
}

/* The previous recording goes before the last one. */
static int note_recording(DirectoryUse *u, const char *name, uint64_t bytes, bool in_use) {
        if (streq(name, RECORDING) && (in_use || u->recording))
                return 0;
        u->recording_bytes = bytes;
        return free_and_strdup(&u->recording, name);
}

static int take_entry(DirectoryUse *u, int directory_fd, const char *name, bool running, bool in_use) {
        struct stat st;
        uint64_t bytes;

        if (is_of_a_dump(name)) { /* which the store of dumps counts */
                u->empty = false;
                return 0;
        }
        if (fstatat(directory_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
                return 0;
        if (is_temporary(name) && !running && sweep(directory_fd, name, &st))
                return 0;
        bytes = usage_of(directory_fd, name, &st);
        u->empty &= is_furniture(name);
        if (is_furniture(name) || (is_temporary(name) && !S_ISDIR(st.st_mode)) || streq(name, "symbols"))
                u->bytes += bytes;
        if (!S_ISREG(st.st_mode) || (!streq(name, RECORDING) && !streq(name, RECORDING_OLD)))
                return 0;
        u->bytes += bytes;
        return note_recording(u, name, bytes, in_use || running);
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
