/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a recorder leaves behind that was killed before it could finish its file: a temporary name that nobody will
 * rename. A living recorder holds a lock on its own, which goes with it; files of the last seconds are left alone, since
 * between its making and its locking a file looks abandoned. */

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include "fd-file.h"
#include "output-name.h"

#define AGE_MIN 2 /* seconds */

static bool is_temporary_of(const char *name, const char *base) {
        const char *rest = startswith(name, ".#");

        rest = rest ? startswith(rest, base) : NULL;
        return rest && rest[0] == '.' && strlen(rest) == strlen(".xxxxxx") && !strchr(rest + 1, '.');
}

static void remove_if_stale(int dir_fd, const char *name) {
        _cleanup_close_ int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        struct stat st;

        if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
                return;
        if (st.st_mtime + AGE_MIN > time(NULL) || flock(fd, LOCK_EX | LOCK_NB) < 0)
                return;
        (void) unlinkat(dir_fd, name, 0);
}

void output_remove_stale(int dir_fd, const char *base) {
        _cleanup_closedir_ DIR *dir = NULL;
        const struct dirent *entry;

        if (open_directory_at(dir_fd, ".", &dir) < 0)
                return;
        while ((entry = readdir(dir)))
                if (is_temporary_of(entry->d_name, base))
                        remove_if_stale(dir_fd, entry->d_name);
}
