/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds the symbols of a binary of a recording. Those beside the dump were put there while the processes ran, so they
 * come first; this machine's own files count if they are the same. The kernel's are found in kernel-symbols.c. */

#include "symbols.h"

#include <fcntl.h>

#include "array.h"
#include "binary-symbols.h"
#include "dso-table.h"
#include "elf-build-id.h"
#include "fd-file.h"
#include "hash-index.h"
#include "jit-dump.h"
#include "kernel-symbols.h"
#include "module-symbols.h"
#include "root-file.h"
#include "symbol-text.h"
#include "symbols-file.h"

#define PERF_MAP_MAX ((size_t) 256 << 20)
#define MODULES_OPEN_MAX 32u

/* The recorded kernel: who it is, and where its symbols and its code are. */
typedef struct SymbolsKernel {
        KernelSymbols symbols;
        bool sought;
        const RecordedKernel *recorded; /* NULL: not known */
        BuildId id;
        char *release;
        int code;            /* of a vmlinux, or the error of looking for it */
        bool code_sought;
        uint64_t code_moved;
} SymbolsKernel;

typedef struct SymbolsModule {
        char *path;
        BuildId id;
        int code;            /* of a module's file, or the error of looking for it */
} SymbolsModule;

/* The file that a table was loaded from, and the name by which functions without symbols are called in it. Recordings may have one
 * file under many paths. */
typedef struct LoadedFile {
        dev_t device;
        ino_t inode;
        char *name;
        SymbolTable *table; /* NULL: no symbols */
} LoadedFile;

struct Symbols {
        SymbolSources sources;
        SymbolHelpers helpers;  /* of the sources */
        char *directory, *root, *cache; /* of the sources */
        DsoTable dsos;
        uint32_t *tables;       /* for the first n_tables of dsos, which of files they have; 0: no symbols */
        size_t n_tables, allocated;
        LoadedFile *files;      /* the first one is number 1 */
        size_t n_files, files_allocated;
        HashIndex files_index;  /* of numbers; those without a name are not in it */
        size_t memory;          /* of all tables */
        SymbolsKernel kernel;
        SymbolsModule modules[MODULES_OPEN_MAX];
        size_t n_modules;
};

int symbols_new(const SymbolSources *sources, Symbols **ret) {
        _cleanup_symbols_free_ Symbols *s = calloc(1, sizeof(*s));

        if (!s)
                return -ENOMEM;
        s->kernel.code = -EBADF;
        if (free_and_strdup(&s->directory, sources->directory) < 0 || free_and_strdup(&s->root, sources->root) < 0 ||
            free_and_strdup(&s->cache, sources->cache) < 0)
                return -ENOMEM;
        s->sources = *sources;
        s->sources.directory = s->directory;
        s->sources.root = s->root;
        s->sources.cache = s->cache;
        s->helpers = sources->helpers ? *sources->helpers : (SymbolHelpers) {};
        s->sources.helpers = &s->helpers;
        *ret = steal_ptr(s);
        return 0;
}

Symbols *symbols_free(Symbols *s) {
        if (!s)
                return NULL;
        for (size_t i = 0; i < s->n_files; i++) {
                free(s->files[i].name);
                symbol_table_free(s->files[i].table);
        }
        free(s->files);
        hash_index_done(&s->files_index);
        free(s->tables);
        kernel_symbols_done(&s->kernel.symbols);
        free(s->kernel.release);
        (void) safe_close(s->kernel.code);
        for (size_t i = 0; i < s->n_modules; i++) {
                free(s->modules[i].path);
                (void) safe_close(s->modules[i].code);
        }
        dso_table_done(&s->dsos);
        free(s->directory);
        free(s->root);
        free(s->cache);
        free(s);
        return NULL;
}

const char *symbols_directory(const Symbols *s) {
        return s->directory;
}

const char *symbols_root(const Symbols *s) {
        return s->root;
}

SymbolSources symbols_sources(const Symbols *s) {
        return s->sources;
}

void symbols_set_watcher(Symbols *s, Watcher watcher) {
        s->sources.watcher = watcher;
}

void symbols_set_kernel(Symbols *s, const RecordedKernel *kernel) {
        s->kernel.recorded = kernel;
}

int symbols_set_kernel_identity(Symbols *s, const BuildId *id, const char *release) {
        s->kernel.id = *id;
        return free_and_strdup(&s->kernel.release, release);
}

int symbols_identify_kernel(Symbols *s, const PerfDataReader *reader) {
        const char *release = NULL;
        BuildId id = {};

        if (!recorded_kernel_find_id(reader, &id))
                id.size = 0;
        if (perf_data_reader_feature_string(reader, PERF_FEATURE_OSRELEASE, &release) < 0)
                release = NULL;
        return symbols_set_kernel_identity(s, &id, release);
}

bool symbols_is_perf_map(const char *path) {
        const char *pid = startswith(path, "/tmp/perf-");
        size_t n = pid ? strspn(pid, "0123456789") : 0;

        return n > 0 && streq(pid + n, ".map");
}

bool symbols_are_generated(const char *path) {
        return symbols_is_perf_map(path) || map_record_is_jit_dump(path);
}

bool symbols_perf_map_counts(const struct stat *st) {
        return S_ISREG(st->st_mode) && (st->st_uid == 0 || st->st_uid == geteuid());
}

static const RecordedKernel *recorded_kernel(const Symbols *s) {
        static const RecordedKernel unknown;

        return s->kernel.recorded ?: &unknown;
}

static const BuildId *recorded_id(const Symbols *s) {
        return recorded_kernel(s)->id.size > 0 ? &recorded_kernel(s)->id : &s->kernel.id;
}

static int symbols_load_kernel(Symbols *s) {
        KernelSymbols *k = &s->kernel.symbols;
        int r;

        if (s->kernel.sought)
                return 0;
        s->kernel.sought = true;
        r = kernel_symbols_load(k, &s->sources, recorded_kernel(s), recorded_id(s), s->kernel.release);
        if (r >= 0 && s->helpers.miss_kernel && k->trouble != KERNEL_NO_TROUBLE &&
            (!k->table || k->trouble >= KERNEL_NAMED_BROKEN))
                s->helpers.miss_kernel(s->helpers.userdata, k->trouble, s->kernel.release, recorded_id(s), &k->present);
        return r;
}

int symbols_open_kernel_code(Symbols *s, uint64_t *ret_moved) {
        int fd;

        if (!s->kernel.code_sought)
                s->kernel.code = kernel_symbols_open_code(&s->sources, recorded_kernel(s), recorded_id(s), s->kernel.release,
                                                          &s->kernel.code_moved);
        s->kernel.code_sought = true;
        if (s->kernel.code < 0)
                return s->kernel.code;
        *ret_moved = s->kernel.code_moved;
        fd = fcntl(s->kernel.code, F_DUPFD_CLOEXEC, 3);
        return fd < 0 ? -errno : fd;
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
        _cleanup_close_ int fd = s->directory ? root_file_open(s->directory, path) : -ENOENT;
        int r = fd < 0 ? fd : read_fd(fd, PERF_MAP_MAX, &text, &size);

        if (r < 0 && r != -ENOMEM)
                r = load_present_map(s, path, &text, &size);
        return r < 0 ? r : symbol_table_add_perf_map(t, text, size);
}

int symbols_open_jit_dump(const char *directory, const char *root, const DsoHit *dso) {
        char place[PATH_MAX];
        int fd = directory ? symbols_open_kept(directory, dso, place) : -ENOENT;

        return fd < 0 && root ? symbols_open_binary(root, dso) : fd;
}

static int load_jit_dump(const Symbols *s, const DsoHit *dso, SymbolTable *t) {
        _cleanup_close_ int fd = symbols_open_jit_dump(s->directory, s->root, dso);

        return fd < 0 ? fd : symbol_table_add_jit_dump(t, fd);
}

/* Reports that the file which has the path now is another one, or may be. */
static void symbols_refuse(const Symbols *s, const DsoHit *dso) {
        const char *const roots[] = { s->sources.named ? s->directory : NULL, s->root };
        BuildId present;

        for (size_t i = 0; s->helpers.refuse && i < ELEMENTSOF(roots); i++) {
                _cleanup_close_ int fd = roots[i] ? root_file_open(roots[i], dso->path) : -ENOENT;

                if (fd < 0)
                        continue;
                if (build_id_of_fd(fd, &present) < 0)
                        present.size = 0;
                s->helpers.refuse(s->helpers.userdata, dso->path, &dso->id, &present);
                return;
        }
}

static uint64_t file_hash(const LoadedFile *f) {
        return hash_mix(hash_bytes(f->device, f->name, strlen(f->name)), f->inode);
}

static uint64_t file_hash_of(const void *owner, uintptr_t entry) {
        return file_hash(((const Symbols *) owner)->files + entry - 1);
}

/* Notes from which file the symbols are loaded. Returns the number of the same one that is loaded already; 0: none is. */
static int identify_file(const Symbols *s, const DsoHit *dso, int fd, LoadedFile *ret) {
        const char *slash = strrchr(dso->path, '/');
        struct stat st;

        if (fstat(fd, &st) < 0)
                return -errno;
        if (free_and_strdup(&ret->name, slash ? slash + 1 : dso->path) < 0)
                return -ENOMEM;
        ret->device = st.st_dev;
        ret->inode = st.st_ino;
        return (int) HASH_INDEX_FIND(&s->files_index, file_hash(ret), entry,
                                     s->files[entry - 1].device == ret->device && s->files[entry - 1].inode == ret->inode &&
                                             streq(s->files[entry - 1].name, ret->name));
}

/* Returns the number of a loaded file that has symbols; 0: there is none, and f is filled in. */
static int load_file(const Symbols *s, const DsoHit *dso, int fd, LoadedFile *f) {
        int r = identify_file(s, dso, fd, f);

        if (r > 0)
                return s->files[r - 1].table ? r : 0;
        return r < 0 ? r : binary_symbols_load(&s->sources, dso->path, fd, f->table);
}

typedef struct BinaryLoading {
        const Symbols *symbols;
        const DsoHit *dso;
        LoadedFile *file;
        int number; /* what load_file() returned */
} BinaryLoading;

static int fit_symbols(void *userdata, int fd) {
        BinaryLoading *l = userdata;

        ElfImage e = ELF_IMAGE_EMPTY;
        int r = elf_image_open(&e, fd);
        bool offsets = r >= 0 && elf_image_has_offsets(&e);

        if (r < 0)
                return r;
        elf_image_done(&e);
        if (!offsets)
                return -ENODATA;
        l->number = load_file(l->symbols, l->dso, fd, l->file);
        return l->number == 0 && symbol_table_size(l->file->table) == 0 ? -ENODATA : l->number;
}

/* The same. */
static int load_binary(const Symbols *s, const DsoHit *dso, LoadedFile *f) {
        BinaryLoading loading = { .symbols = s, .dso = dso, .file = f };
        _cleanup_close_ int fd = symbol_sources_open_binary(&s->sources, dso, fit_symbols, &loading);

        if (fd == -ESTALE && *dso->path == '/')
                symbols_refuse(s, dso);
        return fd < 0 ? fd : loading.number;
}

/* NULL: it is not known. */
static const char *plain_release(const Symbols *s) {
        return s->kernel.release && kernel_release_is_plain(s->kernel.release) ? s->kernel.release : NULL;
}

/* Returns a descriptor that stays with s: a compressed file is expanded once. */
static int module_code(Symbols *s, const DsoHit *dso) {
        size_t i = 0;

        while (i < s->n_modules && !(build_id_equal(&s->modules[i].id, &dso->id) && streq(s->modules[i].path, dso->path)))
                i++;
        if (i < s->n_modules)
                return s->modules[i].code;
        if (s->n_modules >= MODULES_OPEN_MAX) {
                i = s->n_modules = MODULES_OPEN_MAX - 1;
                free(steal_ptr(s->modules[i].path));
                (void) safe_close(s->modules[i].code);
        }
        s->modules[i].path = strdup(dso->path);
        if (!s->modules[i].path)
                return -ENOMEM;
        s->modules[i].id = dso->id;
        s->modules[i].code = module_symbols_open_code(&s->sources, dso, plain_release(s));
        s->n_modules++;
        return s->modules[i].code;
}

int symbols_open_module_code(Symbols *s, const DsoHit *dso, uint64_t address, RecordedModule *ret) {
        const RecordedModule *module = s->kernel.recorded ? recorded_kernel_module(s->kernel.recorded, dso->path, address) : NULL;
        int code = module ? module_code(s, dso) : -ENOENT, fd;

        if (code < 0)
                return code;
        fd = fcntl(code, F_DUPFD_CLOEXEC, 3);
        if (fd < 0)
                return -errno;
        *ret = *module;
        return fd;
}

/* Takes over the file; 0, -ENOMEM. */
static int symbols_add_file(Symbols *s, LoadedFile *f, uint32_t *ret) {
        int r = ARRAY_RESERVE(s->files, s->files_allocated, s->n_files + 1);

        if (r < 0)
                return r;
        s->files[s->n_files++] = *f;
        if (f->name)
                r = hash_index_add(&s->files_index, file_hash(f), s->n_files, file_hash_of, s);
        s->memory += f->table ? symbol_table_memory(f->table) : 0;
        *f = (LoadedFile) {};
        *ret = (uint32_t) s->n_files;
        return r;
}

/* Looks for a binary's symbols, for f->table. Returns the number of a loaded file that has them, or 0. */
static int symbols_find_symbols(const Symbols *s, const DsoHit *dso, const RecordedModule *module, LoadedFile *f) {
        int r = module ? module_symbols_load(&s->sources, dso, plain_release(s), module->end - module->start, f->table) :
                symbols_is_perf_map(dso->path) ? load_perf_map(s, dso->path, f->table) :
                map_record_is_jit_dump(dso->path) ? load_jit_dump(s, dso, f->table) : load_binary(s, dso, f);

        if ((r == -E2BIG || r == -EFBIG || symbol_table_has_trait(f->table, SYMBOLS_LIMITED)) && s->helpers.limit)
                s->helpers.limit(s->helpers.userdata, dso->path);
        return r < 0 && r != -ENOMEM ? 0 : r;
}

/* module: NULL for other binaries. *ret: the number of a file. */
static int symbols_load(Symbols *s, const DsoHit *dso, const RecordedModule *module, uint32_t *ret) {
        LoadedFile f = {};
        int r = symbol_table_new(&f.table);

        if (r >= 0)
                r = symbols_find_symbols(s, dso, module, &f);
        if (r > 0)
                *ret = (uint32_t) r;
        else if (r == 0) {
                symbol_table_sort(f.table);
                if (symbol_table_size(f.table) == 0)
                        f.table = symbol_table_free(f.table);
                r = f.table || f.name ? symbols_add_file(s, &f, ret) : 0;
        }
        symbol_table_free(f.table);
        free(f.name);
        return MIN_OF(r, 0);
}

/* *ret is NULL if no symbols are found. */
static int symbols_table(Symbols *s, const DsoHit *dso, const RecordedModule *module, const SymbolTable **ret) {
        uint32_t number, file = 0;
        int r;

        *ret = NULL;
        r = ARRAY_RESERVE(s->tables, s->allocated, s->n_tables + 1);
        if (r >= 0)
                r = dso_table_intern(&s->dsos, dso, &number);
        if (r == -ENOSPC)
                return 0;
        if (r >= 0 && number >= s->n_tables) {
                r = s->memory < SYMBOLS_MEMORY_MAX ? symbols_load(s, dso, module, &file) : 0;
                s->tables[s->n_tables++] = file;
        }
        if (r >= 0 && s->tables[number] > 0)
                *ret = s->files[s->tables[number] - 1].table;
        return r;
}

/* The list may be of a time when another module was there, or none, so that it has what is before it. */
static bool find_in_list(const KernelSymbols *k, const RecordedModule *module, uint64_t address, Symbol *ret) {
        if (!k->table || (module && !k->has_modules) || !symbol_table_find(k->table, address, ret))
                return false;
        return !module || (ret->start >= module->start && ret->start < module->end);
}

static int resolve_in_kernel(Symbols *s, const DsoHit *dso, uint64_t address, Symbol *ret) {
        const RecordedModule *module = s->kernel.recorded ? recorded_kernel_module(s->kernel.recorded, dso->path, address) : NULL;
        const SymbolTable *t = NULL;
        int r = symbols_load_kernel(s);

        if (r < 0 || find_in_list(&s->kernel.symbols, module, address, ret))
                return r < 0 ? r : 1;
        if (module)
                r = symbols_table(s, dso, module, &t);
        if (r < 0 || !t || !symbol_table_find(t, address - module->start, ret))
                return MIN_OF(r, 0);
        ret->start += module->start;
        ret->end += module->start;
        return 1;
}

int symbols_lack_names(Symbols *s, const DsoHit *dso) {
        const SymbolTable *t = NULL;
        int r = dso->cpumode == PERF_RECORD_MISC_USER ? symbols_table(s, dso, NULL, &t) : 0;

        return r < 0 ? r : t && symbol_table_has_trait(t, SYMBOLS_INCOMPLETE);
}

int symbols_resolve(Symbols *s, const DsoHit *dso, uint64_t address, Symbol *ret) {
        const SymbolTable *t = NULL;
        int r;

        if (!watcher_go_on(&s->sources.watcher))
                return 0;
        if (dso->cpumode == PERF_RECORD_MISC_KERNEL)
                return resolve_in_kernel(s, dso, address, ret);
        r = symbols_table(s, dso, NULL, &t);
        return r < 0 ? r : t && symbol_table_find(t, address, ret);
}
