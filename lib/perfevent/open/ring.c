/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One ring buffer, read in place.
 *
 * The protocol is that of struct perf_event_mmap_page in <linux/perf_event.h>: the kernel publishes data_head with a
 * store-release, we publish data_tail the same way; both only grow (or shrink, when writing backward) and are taken
 * modulo the size. Segments point into the ring itself: nothing is copied.
 *
 * The only system calls are mmap and munmap: event.c pauses, the caller polls. */

#include "ring.h"

#include <sys/mman.h>
#include "parse-number.h"
#include "parse-size.h"
#include "ring-size.h"
#include "sysctl.h"

static size_t page_size(void) {
        return (size_t) sysconf(_SC_PAGESIZE);
}

static bool is_power_of_two(uint64_t n) {
        return n > 0 && (n & (n - 1)) == 0;
}

unsigned ring_default_pages(void) {
        int kb = sysctl_read("kernel/perf_event_mlock_kb", 516);
        int64_t bytes = ((int64_t) kb - (int64_t) (page_size() / 1024)) * 1024;
        unsigned pages = 1;

        while ((int64_t) (pages * 2 * page_size()) <= bytes)
                pages *= 2;
        return pages;
}

/* perf's suffixes are powers of 1024, as those of parse_size(), but a number without one is pages. */
int ring_parse_pages(const char *s, unsigned *ret_pages) {
        size_t n = strlen(s);
        uint64_t v, pages = 1;
        int r;

        if (n > 0 && s[n - 1] >= '0' && s[n - 1] <= '9') {
                r = parse_uint64(s, &v);
                if (r < 0)
                        return r;
        } else {
                r = parse_size(s, &v);
                if (r < 0)
                        return r;
                v = v / page_size() + (v % page_size() != 0);
        }
        if (v == 0)
                return -EINVAL;
        if (v > RING_PAGES_MAX)
                return -ERANGE;
        while (pages < v)
                pages *= 2;
        *ret_pages = (unsigned) pages;
        return 0;
}

int ring_map(Ring *r, int fd, unsigned pages, bool overwrite) {
        size_t bytes = ((size_t) pages + 1) * page_size();
        void *p;

        if (!is_power_of_two(pages) || pages > RING_PAGES_MAX)
                return -EINVAL;
        /* The kernel overwrites a ring that is mapped read-only: it has no tail to wait for. */
        p = mmap(NULL, bytes, overwrite ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (p == MAP_FAILED)
                return -errno;

        *r = (Ring){
                .page = p,
                .data = (uint8_t *) p + page_size(),
                .size = (size_t) pages * page_size(),
                .mapped = bytes,
                .overwrite = overwrite,
                .fd = fd,
                .cpu = -1,
                .tid = -1,
        };
        return 0;
}

int ring_init_memory(Ring *r, struct perf_event_mmap_page *page, void *data, size_t size, bool overwrite) {
        if (!is_power_of_two(size) || size < sizeof(struct perf_event_header))
                return -EINVAL;
        *r = (Ring){
                .page = page, .data = data, .size = size, .overwrite = overwrite, .fd = -EBADF, .cpu = -1, .tid = -1,
        };
        return 0;
}

void ring_done(Ring *r) {
        if (r->mapped > 0)
                (void) munmap(r->page, r->mapped);
        if (r->held)
                safe_close(r->fd);
        *r = (Ring) RING_EMPTY;
}

static unsigned ring_segments(const Ring *r, uint64_t from, size_t bytes, struct iovec ret[static 2]) {
        size_t offset = (size_t) (from & (r->size - 1));
        size_t first = MIN_OF(bytes, r->size - offset);

        if (bytes == 0)
                return 0;
        ret[0] = (struct iovec){ .iov_base = r->data + offset, .iov_len = first };
        if (first == bytes)
                return 1;
        ret[1] = (struct iovec){ .iov_base = r->data, .iov_len = bytes - first };
        return 2;
}

size_t ring_read_begin(Ring *r, struct iovec ret[static 2], unsigned *ret_n) {
        uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
        uint64_t bytes = head - r->position;

        /* This means that another process wrote to the page: nothing in it can be trusted, so skip all. */
        if (bytes > r->size) {
                r->position = head;
                bytes = 0;
        }
        *ret_n = ring_segments(r, r->position, (size_t) bytes, ret);
        return (size_t) bytes;
}

void ring_consume(Ring *r, size_t bytes) {
        r->position += bytes;
        __atomic_store_n(&r->page->data_tail, r->position, __ATOMIC_RELEASE);
}

void ring_skip_to(Ring *r, uint64_t position) {
        if (position > r->position)
                ring_consume(r, (size_t) (position - r->position));
}
