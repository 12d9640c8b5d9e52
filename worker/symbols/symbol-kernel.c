/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* kallsyms is read once for both files, and only if modules have changed since the previous dump, since the kernel
 * takes tens of milliseconds to print it. Its BPF programs, which come and go all the time, are left out: a dump has
 * records with their names. */

#include "symbol-kernel.h"

#include <fcntl.h>
#include <inttypes.h>

#include "byte-buffer.h"
#include "elf-build-id.h"
#include "fd-file.h"
#include "format-text.h"
#include "symbol-file.h"
#include "symbol-text.h"

#define KALLSYMS_MAX ((size_t) 256 << 20) /* bytes */

static bool kallsyms_line_is_kept(const SymbolLine *l) {
        return l->name_size > 0 && l->address != 0 && symbol_line_is_code(l) &&
               !(l->module && l->module_size == 3 && memcmp(l->module, "bpf", 3) == 0);
}

static void kallsyms_put_line(ByteBuffer *b, const SymbolLine *l) {
        char begin[32];

        byte_buffer_put(b, begin, (size_t) snprintf(begin, sizeof(begin), "%016" PRIx64 " %c ", l->address, l->type));
        byte_buffer_put(b, l->name, l->name_size);
        if (l->module) {
                byte_buffer_put(b, "\t[", 2);
                byte_buffer_put(b, l->module, l->module_size);
                byte_buffer_put(b, "]", 1);
        }
        byte_buffer_put(b, "\n", 1);
}

static int symbol_kernel_write_text(const char *kallsyms, size_t size, SymbolFolder *f, uint64_t max) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        _cleanup_close_ int fd = -EBADF;
        size_t cursor = 0;
        SymbolLine l;
        int r;

        while (kallsyms_next(kallsyms, size, &cursor, &l) == 1)
                if (kallsyms_line_is_kept(&l))
                        kallsyms_put_line(&b, &l);
        if (b.error < 0)
                return b.error;
        if (b.size == 0)
                return -ENODATA;
        if (b.size > max || b.size > symbol_folder_room(f))
                return -EFBIG;
        fd = symbol_folder_create(f, SYMBOL_KERNEL_TEXT);
        if (fd < 0)
                return fd;
        r = write_all(fd, b.data, b.size);
        if (r >= 0)
                symbol_folder_count(f, b.size);
        return r;
}

static int symbol_kernel_write_image(const char *root, const char *kallsyms, size_t size, SymbolFolder *f, uint64_t max) {
        _cleanup_close_ int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), fd = -EBADF;
        uint64_t written = 0;
        BuildId id = {};
        ElfImage like;
        int r = elf_image_open(&like, self);

        if (r < 0)
                return r;
        (void) build_id_of_kernel(root, &id);
        fd = symbol_folder_create(f, SYMBOL_KERNEL_IMAGE);
        max = MIN_OF(max, symbol_folder_room(f));
        r = fd < 0 ? fd : symbol_file_write_kernel(kallsyms, size, &id, &like, fd, max, &written);
        if (r < 0 && fd >= 0)
                symbol_folder_remove(f, SYMBOL_KERNEL_IMAGE);
        symbol_folder_count(f, r < 0 ? 0 : written);
        elf_image_done(&like);
        return r;
}

int symbol_kernel_write(const char *root, SymbolFolder *f, uint64_t max) {
        _cleanup_free_ char *path = format_text("%s/proc/kallsyms", root), *kallsyms = NULL;
        size_t size;
        int r = path ? read_file(path, KALLSYMS_MAX, &kallsyms, &size) : -ENOMEM, q;

        if (r < 0)
                return r;
        r = symbol_kernel_write_text(kallsyms, size, f, max);
        if (r < 0 && r != -EFBIG)
                return r;
        q = symbol_kernel_write_image(root, kallsyms, size, f, max);
        return r < 0 ? r : q;
}
