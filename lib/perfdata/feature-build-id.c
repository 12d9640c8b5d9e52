/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* BUILD_ID: the build ids of the binaries that were hit. Each file is opened once, only after its type is known, because
 * the paths are of other people's processes: no device is opened, and no FIFO. A file whose inode is not the mapped one
 * (replaced, or seen from another mount namespace) is looked for below the process's own root, else it gets no id: a
 * wrong one would be worse. */

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "dso-hits.h"

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

static int find_build_id(const char *root, const DsoHit *d, BuildId *ret) {
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

/* perf 6.1 writes type 0 here, and pid -1 for what is not a guest's. */
static void put_entry(ByteBuffer *b, const DsoHit *d, const BuildId *id) {
        size_t n = strlen(d->path), padded = PERF_ALIGN_UP(n + 1, PERF_FILE_NAME_ALIGN);
        PerfBuildIdEntry e = {
                .header = { .misc = d->cpumode | PERF_BUILD_ID_HAS_SIZE, .size = (uint16_t) (sizeof(e) + padded) },
                .pid = UINT32_MAX,
                .size = id->size,
        };
        char *path;

        memcpy(e.id, id->bytes, sizeof(e.id));
        byte_buffer_put(b, &e, sizeof(e));
        path = byte_buffer_extend(b, padded);
        if (path)
                memcpy(path, d->path, n);
}

int feature_table_add_build_ids(FeatureTable *t, DsoHits *h, const char *root) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        const DsoHit *hits;
        size_t n;
        int r;

        r = dso_hits_get(h, &hits, &n);
        if (r < 0)
                return r;
        for (size_t i = 0; i < n; i++) {
                BuildId id;

                r = find_build_id(root ?: "", hits + i, &id);
                if (r == -ENOMEM)
                        return r;
                if (r == 0)
                        put_entry(&b, hits + i, &id);
        }
        return feature_table_take(t, PERF_FEATURE_BUILD_ID, &b);
}
