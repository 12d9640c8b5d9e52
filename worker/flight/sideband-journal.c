/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The journal is a memory file: a page (Head) with the offsets at which the journal begins and ends, then frames, each
 * a head and records. One kind of frame, the base, has all that a table knew, and the position up to which each ring
 * was read by then.
 *
 * Invariant: a frame is in the journal from the store on that moves head->end behind it, so a recorder that is killed
 * leaves whole frames. Nothing before the last base is needed: to compact the journal, a base is appended, head->begin
 * is moved to it, and the pages before it are freed. Offsets in the file only grow.
 *
 * During that there are two bases in memory, so a base is compressed, in blocks of whole records that can be
 * decompressed one by one. They are mostly paths, which shrink to a tenth; blocks that do not shrink are stored as
 * they are.
 *
 * A journal that lacks something (a failed write, the limit) is empty rather than incomplete; see needs_base. Nothing
 * is read here while recording goes on, and records go from a ring to the file by one system call. A journal that is
 * taken over is of another process, so all offsets and sizes in it are checked (frame_at()). */

#include "sideband-journal.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "array.h"
#include "compress.h"
#include "decompress.h"
#include "fd-file.h"
#include "record-counts.h"

#define JOURNAL_MAGIC UINT64_C(0x31306c6e6a646273) /* "sbdjnl01", little endian */
#define HEAD_SIZE 4096
#define FRAME_PLAIN_BASE (UINT32_MAX - 1) /* of previous versions, whose base is not compressed */
#define FRAME_BASE (UINT32_MAX - 2)
#define GROWTH_MIN ((uint64_t) 1024 * 1024) /* bytes that come before it is compacted, at least */
#define GROWTH_SMALL ((uint64_t) 4 * 1024 * 1024) /* bytes up to which they are as many as those of the base */
#define RINGS_MAX 65536
#define SEGMENTS_MAX 8

typedef struct Head {
        uint64_t magic, n_rings;
        uint64_t begin, end; /* offsets in the file */
} Head;

typedef struct Frame {
        uint32_t ring; /* or FRAME_BASE, FRAME_PLAIN_BASE, SIDEBAND_JOURNAL_NO_RING */
        uint32_t padding;
        uint64_t tail; /* of the ring, behind these records */
        uint64_t size; /* bytes that follow: records; in a base the rings' tails, then blocks */
} Frame;

/* Records of a base, padded to a multiple of 8 bytes. */
typedef struct Block {
        uint32_t stored, size; /* bytes here, and of the records; equal: not compressed */
} Block;

struct SidebandJournal {
        int fd;
        Head *head;
        uint64_t *tails;
        size_t n_rings;
        uint64_t compact_at; /* head->end from which on it is compacted */
        uint64_t limit;      /* bytes */
        bool needs_base;     /* it lacks something, so it stays empty until a base is written */
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

static int journal_make(int fd, size_t n_rings, SidebandJournal **ret) {
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
        r = journal_make(open_memfd("perf-recorder-sideband", HEAD_SIZE), n_rings, &j);
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

static int journal_write_frame(SidebandJournal *j, Frame *frame, const struct iovec *segments, size_t n_segments) {
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
        r = pwritev_all(j->fd, &at, v, n);
        if (r >= 0)
                __atomic_store_n(&j->head->end, at, __ATOMIC_RELEASE);
        return r;
}

/* Frees the whole pages between two offsets: the page where the base begins stays. */
static void journal_give_back(SidebandJournal *j, uint64_t from, uint64_t to) {
        from = (from + HEAD_SIZE - 1) / HEAD_SIZE * HEAD_SIZE;
        to = to / HEAD_SIZE * HEAD_SIZE;
        if (to > from)
                (void) fallocate(j->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t) from, (off_t) (to - from));
}

typedef struct BaseWriting {
        int fd;
        uint64_t at;   /* offset of the next block */
        uint64_t size; /* of the records */
        BlockCompressor *compressor;
        uint8_t *packed;
        size_t allocated;
} BaseWriting;

static void base_writing_done(BaseWriting *w) {
        block_compressor_free(w->compressor);
        free(w->packed);
}

static int base_writing_pack(BaseWriting *w, const struct iovec *records, struct iovec *ret) {
        size_t size;
        int r;

        if (ARRAY_RESERVE(w->packed, w->allocated, records->iov_len) < 0)
                return -ENOMEM;
        r = block_compress(w->compressor, COMPRESS_LEVEL_DEFAULT, records->iov_base, records->iov_len, w->packed,
                           records->iov_len - 1, &size);
        *ret = r == -E2BIG ? *records : (struct iovec) { w->packed, r < 0 ? 0 : size };
        return r == -E2BIG ? 0 : r;
}

static int base_writing_put(void *userdata, const struct iovec *records) {
        static const uint64_t padding;
        BaseWriting *w = userdata;
        struct iovec stored, v[3];
        Block block;
        int r = base_writing_pack(w, records, &stored);

        if (r < 0)
                return r;
        block = (Block) { .stored = (uint32_t) stored.iov_len, .size = (uint32_t) records->iov_len };
        v[0] = (struct iovec) { &block, sizeof(block) };
        v[1] = stored;
        v[2] = (struct iovec) { (void *) &padding, PERF_ALIGN_UP(stored.iov_len, 8) - stored.iov_len };
        w->size += records->iov_len;
        return pwritev_all(w->fd, &w->at, v, ELEMENTSOF(v));
}

/* Appends a base. The frame's head is written last, since only then its size is known. *ret_end is the offset behind
 * the frame, *ret_size the size of its records before compression. */
static int journal_write_base(const SidebandJournal *j, SidebandTable *t, uint64_t *ret_end, uint64_t *ret_size) {
        _cleanup_(base_writing_done) BaseWriting w = { .fd = j->fd, .at = j->head->end + sizeof(Frame) };
        _cleanup_(record_buffer_done) RecordBuffer b = { .drain = base_writing_put, .userdata = &w };
        uint64_t at = j->head->end;
        struct iovec tails = { j->tails, j->n_rings * sizeof(uint64_t) };
        Frame frame = { .ring = FRAME_BASE };
        struct iovec v = { &frame, sizeof(frame) };
        int r = block_compressor_new(&w.compressor);

        if (r >= 0)
                r = pwritev_all(j->fd, &w.at, &tails, 1);
        if (r >= 0)
                r = sideband_table_put(t, NULL, &b);
        if (r >= 0)
                r = byte_buffer_flush(&b);
        if (r < 0)
                return r;
        frame.size = w.at - j->head->end - sizeof(frame);
        *ret_end = w.at;
        *ret_size = w.size;
        return pwritev_all(j->fd, &at, &v, 1);
}

/* Returns the bytes after which a base is due: as many as the base has, so that the work stays in proportion to what
 * happens; for a large base, less. */
static uint64_t journal_growth(uint64_t base) {
        uint64_t most = MAX_OF(GROWTH_SMALL, base / 4), as_much = MIN_OF(base, most);

        return MAX_OF(as_much, GROWTH_MIN);
}

/* A recorder that takes over an empty journal reads /proc as if it were new. */
void sideband_journal_empty(SidebandJournal *j) {
        uint64_t begin = j->head->begin, end = j->head->end;

        __atomic_store_n(&j->head->begin, end, __ATOMIC_RELEASE);
        journal_give_back(j, begin, end);
        j->needs_base = true;
}

int sideband_journal_append(SidebandJournal *j, uint32_t ring, const struct iovec *segments, size_t n_segments, uint64_t tail) {
        Frame frame = { .ring = ring, .tail = tail };
        int r = 0;

        if (ring >= j->n_rings && ring != SIDEBAND_JOURNAL_NO_RING)
                return -EINVAL;
        if (!j->needs_base)
                r = journal_write_frame(j, &frame, segments, n_segments);
        if (r < 0 || j->head->end - j->head->begin > j->limit)
                sideband_journal_empty(j);
        if (ring < j->n_rings)
                j->tails[ring] = tail;
        return r;
}

int sideband_journal_compact(SidebandJournal *j, SidebandTable *t) {
        uint64_t begin = j->head->begin, end = j->head->end, new_end, size;
        int r;

        if (end < j->compact_at && !j->needs_base)
                return 0;
        r = journal_write_base(j, t, &new_end, &size);
        if (r < 0) {
                (void) ftruncate(j->fd, (off_t) end);
                j->compact_at = end + journal_growth(end - begin);
                return r;
        }
        __atomic_store_n(&j->head->end, new_end, __ATOMIC_RELEASE);
        __atomic_store_n(&j->head->begin, end, __ATOMIC_RELEASE);
        journal_give_back(j, begin, end);
        j->needs_base = false;
        j->compact_at = new_end + journal_growth(size);
        return 0;
}

/* Returns the frame at offset at of the mapped journal, or NULL if it is not whole. */
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

static int journal_map_frames(const SidebandJournal *j, Mapped *ret) {
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

static bool is_base(const Frame *f) {
        return f->ring == FRAME_BASE || f->ring == FRAME_PLAIN_BASE;
}

/* Finds the last base (*ret_base stays 0 without one), and the position up to which each ring was read. */
static int journal_read_frames(SidebandJournal *j, const Mapped *m, uint64_t *ret_base) {
        for (uint64_t at = 0; at < m->size;) {
                const Frame *f = frame_at(m->memory, m->size, at);

                if (!f || (is_base(f) && f->size < j->n_rings * sizeof(uint64_t)))
                        return -EBADMSG;
                if (is_base(f)) {
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

/* A recorder that was killed after it had appended a base may not have moved head->begin to it: that is done here. */
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
        fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        r = journal_make(fd < 0 ? -errno : fd, n_rings, &j);
        if (r < 0)
                return r;
        if (j->head->magic != JOURNAL_MAGIC || j->head->n_rings != n_rings)
                return -EBADMSG;
        r = journal_map_frames(j, &m);
        if (r >= 0)
                r = journal_read_frames(j, &m, &base);
        if (r < 0)
                return r;
        begin = j->head->begin;
        j->head->begin = begin + base;
        journal_give_back(j, HEAD_SIZE, begin + base);
        j->compact_at = j->head->end + GROWTH_MIN;
        *ret = steal_ptr(j);
        return 0;
}

static int replay_records(const void *records, size_t size, SidebandTable *t) {
        struct iovec v = { (void *) records, size };

        return size > 0 ? sideband_table_feed_segments(t, &v, 1) : 0;
}

static int replay_block(const Block *block, SidebandTable *t) {
        _cleanup_free_ uint8_t *records = NULL;
        int r;

        if (block->stored == block->size)
                return replay_records(block + 1, block->size, t);
        records = malloc(block->size + 1);
        if (!records)
                return -ENOMEM;
        r = block_decompress(block + 1, block->stored, records, block->size);
        return r < 0 ? r : replay_records(records, block->size, t);
}

static int replay_blocks(const uint8_t *blocks, uint64_t size, SidebandTable *t) {
        while (size > 0) {
                const Block *block = (const void *) blocks;
                uint64_t bytes;
                int r;

                if (size < sizeof(*block) || block->size > BYTE_BUFFER_MAX)
                        return -EBADMSG;
                bytes = sizeof(*block) + PERF_ALIGN_UP((uint64_t) block->stored, 8);
                if (bytes > size)
                        return -EBADMSG;
                r = replay_block(block, t);
                if (r < 0)
                        return r;
                blocks += bytes;
                size -= bytes;
        }
        return 0;
}

static void count_lost(const void *records, size_t size, const SidebandTable *t, SidebandLost *lost) {
        const struct iovec v = { (void *) records, size };
        RecordCounts counts = {};

        record_counts_add_segments(&counts, &v, 1);
        if (lost->records == 0)
                lost->since = sideband_table_newest(t);
        lost->records += counts.lost;
}

int sideband_journal_replay(const SidebandJournal *j, SidebandTable *t, SidebandLost *lost) {
        _cleanup_(mapped_done) Mapped m = {};
        int r = journal_map_frames(j, &m);

        for (uint64_t at = 0; r >= 0 && at < m.size;) {
                const Frame *f = frame_at(m.memory, m.size, at);
                size_t skipped = f && is_base(f) ? j->n_rings * sizeof(uint64_t) : 0;
                const uint8_t *content;

                if (!f || f->size < skipped)
                        return -EBADMSG;
                content = (const uint8_t *) (f + 1) + skipped;
                if (f->ring == FRAME_BASE)
                        r = replay_blocks(content, f->size - skipped, t);
                else {
                        if (lost)
                                count_lost(content, f->size - skipped, t, lost);
                        r = replay_records(content, f->size - skipped, t);
                }
                at += sizeof(Frame) + f->size;
        }
        return r;
}
