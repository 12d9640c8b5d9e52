/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <check.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "fd-file.h"

/* A directory for one test: _cleanup_(scratch_done) char *dir = scratch_new(). Failures here fail the test. */

static inline char *scratch_new(void) {
        const char *parent = getenv("TMPDIR");
        char *dir;

        ck_assert_int_gt(asprintf(&dir, "%s/perf-recorder-test-XXXXXX", parent ?: "/tmp"), 0);
        ck_assert_ptr_nonnull(mkdtemp(dir));
        return dir;
}

static inline int scratch_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
        return remove(path);
}

static inline void scratch_remove(const char *dir) {
        (void) nftw(dir, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void scratch_done(char **dir) {
        scratch_remove(*dir);
        free(*dir);
}

/* Writes dir/name, and creates the directories between them. */
static inline void scratch_write(const char *dir, const char *name, const void *data, size_t size) {
        _cleanup_free_ char *path = path_join(dir, name), *parent = strndup(path, (size_t) (strrchr(path, '/') - path));
        _cleanup_close_ int fd = -EBADF;

        ck_assert_int_eq(make_directories(parent, 0755), 0);
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        ck_assert_int_ge(fd, 0);
        ck_assert_int_eq(write_all(fd, data, size), 0);
}

static inline void scratch_write_text(const char *dir, const char *name, const char *text) {
        scratch_write(dir, name, text, strlen(text));
}

/* Makes the directory and mounts a file system there without a size and without user attributes, for this process and its children.
 * Returns false if it may not. */
static inline bool scratch_mount_ramfs(const char *path) {
        bool mounted = make_directories(path, 0755) >= 0 && unshare(CLONE_NEWNS) == 0 &&
                       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && mount("ramfs", path, "ramfs", 0, NULL) == 0;

        if (!mounted)
                (void) fprintf(stderr, "may not mount ramfs, left out\n");
        return mounted;
}
