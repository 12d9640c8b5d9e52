/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* This decides which symbols a dump's folder gets, and from where. For each binary with samples, the keeper knows the
 * last folder that has its symbols; a link to that file takes a few microseconds. After a restart, a file of the
 * newest folder is linked if its build id is that of the binary. If a folder was removed in the meantime, the file is
 * written again, and so is one without .symtab if there is a separate file of debug symbols now, which may be installed later.
 *
 * Invariants: a binary is at its path in the folder only if the machine itself has it at that path. Any other binary,
 * of a container or deleted since, is at the path of its inode (symbols-file.h) and, if it is root's file, at that of its build
 * id, as perf finds separate debug files below --symfs. So paths that processes choose can't replace the machine's. Of several
 * files with one build id, root's stands for the others (symbol-claims.h), and users' files get the room that root's leave: for
 * this, the binaries are gone through once for each degree of trust. symbol-order.c has the thread. */

#include "symbol-keeper.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "array.h"
#include "dso-source.h"
#include "dso-table.h"
#include "elf-build-id.h"
#include "file-sums.h"
#include "format-text.h"
#include "jit-dump.h"
#include "kernel-map.h"
#include "map-record.h"
#include "symbol-claims.h"
#include "symbol-file.h"
#include "symbol-folder.h"
#include "symbol-generated.h"
#include "symbol-kernel.h"
#include "symbol-order.h"
#include "symbol-place.h"
#include "symbol-sources.h"
#include "symbols-directory.h"
#include "symbols-file.h"
#include "symbols-left-out.h"
#include "vdso-image.h"

#define FILE_SHARE 4u /* one file may have a quarter of the whole */
#define SUMS_MAX FILE_SUM_MAX /* bytes of files whose checksums are computed for a dump */
#define KEPT_MAX 8192u /* binaries; after that many all are forgotten */

/* The place of a binary's symbols. */
typedef struct Kept {
        char *folder, *place; /* NULL: there are none yet */
        SymbolOrigin origin;  /* of the file */
        bool stripped;        /* the file has no .symtab … */
        ino_t separate;       /* … nor does one with this separate file; 0: none was tried */
        int error;            /* for which the symbols could not be read … */
        uint32_t error_pid;   /* … by way of this process */
} Kept;

typedef struct KeptMap {
        uint32_t pid;
        GeneratedState state;
        uint64_t time;       /* of the last sample of the dump for which the map was read */
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
        char *newest;        /* the last folder; NULL: there is none */
        bool begun;
        SymbolOrders *orders;
};

/* The work for one dump. */
typedef struct Keeping {
        SymbolKeeper *k;
        DsoHits *hits;
        SymbolFolder folder;
        char *name;          /* of the finished folder */
        DsoSearch search;
        SharedPaths shared;
        SymbolClaims claims;
        SymbolsLeftOut left_out;
        SymbolsKept facts;
} Keeping;

/* A binary that was found. */
typedef struct Binary {
        const DsoHit *hit;
        int fd;
        SymbolOrigin origin;
} Binary;

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

static void symbol_keeper_forget(SymbolKeeper *k) {
        while (k->n_kept > 0) {
                k->n_kept--;
                free(k->kept[k->n_kept].folder);
                free(k->kept[k->n_kept].place);
        }
        dso_table_done(&k->dsos);
}

SymbolKeeper *symbol_keeper_free(SymbolKeeper *k) {
        if (!k)
                return NULL;
        symbol_orders_free(k->orders);
        symbol_keeper_forget(k);
        for (size_t i = 0; i < k->n_maps; i++)
                free(k->maps[i].folder);
        free(k->kept);
        free(k->maps);
        free(k->kernel_folder);
        free(k->newest);
        free(k->root);
        free(k->base);
        free(k);
        return NULL;
}

bool symbol_keeper_wait(SymbolKeeper *k, unsigned max_msec) {
        return symbol_orders_wait(k->orders, max_msec);
}

/* If the thread is in the middle of a large file, the keeper is not freed: both end with the process, and the next
 * recorder removes the unfinished folder. It is no leak, as the sanitizer would have it that sees no pointer to it. */
SymbolKeeper *symbol_keeper_stop(SymbolKeeper *k, unsigned max_msec) {
        static SymbolKeeper *volatile left;

        if (!k || symbol_orders_stop(k->orders, max_msec))
                return symbol_keeper_free(k);
        left = k;
        (void) left;
        return NULL;
}

SymbolOrders *symbol_keeper_orders(SymbolKeeper *k) {
        return k->orders;
}

static uint64_t keeping_file_max(const Keeping *w) {
        return MIN_OF(w->k->max / FILE_SHARE, symbol_folder_room(&w->folder));
}

/* -ENOENT: that folder has no file to link. */
static int keeping_link_from(Keeping *w, const char *folder, const char *path) {
        int r = folder ? symbol_folder_link(&w->folder, folder, path) : -ENOENT;

        if (r >= 0)
                w->facts.files++;
        return r >= 0 || r == -EFBIG ? r : -ENOENT;
}

/* Returns true for errors that end the whole folder, as a full disk does; others only concern the binary. */
static bool keeping_is_fatal(int r) {
        return r == -ENOMEM || r == -ENOSPC || r == -EDQUOT || r == -EIO || r == -EROFS;
}

/* Returns true if the folder's file at that place is of the same binary. */
static bool folder_has_same(int folder_fd, const char *place, const BuildId *id) {
        BuildId there;

        return id->size > 0 && build_id_of_file(folder_fd, place + strspn(place, "/"), &there) >= 0 &&
               build_id_equal(&there, id);
}

static bool folder_has_stripped(int folder_fd, const char *place) {
        _cleanup_close_ int fd = openat(folder_fd, place + strspn(place, "/"), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

        return fd >= 0 && symbols_are_stripped(fd);
}

/* Opens the binary's separate file. -ENOENT and others: there is none. */
static int keeping_open_separate(const Keeping *w, const char *path, int binary) {
        ElfImage e = ELF_IMAGE_EMPTY;
        int r = elf_image_open(&e, binary);

        if (r < 0)
                return r;
        r = symbol_sources_open_separate(&(SymbolSources) { .root = w->k->root }, path, binary, &e, NULL, NULL);
        elf_image_done(&e);
        return r;
}

static bool keeping_newest_has(const Keeping *w, const char *place, const Binary *b) {
        _cleanup_close_ int fd = -EBADF, separate = -EBADF;

        if (!w->k->newest)
                return false;
        fd = openat(w->folder.parent_fd, w->k->newest, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 || !folder_has_same(fd, place, &b->origin.id))
                return false;
        separate = folder_has_stripped(fd, place) ? keeping_open_separate(w, b->hit->path, b->fd) : -ENOENT;
        return separate < 0;
}

static int keeping_write_symbols(Keeping *w, const char *place, const Binary *b) {
        _cleanup_close_ int separate = -EBADF, out = -EBADF;
        ElfImage e, debug = ELF_IMAGE_EMPTY;
        uint64_t size = 0;
        int r = elf_image_open(&e, b->fd);

        if (r < 0)
                return r;
        separate = symbol_sources_open_separate(&(SymbolSources) { .root = w->k->root }, b->hit->path, b->fd, &e, NULL, NULL);
        if (separate >= 0 && elf_image_open(&debug, separate) < 0)
                separate = safe_close(separate);
        out = symbol_folder_create(&w->folder, place);
        r = out < 0 ? out : symbol_file_write(&e, separate >= 0 ? &debug : NULL, out, keeping_file_max(w), &size);
        if (r < 0 && out >= 0)
                symbol_folder_remove(&w->folder, place);
        if (r >= 0) {
                symbol_folder_count(&w->folder, size);
                w->facts.files++;
        }
        elf_image_done(&debug);
        elf_image_done(&e);
        return r;
}

static int keeping_put_at(Keeping *w, const char *place, const Binary *b) {
        bool linked = symbol_origin_is_at_path(&b->origin) && keeping_newest_has(w, place, b);
        int r = linked ? keeping_link_from(w, w->k->newest, place) : -ENOENT;

        return r == -ENOENT ? keeping_write_symbols(w, place, b) : r;
}

/* Returns true if another file has the place or is in the way, or the path is not possible. */
static bool place_is_taken(int r) {
        return r == -EEXIST || r == -ENOTDIR || r == -EISDIR || r == -ENAMETOOLONG || r == -EINVAL;
}

static int keeping_put_by_path(Keeping *w, const Binary *b) {
        const char *path = b->hit->path;
        int r;

        if (!symbol_origin_is_at_path(&b->origin) || symbol_path_is_reserved(path))
                return -EEXIST;
        if (b->origin.id.size == 0 && shared_paths_contain(&w->shared, path)) /* readers could not tell which binary it is */
                return -EEXIST;
        r = keeping_put_at(w, path, b);
        return r == -EEXIST && folder_has_same(w->folder.fd, path, &b->origin.id) ? 0 : r;
}

/* Puts the symbols at the first possible place. A file that is already at the place of this build id or inode is the same. */
static int keeping_put(Keeping *w, const Binary *b, char **ret_place) {
        char id_path[SYMBOLS_ID_PATH_SIZE], inode_path[SYMBOLS_INODE_PATH_SIZE];
        const SymbolClaim *first = symbol_claims_find(&w->claims, &b->origin.id);
        const char *place = b->hit->path;
        int r;

        if (first && !symbol_origin_is_at_path(&b->origin) && symbol_claim_covers(first, &b->origin))
                return free_and_strdup(ret_place, first->place);
        r = keeping_put_by_path(w, b);
        /* A user's files are not put by their build id, unless the recording knows no inodes. */
        if (place_is_taken(r) && b->origin.id.size >= 2 && (symbol_origin_is_roots(&b->origin) || b->hit->inode == 0)) {
                place = symbols_id_path(&b->origin.id, id_path);
                r = keeping_put_at(w, place, b);
        } else if (place_is_taken(r) && b->hit->inode != 0) {
                place = symbols_inode_path(b->hit, inode_path);
                r = keeping_put_at(w, place, b);
        } else if (place_is_taken(r))
                return LEFT_OUT_NO_NAME;
        if (r < 0 && r != -EEXIST)
                return r;
        r = free_and_strdup(ret_place, place);
        return r < 0 ? r : symbol_claims_add(&w->claims, &b->origin, place);
}

/* Readers of a recording without build ids in its maps know a binary by its path; if several share it, they need the
 * inode. */
static int keeping_put_inode(Keeping *w, const DsoHit *hit, const char *place) {
        char path[SYMBOLS_INODE_PATH_SIZE];
        int r;

        if (hit->inode == 0 || (streq_ptr(place, hit->path) && !shared_paths_contain(&w->shared, place)))
                return 0;
        r = symbol_folder_alias(&w->folder, place, symbols_inode_path(hit, path));
        return keeping_is_fatal(r) ? r : 0;
}

/* Returns 1 for a file that is trusted less. */
static int keeping_write_binary(Keeping *w, const DsoHit *hit, SymbolTrust trust, Kept *kept) {
        bool own = true;
        _cleanup_close_ int fd = trust == SYMBOL_TRUST_MACHINE ? dso_source_open_own(&w->search, hit) :
                                                                 dso_source_open(&w->search, hit, &own);
        Binary b = { .hit = hit, .fd = fd };
        int r;

        if (fd < 0)
                return fd != -ENOMEM && trust == SYMBOL_TRUST_MACHINE ? 1 : fd;
        r = symbol_origin_of(fd, own, &b.origin);
        if (r < 0 || b.origin.trust > trust)
                return r < 0 ? r : 1;
        kept->origin = b.origin;
        r = keeping_put(w, &b, &kept->place);
        if (r >= 0)
                kept->stripped = folder_has_stripped(w->folder.fd, kept->place);
        return r;
}

/* Returns true if the binary, whose file is stripped, has a separate file now that was not tried yet; it counts as tried then,
 * since its symbols may be too large. */
static bool keeping_has_new_separate(const Keeping *w, Kept *kept, const DsoHit *hit) {
        _cleanup_close_ int separate = symbols_open_by_id(w->k->root, &kept->origin.id), binary = -EBADF;
        struct stat st;

        if (separate < 0) {
                binary = dso_source_open_own(&w->search, hit);
                separate = binary < 0 ? binary : keeping_open_separate(w, hit->path, binary);
        }
        if (separate < 0 || fstat(separate, &st) < 0 || st.st_ino == kept->separate)
                return false;
        kept->separate = st.st_ino;
        return true;
}

static int symbol_keeper_get_kept(SymbolKeeper *k, const DsoHit *hit, Kept **ret) {
        uint32_t number;
        int r;

        if (k->dsos.n >= KEPT_MAX)
                symbol_keeper_forget(k);
        r = dso_table_intern(&k->dsos, hit, &number);
        if (r < 0)
                return r;
        if (ARRAY_RESERVE(k->kept, k->allocated, (size_t) number + 1) < 0)
                return -ENOMEM;
        for (; k->n_kept <= number; k->n_kept++)
                k->kept[k->n_kept] = (Kept) {};
        *ret = k->kept + number;
        return 0;
}

/* Links the file of an earlier dump. If other binaries have that path now, a file without a build id could be of any of them. The
 * file of a build id that another file has now may have to give way to that one. */
static int keeping_link_kept(Keeping *w, const Kept *kept, const DsoHit *hit) {
        int r;

        if (kept->origin.id.size == 0 && shared_paths_contain(&w->shared, hit->path))
                return -ENOENT;
        if (!symbol_origin_is_at_path(&kept->origin) && symbol_claims_find(&w->claims, &kept->origin.id))
                return -ENOENT;
        r = keeping_link_from(w, kept->folder, kept->place);
        return r < 0 ? r : symbol_claims_add(&w->claims, &kept->origin, kept->place);
}

/* Links the file of an earlier dump, or writes another one. Returns 1 for a file that is trusted less. */
static int keeping_put_binary(Keeping *w, const DsoHit *hit, SymbolTrust trust, Kept *kept) {
        bool again = kept->folder && kept->stripped && keeping_has_new_separate(w, kept, hit);
        int r = kept->folder && !again ? keeping_link_kept(w, kept, hit) : -ENOENT;

        if (r == -ENOENT)
                r = keeping_write_binary(w, hit, trust, kept);
        if (r < 0 && again && !keeping_is_fatal(r)) /* the binary has gone, or there is no room for more symbols */
                r = keeping_link_kept(w, kept, hit);
        return r;
}

/* Returns 1 for a file that is trusted less. */
static int keeping_add_binary(Keeping *w, const DsoHit *hit, SymbolTrust trust) {
        Kept *kept;
        int r;

        if (symbol_orders_are_stopped(w->k->orders))
                return symbols_left_out_add(&w->left_out, hit->path, LEFT_OUT_STOPPED);
        r = symbol_keeper_get_kept(w->k, hit, &kept);
        if (r < 0)
                return r;
        if (kept->error < 0 && kept->error_pid == hit->pid)
                return symbols_left_out_add(&w->left_out, hit->path, kept->error);
        if (kept->folder && kept->origin.trust > trust)
                return 1;
        r = keeping_put_binary(w, hit, trust, kept);
        if (r == 1 || keeping_is_fatal(r))
                return r;
        if (r == -ENOEXEC && map_record_is_memfd(hit->path)) /* code that the process generated */
                return 0;
        if (r < 0) {
                if (r != LEFT_OUT_TOO_LARGE && r != LEFT_OUT_NO_NAME) { /* these may be different for another dump */
                        kept->error = r;
                        kept->error_pid = hit->pid;
                }
                return symbols_left_out_add(&w->left_out, hit->path, r);
        }
        r = keeping_put_inode(w, hit, kept->place);
        return r < 0 ? r : free_and_strdup(&kept->folder, w->name);
}

/* The vdso is the kernel's own, the same one in every process: readers on another machine find it by its build id. */
static int keeping_add_vdso(Keeping *w, const DsoHit *hit) {
        _cleanup_close_ int fd = vdso_image_open(hit->id.size > 0 ? &hit->id : NULL);
        Binary b = { .hit = hit, .fd = fd };
        char place[SYMBOLS_ID_PATH_SIZE];
        int r = fd < 0 ? fd : symbol_origin_of(fd, true, &b.origin);

        if (r >= 0)
                r = b.origin.id.size < 2 ? LEFT_OUT_NO_NAME : keeping_put_at(w, symbols_id_path(&b.origin.id, place), &b);
        if (r >= 0)
                return symbol_claims_add(&w->claims, &b.origin, place);
        return keeping_is_fatal(r) ? r : symbols_left_out_add(&w->left_out, hit->path, r);
}

static int keeping_add_kernel(Keeping *w) {
        uint64_t state = kernel_modules_digest(w->k->root);
        int r = -ENOENT;

        if (w->k->kernel_folder && state == w->k->kernel_state) {
                r = keeping_link_from(w, w->k->kernel_folder, SYMBOL_KERNEL_TEXT);
                if (r >= 0)
                        (void) keeping_link_from(w, w->k->kernel_folder, SYMBOL_KERNEL_IMAGE);
        }
        if (r == -ENOENT) {
                r = symbol_kernel_write(w->k->root, &w->folder, keeping_file_max(w));
                w->facts.files += r >= 0 ? 2 : 0;
        }
        if (keeping_is_fatal(r))
                return r;
        w->k->kernel_state = state;
        return r < 0 ? symbols_left_out_add(&w->left_out, "[kernel.kallsyms]", r) : free_and_strdup(&w->k->kernel_folder, w->name);
}

static int symbol_keeper_get_map(SymbolKeeper *k, uint32_t pid, KeptMap **ret) {
        for (size_t i = 0; i < k->n_maps; i++)
                if (k->maps[i].pid == pid) {
                        *ret = k->maps + i;
                        return 0;
                }
        if (k->n_maps >= KEPT_MAPS_MAX) { /* most of their processes have ended */
                while (k->n_maps > 0)
                        free(k->maps[--k->n_maps].folder);
        }
        if (ARRAY_RESERVE_NEXT(k->maps, k->n_maps) < 0)
                return -ENOMEM;
        k->maps[k->n_maps] = (KeptMap) { .pid = pid };
        *ret = k->maps + k->n_maps++;
        return 0;
}

/* Links the map that an earlier dump has of a process that has ended since, or whose map is gone: this dump may be the one that is
 * wanted for its end. The map of what had the number before, or of what was executed before, is another one. -ENOENT: there is
 * none. */
static int keeping_link_last_map(Keeping *w, uint32_t pid, const char *path) {
        for (size_t i = 0; i < w->k->n_maps; i++) {
                KeptMap *map = w->k->maps + i;
                int r;

                if (map->pid != pid || !map->folder || dso_hits_begun(w->hits, pid) > map->time)
                        continue;
                r = keeping_link_from(w, map->folder, path);
                return r < 0 ? r : free_and_strdup(&map->folder, w->name);
        }
        return -ENOENT;
}

static int keeping_add_map(Keeping *w, uint32_t pid) {
        char path[SYMBOL_GENERATED_PATH_SIZE];
        _cleanup_close_ int fd = -EBADF;
        GeneratedState state;
        KeptMap *map;
        uint64_t first;
        int r = symbol_generated_open(w->k->root, pid, &fd, &state);

        (void) symbol_generated_path(pid, path);
        if (r == -ENOENT || r == -ESRCH) {
                int linked = keeping_link_last_map(w, pid, path);

                if (linked >= 0 || keeping_is_fatal(linked))
                        return MIN_OF(linked, 0);
                if (linked != -ENOENT)
                        return symbols_left_out_add(&w->left_out, path, linked);
        }
        if (r == -ENOENT) /* most processes have none */
                return 0;
        if (r < 0)
                return r == -ENOMEM ? r : symbols_left_out_add(&w->left_out, path, r == -EPERM ? LEFT_OUT_NOT_OWN : r);
        r = symbol_keeper_get_map(w->k, pid, &map);
        if (r < 0)
                return r;
        r = memcmp(&map->state, &state, sizeof(state)) == 0 ? keeping_link_from(w, map->folder, path) : -ENOENT;
        if (r == -ENOENT) {
                r = symbol_generated_write(fd, &w->folder, path, keeping_file_max(w));
                w->facts.files += r >= 0;
        }
        if (r < 0)
                return keeping_is_fatal(r) ? r : symbols_left_out_add(&w->left_out, path, r);
        map->state = state;
        if (!dso_hits_times(w->hits, &first, &map->time))
                map->time = 0;
        return free_and_strdup(&map->folder, w->name);
}

/* Copies a jitdump without the code. The process has it mapped, so that it is the process's own, also if that has ended. */
static int keeping_add_jit_dump(Keeping *w, const DsoHit *hit) {
        _cleanup_close_ int fd = -EBADF, out = -EBADF;
        char place[SYMBOLS_INODE_PATH_SIZE];
        uint64_t size = 0;
        int r;

        if (symbol_orders_are_stopped(w->k->orders))
                return symbols_left_out_add(&w->left_out, hit->path, LEFT_OUT_STOPPED);
        r = fd = dso_source_open(&w->search, hit, NULL);
        if (r >= 0)
                r = out = symbol_folder_create(&w->folder, symbols_inode_path(hit, place));
        if (r >= 0)
                r = jit_dump_copy(fd, out, keeping_file_max(w), &size);
        if (r >= 0) {
                symbol_folder_count(&w->folder, size);
                w->facts.files++;
                return 0;
        }
        if (out >= 0)
                symbol_folder_remove(&w->folder, place);
        return keeping_is_fatal(r) ? r : symbols_left_out_add(&w->left_out, hit->path, r);
}

static int keeping_add_generated(Keeping *w, const DsoHit *mapped, size_t n_mapped) {
        const uint32_t *pids;
        size_t n = dso_hits_generated(w->hits, &pids);
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n; i++)
                r = keeping_add_map(w, pids[i]);
        for (size_t i = 0; r >= 0 && n > 0 && i < n_mapped; i++)
                if (mapped[i].path && mapped[i].inode != 0 && map_record_is_jit_dump(mapped[i].path) &&
                    ANY_OF(n, k, pids[k] == mapped[i].pid))
                        r = keeping_add_jit_dump(w, mapped + i);
        return r;
}

/* Puts the most trusted binaries first, and of these those that were hit first. */
static int keeping_add_binaries(Keeping *w, const DsoHit *hits, size_t n) {
        _cleanup_free_ bool *done = calloc(n + 1, sizeof(*done));
        int r = 0;

        if (!done)
                return -ENOMEM;
        for (SymbolTrust trust = 0; trust < _SYMBOL_TRUST_MAX; trust++)
                for (size_t i = 0; r >= 0 && i < n; i++) {
                        if (done[i] || hits[i].cpumode != PERF_RECORD_MISC_USER || *hits[i].path != '/')
                                continue;
                        r = keeping_add_binary(w, hits + i, trust);
                        done[i] = r == 0;
                }
        return MIN_OF(r, 0);
}

/* Puts the kernel's symbols first, which all dumps need. */
static int keeping_fill(Keeping *w) {
        const DsoHit *hits, *mapped;
        bool kernel = false;
        size_t n = 0, n_mapped = dso_hits_mapped(w->hits, &mapped);
        int r = dso_hits_get(w->hits, &hits, &n);

        if (r >= 0)
                r = shared_paths_find(&w->shared, mapped, n_mapped);
        for (size_t i = 0; i < n; i++)
                kernel = kernel || hits[i].cpumode == PERF_RECORD_MISC_KERNEL;
        if (r >= 0 && kernel)
                r = keeping_add_kernel(w);
        for (size_t i = 0; r >= 0 && i < n; i++)
                if (hits[i].cpumode == PERF_RECORD_MISC_USER && streq(hits[i].path, "[vdso]"))
                        r = keeping_add_vdso(w, hits + i);
        if (r >= 0)
                r = keeping_add_binaries(w, hits, n);
        if (r >= 0)
                r = keeping_add_generated(w, mapped, n_mapped);
        return r < 0 ? r : symbols_left_out_write(&w->left_out, &w->folder);
}

/* Runs once, before the first folder. */
static int symbol_keeper_begin(SymbolKeeper *k, int dir_fd) {
        int r = 0;

        if (!k->begun) {
                symbol_folder_remove_stale(dir_fd, k->base);
                r = symbol_folder_newest(dir_fd, k->base, &k->newest);
        }
        k->begun = r != -ENOMEM;
        return r == -ENOMEM ? r : 0;
}

/* Renames the symbols of perf.data, which became perf.data.old. */
static void keeping_make_old(Keeping *w, const char *dump) {
        _cleanup_free_ char *before = NULL, *file = NULL, *old = NULL;

        if (!streq(dump, w->k->base) || symbols_directory_find(w->folder.parent_fd, dump, &before) < 0)
                return;
        file = format_text("%s.old", dump);
        if (!file)
                return;
        (void) symbols_directory_remove(w->folder.parent_fd, file);
        old = symbols_directory_name(file);
        if (old)
                (void) renameat(w->folder.parent_fd, before, w->folder.parent_fd, old);
}

/* A dump that was removed in the meantime gets no folder. */
static int keeping_finish(Keeping *w, const char *dump) {
        int r;

        w->facts.bytes = w->folder.used;
        w->facts.left_out = w->left_out.n;
        w->facts.too_large = w->left_out.too_large;
        (void) symbols_left_out_summary(&w->left_out, w->facts.first, sizeof(w->facts.first));
        if (w->facts.files == 0 && w->left_out.n == 0)
                return -ENODATA;
        if (faccessat(w->folder.parent_fd, dump, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
                return -ENODATA;
        keeping_make_old(w, dump);
        r = symbol_folder_commit(&w->folder);
        return r < 0 ? r : free_and_strdup(&w->k->newest, w->name);
}

int symbol_keeper_keep(SymbolKeeper *k, int dir_fd, const char *dump, DsoHits *hits, SymbolsKept *ret) {
        Keeping w = { .k = k, .hits = hits, .folder = SYMBOL_FOLDER_EMPTY };
        int r = symbol_keeper_begin(k, dir_fd);

        if (r >= 0)
                r = symbol_folder_open(&w.folder, dir_fd, dump, k->max);
        if (r < 0)
                return r;
        file_sums_allow(SUMS_MAX);
        dso_search_init(&w.search, k->root, hits);
        w.name = strdup(w.folder.name);
        r = w.name ? keeping_fill(&w) : -ENOMEM;
        if (r >= 0)
                r = keeping_finish(&w, dump);
        symbol_folder_done(&w.folder);
        dso_search_done(&w.search);
        shared_paths_done(&w.shared);
        symbol_claims_done(&w.claims);
        symbols_left_out_done(&w.left_out);
        free(w.name);
        if (r == -ENODATA) /* no binary was hit, or the dump does not exist any more */
                r = 0;
        if (r >= 0 && ret)
                *ret = w.facts;
        return r;
}
