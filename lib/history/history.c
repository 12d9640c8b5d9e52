/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The writing half of the history ring; history-region.h has the layout.
 *
 *   append  copies records into the block being filled, behind what is committed, and notes them in h->state
 *   commit  writes h->state to the slot that is not in force, then the one word that puts it in force
 *   seal    when the block is full or old: drops the oldest blocks and commits that, so that their space is free; then
 *           writes the block there, and commits it together with an empty block to fill
 *
 * Invariant: at each instruction the state in force is whole, and what it refers to is not written to.
 *
 * Only the death of the process matters: a crash of the machine takes the memory with it. So only the order of this
 * program's own instructions counts, and the fences keep the compiler from changing it. */

#include "history-region.h"

#include <fcntl.h>
#include <sys/stat.h>
#include "fd-file.h"

#define AGE_SHARE 16u /* a block covers at most 1/16 of max_age, since blocks are dropped as a whole */
#define STORM_NSEC (NSEC_PER_SEC / 4) /* a block that fills up sooner is compressed at a fast level */

static void history_put_in_force(History *h) {
        RegionState *s = h->state;

        s->sequence++;
        s->checksum = history_checksum(&s->sequence, h->state_size - offsetof(RegionState, sequence));
        memcpy(h->slots[s->sequence & 1], s, h->state_size);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        __atomic_store_n(&h->head->committed, s->sequence, __ATOMIC_RELEASE);
        __atomic_thread_fence(__ATOMIC_SEQ_CST); /* dropped blocks are not overwritten before */
}

int history_new(const HistoryOptions *options, History **ret) {
        _cleanup_(history_freep) History *h = NULL;
        _cleanup_close_ int fd = -EBADF;
        HistoryOptions o = *options;
        int r;

        if (o.size > HISTORY_SIZE_MAX)
                return -EINVAL;
        o.size = history_region_size(o.size);
        fd = open_memfd("perf-history", (size_t) o.size);
        if (fd < 0)
                return fd;
        r = history_map(fd, &o, &h);
        if (r < 0)
                return r;
        (void) steal_fd(&fd);
        *h->head = (RegionHead) {
                .size = o.size,
                .max_age = o.max_age,
                .n_rings = o.n_rings,
                .level = o.level,
                .time_word = o.time_word,
                .unmark_maps = o.unmark_maps,
                .sample_type = o.sample_type,
                .chain_word = (uint16_t) o.chain_word,
                .switch_word = o.switch_word,
        };
        history_put_in_force(h);
        history_seal_head(h->head);
        *ret = steal_ptr(h);
        return 0;
}

static int history_read_options(int fd, HistoryOptions *ret) {
        RegionHead head;
        struct stat st;

        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode) || pread(fd, &head, sizeof(head), 0) != sizeof(head) || !history_head_is_valid(&head) ||
            head.size != (uint64_t) st.st_size || head.size != history_region_size(head.size))
                return -EBADMSG;
        *ret = (HistoryOptions) {
                .size = head.size,
                .max_age = head.max_age,
                .level = head.level,
                .n_rings = (size_t) head.n_rings,
                .time_word = head.time_word,
                .unmark_maps = head.unmark_maps,
                .sample_type = head.sample_type,
                .chain_word = head.chain_word,
                .switch_word = head.switch_word,
        };
        return 0;
}

int history_take_over(int fd, History **ret) {
        _cleanup_(history_freep) History *h = NULL;
        _cleanup_close_ int own = -EBADF;
        HistoryOptions o;
        int r = history_read_options(fd, &o);

        if (r < 0)
                return r;
        own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
        if (own < 0)
                return -errno;
        r = history_map(own, &o, &h);
        if (r < 0)
                return r == -EINVAL ? -EBADMSG : r;
        (void) steal_fd(&own);
        r = history_check(h);
        if (r < 0)
                return r;
        memcpy(h->state, history_committed(h), h->state_size);
        *ret = steal_ptr(h);
        return 0;
}

int history_fd(const History *h) {
        return h->fd;
}

const HistoryOptions *history_options(const History *h) {
        return &h->options;
}

uint64_t history_tail(const History *h, size_t ring) {
        return ring < h->options.n_rings ? history_committed(h)->tails[ring] : 0;
}

uint64_t history_position(const History *h) {
        const RegionState *s = history_committed(h);

        return s->fill_position + s->fill_size;
}

/* Takes the oldest block out of h->state: 1, or 0 if there is none. Its space may be used after the next commit. */
static int history_drop_oldest(History *h) {
        RegionState *s = h->state;
        uint64_t at = s->first;
        const RegionBlock *b;

        if (s->first >= s->end)
                return 0;
        b = history_block(h, &at, s->end);
        if (!b) /* another process wrote to the region: only the block being filled is left */
                s->first = s->end;
        else {
                s->first = at + history_block_span(b->stored);
                s->dropped += b->counts.samples;
        }
        return 1;
}

static void history_drop_aged(History *h) {
        RegionState *s = h->state;
        uint64_t now = MAX_OF(s->newest, h->now);

        if (h->options.max_age >= UINT64_MAX / NSEC_PER_USEC || now <= h->options.max_age * NSEC_PER_USEC)
                return;
        while (s->first < s->end) {
                uint64_t at = s->first;
                const RegionBlock *b = history_block(h, &at, s->end);

                if (b && b->counts.last >= now - h->options.max_age * NSEC_PER_USEC)
                        return;
                (void) history_drop_oldest(h);
        }
}

/* Frees contiguous space in the store, also in the state in force. Returns its offset. */
static uint64_t history_make_room(History *h, uint64_t bytes) {
        RegionState *s = h->state;
        uint64_t left = h->store_size - s->end % h->store_size;
        uint64_t at = left < bytes ? s->end + left : s->end;

        while (at + bytes - s->first > h->store_size && history_drop_oldest(h) > 0)
                ;
        history_put_in_force(h);
        if (at > s->end && left >= sizeof(RegionBlock))
                memset(h->store + s->end % h->store_size, 0, sizeof(RegionBlock));
        return at;
}

/* A packed block begins with the size of the columns. -E2BIG: the block does not get smaller this way. */
static int history_pack_columns(History *h, size_t *ret_size) {
        const uint32_t size = (uint32_t) h->state->fill_size;
        uint64_t columns;
        int r;

        byte_buffer_reset(&h->arranged);
        r = sample_columns_pack(h->columns, history_places(&h->options), h->fill, size, &h->arranged);
        if (r < 0)
                return r;
        columns = h->arranged.size;
        if (columns > history_columns_max(size) || size <= sizeof(columns))
                return -E2BIG;
        memcpy(h->packed, &columns, sizeof(columns));
        r = block_compress(h->compressor, h->options.level, h->arranged.data, h->arranged.size, h->packed + sizeof(columns),
                           size - 1 - sizeof(columns), ret_size);
        *ret_size += sizeof(columns);
        return r;
}

/* -E2BIG: the block does not get smaller. In a storm there is no time for more than a fast level. */
static int history_pack(History *h, RegionBlock *block, size_t *ret_size) {
        bool storm = h->state->fill.last - h->state->fill.first < STORM_NSEC;
        int r = h->columns && !storm ? history_pack_columns(h, ret_size) : -E2BIG;

        if (r >= 0)
                block->magic = BLOCK_MAGIC_COLUMNS;
        if (r != -E2BIG || !h->compressor)
                return r;
        return block_compress(h->compressor, storm ? MIN_OF(h->options.level, COMPRESS_LEVEL_DEFAULT) : h->options.level, h->fill,
                              block->size, h->packed, block->size - 1, ret_size);
}

/* Moves the block being filled into the store, and begins an empty one. */
static int history_seal_fill(History *h) {
        RegionState *s = h->state;
        RegionBlock block = {
                .magic = BLOCK_MAGIC,
                .position = s->fill_position,
                .samples_before = s->samples_before,
                .size = (uint32_t) s->fill_size,
                .counts = s->fill,
        };
        const uint8_t *stored = h->packed;
        size_t size = 0;
        uint64_t at;
        int r = history_pack(h, &block, &size);

        if (r == -E2BIG) {
                stored = h->fill;
                size = (size_t) s->fill_size;
        } else if (r < 0)
                return r;
        block.stored = (uint32_t) size;
        history_seal_block(&block);

        at = history_make_room(h, history_block_span(block.stored));
        memcpy(h->store + at % h->store_size, &block, sizeof(block));
        memcpy(h->store + at % h->store_size + sizeof(block), stored, size);
        s->end = at + history_block_span(block.stored);
        s->fill_position += s->fill_size;
        s->samples_before += s->fill.samples;
        s->fill_size = 0;
        s->fill = (HistoryCounts) {};
        history_put_in_force(h);
        return 0;
}

/* Copies bytes of the segments from offset on, as many as there is room for. */
static size_t gather_segments(const struct iovec *segments, size_t n, size_t offset, uint8_t *to, size_t room) {
        size_t size = 0;

        for (size_t i = 0; i < n && size < room; i++) {
                size_t part;

                if (offset >= segments[i].iov_len) {
                        offset -= segments[i].iov_len;
                        continue;
                }
                part = MIN_OF(segments[i].iov_len - offset, room - size);
                memcpy(to + size, (const uint8_t *) segments[i].iov_base + offset, part);
                size += part;
                offset = 0;
        }
        return size;
}

/* Appends as many records as the block being filled has room for, from offset done of the segments on. *ret_whole is
 * their bytes; 0: none fits. */
static int history_fill(History *h, const struct iovec *segments, size_t n, size_t done, size_t *ret_whole) {
        HistoryCounts counts = {};
        RegionState *s = h->state;
        uint8_t *to = h->fill + s->fill_size;
        size_t size = gather_segments(segments, n, done, to, h->fill_max - (size_t) s->fill_size);
        bool bad;

        *ret_whole = history_scan(&h->options, to, size, &counts, &bad);
        history_counts_add(&s->fill, &counts);
        history_counts_add(&h->appended, &counts);
        s->fill_size += *ret_whole;
        s->newest = MAX_OF(s->newest, s->fill.last);
        return bad ? -EBADMSG : 0;
}

static int history_append_locked(History *h, size_t ring, const struct iovec *segments, size_t n_segments, uint64_t tail) {
        size_t total = segments_size(segments, n_segments), done = 0;
        int r = 0;

        while (done < total && r >= 0) {
                size_t whole;

                r = history_fill(h, segments, n_segments, done, &whole);
                done += whole;
                h->state->tails[ring] = tail - (total - done);
                if (whole == 0 && r >= 0)
                        r = h->state->fill_size > 0 ? history_seal_fill(h) : -EBADMSG; /* the last record is not whole */
        }
        if (r >= 0 || r == -EBADMSG)
                h->state->tails[ring] = tail;
        return r;
}

int history_append(History *h, size_t ring, const struct iovec *segments, size_t n_segments, uint64_t tail) {
        int r;

        if (ring >= h->options.n_rings)
                return -EINVAL;
        (void) pthread_mutex_lock(&h->lock);
        r = history_append_locked(h, ring, segments, n_segments, tail);
        (void) pthread_mutex_unlock(&h->lock);
        return r;
}

void history_appended(History *h, HistoryCounts *ret) {
        (void) pthread_mutex_lock(&h->lock);
        *ret = h->appended;
        (void) pthread_mutex_unlock(&h->lock);
}

void history_tell_time(History *h, uint64_t now) {
        (void) pthread_mutex_lock(&h->lock);
        h->now = now;
        (void) pthread_mutex_unlock(&h->lock);
}

int history_commit(History *h) {
        const HistoryCounts *fill = &h->state->fill;
        int r = 0;

        (void) pthread_mutex_lock(&h->lock);
        if ((fill->last - fill->first) / NSEC_PER_USEC > MAX_OF(h->options.max_age / AGE_SHARE, USEC_PER_SEC))
                r = history_seal_fill(h);
        history_drop_aged(h);
        history_put_in_force(h);
        (void) pthread_mutex_unlock(&h->lock);
        return r;
}
