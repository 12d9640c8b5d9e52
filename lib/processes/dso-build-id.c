/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds the build id of a mapped binary. Another file at its path (dso-source.h) gives none, since a wrong id is worse
 * than none. */

#include "dso-build-id.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include "array.h"
#include "dso-table.h"
#include "elf-build-id.h"

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

int dso_build_id_read(DsoSearch *search, const DsoHit *d, BuildId *ret) {
        _cleanup_close_ int fd = -EBADF;

        if (d->id.size > 0) {
                *ret = d->id;
                return 0;
        }
        if (streq(d->path, "[kernel.kallsyms]"))
                return build_id_of_kernel(search->root, ret);
        if (d->cpumode == PERF_RECORD_MISC_KERNEL)
                return module_build_id(search->root, d->path, ret);
        if (streq(d->path, "[vdso]"))
                return vdso_build_id(ret);
        fd = dso_source_open(search, d, NULL);
        return fd < 0 ? fd : build_id_of_fd(fd, ret);
}

struct BuildIdCache {
        char *root;
        DsoSearch search;
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
        dso_search_init(&c->search, c->root, NULL);
        *ret = c;
        return 0;
}

BuildIdCache *build_id_cache_free(BuildIdCache *c) {
        if (!c)
                return NULL;
        dso_table_done(&c->dsos);
        dso_search_done(&c->search);
        free(c->ids);
        free(c->root);
        free(c);
        return NULL;
}

static int read_new(BuildIdCache *c, const DsoHit *d) {
        BuildId id = {};

        if (ARRAY_RESERVE(c->ids, c->allocated, c->n_ids + 1) < 0)
                return -ENOMEM;
        if (dso_build_id_read(&c->search, d, &id) == -ENOMEM)
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
