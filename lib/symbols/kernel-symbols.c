/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Names are taken from the first of these: the files that the user named, which must not have another build id; the list
 * beside the dump; that of the kernel that runs here, if its build id is the recorded one, or, where none was recorded,
 * if its release is and it is at the same addresses; a vmlinux of the recorded build id. A list of another boot is moved,
 * which leaves modules out: they do not move with the kernel. */

#include "kernel-symbols.h"

#include <fcntl.h>
#include <sys/utsname.h>

#include "array.h"
#include "elf-build-id.h"
#include "fd-file.h"
#include "format-text.h"
#include "kernel-elf.h"
#include "root-file.h"
#include "symbol-text.h"
#include "symbols-file.h"

#define KALLSYMS_MAX ((size_t) 256 << 20) /* bytes */
#define RELEASE_MAX 128u

void kernel_symbols_done(KernelSymbols *k) {
        symbol_table_free(k->table);
        *k = (KernelSymbols) {};
}

typedef struct KernelLoading {
        KernelSymbols *to;
        const SymbolSources *sources;
        const RecordedKernel *recorded;
        const BuildId *id;
        const char *release; /* one that can be part of a path; NULL: not known */
        int (*use)(const struct KernelLoading *l, int vmlinux); /* takes one of the recorded kernel */
        int *ret_code;  /* of kernel_keep_code() */
        uint64_t *ret_moved;
} KernelLoading;

static void note_trouble(const KernelLoading *l, KernelTrouble trouble) {
        l->to->trouble = MAX_OF(l->to->trouble, trouble);
}

/* Takes over a table that has symbols. */
static int take_table(const KernelLoading *l, SymbolTable **t, bool has_modules) {
        symbol_table_sort(*t);
        if (symbol_table_size(*t) == 0)
                return -ENODATA;
        l->to->table = steal_ptr(*t);
        l->to->has_modules = has_modules;
        return 0;
}

static const char *reference_symbol(const KernelLoading *l) {
        return *l->recorded->symbol ? l->recorded->symbol : "_text";
}

/* same: the list is of the recorded kernel, so that it may be moved. -EACCES: its addresses are hidden, -ESTALE: it is of another
 * boot. */
static int load_list(const KernelLoading *l, const char *text, size_t size, bool same) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        uint64_t present = kallsyms_find(text, size, reference_symbol(l)), recorded = l->recorded->reference;
        bool moved = recorded != 0 && present != recorded;
        int r;

        if (present == 0 && recorded != 0)
                return -EACCES;
        if (moved && !same)
                return -ESTALE;
        r = symbol_table_new(&t);
        if (r >= 0)
                r = symbol_table_add_kallsyms(t, text, size, moved ? recorded - present : 0);
        if (r == -E2BIG)
                r = 0;
        return r < 0 ? r : take_table(l, &t, !moved);
}

static int load_vmlinux(const KernelLoading *l, int fd) {
        _cleanup_(symbol_table_freep) SymbolTable *t = NULL;
        ElfImage e = ELF_IMAGE_EMPTY;
        int r;

        if (l->recorded->reference == 0) {
                note_trouble(l, KERNEL_MOVED);
                return -ESTALE;
        }
        r = symbol_table_new(&t);
        if (r >= 0)
                r = elf_image_open(&e, fd);
        if (r < 0)
                return r;
        r = symbol_table_add_vmlinux(t, &e, reference_symbol(l), l->recorded->reference);
        elf_image_done(&e);
        if (r == -E2BIG)
                r = 0;
        return r < 0 ? r : take_table(l, &t, false);
}

static bool fd_has_id(int fd, const BuildId *id, BuildId *ret) {
        if (build_id_of_fd(fd, ret) < 0)
                ret->size = 0;
        return build_id_equal(ret, id);
}

static int use_named(const KernelLoading *l) {
        BuildId id;

        if (l->sources->vmlinux <= 0)
                return -ENOENT;
        return l->id->size > 0 && !fd_has_id(l->sources->vmlinux, l->id, &id) ? -ESTALE : l->use(l, l->sources->vmlinux);
}

static int load_named(const KernelLoading *l) {
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = -ENOENT;

        if (l->sources->vmlinux > 0) {
                r = use_named(l);
                if (r < 0)
                        note_trouble(l, r == -ESTALE ? KERNEL_NAMED_OTHER : KERNEL_NAMED_BROKEN);
        }
        if (r < 0 && r != -ENOMEM && l->sources->kallsyms > 0) {
                r = read_fd(l->sources->kallsyms, KALLSYMS_MAX, &text, &size);
                if (r >= 0)
                        r = load_list(l, text, size, true);
                if (r < 0)
                        note_trouble(l, KERNEL_NAMED_BROKEN);
        }
        return r;
}

static int kernel_load_kept(const KernelLoading *l) {
        const char *directory = l->sources->directory;
        _cleanup_close_ int fd = directory ? root_file_open(directory, "/proc/kallsyms") : -ENOENT;
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = fd < 0 ? fd : read_fd(fd, KALLSYMS_MAX, &text, &size);

        return r < 0 ? r : load_list(l, text, size, false);
}

/* Returns whether the kernel that runs here can be the recorded one. */
static bool check_running(const KernelLoading *l, bool own) {
        struct utsname names;

        if (build_id_of_kernel(l->sources->root, &l->to->present) < 0)
                l->to->present.size = 0;
        if (l->id->size > 0)
                return build_id_equal(&l->to->present, l->id);
        return !own || !l->release || uname(&names) < 0 || streq(names.release, l->release);
}

/* The machine's own list is a file of procfs. */
static int load_running(const KernelLoading *l) {
        const char *root = l->sources->root;
        bool own = root && !*root;
        _cleanup_free_ char *text = NULL;
        size_t size;
        int r = -ENOENT;

        if (!root)
                return -ENOENT;
        if (!check_running(l, own)) {
                note_trouble(l, KERNEL_OTHER);
                return -ESTALE;
        }
        if (l->recorded->reference == 0) {
                note_trouble(l, KERNEL_MOVED);
                return -ESTALE;
        }
        if (own)
                r = read_file("/proc/kallsyms", KALLSYMS_MAX, &text, &size);
        else {
                _cleanup_close_ int fd = root_file_open(root, "/proc/kallsyms");

                r = fd < 0 ? fd : read_fd(fd, KALLSYMS_MAX, &text, &size);
        }
        if (r >= 0)
                r = load_list(l, text, size, l->id->size > 0);
        if (r < 0)
                note_trouble(l, r == -ESTALE ? KERNEL_MOVED : KERNEL_HIDDEN);
        return r;
}

static int use_vmlinux_at(const KernelLoading *l, const char *root, const char *path) {
        _cleanup_close_ int fd = root_file_open(root, path);
        BuildId present;

        if (fd < 0)
                return fd;
        return fd_has_id(fd, l->id, &present) ? l->use(l, fd) : -ESTALE;
}

/* The places where distributions and the kernel's own build put it. */
static int use_by_release(const KernelLoading *l, const char *root) {
        static const char *const places[][2] = {
                { "/usr/lib/debug/boot/vmlinux-", "" }, { "/usr/lib/debug/lib/modules/", "/vmlinux" },
                { "/lib/modules/", "/build/vmlinux" }, { "/lib/modules/", "/vmlinux" }, { "/boot/vmlinux-", "" },
        };
        int r = -ENOENT;

        for (size_t i = 0; l->release && r < 0 && r != -ENOMEM && i < ELEMENTSOF(places); i++) {
                _cleanup_free_ char *path = format_text("%s%s%s", places[i][0], l->release, places[i][1]);

                r = path ? use_vmlinux_at(l, root, path) : -ENOMEM;
        }
        return r;
}

static int use_below(const KernelLoading *l, const char *root) {
        char path[SYMBOLS_ID_PATH_SIZE];
        int r = -ENOENT;

        if (!root || l->id->size < 2)
                return -ENOENT;
        for (size_t i = 0; r < 0 && r != -ENOMEM && symbols_id_place(l->id, i, path); i++)
                r = use_vmlinux_at(l, root, path);
        return r >= 0 || r == -ENOMEM ? r : use_by_release(l, root);
}

static int use_beside(const KernelLoading *l) {
        return use_below(l, l->sources->directory);
}

static int use_installed(const KernelLoading *l) {
        int r = use_below(l, l->sources->root);

        return r >= 0 || r == -ENOMEM ? r : use_below(l, l->sources->cache);
}

/* perf-record(1) puts a copy of the list there, by the kernel's build id. */
static int load_cached(const KernelLoading *l) {
        _cleanup_free_ char *path = NULL, *text = NULL;
        _cleanup_close_ int fd = -EBADF;
        char id[BUILD_ID_TEXT_SIZE];
        size_t size;
        int r;

        if (!l->sources->cache || l->id->size < 2)
                return -ENOENT;
        build_id_format(l->id, id);
        path = format_text("/.build-id/%.2s/%s/kallsyms", id, id + 2);
        fd = path ? root_file_open(l->sources->cache, path) : -ENOMEM;
        r = fd < 0 ? fd : read_fd(fd, KALLSYMS_MAX, &text, &size);
        return r < 0 ? r : load_list(l, text, size, true);
}

static int kernel_load_fetched(const KernelLoading *l) {
        _cleanup_close_ int fd = symbol_sources_fetch(l->sources->helpers, l->id, false);

        return fd < 0 ? fd : load_vmlinux(l, fd);
}

bool kernel_release_is_plain(const char *release) {
        return *release && *release != '.' && strlen(release) <= RELEASE_MAX && !strchr(release, '/');
}

int kernel_symbols_load(KernelSymbols *k, const SymbolSources *sources, const RecordedKernel *recorded, const BuildId *id,
                        const char *release) {
        static int (*const steps[])(const KernelLoading *) = {
                load_named, kernel_load_kept, use_beside, load_running, use_installed, load_cached, kernel_load_fetched,
        };
        const KernelLoading loading = {
                .to = k, .sources = sources, .recorded = recorded, .id = id, .use = load_vmlinux,
                .release = release && kernel_release_is_plain(release) ? release : NULL,
        };
        int r = -ENOENT;

        for (size_t i = 0; r < 0 && r != -ENOMEM && i < ELEMENTSOF(steps); i++)
                r = steps[i](&loading);
        return r == -ENOMEM ? r : 0;
}

/* Separate files with debug information have no code. */
static int kernel_keep_code(const KernelLoading *l, int fd) {
        ElfImage e = ELF_IMAGE_EMPTY;
        int r = l->recorded->reference != 0 ? elf_image_open(&e, fd) : -ESTALE;

        if (r < 0)
                return r;
        r = elf_image_has_offsets(&e) ?
                elf_image_find_moved(&e, reference_symbol(l), l->recorded->reference, l->ret_moved) : -ENODATA;
        elf_image_done(&e);
        if (r < 0)
                return r;
        *l->ret_code = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        return *l->ret_code < 0 ? -errno : 0;
}

int kernel_symbols_open_code(const SymbolSources *sources, const RecordedKernel *recorded, const BuildId *id, const char *release,
                             uint64_t *ret_moved) {
        int code = -EBADF, r;
        const KernelLoading loading = {
                .sources = sources, .recorded = recorded, .id = id, .use = kernel_keep_code, .ret_code = &code,
                .ret_moved = ret_moved,
                .release = release && kernel_release_is_plain(release) ? release : NULL,
        };

        r = use_named(&loading);
        if (r < 0 && r != -ENOMEM)
                r = use_beside(&loading);
        if (r < 0 && r != -ENOMEM)
                r = use_installed(&loading);
        return r < 0 ? r : code;
}
