/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Processes choose the paths of their binaries: in a root of its own a binary can have any path. */

#include "symbol-place.h"

#include <perf-recorder/dump-facts.h>

#include "symbol-kernel.h"

bool symbol_path_is_reserved(const char *path) {
        static const char *const reserved[] = {
                PR_SYMBOLS_LEFT_OUT, SYMBOL_KERNEL_IMAGE, "proc", "usr/lib/debug/.build-id", "usr/lib/debug/.inode",
        };

        const char *pid = startswith(path, "/tmp/perf-"), *rest;

        for (size_t i = 0; i < ELEMENTSOF(reserved); i++) {
                rest = startswith(path + strspn(path, "/"), reserved[i]);
                if (rest && (*rest == '\0' || *rest == '/')) /* it, or below it */
                        return true;
        }
        rest = pid ? startswith(pid + strspn(pid, "0123456789"), ".map") : NULL; /* "/tmp/perf-7.map" */
        return rest && (*rest == '\0' || *rest == '/');
}

static int compare_paths(const void *a, const void *b) {
        return strcmp(*(const char *const *) a, *(const char *const *) b);
}

int shared_paths_find(SharedPaths *s, const DsoHit *mapped, size_t n) {
        const char **paths = calloc(n + 1, sizeof(*paths));
        size_t n_paths = 0, shared = 0;

        if (!paths)
                return -ENOMEM;
        for (size_t i = 0; i < n; i++)
                if (mapped[i].path)
                        paths[n_paths++] = mapped[i].path;
        if (n_paths > 0)
                qsort(paths, n_paths, sizeof(*paths), compare_paths);
        for (size_t i = 1; i < n_paths; i++)
                if (streq(paths[i - 1], paths[i]) && (shared == 0 || !streq(paths[shared - 1], paths[i])))
                        paths[shared++] = paths[i];
        *s = (SharedPaths) { .paths = paths, .n = shared };
        return 0;
}

bool shared_paths_contain(const SharedPaths *s, const char *path) {
        return s->n > 0 && bsearch(&path, s->paths, s->n, sizeof(*s->paths), compare_paths);
}

void shared_paths_done(SharedPaths *s) {
        free(s->paths);
        *s = (SharedPaths) {};
}
