/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* "time-write FILE" prints the milliseconds that a plain write of the file's bytes takes, from memory into a new file beside
 * it: the second of two writes, so that both the memory and the pages of the file were in use before. tests/bench/dump
 * holds the time of a dump against it. */

#include <fcntl.h>
#include <stdio.h>
#include "fd-file.h"
#include "parse-time.h"

#define WRITES 2
#define FILE_SIZE_MAX ((size_t) 16 << 30)

static int write_new(const char *path, const char *data, size_t size, usec_t *ret) {
        _cleanup_close_ int fd = -EBADF;
        usec_t begin = now_usec(CLOCK_MONOTONIC);
        int r;

        fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
        if (fd < 0)
                return -errno;
        r = write_all(fd, data, size);
        *ret = now_usec(CLOCK_MONOTONIC) - begin;
        (void) unlink(path);
        return r;
}

int main(int argc, char **argv) {
        _cleanup_free_ char *data = NULL, *copy = NULL;
        size_t size;
        usec_t spent = 0;
        int r;

        if (argc != 2) {
                (void) fprintf(stderr, "usage: time-write FILE\n");
                return 2;
        }
        r = read_file(argv[1], FILE_SIZE_MAX, &data, &size);
        if (r >= 0 && asprintf(&copy, "%s.written", argv[1]) < 0)
                r = -ENOMEM;
        for (int i = 0; r >= 0 && i < WRITES; i++)
                r = write_new(copy, data, size, &spent);
        if (r < 0) {
                (void) fprintf(stderr, "%s: %s\n", argv[1], file_error_string(r));
                return 1;
        }
        (void) printf("%.3f\n", (double) spent / 1000.0);
        return 0;
}
