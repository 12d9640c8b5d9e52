/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Files by names that came out of a recording, perhaps below the root of a process that made both name and file. */

#include "root-file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

int root_file_reopen(int found) {
        char again[64];
        struct stat st;
        int fd;

        if (fstat(found, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
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
