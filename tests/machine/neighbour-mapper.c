/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Has far too many mappings: code of one file, whose path is almost 4,096 bytes long, many times, in several processes that are
 * busy until they are killed.
 *
 *   neighbour-mapper FOLDER MAPPINGS PROCESSES [PAUSE [files]]
 *
 * PAUSE: µs between mappings that replace earlier ones, without end; without it the processes only count. "files": each of these
 * is of a file of its own. Prints "ready" when the mappings exist. */

#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096u
#define DEPTH 15 /* nested folders, each with a name of 250 bytes */

static int open_file(const char *name) {
        int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0755);

        if (fd < 0 || ftruncate(fd, 2 * PAGE) < 0)
                err(1, "file");
        return fd;
}

static void enter_below(const char *folder) {
        char name[251];

        memset(name, 'd', sizeof(name) - 1);
        name[sizeof(name) - 1] = '\0';
        if (chdir(folder) < 0)
                err(1, "%s", folder);
        for (unsigned i = 0; i < DEPTH; i++)
                if ((mkdir(name, 0755) < 0 && errno != EEXIST) || chdir(name) < 0)
                        err(1, "folder %u", i);
}

/* Maps every second page, so that the kernel does not merge two. */
static void map_page(uint8_t *begin, size_t i, int fd, off_t offset) {
        if (mmap(begin + i * 2 * PAGE, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, offset) == MAP_FAILED)
                err(1, "mapping %zu", i);
}

static void map_file(uint8_t *begin, size_t i, uint64_t number) {
        char name[32];
        int fd;

        (void) snprintf(name, sizeof(name), "code%ju", (uintmax_t) number);
        fd = open_file(name);
        map_page(begin, i, fd, 0);
        (void) close(fd);
        (void) unlink(name);
}

int main(int argc, char **argv) {
        size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
        unsigned long processes = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
        useconds_t pause = argc > 4 ? (useconds_t) strtoul(argv[4], NULL, 10) : 0;
        bool files = argc > 5;
        uint8_t *begin;
        int fd;

        if (n == 0 || processes == 0)
                errx(2, "neighbour-mapper FOLDER MAPPINGS PROCESSES [PAUSE [files]]");
        enter_below(argv[1]);
        fd = open_file("code");
        begin = mmap(NULL, n * 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (begin == MAP_FAILED)
                err(1, "room");
        for (size_t i = 0; i < n; i++)
                map_page(begin, i, fd, 0);
        for (unsigned long i = 1; i < processes; i++)
                if (fork() == 0)
                        break;
        puts("ready");
        (void) fflush(stdout);
        for (uint64_t i = 0;; i++)
                if (pause > 0) {
                        if (files)
                                map_file(begin, i % n, i);
                        else
                                map_page(begin, i % n, fd, i / n % 2 ? 0 : PAGE);
                        (void) usleep(pause);
                }
}
