/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A perf map is text that a process goes on appending to. It is copied line by line, and only what is a symbol: it is
 * another user's file, which may be anything. */

#include "symbol-generated.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "byte-buffer.h"
#include "fd-file.h"
#include "symbol-source.h"
#include "symbol-text.h"

char *symbol_generated_path(uint32_t pid, char ret[static SYMBOL_GENERATED_PATH_SIZE]) {
        (void) snprintf(ret, SYMBOL_GENERATED_PATH_SIZE, "tmp/perf-%u.map", pid);
        return ret;
}

int symbol_generated_open(const char *root, uint32_t pid, int *ret_fd, GeneratedState *ret) {
        _cleanup_close_ int fd = symbol_source_open_perf_map(root, pid);
        struct stat st;

        if (fd < 0)
                return fd;
        if (fstat(fd, &st) < 0)
                return -errno;
        *ret = (GeneratedState) {
                .inode = st.st_ino, .size = (uint64_t) st.st_size,
                .time = (uint64_t) st.st_mtim.tv_sec * UINT64_C(1000000000) + (uint64_t) st.st_mtim.tv_nsec,
        };
        *ret_fd = steal_fd(&fd);
        return 0;
}

static void put_line(ByteBuffer *b, const SymbolLine *l) {
        char begin[48];

        byte_buffer_put(b, begin, (size_t) snprintf(begin, sizeof(begin), "%" PRIx64 " %" PRIx64 " ", l->address, l->size));
        byte_buffer_put(b, l->name, l->name_size);
        byte_buffer_put(b, "\n", 1);
}

int symbol_generated_write(int fd, SymbolFolder *f, const char *path, uint64_t max) {
        _cleanup_byte_buffer_ ByteBuffer b = {};
        _cleanup_close_ int out = -EBADF;
        _cleanup_free_ char *text = NULL;
        size_t size, cursor = 0;
        SymbolLine l;
        int r = read_fd(fd, MIN_OF(max, symbol_folder_room(f)), &text, &size);

        if (r < 0)
                return r;
        while (perf_map_next(text, size, &cursor, &l) == 1)
                if (l.name_size > 0)
                        put_line(&b, &l);
        if (b.error < 0)
                return b.error;
        if (b.size == 0)
                return -ENODATA;
        out = symbol_folder_create(f, path);
        if (out < 0)
                return out;
        r = write_all(out, b.data, b.size);
        if (r < 0)
                symbol_folder_remove(f, path);
        else
                symbol_folder_count(f, b.size);
        return r;
}
