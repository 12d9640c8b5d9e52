/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The vdso is part of the kernel's image and is mapped from no file. Its headers are the kernel's, and trusted: the section
 * headers are at the end of the image. */

#include "vdso-image.h"

#include <link.h>
#include <sys/auxv.h>

#include "cleanup.h"
#include "elf-build-id.h"
#include "fd-file.h"

int vdso_image_open(const BuildId *wanted) {
        const ElfW(Ehdr) *h = (const void *) getauxval(AT_SYSINFO_EHDR); // NOLINT(performance-no-int-to-ptr)
        _cleanup_close_ int fd = -EBADF;
        BuildId id;
        int r;

        if (!h)
                return -ENOENT;
        fd = open_memfd("vdso", 0);
        r = fd < 0 ? fd : write_all(fd, h, h->e_shoff + (size_t) h->e_shnum * h->e_shentsize);
        if (r < 0)
                return r;
        if (wanted && (build_id_of_fd(fd, &id) < 0 || !build_id_equal(&id, wanted)))
                return -ESTALE;
        return steal_fd(&fd);
}
