/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files by names from a recording, perhaps below the root of a process that made both the name and the file. */

#include "root-file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include "array.h"

#define FUSE_CONTROL_MAGIC 0x65735543
#define CONFIGFS_MAGIC_NUMBER 0x62656570
#define MQUEUE_MAGIC_NUMBER 0x19800202
#define RESCTRL_MAGIC_NUMBER 0x7655821

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

int root_file_find_at(int root_fd, const char *path) {
        const struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
        int found = (int) syscall(SYS_openat2, root_fd, path, &how, sizeof(how));

        return found >= 0 ? found : -errno;
}

int root_file_find(const char *root, const char *path) {
        _cleanup_close_ int directory = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
        int found;

        if (directory < 0)
                return -errno;
        found = root_file_find_at(directory, path);
        if (found != -ENOSYS || *root || *path != '/')
                return found;
        found = open(path, O_PATH | O_CLOEXEC); /* from "/" there is no way out */
        return found >= 0 ? found : -errno;
}

int root_file_open(const char *root, const char *path) {
        _cleanup_close_ int found = root_file_find(root, path);

        return found < 0 ? found : root_file_reopen(found);
}
