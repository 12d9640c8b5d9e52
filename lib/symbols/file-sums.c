/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A file is known by its inode, and read again if that changed. Of more files than the table has room for, the oldest are
 * forgotten. */

#include "file-sums.h"

#include <pthread.h>
#include <sys/stat.h>

#include "elf-image.h"
#include "fd-file.h"

#define KNOWN_MAX 1024u
#define PIECE ((size_t) 64 << 10)

typedef struct FileSum {
        dev_t device;
        ino_t inode;
        off_t size;
        struct timespec changed;
        uint32_t sum;
} FileSum;

static struct {
        pthread_mutex_t lock;
        FileSum known[KNOWN_MAX];
        size_t n;      /* that were put, in all */
        uint64_t left; /* bytes */
} sums = { .lock = PTHREAD_MUTEX_INITIALIZER, .left = FILE_SUMS_MAX };

void file_sums_allow(uint64_t bytes) {
        (void) pthread_mutex_lock(&sums.lock);
        sums.left = bytes;
        (void) pthread_mutex_unlock(&sums.lock);
}

static bool sums_is_same_file(const FileSum *a, const FileSum *b) {
        return a->device == b->device && a->inode == b->inode && a->size == b->size && a->changed.tv_sec == b->changed.tv_sec &&
               a->changed.tv_nsec == b->changed.tv_nsec;
}

static int compute_sum(int fd, uint64_t size, uint32_t *ret) {
        _cleanup_free_ uint8_t *bytes = malloc(PIECE);
        uint32_t table[256], sum = UINT32_MAX;
        ssize_t n = 0;

        if (!bytes)
                return -ENOMEM;
        for (uint32_t i = 0; i < 256; i++) {
                table[i] = i;
                for (unsigned bit = 0; bit < 8; bit++)
                        table[i] = table[i] >> 1 ^ (table[i] & 1 ? UINT32_C(0xedb88320) : 0);
        }
        for (uint64_t offset = 0; offset < size; offset += (uint64_t) n) {
                n = pread_up_to(fd, offset, bytes, (size_t) MIN_OF(size - offset, (uint64_t) PIECE));
                if (n <= 0)
                        return n < 0 ? (int) n : -ENODATA;
                for (ssize_t i = 0; i < n; i++)
                        sum = sum >> 8 ^ table[(sum ^ bytes[i]) & 0xff];
        }
        *ret = ~sum;
        return 0;
}

static int learn_sum(int fd, FileSum *f) {
        uint64_t size = (uint64_t) f->size;
        int r;

        if (size > FILE_SUM_MAX || size > sums.left)
                return -EFBIG;
        if (size > 0 && file_has_hole(fd, 0, size))
                return -ENODATA;
        sums.left -= size;
        r = compute_sum(fd, size, &f->sum);
        if (r >= 0)
                sums.known[sums.n++ % KNOWN_MAX] = *f;
        return r;
}

int file_sum_check(int fd, uint32_t wanted) {
        struct stat st;
        FileSum f;
        size_t i = 0;
        int r = 0;

        if (fstat(fd, &st) < 0)
                return -errno;
        f = (FileSum) { .device = st.st_dev, .inode = st.st_ino, .size = st.st_size, .changed = st.st_ctim };
        (void) pthread_mutex_lock(&sums.lock);
        while (i < MIN_OF(sums.n, KNOWN_MAX) && !sums_is_same_file(sums.known + i, &f))
                i++;
        if (i < MIN_OF(sums.n, KNOWN_MAX))
                f.sum = sums.known[i].sum;
        else
                r = learn_sum(fd, &f);
        (void) pthread_mutex_unlock(&sums.lock);
        return r < 0 ? r : f.sum == wanted ? 0 : -ESTALE;
}
