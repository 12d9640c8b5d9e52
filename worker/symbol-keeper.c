/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What belongs beside a dump, and what of it is there already. For each binary that was ever hit it is known which
 * folder has its symbols last; a link to that costs a few microseconds. After a restart nothing is known, and a file
 * of the newest folder counts if its build id is the binary's. Folders that were removed meanwhile cost a new file,
 * nothing else. symbol-order.c has the thread. */

#include "symbol-keeper.h"

#include <fcntl.h>
#include <perf-recorder/dump-facts.h>

#include "dso-table.h"
#include "fd-file.h"
#include "kernel-map.h"
#include "mount-roots.h"
#include "strv.h"
#include "symbol-file.h"
#include "symbol-folder.h"
#include "symbol-generated.h"
#include "symbol-kernel.h"
#include "symbol-order.h"
#include "symbol-source.h"
#include "symbols-directory.h"
#include "symbols-file.h"

#define FILE_SHARE 4u /* one file has at most so much of the whole: a quarter */

/* Where a binary's symbols are. */
typedef struct Kept {
        char *folder;      /* NULL: nowhere */
        bool none;         /* they can't be had of the process … */
        uint32_t none_pid; /* … of this number */
} Kept;

typedef struct KeptMap {
        uint32_t pid;
        GeneratedState state;
        char *folder;
} KeptMap;

#define KEPT_MAPS_MAX 4096u

struct SymbolKeeper {
        char *root, *base;
        uint64_t max;
        DsoTable dsos;
        Kept *kept; /* of the first n_kept of them */
        size_t n_kept, allocated;
        KeptMap *maps;
        size_t n_maps;
        char *kernel_folder;
        uint64_t kernel_state;
        char *newest;        /* folder of an earlier recorder; NULL: none */
        bool begun;
        SymbolOrders *orders;
};

/* One dump's. */
typedef struct Keeping {
        SymbolKeeper *k;
        DsoHits *hits;
        SymbolFolder folder;
        char *name;          /* of the folder when it is done */
        MountRoots others;
        bool has_others;
        char **left_out;
        SymbolsKept facts;
} Keeping;

int symbol_keeper_new(const char *root, const char *base, uint64_t max, SymbolKeeper **ret) {
        _cleanup_(symbol_keeper_freep) SymbolKeeper *k = calloc(1, sizeof(*k));
        int r;

        if (!k || free_and_strdup(&k->root, root) < 0 || free_and_strdup(&k->base, base) < 0)
                return -ENOMEM;
        k->max = max;
        r = symbol_orders_new(k, &k->orders);
        if (r < 0)
                return r;
        *ret = steal_ptr(k);
        return 0;
}

SymbolKeeper *symbol_keeper_free(SymbolKeeper *k) {
        if (!k)
                return NULL;
        symbol_orders_free(k->orders);
        for (size_t i = 0; i < k->n_kept; i++)
                free(k->kept[i].folder);
        for (size_t i = 0; i < k->n_maps; i++)
                free(k->maps[i].folder);
        free(k->kept);
        free(k->maps);
        dso_table_done(&k->dsos);
        free(k->kernel_folder);
        free(k->newest);
        free(k->root);
        free(k->base);
        free(k);
        return NULL;
}

SymbolOrders *symbol_keeper_orders(SymbolKeeper *k) {
        return k->orders;
}

static uint64_t file_max(const Keeping *w) {
        return MIN_OF(w->k->max / FILE_SHARE, symbol_folder_room(&w->folder));
}

static int leave_out(Keeping *w, const char *path, int error) {
        w->facts.too_large += error == -EFBIG;
        w->facts.not_found += error != -EFBIG;
        return strv_extendf(&w->left_out, "%s: %s", path,
                            error == -EFBIG ? "too large" :
                            error == -ENODATA ? "no symbols" :
                            error == -ESTALE ? "not the file that was mapped" : strerror(-error));
}

/* -ENOENT: none is there that could be linked. */
static int link_from(Keeping *w, const char *folder, const char *path) {
        int r = folder ? symbol_folder_link(&w->folder, folder, path) : -ENOENT;

        if (r >= 0)
                w->facts.files++;
        return r >= 0 || r == -EFBIG ? r : -ENOENT;
}

static int find_others(Keeping *w) {
        _cleanup_free_ uint32_t *pids = NULL;
        size_t n;
        int r;

        if (w->has_others)
                return 0;
        w->has_others = true;
        r = dso_hits_pids(w->hits, &pids, &n);
        return r < 0 ? r : mount_roots_find(w->k->root, pids, n, &w->others);
}

static int open_source(Keeping *w, const DsoHit *hit) {
        int fd = symbol_source_open(w->k->root, hit, NULL), r;

        if (fd >= 0)
                return fd;
        r = find_others(w);
        return r < 0 ? r : w->others.n > 0 ? symbol_source_open(w->k->root, hit, &w->others) : fd;
}

/* What a recorder before this one wrote of the same binary. */
static bool newest_has(const Keeping *w, const char *path, int binary) {
        _cleanup_free_ char *whole = NULL;
        BuildId id, there;

        if (!w->k->newest || build_id_of_fd(binary, &id) < 0 || asprintf(&whole, "%s/%s", w->k->newest, path) < 0)
                return false;
        return build_id_of_file(w->folder.parent_fd, whole, &there) >= 0 && there.size == id.size &&
               memcmp(there.bytes, id.bytes, id.size) == 0;
}

static int write_symbols(Keeping *w, const char *path, int binary) {
        _cleanup_close_ int separate = -EBADF, out = -EBADF;
        ElfImage e, debug = ELF_IMAGE_EMPTY;
        uint64_t size = 0;
        int r = elf_image_open(&e, binary);

        if (r < 0)
                return r;
        separate = symbols_open_separate(w->k->root, path, binary, &e);
        if (separate >= 0 && elf_image_open(&debug, separate) < 0)
                separate = safe_close(separate);
        out = symbol_folder_create(&w->folder, path);
        r = out < 0 ? out : symbol_file_write(&e, separate >= 0 ? &debug : NULL, out, file_max(w), &size);
        if (r < 0 && out >= 0)
                symbol_folder_remove(&w->folder, path);
        if (r >= 0) {
                symbol_folder_count(&w->folder, size);
                w->facts.files++;
        }
        elf_image_done(&debug);
        elf_image_done(&e);
        return r;
}

static int write_binary(Keeping *w, const DsoHit *hit) {
        _cleanup_close_ int fd = open_source(w, hit);
        int r;

        if (fd < 0)
                return fd;
        r = newest_has(w, hit->path, fd) ? link_from(w, w->k->newest, hit->path) : -ENOENT;
        return r == -ENOENT ? write_symbols(w, hit->path, fd) : r;
}

static int get_kept(SymbolKeeper *k, const DsoHit *hit, Kept **ret) {
        uint32_t number;
        int r = dso_table_intern(&k->dsos, hit, &number);

        if (r < 0)
                return r;
        if (number >= k->allocated) {
                size_t allocated = (size_t) number * 2 + 64;
                Kept *kept = reallocarray(k->kept, allocated, sizeof(*kept));

                if (!kept)
                        return -ENOMEM;
                k->kept = kept;
                k->allocated = allocated;
        }
        for (; k->n_kept <= number; k->n_kept++)
                k->kept[k->n_kept] = (Kept) {};
        *ret = k->kept + number;
        return 0;
}

/* A full disk ends it; any other failure is this binary's own. */
static bool is_fatal(int r) {
        return r == -ENOMEM || r == -ENOSPC || r == -EDQUOT || r == -EIO || r == -EROFS;
}

static int keep_binary(Keeping *w, const DsoHit *hit) {
        Kept *kept;
        int r = get_kept(w->k, hit, &kept);

        if (r < 0)
                return r == -ENOSPC ? 0 : r;
        if (kept->none && kept->none_pid == hit->pid)
                return leave_out(w, hit->path, -ENOENT);
        r = link_from(w, kept->folder, hit->path);
        if (r == -ENOENT)
                r = write_binary(w, hit);
        if (is_fatal(r))
                return r;
        if (r == -EEXIST) /* another file of that path, before it was replaced */
                return 0;
        kept->none = r < 0 && r != -EFBIG;
        kept->none_pid = hit->pid;
        if (r < 0)
                return leave_out(w, hit->path, r);
        return free_and_strdup(&kept->folder, w->name);
}

static int keep_kernel(Keeping *w) {
        uint64_t state = kernel_modules_digest(w->k->root);
        int r = -ENOENT;

        if (w->k->kernel_folder && state == w->k->kernel_state) {
                r = link_from(w, w->k->kernel_folder, SYMBOL_KERNEL_TEXT);
                if (r >= 0)
                        (void) link_from(w, w->k->kernel_folder, SYMBOL_KERNEL_IMAGE);
        }
        if (r == -ENOENT) {
                r = symbol_kernel_write(w->k->root, &w->folder, file_max(w));
                w->facts.files += r >= 0 ? 2 : 0;
        }
        if (is_fatal(r))
                return r;
        w->k->kernel_state = state;
        return r < 0 ? leave_out(w, "[kernel.kallsyms]", r) : free_and_strdup(&w->k->kernel_folder, w->name);
}

static int get_map(SymbolKeeper *k, uint32_t pid, KeptMap **ret) {
        KeptMap *maps;

        for (size_t i = 0; i < k->n_maps; i++)
                if (k->maps[i].pid == pid) {
                        *ret = k->maps + i;
                        return 0;
                }
        if (k->n_maps >= KEPT_MAPS_MAX) { /* most of their processes have ended */
                while (k->n_maps > 0)
                        free(k->maps[--k->n_maps].folder);
        }
        maps = reallocarray(k->maps, k->n_maps + 1, sizeof(*maps));
        if (!maps)
                return -ENOMEM;
        k->maps = maps;
        k->maps[k->n_maps] = (KeptMap) { .pid = pid };
        *ret = k->maps + k->n_maps++;
        return 0;
}

static int keep_map(Keeping *w, uint32_t pid) {
        char path[SYMBOL_GENERATED_PATH_SIZE];
        _cleanup_close_ int fd = -EBADF;
        GeneratedState state;
        KeptMap *map;
        int r = symbol_generated_open(w->k->root, pid, &fd, &state);

        if (r < 0)
                return r == -ENOMEM ? r : 0; /* hardly any process has one */
        r = get_map(w->k, pid, &map);
        if (r < 0)
                return r;
        symbol_generated_path(pid, path);
        r = memcmp(&map->state, &state, sizeof(state)) == 0 ? link_from(w, map->folder, path) : -ENOENT;
        if (r == -ENOENT) {
                r = symbol_generated_write(fd, &w->folder, path, file_max(w));
                w->facts.files += r >= 0;
        }
        if (r < 0)
                return is_fatal(r) ? r : leave_out(w, path, r);
        map->state = state;
        return free_and_strdup(&map->folder, w->name);
}

static int write_left_out(Keeping *w) {
        _cleanup_free_ char *text = NULL;
        _cleanup_close_ int fd = -EBADF;

        if (!w->left_out)
                return 0;
        text = strv_join(w->left_out, "\n");
        fd = text ? symbol_folder_create(&w->folder, PR_SYMBOLS_LEFT_OUT) : -ENOMEM;
        if (fd < 0)
                return fd;
        return write_all(fd, text, strlen(text));
}

/* The kernel first, which all dumps have, then binaries in the order of their first hit. */
static int fill(Keeping *w) {
        const uint32_t *pids;
        const DsoHit *hits;
        bool kernel = false;
        size_t n = 0, n_pids;
        int r = dso_hits_get(w->hits, &hits, &n);

        for (size_t i = 0; i < n; i++)
                kernel = kernel || hits[i].cpumode == PERF_RECORD_MISC_KERNEL;
        if (r >= 0 && kernel)
                r = keep_kernel(w);
        for (size_t i = 0; r >= 0 && i < n; i++)
                if (hits[i].cpumode == PERF_RECORD_MISC_USER && *hits[i].path == '/')
                        r = keep_binary(w, hits + i);
        n_pids = dso_hits_generated(w->hits, &pids);
        for (size_t i = 0; r >= 0 && i < n_pids; i++)
                r = keep_map(w, pids[i]);
        return r < 0 ? r : write_left_out(w);
}

/* Before the first folder. */
static int begin(SymbolKeeper *k, int dir_fd) {
        int r = 0;

        if (!k->begun) {
                symbol_folder_remove_stale(dir_fd, k->base);
                r = symbol_folder_newest(dir_fd, k->base, &k->newest);
        }
        k->begun = r != -ENOMEM;
        return r == -ENOMEM ? r : 0;
}

/* As perf.data becomes perf.data.old, so do its symbols. */
static void make_old(Keeping *w, const char *dump) {
        _cleanup_free_ char *before = NULL, *file = NULL, *old = NULL;

        if (!streq(dump, w->k->base) || symbols_directory_find(w->folder.parent_fd, dump, &before) < 0)
                return;
        if (asprintf(&file, "%s.old", dump) < 0) {
                file = NULL;
                return;
        }
        (void) symbols_directory_remove(w->folder.parent_fd, file);
        old = symbols_directory_name(file);
        if (old)
                (void) renameat(w->folder.parent_fd, before, w->folder.parent_fd, old);
}

/* Of a dump that was removed meanwhile nothing must be left. */
static int finish(Keeping *w, const char *dump) {
        w->facts.bytes = w->folder.used;
        if (w->facts.files == 0)
                return -ENODATA;
        if (faccessat(w->folder.parent_fd, dump, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
                return -ENODATA;
        make_old(w, dump);
        return symbol_folder_commit(&w->folder);
}

int symbol_keeper_keep(SymbolKeeper *k, int dir_fd, const char *dump, DsoHits *hits, SymbolsKept *ret) {
        Keeping w = { .k = k, .hits = hits, .folder = SYMBOL_FOLDER_EMPTY };
        int r = begin(k, dir_fd);

        if (r >= 0)
                r = symbol_folder_open(&w.folder, dir_fd, dump, k->max);
        if (r < 0)
                return r;
        w.name = strdup(w.folder.name);
        r = w.name ? fill(&w) : -ENOMEM;
        if (r >= 0)
                r = finish(&w, dump);
        symbol_folder_done(&w.folder);
        mount_roots_done(&w.others);
        strv_free(w.left_out);
        free(w.name);
        if (r == -ENODATA) /* nothing was hit that has symbols, or there is no dump any more */
                r = 0;
        if (r >= 0 && ret)
                *ret = w.facts;
        return r;
}
