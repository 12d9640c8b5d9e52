/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A binary is opened when the first address in it is asked for. Its build id may be in the recording's table only,
 * which may be read by path as far as it is clear then which file it means. */

#include "unwind-files.h"

#include <sys/mman.h>
#include <unistd.h>

#include "array.h"
#include "elf-build-id.h"
#include "file-rules.h"
#include "recorded-paths.h"

typedef struct UnwindFile {
        bool sought;
        FileRules rules;
} UnwindFile;

struct UnwindFiles {
        const CodePlaces *places;
        const PerfDataReader *reader;
        char *directory, *root; /* may be NULL */
        SymbolHelpers helpers;
        UnwindFile *files;      /* by the number of the binary */
        size_t n, allocated;
        DsoHit *dsos;           /* the binaries with their build ids, as far as they were mapped then */
        size_t n_dsos;
};

int unwind_files_new(const CodePlaces *places, const PerfDataReader *reader, const char *directory, const char *root,
                     UnwindFiles **ret) {
        _cleanup_unwind_files_free_ UnwindFiles *f = calloc(1, sizeof(*f));

        if (!f || free_and_strdup(&f->directory, directory) < 0 || free_and_strdup(&f->root, root) < 0)
                return -ENOMEM;
        f->places = places;
        f->reader = reader;
        *ret = steal_ptr(f);
        return 0;
}

UnwindFiles *unwind_files_free(UnwindFiles *f) {
        if (!f)
                return NULL;
        for (size_t i = 0; i < f->n; i++)
                file_rules_done(&f->files[i].rules);
        free(f->files);
        free(f->dsos);
        free(f->directory);
        free(f->root);
        free(f);
        return NULL;
}

static int identify(UnwindFiles *f) {
        _cleanup_(recorded_paths_done) RecordedPaths paths = {};
        const DsoTable *t = &f->places->dsos;
        DsoHit *dsos = calloc(t->n + 1, sizeof(*dsos));

        if (!dsos)
                return -ENOMEM;
        memcpy(dsos, t->dsos, t->n * sizeof(*dsos));
        free(f->dsos);
        f->dsos = dsos;
        f->n_dsos = t->n;
        return recorded_paths_identify(&paths, dsos, t->n, f->reader);
}

/* Returns -ENODATA if the file has no rules. */
static int file_take(UnwindFile *file, const UnwindFiles *f, const DsoHit *dso, int fd) {
        _cleanup_close_ int separate = -EBADF;
        _cleanup_(elf_image_done) ElfImage e = ELF_IMAGE_EMPTY, debug = ELF_IMAGE_EMPTY;
        bool has_separate;
        int r = elf_image_open(&e, fd);

        if (r < 0)
                return r;
        if (f->root)
                separate = symbols_open_separate(f->root, dso->path, fd, &e);
        has_separate = separate >= 0 && elf_image_open(&debug, separate) >= 0;
        return file_rules_take(&file->rules, &e, has_separate ? &debug : NULL);
}

static int file_open(UnwindFile *file, const UnwindFiles *f, const DsoHit *dso) {
        char place[PATH_MAX];
        _cleanup_close_ int kept = -EBADF, fd = -ENOENT;
        int r = -ENODATA;

        if ((*dso->path != '/' && !streq(dso->path, "[vdso]")) || dso->cpumode != PERF_RECORD_MISC_USER)
                return -ENOENT;
        if (f->directory)
                kept = symbols_open_kept(f->directory, dso, place);
        if (kept >= 0)
                r = file_take(file, f, dso, kept);
        if (r == -ENOMEM || r >= 0)
                return r;
        if (f->root)
                fd = symbols_open_binary(f->root, dso);
        if (fd < 0 && fd != -ENOMEM && *dso->path == '/')
                fd = symbols_fetch(&f->helpers, &dso->id, true);
        return fd < 0 ? fd : file_take(file, f, dso, fd);
}

static int file_get(UnwindFiles *f, uint32_t dso, UnwindFile **ret) {
        int r = 0;

        if (dso >= f->n) {
                if (ARRAY_RESERVE(f->files, f->allocated, (size_t) dso + 1) < 0)
                        return -ENOMEM;
                memset(f->files + f->n, 0, (dso + 1 - f->n) * sizeof(*f->files));
                f->n = (size_t) dso + 1;
        }
        *ret = f->files + dso;
        if ((*ret)->sought)
                return 0;
        (*ret)->sought = true;
        if (dso >= f->n_dsos)
                r = identify(f);
        if (r >= 0 && dso < f->n_dsos && f->dsos[dso].path)
                r = file_open(*ret, f, f->dsos + dso);
        return r == -ENOMEM ? r : 0;
}

void unwind_files_set_helpers(UnwindFiles *f, const SymbolHelpers *helpers) {
        f->helpers = *helpers;
}

static int find_rule(void *userdata, uint32_t dso, uint64_t offset, UnwindRule *ret, UnwindFrame *ret_frame) {
        UnwindFiles *f = userdata;
        UnwindFile *file = NULL;
        int r = file_get(f, dso, &file);

        return r < 0 ? r : file_rules_find(&file->rules, offset, ret, ret_frame);
}

UnwindSource unwind_files_source(UnwindFiles *f) {
        const char *machine;
        bool foreign = perf_data_reader_feature_string(f->reader, PERF_FEATURE_ARCH, &machine) >= 0 && !streq(machine, "x86_64");

        return (UnwindSource) { .find = find_rule, .userdata = f, .foreign = foreign };
}
