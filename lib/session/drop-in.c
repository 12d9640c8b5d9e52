/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Drop-in files, found as systemd.unit(5) describes: all directories are merged and sorted by file name. The name decides when a
 * file is applied; the directory only decides which of two files with the same name is used. */

#include "drop-in.h"

#include "array.h"
#include "fd-file.h"

typedef struct DropIn {
        char *path;
        const char *name; /* points into path */
} DropIn;

typedef struct DropIns {
        DropIn *files;
        size_t n_files;
} DropIns;

static void drop_ins_done(DropIns *l) {
        for (size_t i = 0; i < l->n_files; i++)
                free(l->files[i].path);
        free(l->files);
}

static int drop_ins_add(DropIns *l, const char *directory, const char *name) {
        char *path;

        if (ARRAY_RESERVE_NEXT(l->files, l->n_files) < 0)
                return -ENOMEM;
        path = path_join(directory, name);
        if (!path)
                return -ENOMEM;
        l->files[l->n_files++] = (DropIn) { .path = path, .name = strrchr(path, '/') + 1 };
        return 0;
}

static bool is_drop_in(const char *name) {
        size_t n = strlen(name);

        return n > strlen(".conf") && streq(name + n - strlen(".conf"), ".conf");
}

static int add_directory(DropIns *l, const char *directory, Diagnosis *d) {
        _cleanup_strv_free_ char **names = NULL;
        int r = list_directory(directory, DROP_INS_MAX, &names);

        if (r == -ENOENT || r == -ENOTDIR)
                return 0;
        if (r < 0) {
                diagnosis_locate(d, directory, 0, NULL);
                return r == -E2BIG ? diagnosis_set(d, r, "more than %d files", DROP_INS_MAX) :
                                     diagnosis_set(d, r, "cannot be read: %s", strerror(-r));
        }

        STRV_FOREACH(name, names) {
                if (!is_drop_in(*name) || ANY_OF(l->n_files, i, streq(l->files[i].name, *name)))
                        continue;
                r = drop_ins_add(l, directory, *name);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int compare_names(const void *a, const void *b) {
        return strcmp(((const DropIn *) a)->name, ((const DropIn *) b)->name);
}

int drop_ins_find(char *const *directories, char ***ret_paths, Diagnosis *d) {
        _cleanup_(drop_ins_done) DropIns found = {};
        _cleanup_strv_free_ char **paths = NULL;
        int r;

        STRV_FOREACH(directory, directories) {
                r = add_directory(&found, *directory, d);
                if (r < 0)
                        return r;
        }

        if (found.n_files > 0)
                qsort(found.files, found.n_files, sizeof(DropIn), compare_names);
        for (size_t i = 0; i < found.n_files; i++) {
                r = strv_consume(&paths, steal_ptr(found.files[i].path));
                if (r < 0)
                        return r;
        }

        *ret_paths = steal_ptr(paths);
        return 0;
}
