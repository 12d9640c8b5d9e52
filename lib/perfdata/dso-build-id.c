/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From a binary's name to its build id. Each file is opened once, only after its type is known, because the paths are of
 * other people's processes: no device is opened, and no FIFO. A file whose inode is not the mapped one (replaced, or seen
 * from another mount namespace) is looked for below the process's own root, else it gets no id: a wrong one would be
 * worse. */

#include "dso-build-id.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "dso-table.h"

/* The kernel's own image of the vdso, in this process too. */
static int vdso_build_id(BuildId *ret) {
        const uint8_t *image = (const uint8_t *) getauxval(AT_SYSINFO_EHDR);
        const ElfW(Ehdr) *h = (const ElfW(Ehdr) *) image;
        const ElfW(Phdr) *p;

        if (!image)
                return -ENODATA;
        p = (const ElfW(Phdr) *) (image + h->e_phoff);
        for (unsigned i = 0; i < h->e_phnum; i++)
                if (p[i].p_type == PT_NOTE && build_id_from_notes(image + p[i].p_offset, p[i].p_filesz, ret) == 0)
                        return 0;
        return -ENODATA;
}

/* "/lib/modules/6.1/kernel/fs/nls-x.ko.xz" and "[nls_x]" are both the module nls_x. */
static int module_build_id(const char *root, const char *path, BuildId *ret) {
        const char *slash = strrchr(path, '/');
        const char *name = slash ? slash + 1 : *path == '[' ? path + 1 : path;
        char module[128];
        size_t n = slash ? (size_t) (strstr(name, ".ko") ? strstr(name, ".ko") - name : 0) : strcspn(name, "]");

        if (n == 0 || n >= sizeof(module))
                return -ENODATA;
        memcpy(module, name, n);
        module[n] = '\0';
        for (char *p = module; *p; p++)
                if (*p == '-')
                        *p = '_';
        return build_id_of_module(root, module, ret);
}

/* 1: read; 0: there is a file, but not the one that was mapped. */
static int try_file(const char *path, const DsoHit *d, BuildId *ret) {
        _cleanup_close_ int found = open(path, O_PATH | O_CLOEXEC);
        char again[64];
        struct stat st;
        int r;

        if (found < 0 || fstat(found, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode))
                return -EBADFD;
        if (d->inode != 0 && d->inode != st.st_ino)
                return 0;
        (void) snprintf(again, sizeof(again), "/proc/self/fd/%d", found);
        r = build_id_of_file(AT_FDCWD, again, ret);
        return r < 0 ? r : 1;
}

static int file_build_id(const char *root, const DsoHit *d, BuildId *ret) {
        _cleanup_free_ char *path = NULL, *inside = NULL;
        int r;

        if (asprintf(&path, "%s%s", root, d->path) < 0)
                return -ENOMEM;
        r = try_file(path, d, ret);
        if (r == 1 || r == -ENOMEM)
                return r < 0 ? r : 0;
        if (asprintf(&inside, "%s/proc/%u/root%s", root, d->pid, d->path) < 0)
                return -ENOMEM;
        r = try_file(inside, d, ret);
        return r == 1 ? 0 : r == -ENOMEM ? r : -ENODATA;
}

int dso_build_id_read(const char *root, const DsoHit *d, BuildId *ret) {
        if (d->id.size > 0) {
                *ret = d->id;
                return 0;
        }
        if (streq(d->path, "[kernel.kallsyms]"))
                return build_id_of_kernel(root, ret);
        if (d->cpumode == PERF_RECORD_MISC_KERNEL)
                return module_build_id(root, d->path, ret);
        if (streq(d->path, "[vdso]"))
                return vdso_build_id(ret);
        return file_build_id(root, d, ret);
}

struct BuildIdCache {
        char *root;
        DsoTable dsos;
        BuildId *ids; /* of the first n_ids in the table */
        size_t n_ids, allocated;
};

int build_id_cache_new(const char *root, BuildIdCache **ret) {
        BuildIdCache *c = calloc(1, sizeof(*c));

        if (!c)
                return -ENOMEM;
        c->root = strdup(root);
        if (!c->root)
                return free(c), -ENOMEM;
        *ret = c;
        return 0;
}

BuildIdCache *build_id_cache_free(BuildIdCache *c) {
        if (!c)
                return NULL;
        dso_table_done(&c->dsos);
        free(c->ids);
        free(c->root);
        free(c);
        return NULL;
}

static int read_new(BuildIdCache *c, const DsoHit *d) {
        BuildId id = {};

        if (c->n_ids >= c->allocated) {
                size_t allocated = c->allocated > 0 ? c->allocated * 2 : 64;
                BuildId *ids = reallocarray(c->ids, allocated, sizeof(*ids));

                if (!ids)
                        return -ENOMEM;
                c->ids = ids;
                c->allocated = allocated;
        }
        if (dso_build_id_read(c->root, d, &id) == -ENOMEM)
                return -ENOMEM;
        c->ids[c->n_ids++] = id;
        return 0;
}

int build_id_cache_get(BuildIdCache *c, const DsoHit *d, BuildId *ret) {
        uint32_t number;
        int r = dso_table_intern(&c->dsos, d, &number);

        if (r == -ENOSPC) {
                *ret = (BuildId) {};
                return 0;
        }
        if (r >= 0 && number >= c->n_ids)
                r = read_new(c, d);
        if (r >= 0)
                *ret = c->ids[number];
        return r;
}
