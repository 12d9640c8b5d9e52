/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The page of live figures that recorder and daemon share; <perf-recorder/counters.h> has its layout and rules.
 * Invariant: the recorder is the only writer. A bad descriptor does not keep it from recording: then the figures are
 * not shared. A good one stays open: a daemon that has lost its own finds the page by it. */

#include "counters.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "parse-number.h"

static PrCounters *counters_map_page(int fd) {
        struct stat st;
        void *p;

        if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fstat(fd, &st) < 0 || st.st_size < PR_COUNTERS_SIZE)
                return NULL;
        p = mmap(NULL, PR_COUNTERS_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        return p == MAP_FAILED ? NULL : p;
}

void counters_open(Counters *c) {
        const char *s = getenv(PR_COUNTERS_ENV);
        int fd;

        *c = (Counters) { .fd = -EBADF };
        c->page = &c->own;
        if (s && parse_int(s, &fd) >= 0 && fd > STDERR_FILENO) {
                PrCounters *page = counters_map_page(fd);

                if (page) {
                        c->page = page;
                        c->fd = fd;
                }
        }
        (void) unsetenv(PR_COUNTERS_ENV);
        if (c->page->magic == PR_COUNTERS_MAGIC)
                c->previous = *c->page;
        *c->page = (PrCounters) {};
        __atomic_store_n(&c->page->magic, PR_COUNTERS_MAGIC, __ATOMIC_RELEASE);
}

void counters_done(Counters *c) {
        if (c->page != &c->own)
                (void) munmap(c->page, PR_COUNTERS_SIZE);
        c->page = &c->own;
        c->fd = safe_close(c->fd);
}
