/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Paths in the folder come from what processes mapped, so they are walked part by part (directory-tree.h). The
 * recorder that fills a folder holds a lock on it; a temporary folder without a lock is abandoned.
 *
 * All files in a folder are readable, so that a descriptor of the folder is enough to read them. By its path only
 * those users reach it who may: the folder itself is closed to others unless the directory above it is. */

#include "symbol-folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "directory-tree.h"
#include "format-text.h"
#include "symbols-directory.h"

#define PRIVATE_MODE 0700
#define SHARED_MODE 0755
#define FILE_MODE 0644
#define NAMES_MAX 65536u /* of files and directories in a folder: what they take on the disk is no file's size */
#define TEMPORARY_PREFIX ".#"

static int symbol_folder_open_at(int parent_fd, const char *name) {
        int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        return fd >= 0 ? fd : -errno;
}

static void symbol_folder_forget(SymbolFolder *f) {
        f->fd = safe_close(f->fd);
        free(f->name);
        free(f->temporary);
        *f = (SymbolFolder) SYMBOL_FOLDER_EMPTY;
}

static void symbol_folder_remove_if_stale(int parent_fd, const char *name) {
        _cleanup_close_ int fd = symbol_folder_open_at(parent_fd, name);

        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) >= 0)
                (void) directory_tree_remove(parent_fd, name);
}

int symbol_folder_open(SymbolFolder *f, int parent_fd, const char *dump, uint64_t max) {
        SymbolFolder new = SYMBOL_FOLDER_EMPTY;
        int r;

        new.name = symbols_directory_name(dump);
        if (!new.name)
                return -ENOMEM;
        new.temporary = format_text(TEMPORARY_PREFIX "%s", new.name);
        if (!new.temporary)
                return free(new.name), -ENOMEM;
        new.parent_fd = parent_fd;
        new.max = max;
        symbol_folder_remove_if_stale(parent_fd, new.temporary);
        r = mkdirat(parent_fd, new.temporary, PRIVATE_MODE) < 0 ? -errno : 0;
        if (r >= 0) {
                new.fd = symbol_folder_open_at(parent_fd, new.temporary);
                r = MIN_OF(new.fd, 0);
                if (r < 0)
                        (void) unlinkat(parent_fd, new.temporary, AT_REMOVEDIR);
        }
        if (r < 0) {
                symbol_folder_forget(&new);
                return r;
        }
        (void) flock(new.fd, LOCK_EX | LOCK_NB);
        *f = new;
        return 0;
}

/* Every directory that is made counts as a name. */
static int symbol_folder_open_parent(SymbolFolder *f, const char *path, bool make, char ret_name[static DIRECTORY_TREE_NAME_SIZE]) {
        if (make && f->names >= NAMES_MAX)
                return -EFBIG;
        return directory_tree_open_parent(f->fd, path, make ? &f->names : NULL, ret_name);
}

int symbol_folder_create(SymbolFolder *f, const char *path) {
        char name[DIRECTORY_TREE_NAME_SIZE];
        _cleanup_close_ int parent = symbol_folder_open_parent(f, path, true, name);
        int fd;

        if (parent < 0)
                return parent;
        fd = openat(parent, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0)
                return -errno;
        f->names++;
        if (fchmod(fd, FILE_MODE) < 0) { /* independent of the umask */
                int r = -errno;

                (void) safe_close(fd);
                return r;
        }
        return fd;
}

void symbol_folder_remove(SymbolFolder *f, const char *path) {
        char name[DIRECTORY_TREE_NAME_SIZE];
        _cleanup_close_ int parent = symbol_folder_open_parent(f, path, false, name);

        if (parent >= 0)
                (void) unlinkat(parent, name, 0);
}

/* Links another name for the file at from_path below from_fd. */
static int symbol_folder_link_file(SymbolFolder *f, int from_fd, const char *from_path, const char *path, uint64_t max,
                                   uint64_t *ret_size) {
        SymbolFolder from = { .fd = from_fd };
        char name[DIRECTORY_TREE_NAME_SIZE], from_name[DIRECTORY_TREE_NAME_SIZE];
        _cleanup_close_ int from_parent = symbol_folder_open_parent(&from, from_path, false, from_name), parent = -EBADF;
        struct stat st;

        if (from_parent < 0)
                return from_parent;
        if (fstatat(from_parent, from_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return -ENOENT;
        if ((uint64_t) st.st_size > max)
                return -EFBIG;
        parent = symbol_folder_open_parent(f, path, true, name);
        if (parent < 0)
                return parent;
        if (linkat(from_parent, from_name, parent, name, 0) < 0)
                return -errno;
        f->names++;
        if ((st.st_mode & 07777) != FILE_MODE) /* previous versions closed it to others */
                (void) fchmodat(parent, name, FILE_MODE, 0);
        *ret_size = (uint64_t) st.st_size;
        return 0;
}

int symbol_folder_link(SymbolFolder *f, const char *from, const char *path) {
        _cleanup_close_ int from_fd = symbol_folder_open_at(f->parent_fd, from);
        uint64_t size = 0;
        int r;

        if (from_fd < 0)
                return from_fd;
        r = symbol_folder_link_file(f, from_fd, path, path, symbol_folder_room(f), &size);
        if (r >= 0)
                symbol_folder_count(f, size);
        return r;
}

int symbol_folder_alias(SymbolFolder *f, const char *path, const char *alias) {
        uint64_t size;

        return symbol_folder_link_file(f, f->fd, path, alias, UINT64_MAX, &size);
}

uint64_t symbol_folder_room(const SymbolFolder *f) {
        return f->max > f->used ? f->max - f->used : 0;
}

void symbol_folder_count(SymbolFolder *f, uint64_t size) {
        f->used += size;
}

int symbol_folder_commit(SymbolFolder *f) {
        struct stat st;
        bool shared = fstat(f->parent_fd, &st) >= 0 && (st.st_mode & (S_IRWXG | S_IRWXO)) == 0;

        if (fchmod(f->fd, shared ? SHARED_MODE : PRIVATE_MODE) < 0 ||
            renameat2(f->parent_fd, f->temporary, f->parent_fd, f->name, RENAME_NOREPLACE) < 0) {
                int r = -errno;

                symbol_folder_done(f);
                return r;
        }
        symbol_folder_forget(f);
        return 0;
}

void symbol_folder_done(SymbolFolder *f) {
        if (f->temporary)
                (void) directory_tree_remove(f->parent_fd, f->temporary);
        symbol_folder_forget(f);
}

/* Returns true for "FOLDER.TIME", which is the folder of "BASE.TIME" if FOLDER is that of BASE. */
static bool symbol_folder_is_of_dump(const char *name, const char *folder) {
        const char *time = startswith(name, folder);

        return time && time[0] == '.' && time[1] && time[1 + strspn(time + 1, "0123456789")] == '\0';
}

static DIR *symbol_folder_list(int parent_fd) {
        int fd = symbol_folder_open_at(parent_fd, ".");
        DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;

        if (!dir)
                (void) safe_close(fd);
        return dir;
}

void symbol_folder_remove_stale(int parent_fd, const char *base) {
        _cleanup_free_ char *folder = symbols_directory_name(base);
        _cleanup_closedir_ DIR *dir = symbol_folder_list(parent_fd);
        const struct dirent *entry;

        while (folder && dir && (entry = readdir(dir))) {
                const char *name = startswith(entry->d_name, TEMPORARY_PREFIX);

                if (name && (streq(name, folder) || symbol_folder_is_of_dump(name, folder)))
                        symbol_folder_remove_if_stale(parent_fd, entry->d_name);
        }
}

/* Names of the same length sort by their times. */
int symbol_folder_newest(int parent_fd, const char *base, char **ret) {
        _cleanup_free_ char *folder = symbols_directory_name(base), *newest = NULL;
        _cleanup_closedir_ DIR *dir = symbol_folder_list(parent_fd);
        const struct dirent *entry;

        while (folder && dir && (entry = readdir(dir)))
                if (symbol_folder_is_of_dump(entry->d_name, folder) && (!newest || strcmp(entry->d_name, newest) > 0) &&
                    free_and_strdup(&newest, entry->d_name) < 0)
                        return -ENOMEM;
        if (!folder || !newest)
                return folder ? -ENOENT : -ENOMEM;
        *ret = steal_ptr(newest);
        return 0;
}
