/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A memory file: a page with where the journal begins and ends, then frames, each a head and records. A frame counts from
 * the store on that moves the end behind it, so that whoever is killed leaves whole frames. One kind of frame, the base, has
 * what a table knew, and how far each ring was read by then: nothing before the last base is needed. So when it is begun
 * anew, the base is appended, the beginning moved to it, and the room before it given back; the file's offsets only grow.
 *
 * Nothing is read here while recording goes on, and what is in the rings goes to the file by one system call. */

#include "sideband-journal.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "fd-file.h"

#define JOURNAL_MAGIC UINT64_C(0x31306c6e6a646273) /* "sbdjnl01", little endian */
#define HEAD_SIZE 4096
#define FRAME_BASE (UINT32_MAX - 1)
#define GROWTH_MIN ((uint64_t) 1024 * 1024) /* bytes that come before it is begun anew */
#define GROWTH_SMALL ((uint64_t) 4 * 1024 * 1024) /* bytes up to which they are as many as those of the base */
#define RINGS_MAX 65536
#define SEGMENTS_MAX 8

typedef struct Head {
        uint64_t magic, n_rings;
        uint64_t begin, end; /* offsets in the file */
} Head;

typedef struct Frame {
        uint32_t ring; /* or FRAME_BASE, SIDEBAND_JOURNAL_NO_RING */
        uint32_t padding;
        uint64_t tail; /* of the ring, behind these records */
        uint64_t size; /* bytes that follow; of a base: the rings' tails first */
} Frame;

struct SidebandJournal {
        int fd;
        Head *head;
        uint64_t *tails;
        size_t n_rings;
        uint64_t compact_at; /* end from which on it is begun anew */
        uint64_t limit;      /* bytes */
        bool needs_base;     /* it lacks something, so nothing is appended before there is a base */
};

SidebandJournal *sideband_journal_free(SidebandJournal *j) {
        if (!j)
                return NULL;
        if (j->head)
                (void) munmap(j->head, HEAD_SIZE);
        safe_close(j->fd);
        free(j->tails);
        free(j);
        return NULL;
}

static int make(int fd, size_t n_rings, SidebandJournal **ret) {
        _cleanup_(sideband_journal_freep) SidebandJournal *j = calloc(1, sizeof(SidebandJournal));
        _cleanup_close_ int owned = fd;
        void *p;

        if (owned < 0)
                return owned;
        if (!j)
                return -ENOMEM;
        *j = (SidebandJournal) { .fd = steal_fd(&owned), .n_rings = n_rings, .compact_at = HEAD_SIZE + GROWTH_MIN,
                                .limit = SIDEBAND_JOURNAL_LIMIT };
        j->tails = calloc(n_rings + 1, sizeof(uint64_t));
        if (!j->tails)
                return -ENOMEM;
        p = mmap(NULL, HEAD_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, j->fd, 0);
        if (p == MAP_FAILED)
                return -ENOMEM;
        j->head = p;
        *ret = steal_ptr(j);
        return 0;
}

int sideband_journal_new(size_t n_rings, SidebandJournal **ret) {
        SidebandJournal *j;
        int r;

        if (n_rings > RINGS_MAX)
                return -E2BIG;
        r = make(open_memfd("perf-recorder-sideband", HEAD_SIZE), n_rings, &j);
        if (r < 0)
                return r;
        *j->head = (Head) { .magic = JOURNAL_MAGIC, .n_rings = n_rings, .begin = HEAD_SIZE, .end = HEAD_SIZE };
        *ret = j;
        return 0;
}

int sideband_journal_fd(const SidebandJournal *j) {
        return j->fd;
}

bool sideband_journal_is_empty(const SidebandJournal *j) {
        return j->head->begin == j->head->end;
}

uint64_t sideband_journal_tail(const SidebandJournal *j, uint32_t ring) {
        return ring < j->n_rings ? j->tails[ring] : 0;
}

void sideband_journal_set_limit(SidebandJournal *j, size_t bytes) {
        j->limit = bytes;
}

size_t sideband_journal_memory(const SidebandJournal *j) {
        return (size_t) (j->head->end - j->head->begin) + HEAD_SIZE;
}

/* Does not count until the end is moved behind it. */
static int write_at(int fd, uint64_t at, struct iovec *v, size_t n) {
        for (size_t i = 0; i < n;) {
                ssize_t w = pwritev(fd, v + i, (int) (n - i), (off_t) at);

                if (w < 0 && errno == EINTR)
                        continue;
                if (w <= 0)
                        return w < 0 ? -errno : -ENOSPC;
                at += (uint64_t) w;
                for (; i < n && (size_t) w >= v[i].iov_len; i++)
                        w -= (ssize_t) v[i].iov_len;
                if (i < n)
                        v[i] = (struct iovec) { (uint8_t *) v[i].iov_base + w, v[i].iov_len - (size_t) w };
        }
        return 0;
}

static int write_frame(SidebandJournal *j, Frame *frame, const struct iovec *segments, size_t n_segments) {
        struct iovec v[SEGMENTS_MAX + 1] = { { .iov_base = frame, .iov_len = sizeof(*frame) } };
        uint64_t at = j->head->end;
        size_t n = 1;
        int r;

        if (n_segments > SEGMENTS_MAX)
                return -EINVAL;
        for (size_t i = 0; i < n_segments; i++) {
                v[n++] = segments[i];
                frame->size += segments[i].iov_len;
        }
        r = write_at(j->fd, at, v, n);
        if (r >= 0)
                __atomic_store_n(&j->head->end, at + sizeof(*frame) + frame->size, __ATOMIC_RELEASE);
        return r;
}

/* The room before the base is whole pages: the page where it begins stays. */
static void give_back(SidebandJournal *j, uint64_t from, uint64_t to) {
        from = (from + HEAD_SIZE - 1) / HEAD_SIZE * HEAD_SIZE;
        to = to / HEAD_SIZE * HEAD_SIZE;
        if (to > from)
                (void) fallocate(j->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t) from, (off_t) (to - from));
}

typedef struct BaseWriting {
        int fd;
        uint64_t at; /* where the next piece goes */
} BaseWriting;

static int write_piece(void *userdata, const struct iovec *bytes) {
        BaseWriting *w = userdata;
        struct iovec v = *bytes;
        int r = write_at(w->fd, w->at, &v, 1);

        w->at += r >= 0 ? bytes->iov_len : 0;
        return r;
}

/* A frame at the end, whose head comes last, since only then its size is known. *ret_end is behind it. */
static int write_base(const SidebandJournal *j, const SidebandTable *t, uint64_t *ret_end) {
        BaseWriting w = { .fd = j->fd, .at = j->head->end + sizeof(Frame) };
        _cleanup_(record_buffer_done) RecordBuffer b = { .drain = write_piece, .userdata = &w };
        Frame frame = { .ring = FRAME_BASE };
        struct iovec v = { .iov_base = &frame, .iov_len = sizeof(frame) };
        int r;

        byte_buffer_put(&b, j->tails, j->n_rings * sizeof(uint64_t));
        r = sideband_table_put(t, NULL, 0, &b);
        if (r >= 0)
                r = byte_buffer_flush(&b);
        if (r < 0)
                return r;
        frame.size = w.at - j->head->end - sizeof(frame);
        *ret_end = w.at;
        return write_at(j->fd, j->head->end, &v, 1);
}

/* As much again as the base, so that the work stays in proportion to what happens; of a large base, less. */
static uint64_t growth(uint64_t base) {
        uint64_t most = MAX_OF(GROWTH_SMALL, base / 4), as_much = MIN_OF(base, most);

        return MAX_OF(as_much, GROWTH_MIN);
}

/* Between the two stores the journal is empty: who takes it over then has to look at the processes as if it were new. */
static void empty(SidebandJournal *j) {
        uint64_t begin = j->head->begin, end = j->head->end;

        __atomic_store_n(&j->head->begin, end, __ATOMIC_RELEASE);
        give_back(j, begin, end);
        j->needs_base = true;
}

int sideband_journal_append(SidebandJournal *j, uint32_t ring, const struct iovec *segments, size_t n_segments, uint64_t tail) {
        Frame frame = { .ring = ring, .tail = tail };
        int r = 0;

        if (ring >= j->n_rings && ring != SIDEBAND_JOURNAL_NO_RING)
                return -EINVAL;
        if (!j->needs_base)
                r = write_frame(j, &frame, segments, n_segments);
        if (r < 0 || j->head->end - j->head->begin > j->limit)
                empty(j);
        if (ring < j->n_rings)
                j->tails[ring] = tail;
        return r;
}

int sideband_journal_compact(SidebandJournal *j, const SidebandTable *t) {
        uint64_t begin = j->head->begin, end = j->head->end, new_end;
        int r;

        if (end < j->compact_at && !j->needs_base)
                return 0;
        r = write_base(j, t, &new_end);
        if (r < 0) {
                (void) ftruncate(j->fd, (off_t) end);
                j->compact_at = end + growth(end - begin);
                return r;
        }
        __atomic_store_n(&j->head->end, new_end, __ATOMIC_RELEASE);
        __atomic_store_n(&j->head->begin, end, __ATOMIC_RELEASE);
        give_back(j, begin, end);
        j->needs_base = false;
        j->compact_at = new_end + growth(new_end - end);
        return 0;
}

/* A frame's head at offset at of the mapped journal, or NULL: it is not whole. */
static const Frame *frame_at(const uint8_t *memory, uint64_t size, uint64_t at) {
        const Frame *f = (const void *) (memory + at);

        return size - at >= sizeof(Frame) && f->size % 8 == 0 && f->size <= size - at - sizeof(Frame) ? f : NULL;
}

typedef struct Mapped {
        void *pages;
        size_t n_pages; /* bytes */
        const uint8_t *memory;
        uint64_t size;
} Mapped;

static void mapped_done(Mapped *m) {
        if (m->pages)
                (void) munmap(m->pages, m->n_pages);
}

static int map_frames(const SidebandJournal *j, Mapped *ret) {
        uint64_t begin = j->head->begin, end = __atomic_load_n(&j->head->end, __ATOMIC_ACQUIRE);
        uint64_t first = begin / HEAD_SIZE * HEAD_SIZE;
        struct stat st;
        void *p;

        if (fstat(j->fd, &st) < 0)
                return -errno;
        if (begin < HEAD_SIZE || begin % 8 != 0 || begin > end || end > (uint64_t) st.st_size)
                return -EBADMSG;
        if (begin == end)
                return 0;
        p = mmap(NULL, (size_t) (end - first), PROT_READ, MAP_SHARED, j->fd, (off_t) first);
        if (p == MAP_FAILED)
                return -errno;
        *ret = (Mapped) {
                .pages = p,
                .n_pages = (size_t) (end - first),
                .memory = (uint8_t *) p + (begin - first),
                .size = end - begin,
        };
        return 0;
}

/* Where the last base is, 0 without one; and how far each ring was read. */
static int read_frames(SidebandJournal *j, const Mapped *m, uint64_t *ret_base) {
        for (uint64_t at = 0; at < m->size;) {
                const Frame *f = frame_at(m->memory, m->size, at);

                if (!f || (f->ring == FRAME_BASE && f->size < j->n_rings * sizeof(uint64_t)))
                        return -EBADMSG;
                if (f->ring == FRAME_BASE) {
                        memcpy(j->tails, f + 1, j->n_rings * sizeof(uint64_t));
                        *ret_base = at;
                } else if (f->ring < j->n_rings)
                        j->tails[f->ring] = f->tail;
                else if (f->ring != SIDEBAND_JOURNAL_NO_RING)
                        return -EBADMSG;
                at += sizeof(Frame) + f->size;
        }
        return 0;
}

/* A base that was whole, and a beginning that was not moved to it: that is done now. */
int sideband_journal_take_over(int fd, size_t n_rings, SidebandJournal **ret) {
        _cleanup_(sideband_journal_freep) SidebandJournal *j = NULL;
        _cleanup_(mapped_done) Mapped m = {};
        uint64_t base = 0, begin;
        struct stat st;
        int r;

        if (fstat(fd, &st) < 0)
                return -errno;
        if (n_rings > RINGS_MAX || st.st_size < HEAD_SIZE)
                return -EBADMSG;
        r = make(fcntl(fd, F_DUPFD_CLOEXEC, 3), n_rings, &j);
        if (r < 0)
                return r;
        if (j->head->magic != JOURNAL_MAGIC || j->head->n_rings != n_rings)
                return -EBADMSG;
        r = map_frames(j, &m);
        if (r >= 0)
                r = read_frames(j, &m, &base);
        if (r < 0)
                return r;
        begin = j->head->begin;
        j->head->begin = begin + base;
        give_back(j, HEAD_SIZE, begin + base);
        j->compact_at = j->head->end + GROWTH_MIN;
        *ret = steal_ptr(j);
        return 0;
}

int sideband_journal_replay(const SidebandJournal *j, SidebandTable *t) {
        _cleanup_(mapped_done) Mapped m = {};
        int r = map_frames(j, &m);

        for (uint64_t at = 0; r >= 0 && at < m.size;) {
                const Frame *f = frame_at(m.memory, m.size, at);
                size_t skipped = f && f->ring == FRAME_BASE ? j->n_rings * sizeof(uint64_t) : 0;
                struct iovec v;

                if (!f || f->size < skipped)
                        return -EBADMSG;
                v = (struct iovec) { (uint8_t *) (f + 1) + skipped, f->size - skipped };
                r = v.iov_len > 0 ? sideband_table_feed_segments(t, &v, 1) : 0;
                at += sizeof(Frame) + f->size;
        }
        return r;
}
