/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Walks a directory by descriptors: each level is opened by its name in the one above, without following links, so
 * that nothing outside is reached, also if names change in the meantime. The depth is limited, and so is the number of
 * descriptors. */

#include "directory-tree.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "array.h"
#include "fd-file.h"

#define DEPTH_MAX 128u
#define PARTS_MAX 64u
#define MODE 0755

typedef struct Walk {
        dev_t device;
        bool remove;
        uint64_t bytes;
        uint64_t directories; /* bytes of those */
        bool list;
        TreeFile *files;
        size_t n_files, n_allocated;
        int error;
} Walk;

static void note(Walk *w, int error) {
        if (w->error == 0)
                w->error = error;
}

/* A file with several names counts for its share. */
static void count(Walk *w, const struct stat *st) {
        uint64_t bytes = (uint64_t) st->st_blocks * 512;

        if (S_ISDIR(st->st_mode))
                w->directories += bytes;
        else if (st->st_nlink > 0)
                bytes /= (uint64_t) st->st_nlink;
        w->bytes += bytes;
        if (!w->list || S_ISDIR(st->st_mode))
                return;
        if (w->n_files >= DIRECTORY_TREE_FILES_MAX)
                note(w, -E2BIG);
        else if (ARRAY_RESERVE(w->files, w->n_allocated, w->n_files + 1) < 0)
                note(w, -ENOMEM);
        else
                w->files[w->n_files++] = (TreeFile) { .inode = st->st_ino, .bytes = (uint64_t) st->st_blocks * 512 };
}

static void walk(Walk *w, int parent_fd, const char *name, unsigned depth);

static void look_at(Walk *w, int directory_fd, const char *name, unsigned depth) {
        struct stat st;

        if (fstatat(directory_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
                note(w, -errno);
                return;
        }
        count(w, &st);
        if (S_ISDIR(st.st_mode) && st.st_dev == w->device)
                walk(w, directory_fd, name, depth + 1);
        else if (w->remove && unlinkat(directory_fd, name, 0) < 0)
                note(w, -errno);
}

static void walk(Walk *w, int parent_fd, const char *name, unsigned depth) {
        _cleanup_closedir_ DIR *d = NULL;
        struct dirent *e;
        int r = depth > DEPTH_MAX ? -ELOOP : open_directory_at(parent_fd, name, &d);

        if (r < 0 || !d) {
                note(w, r);
                return;
        }
        while ((e = readdir(d)))
                if (!streq(e->d_name, ".") && !streq(e->d_name, ".."))
                        look_at(w, dirfd(d), e->d_name, depth);
        if (w->remove && unlinkat(parent_fd, name, AT_REMOVEDIR) < 0)
                note(w, -errno);
}

static int begin(Walk *w, int parent_fd, const char *name) {
        struct stat st;

        if (fstatat(parent_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
                return -errno;
        if (!S_ISDIR(st.st_mode))
                return -ENOTDIR;
        w->device = st.st_dev;
        walk(w, parent_fd, name, 0);
        return 0;
}

int directory_tree_usage(int parent_fd, const char *name, uint64_t *ret) {
        Walk w = {};
        int r = begin(&w, parent_fd, name);

        if (r < 0)
                return r;
        *ret = w.bytes;
        return 0;
}

int directory_tree_files(int parent_fd, const char *name, uint64_t *ret_usage, uint64_t *ret_directories, TreeFile **ret,
                         size_t *ret_n) {
        Walk w = { .list = true };
        int r = begin(&w, parent_fd, name);

        if (r >= 0 && (w.error == -ENOMEM || w.error == -E2BIG))
                r = w.error;
        if (r < 0) {
                free(w.files);
                return r;
        }
        *ret_usage = w.bytes;
        *ret_directories = w.directories;
        *ret = w.files;
        *ret_n = w.n_files;
        return 0;
}

int directory_tree_remove(int parent_fd, const char *name) {
        Walk w = { .remove = true };
        int r = begin(&w, parent_fd, name);

        return r < 0 ? r : w.error;
}

/* The next part of a path, which moves behind it; 0 at the end. */
static int next_part(const char **path, char ret[static DIRECTORY_TREE_NAME_SIZE]) {
        size_t n;

        *path += strspn(*path, "/");
        n = strcspn(*path, "/");
        if (n == 0)
                return 0;
        if (n >= DIRECTORY_TREE_NAME_SIZE)
                return -ENAMETOOLONG;
        memcpy(ret, *path, n);
        ret[n] = '\0';
        *path += n;
        return streq(ret, "..") || streq(ret, ".") ? -EINVAL : 1;
}

static int open_below(int fd, const char *name) {
        int below = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        return below >= 0 ? below : errno == ELOOP ? -ENOTDIR : -errno;
}

static int make_one(int fd, const char *name, unsigned *made) {
        if (!made)
                return 0;
        if (mkdirat(fd, name, MODE) < 0)
                return errno == EEXIST ? 0 : -errno;
        if (fchmodat(fd, name, MODE, 0) < 0)
                return -errno;
        (*made)++;
        return 0;
}

int directory_tree_open_parent(int root_fd, const char *path, unsigned *made, char ret_name[static DIRECTORY_TREE_NAME_SIZE]) {
        _cleanup_close_ int fd = open_below(root_fd, ".");
        unsigned parts = 0;
        int r = fd < 0 ? fd : next_part(&path, ret_name);

        if (r <= 0)
                return r < 0 ? r : -EINVAL;
        while (path[strspn(path, "/")]) {
                int below;

                r = parts++ > PARTS_MAX ? -ENAMETOOLONG : make_one(fd, ret_name, made);
                below = r < 0 ? r : open_below(fd, ret_name);
                if (below < 0)
                        return below;
                (void) safe_close(fd);
                fd = below;
                r = next_part(&path, ret_name);
                if (r < 0)
                        return r;
        }
        return steal_fd(&fd);
}
