/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Only this file knows the names of recordings and of their directories of symbols: the recorder makes the
 * directories, the daemon counts and removes them, the client reads and copies them. */

#include "symbols-directory.h"

#include <fcntl.h>
#include <perf-recorder/dump-facts.h>
#include <sys/stat.h>

#include "directory-tree.h"
#include "format-text.h"

char *symbols_directory_name(const char *file) {
        const char *name = basename(file), *rest = startswith(name, PR_RECORDING_NAME);
        int parents = (int) (name - file);

        if (!rest || (*rest != '\0' && *rest != '.'))
                return format_text("%.*s" PR_SYMBOLS_NAME ".%s", parents, file, name);
        return format_text("%.*s" PR_SYMBOLS_NAME "%s", parents, file, rest);
}

static char *old_name(const char *file) {
        return format_text("%s" PR_SYMBOLS_OLD_SUFFIX, file);
}

int symbols_directory_find(int dir_fd, const char *file, char **ret) {
        char *(*const names[])(const char *) = { symbols_directory_name, old_name };

        for (size_t i = 0; i < ELEMENTSOF(names); i++) {
                _cleanup_free_ char *name = names[i](file);
                struct stat st;

                if (!name)
                        return -ENOMEM;
                if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISDIR(st.st_mode))
                        continue;
                *ret = steal_ptr(name);
                return 0;
        }
        return -ENOENT;
}

int symbols_directory_remove(int dir_fd, const char *file) {
        _cleanup_free_ char *name = symbols_directory_name(file), *old = old_name(file);
        int r, q;

        if (!name || !old)
                return -ENOMEM;
        r = directory_tree_remove(dir_fd, name);
        q = directory_tree_remove(dir_fd, old);
        if (r < 0 && r != -ENOENT)
                return r;
        return q < 0 && q != -ENOENT ? q : 0;
}

char *symbols_directory_file(const char *name) {
        const char *time = startswith(name, PR_SYMBOLS_NAME ".");
        size_t n = strlen(name), suffix = strlen(PR_SYMBOLS_OLD_SUFFIX);

        if (time)
                return format_text(PR_RECORDING_NAME ".%s", time);
        if (!startswith(name, PR_RECORDING_NAME ".") || n <= suffix || !streq(name + n - suffix, PR_SYMBOLS_OLD_SUFFIX))
                return NULL;
        return strndup(name, n - suffix);
}
