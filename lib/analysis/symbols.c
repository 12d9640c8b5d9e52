/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds the symbols of a binary of a recording. Those beside the dump were put there while the processes ran, so they
 * come first; this machine's own files count if they are the same. All code of the kernel is one table, from kallsyms,
 * including modules and the BPF programs of that time. */

#include "symbols.h"

#include <fcntl.h>

#include "array.h"
#include "dso-table.h"
#include "elf-build-id.h"
#include "fd-file.h"
#include "root-file.h"
#include "symbol-text.h"
#include "symbols-file.h"

#define KALLSYMS_MAX ((size_t) 256 << 20) /* bytes */
#define PERF_MAP_MAX ((size_t) 256 << 20)

struct Symbols {
        char *directory, *root; /* may be NULL */
        DsoTable dsos;
        SymbolTable **tables;   /* of the first n_tables of dsos; NULL: no symbols */
        size_t n_tables, allocated;
        size_t memory;          /* of all tables */
        SymbolTable *kernel;
        bool kernel_sought;
        uint64_t kernel_text;
};

int symbols_new(const char *directory, const char *root, Symbols **ret) {
        _cleanup_symbols_free_ Symbols *s = calloc(1, sizeof(*s));

        if (!s || free_and_strdup(&s->directory, directory) < 0 || free_and_strdup(&s->root, root) < 0)
                return -ENOMEM;
        *ret = steal_ptr(s);
        return 0;
}

Symbols *symbols_free(Symbols *s) {
        if (!s)
                return NULL;
        for (size_t i = 0; i < s->n_tables; i++)
                symbol_table_free(s->tables[i]);
        free(s->tables);
        symbol_table_free(s->kernel);
        dso_table_done(&s->dsos);
        free(s->directory);
        free(s->root);
        free(s);
        return NULL;
}

void symbols_set_kernel_text(Symbols *s, uint64_t address) {
        s->kernel_text = address;
}

bool symbols_is_perf_map(const char *path) {
        const char *pid = startswith(path, "/tmp/perf-");
        size_t n = pid ? strspn(pid, "0123456789") : 0;

        return n > 0 && streq(pid + n, ".map");
}

bool symbols_perf_map_counts(const struct stat *st) {
        return S_ISREG(st->st_mode) && (st->st_uid == 0 || st->st_uid == geteuid());
}

static int load_text(const char *root, const char *path, size_t max, char **ret, size_t *ret_size) {
        _cleanup_close_ int fd = root ? root_file_open(root, path) : -ENOENT;

        return fd < 0 ? fd : read_fd(fd, max, ret, ret_size);
}

/* A kallsyms of another boot has other addresses. */
static int load_kallsyms_of(Symbols *s, const char *root, SymbolTable *t) {
        _cleanup_free_ char *text = NULL;
        uint64_t begin = 0;
        size_t size;
        /* the machine's own is a file of procfs */
        int r = root && !*root ? read_file("/proc/kallsyms", KALLSYMS_MAX, &text, &size) :
                                 load_text(root, "/proc/kallsyms", KALLSYMS_MAX, &text, &size);

        if (r >= 0)
                r = symbol_table_add_kallsyms(t, text, size, &begin);
        if (r >= 0 && s->kernel_text != 0 && begin != s->kernel_text)
                r = -ESTALE;
        return r;
}

static bool is_running_kernel(const char *root, const DsoHit *dso) {
        BuildId running;

        if (dso->id.size == 0 || !streq(dso->path, "[kernel.kallsyms]"))
                return true;
        return build_id_of_kernel(root, &running) >= 0 && build_id_equal(&running, &dso->id);
}

static int load_kernel_of(Symbols *s, const char *root, SymbolTable **ret) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        int r = symbol_table_new(&t);

        if (r >= 0)
                r = load_kallsyms_of(s, root, t);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        symbol_table_sort(t);
        if (symbol_table_size(t) > 0)
                *ret = steal_ptr(t);
        return 0;
}

static int load_kernel(Symbols *s, const DsoHit *dso) {
        int r = 0;

        if (s->kernel_sought)
                return 0;
        s->kernel_sought = true;
        if (s->directory)
                r = load_kernel_of(s, s->directory, &s->kernel);
        if (r >= 0 && !s->kernel && s->root && is_running_kernel(s->root, dso))
                r = load_kernel_of(s, s->root, &s->kernel);
        return r;
}

/* Reads the map that lies below the root now. */
static int load_present_map(const Symbols *s, const char *path, char **ret, size_t *ret_size) {
        _cleanup_close_ int fd = s->root ? root_file_open(s->root, path) : -ENOENT;
        struct stat st;

        if (fd < 0)
                return fd;
        if (fstat(fd, &st) < 0)
                return -errno;
        return symbols_perf_map_counts(&st) ? read_fd(fd, PERF_MAP_MAX, ret, ret_size) : -EPERM;
}

/* The recorder has checked whose file the one beside the dump was. */
static int load_perf_map(const Symbols *s, const char *path, SymbolTable *t) {
        _cleanup_free_ char *text = NULL;
        size_t size = 0;
        int r = load_text(s->directory, path, PERF_MAP_MAX, &text, &size);

        if (r < 0 && r != -ENOMEM)
                r = load_present_map(s, path, &text, &size);
        return r < 0 ? r : symbol_table_add_perf_map(t, text, size);
}

static int load_binary(const Symbols *s, const DsoHit *dso, SymbolTable *t) {
        char place[PATH_MAX];
        _cleanup_close_ int kept = s->directory ? symbols_open_kept(s->directory, dso, place) : -ENOENT, fd = -EBADF;
        int r = kept < 0 ? kept : symbols_load_binary(NULL, dso->path, kept, t);

        if (r == -ENOMEM || (r >= 0 && symbol_table_size(t) > 0))
                return r;
        fd = s->root ? symbols_open_binary(s->root, dso) : -ENOENT;
        return fd < 0 ? fd : symbols_load_binary(s->root, dso->path, fd, t);
}

static int symbols_load(const Symbols *s, const DsoHit *dso, SymbolTable **ret) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        int r = symbol_table_new(&t);

        if (r < 0)
                return r;
        r = symbols_is_perf_map(dso->path) ? load_perf_map(s, dso->path, t) : load_binary(s, dso, t);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        symbol_table_sort(t);
        if (symbol_table_size(t) > 0)
                *ret = steal_ptr(t);
        return 0;
}

/* *ret is NULL if no symbols are found. */
static int symbols_table(Symbols *s, const DsoHit *dso, const SymbolTable **ret) {
        SymbolTable *loaded = NULL;
        uint32_t number;
        int r;

        if (dso->cpumode == PERF_RECORD_MISC_KERNEL) {
                r = load_kernel(s, dso);
                *ret = s->kernel;
                return r;
        }
        r = ARRAY_RESERVE(s->tables, s->allocated, s->n_tables + 1);
        if (r >= 0)
                r = dso_table_intern(&s->dsos, dso, &number);
        if (r == -ENOSPC)
                return *ret = NULL, 0;
        if (r >= 0 && number >= s->n_tables) {
                r = s->memory < SYMBOLS_MEMORY_MAX ? symbols_load(s, dso, &loaded) : 0;
                s->tables[s->n_tables++] = loaded;
                s->memory += loaded ? symbol_table_memory(loaded) : 0;
        }
        if (r >= 0)
                *ret = s->tables[number];
        return r;
}

int symbols_resolve(Symbols *s, const DsoHit *dso, uint64_t address, Symbol *ret) {
        const SymbolTable *t = NULL;
        int r = symbols_table(s, dso, &t);

        if (r < 0)
                return r;
        return t && symbol_table_find(t, address, ret);
}
