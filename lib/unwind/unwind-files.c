/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A binary is opened when the first address in it is asked for. Its build id may be in the recording's table only,
 * which may be read by path as far as it is clear then which file it means. */

#include "unwind-files.h"

#include <sys/mman.h>
#include <unistd.h>

#include "array.h"
#include "elf-content.h"
#include "file-rules.h"
#include "recorded-paths.h"

typedef struct UnwindFile {
        bool sought;
        FileRules rules;
} UnwindFile;

struct UnwindFiles {
        const CodePlaces *places;
        const PerfDataReader *reader;
        SymbolSources sources;
        UnwindFile *files;      /* by the number of the binary */
        size_t n, allocated;
        DsoHit *dsos;           /* the binaries with their build ids, as far as they were mapped then */
        size_t n_dsos;
};

int unwind_files_new(const CodePlaces *places, const PerfDataReader *reader, const SymbolSources *sources, UnwindFiles **ret) {
        UnwindFiles *f = calloc(1, sizeof(*f));

        if (!f)
                return -ENOMEM;
        f->places = places;
        f->reader = reader;
        f->sources = *sources;
        *ret = f;
        return 0;
}

UnwindFiles *unwind_files_free(UnwindFiles *f) {
        if (!f)
                return NULL;
        for (size_t i = 0; i < f->n; i++)
                file_rules_done(&f->files[i].rules);
        free(f->files);
        free(f->dsos);
        free(f);
        return NULL;
}

static int identify(UnwindFiles *f) {
        _cleanup_(recorded_paths_done) RecordedPaths paths = {};
        const DsoTable *t = f->places->dsos;
        DsoHit *dsos = calloc(t->n + 1, sizeof(*dsos));

        if (!dsos)
                return -ENOMEM;
        memcpy(dsos, t->dsos, t->n * sizeof(*dsos));
        free(f->dsos);
        f->dsos = dsos;
        f->n_dsos = t->n;
        return recorded_paths_identify(&paths, dsos, t->n, f->reader);
}

typedef struct RulesSearch {
        const UnwindFiles *files;
        const DsoHit *dso;
        UnwindFile *file;
} RulesSearch;

static int fit_separate(void *unused, int fd) {
        _cleanup_(elf_image_done) ElfImage e = ELF_IMAGE_EMPTY;
        int r = elf_image_open(&e, fd);
        GElf_Shdr header;

        return r < 0 ? r : elf_content_section(&e, ".debug_frame", &header) ? 0 : -ENODATA;
}

/* Returns -ENODATA if the file has no rules. */
static int fit_rules(void *userdata, int fd) {
        const RulesSearch *q = userdata;
        _cleanup_close_ int separate = -EBADF;
        _cleanup_(elf_image_done) ElfImage e = ELF_IMAGE_EMPTY, debug = ELF_IMAGE_EMPTY;
        bool has_separate;
        int r = elf_image_open(&e, fd);

        if (r < 0)
                return r;
        separate = symbol_sources_open_separate(&q->files->sources, q->dso->path, fd, &e, fit_separate, NULL);
        has_separate = separate >= 0 && elf_image_open(&debug, separate) >= 0;
        return file_rules_take(&q->file->rules, &e, has_separate ? &debug : NULL);
}

static int file_open(UnwindFile *file, const UnwindFiles *f, const DsoHit *dso) {
        RulesSearch search = { .files = f, .dso = dso, .file = file };
        _cleanup_close_ int fd = -EBADF;

        if ((*dso->path != '/' && !streq(dso->path, "[vdso]")) || dso->cpumode != PERF_RECORD_MISC_USER)
                return -ENOENT;
        fd = symbol_sources_open_binary(&f->sources, dso, fit_rules, &search);
        return MIN_OF(fd, 0);
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

static int files_find_rule(void *userdata, uint32_t dso, uint64_t offset, UnwindRule *ret, UnwindFrame *ret_frame) {
        UnwindFiles *f = userdata;
        UnwindFile *file = NULL;
        int r = file_get(f, dso, &file);

        return r < 0 ? r : file_rules_find(&file->rules, offset, ret, ret_frame);
}

UnwindSource unwind_files_source(UnwindFiles *f) {
        const char *machine;
        bool foreign = perf_data_reader_feature_string(f->reader, PERF_FEATURE_ARCH, &machine) >= 0 && !streq(machine, "x86_64");

        return (UnwindSource) { .find = files_find_rule, .userdata = f, .foreign = foreign };
}
