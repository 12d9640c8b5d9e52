/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Maps and the table of build ids are as long as the file's author likes, so neither is walked for each entry of the
 * other.
 *
 * Invariant: a file gets a build id from the table only if the entry cannot mean another file of its path: this is the
 * only one, or the table has an entry for each of them, and all entries agree. */

#include "recorded-paths.h"

void recorded_paths_done(RecordedPaths *p) {
        free(p->files);
        free(p->paths);
        *p = (RecordedPaths) {};
}

static int paths_compare_files(const void *a, const void *b) {
        return strcmp((*(DsoHit *const *) a)->path, (*(DsoHit *const *) b)->path);
}

static const char *recorded_path_name(const RecordedPath *p) {
        return (*p->files)->path;
}

static int compare_to_path(const void *path, const void *p) {
        return strcmp(path, recorded_path_name(p));
}

static RecordedPath *recorded_paths_search(const RecordedPaths *p, const char *path) {
        return p->n > 0 ? bsearch(path, p->paths, p->n, sizeof(*p->paths), compare_to_path) : NULL;
}

const RecordedPath *recorded_paths_find(const RecordedPaths *p, const char *path) {
        return recorded_paths_search(p, path);
}

static void group_by_path(RecordedPaths *p, DsoHit *files, size_t n) {
        p->n = 0;
        for (size_t i = 0; i < n; i++)
                p->files[i] = files + i;
        if (n > 0)
                qsort(p->files, n, sizeof(DsoHit *), paths_compare_files);
        for (size_t i = 0; i < n; i++)
                if (p->n > 0 && streq(recorded_path_name(p->paths + p->n - 1), p->files[i]->path))
                        p->paths[p->n - 1].n_files++;
                else
                        p->paths[p->n++] = (RecordedPath) { .files = p->files + i, .n_files = 1 };
}

static void recorded_path_identify(RecordedPath *p) {
        size_t with_id = 0;

        for (size_t i = 0; i < p->n_files; i++)
                with_id += p->files[i]->id.size > 0;
        /* Files that carry their build ids differ in them, or they would be one. */
        p->ambiguous = p->n_files > 1 ? with_id > 0 || p->several_ids || p->n_entries < p->n_files : p->several_ids && with_id == 0;
        for (size_t i = 0; !p->ambiguous && i < p->n_files; i++)
                if (p->files[i]->id.size == 0)
                        p->files[i]->id = p->id;
}

int recorded_paths_identify(RecordedPaths *p, DsoHit *files, size_t n, const PerfDataReader *reader) {
        size_t cursor = 0;
        BuildIdEntry entry;

        p->files = calloc(n + 1, sizeof(DsoHit *));
        p->paths = calloc(n + 1, sizeof(*p->paths));
        if (!p->files || !p->paths)
                return -ENOMEM;
        group_by_path(p, files, n);
        while (perf_data_reader_next_build_id(reader, &cursor, &entry) == 1) {
                RecordedPath *path = recorded_paths_search(p, entry.path);

                if (!path)
                        continue;
                path->several_ids = path->several_ids || (path->n_entries > 0 && !build_id_equal(&path->id, &entry.id));
                path->id = entry.id;
                path->n_entries++;
        }
        for (size_t i = 0; i < p->n; i++)
                recorded_path_identify(p->paths + i);
        return 0;
}
