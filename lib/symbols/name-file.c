/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Large programs in C++ have hundreds of megabytes of names, of which samples hit a few thousand. */

#include "name-file.h"

#include <fcntl.h>

#include "byte-pool.h"
#include "elf-image.h"
#include "fd-file.h"

#define PIECE 512u /* bytes: most names are shorter */

struct NameFile {
        int fd;
        uint64_t offset, size;
        BytePool names;
};

int name_file_new(int fd, uint64_t offset, uint64_t size, NameFile **ret) {
        _cleanup_(name_file_freep) NameFile *f = calloc(1, sizeof(*f));

        if (!f)
                return -ENOMEM;
        f->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        if (f->fd < 0)
                return -errno;
        f->offset = offset;
        f->size = size;
        *ret = steal_ptr(f);
        return 0;
}

NameFile *name_file_free(NameFile *f) {
        if (!f)
                return NULL;
        if (f->fd > 0)
                (void) safe_close(f->fd);
        byte_pool_done(&f->names);
        free(f);
        return NULL;
}

void name_file_read(const NameFile *f, uint64_t offset, char *buf, size_t size) {
        size_t n = 0;

        *buf = '\0';
        if (offset >= f->size)
                return;
        size = MIN_OF(size, f->size - offset);
        while (n < size) {
                ssize_t got = pread_up_to(f->fd, f->offset + offset + n, buf + n, MIN_OF(size - n, PIECE));

                if (got <= 0)
                        break;
                if (memchr(buf + n, '\0', (size_t) got))
                        return;
                n += (size_t) got;
        }
        *buf = '\0';
}

const char *name_file_get(NameFile *f, uint64_t offset) {
        char name[ELF_NAME_MAX];
        uint32_t number;

        name_file_read(f, offset, name, sizeof(name));
        if (!*name || byte_pool_intern(&f->names, name, strlen(name) + 1, &number) < 0)
                return NULL;
        return (const char *) byte_pool_get(&f->names, number)->data;
}
