/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files by names from a recording, perhaps below the root of a process that made both the name and the file.
 *
 * A path is walked name by name. openat2(2), which would do it in one call, is refused by RestrictSUIDSGID= and by the filters of
 * containers, since its flags are in memory where a filter cannot look.
 *
 * Invariant: the kernel is never given "..", nor a name that it would follow as a link, so that nothing leads out of the root, also
 * while somebody renames directories in it. */

#include "root-file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include "array.h"

#define FUSE_CONTROL_MAGIC 0x65735543
#define CONFIGFS_MAGIC_NUMBER 0x62656570
#define MQUEUE_MAGIC_NUMBER 0x19800202
#define RESCTRL_MAGIC_NUMBER 0x7655821

#define REWRITES_MAX 40u /* links that the kernel follows in one path, see path_resolution(7) */

/* The file systems whose regular files are made up by the kernel: reading some of them has effects. */
static bool is_made_up(int found) {
        static const uint32_t magic[] = {
                PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC, SECURITYFS_MAGIC, SELINUX_MAGIC, SMACK_MAGIC,
                CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC, PSTOREFS_MAGIC, EFIVARFS_MAGIC, NSFS_MAGIC,
                DEVPTS_SUPER_MAGIC, BINFMTFS_MAGIC, SOCKFS_MAGIC, PIPEFS_MAGIC, ANON_INODE_FS_MAGIC, AAFS_MAGIC,
                XENFS_SUPER_MAGIC, USBDEVICE_SUPER_MAGIC, OPENPROM_SUPER_MAGIC, BINDERFS_SUPER_MAGIC,
                CONFIGFS_MAGIC_NUMBER, MQUEUE_MAGIC_NUMBER, RESCTRL_MAGIC_NUMBER, FUSE_CONTROL_MAGIC,
        };
        struct statfs fs;

        return fstatfs(found, &fs) < 0 || ANY_OF(ELEMENTSOF(magic), i, (uint32_t) fs.f_type == magic[i]);
}

int root_file_reopen(int found) {
        char again[64];
        struct stat st;
        int fd;

        if (fstat(found, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode) || is_made_up(found))
                return -EBADFD;
        (void) snprintf(again, sizeof(again), "/proc/self/fd/%d", found);
        fd = open(again, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        return fd >= 0 ? fd : -errno;
}

/* Puts text in the place of path[from..to). */
static int path_splice(char path[static PATH_MAX], size_t from, size_t to, const char *text) {
        char rest[PATH_MAX];
        size_t n = (size_t) snprintf(rest, sizeof(rest), "%s%s", text, path + to);

        if (from + n >= PATH_MAX)
                return -ENAMETOOLONG;
        memcpy(path + from, rest, n + 1);
        return 0;
}

/* Returns a descriptor of one name in a directory, or -ELOOP with the text of the link that it is. */
static int find_name(int directory, char *name, size_t n, char ret_link[static PATH_MAX]) {
        char end = name[n];
        _cleanup_close_ int fd = -EBADF;
        ssize_t length;

        name[n] = '\0';
        fd = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        name[n] = end;
        if (fd < 0)
                return -errno;
        length = readlinkat(fd, "", ret_link, PATH_MAX - 1);
        if (length < 0)
                return steal_fd(&fd); /* it is no link */
        ret_link[length] = '\0';
        return -ELOOP;
}

/* Walks a path that has no ".." and no link in it. -ERESTART: it had one, is written without it, and is to be walked again. */
static int path_walk(int root_fd, char path[static PATH_MAX]) {
        _cleanup_close_ int fd = openat(root_fd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
        size_t at = 0, parent = 0, n;
        char link[PATH_MAX];

        if (fd < 0)
                return -errno;
        for (;; at += n) {
                int next, r;

                at += strspn(path + at, "/");
                n = strcspn(path + at, "/");
                if (n == 0)
                        return steal_fd(&fd);
                if (n == 1 && path[at] == '.')
                        continue;
                if (n == 2 && path[at] == '.' && path[at + 1] == '.') {
                        r = path_splice(path, parent, at + n, "");
                        return r < 0 ? r : -ERESTART;
                }
                next = find_name(fd, path + at, n, link);
                if (next == -ELOOP) {
                        r = path_splice(path, *link == '/' ? 0 : at, at + n, link);
                        return r < 0 ? r : -ERESTART;
                }
                if (next < 0)
                        return next;
                (void) close(fd);
                fd = next;
                parent = at;
        }
}

int root_file_find_at(int root_fd, const char *path) {
        char rewritten[PATH_MAX] = "";
        int r = path_splice(rewritten, 0, 0, path);

        for (unsigned i = 0; r >= 0 && i <= REWRITES_MAX; i++) {
                r = path_walk(root_fd, rewritten);
                if (r != -ERESTART)
                        return r;
                r = 0;
        }
        return r < 0 ? r : -ELOOP;
}

int root_file_find(const char *root, const char *path) {
        _cleanup_close_ int directory = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);

        return directory < 0 ? -errno : root_file_find_at(directory, path);
}

/* Roots that are no directories. */
static struct {
        const char *root;
        int (*open_file)(void *userdata, const char *path);
        void *userdata;
} *added;
static size_t n_added;

int root_file_add_root(const char *root, int (*open_file)(void *userdata, const char *path), void *userdata) {
        if (ARRAY_RESERVE_NEXT(added, n_added) < 0)
                return -ENOMEM;
        added[n_added].root = root;
        added[n_added].open_file = open_file;
        added[n_added++].userdata = userdata;
        return 0;
}

void root_file_remove_root(const void *userdata) {
        size_t kept = 0;

        for (size_t i = 0; i < n_added; i++)
                if (added[i].userdata != userdata)
                        added[kept++] = added[i];
        n_added = kept;
}

int root_file_open(const char *root, const char *path) {
        _cleanup_close_ int found = -EBADF;

        for (size_t i = 0; i < n_added; i++)
                if (streq(added[i].root, root))
                        return added[i].open_file(added[i].userdata, path);
        found = root_file_find(root, path);
        return found < 0 ? found : root_file_reopen(found);
}
