/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One ring buffer, read in place.
 *
 * The protocol is that of struct perf_event_mmap_page in <linux/perf_event.h>: the kernel publishes data_head with a
 * store-release, we publish data_tail the same way; both only ever grow (or shrink, when writing backward) and are taken
 * modulo the size. What an answer points to is the ring itself: nothing is copied but a record that the end splits, and
 * that only if the caller gives the room for it.
 *
 * No system call but mmap and munmap: pausing is the event's, polling the caller's. */

#include "ring.h"

#include <sys/mman.h>
#include "parse-number.h"
#include "parse-size.h"
#include "sysctl.h"

#define RING_PAGES_MAX (UINT64_C(1) << 24)

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

/* perf's suffixes are powers of 1024 as ours, but a number alone is pages there. */
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
        /* A ring that is mapped read-only is one that the kernel overwrites: it then has no tail to wait for. */
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
        *r = (Ring) RING_EMPTY;
}

static uint64_t ring_head(const Ring *r) {
        return __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
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
        uint64_t head = ring_head(r);
        uint64_t bytes = head - r->position;

        /* Only a page that somebody else wrote to can say so. Nothing of it can be trusted then: skip. */
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

void record_cursor_init(RecordCursor *c, const struct iovec *segments, unsigned n, uint8_t *scratch) {
        *c = (RecordCursor){ .scratch = scratch };
        for (unsigned i = 0; i < n && i < 2; i++) {
                c->segments[i] = segments[i];
                c->size += segments[i].iov_len;
        }
}

/* Where the byte at offset lies, and how many follow it in the same segment. */
static const uint8_t *cursor_at(const RecordCursor *c, size_t offset, size_t *ret_left) {
        size_t first = c->segments[0].iov_len;
        const struct iovec *v = offset < first ? &c->segments[0] : &c->segments[1];
        size_t within = offset < first ? offset : offset - first;

        *ret_left = v->iov_len - within;
        return *ret_left > 0 ? (const uint8_t *) v->iov_base + within : NULL;
}

static void cursor_copy(const RecordCursor *c, size_t offset, void *to, size_t size) {
        size_t left;
        const uint8_t *p = cursor_at(c, offset, &left);

        memcpy(to, p, MIN_OF(left, size));
        if (size > left && c->segments[1].iov_base)
                memcpy((uint8_t *) to + left, c->segments[1].iov_base, size - left);
}

const struct perf_event_header *record_cursor_next(RecordCursor *c) {
        const struct perf_event_header *h;
        size_t left;

        if (c->size - c->offset < sizeof(*h))
                return NULL;
        h = (const void *) cursor_at(c, c->offset, &left);
        if (!h || left < sizeof(*h) || h->size < sizeof(*h) || h->size > c->size - c->offset)
                return NULL;

        c->offset += h->size;
        if (h->size > left && c->scratch) {
                size_t size = h->size;

                cursor_copy(c, c->offset - size, c->scratch, size);
                return (const void *) c->scratch;
        }
        return h;
}

static uint64_t cursor_u64(const RecordCursor *c, size_t offset) {
        uint64_t v = 0;

        if (offset + sizeof(v) <= c->size)
                cursor_copy(c, offset, &v, sizeof(v));
        return v;
}

/* Nearly all records are samples, and of them only the header matters here. */
static void count_samples(RecordCursor *c, RingCounts *counts) {
        size_t left, offset = 0;
        const uint8_t *p = cursor_at(c, c->offset, &left);

        while (left - offset >= sizeof(struct perf_event_header)) {
                const struct perf_event_header *h = (const void *) (p + offset);

                if (h->type != PERF_RECORD_SAMPLE || h->size < sizeof(*h) || h->size > left - offset)
                        break;
                offset += h->size;
                counts->samples++;
                counts->records++;
        }
        c->offset += offset;
}

void ring_counts_add(RingCounts *counts, const struct iovec *segments, unsigned n) {
        const struct perf_event_header *h;
        RecordCursor c;

        record_cursor_init(&c, segments, n, NULL);
        while (count_samples(&c, counts), (h = record_cursor_next(&c))) {
                size_t start = c.offset - h->size;

                counts->records++;
                switch (h->type) {
                case PERF_RECORD_SAMPLE:
                        counts->samples++;
                        break;
                case PERF_RECORD_LOST: /* header, id, lost */
                        if (h->size >= 24)
                                counts->lost += cursor_u64(&c, start + 16);
                        break;
                case PERF_RECORD_LOST_SAMPLES: /* header, lost */
                        if (h->size >= 16)
                                counts->lost += cursor_u64(&c, start + 8);
                        break;
                case PERF_RECORD_THROTTLE:
                        counts->throttled++;
                        break;
                case PERF_RECORD_MMAP2:
                        counts->build_ids += !!(h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
                        break;
                case PERF_RECORD_KSYMBOL:
                case PERF_RECORD_BPF_EVENT:
                case PERF_RECORD_TEXT_POKE:
                        counts->symbols++;
                        break;
                default:
                        break;
                }
        }
}
