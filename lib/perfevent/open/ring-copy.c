/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Copies a ring while the kernel writes into it. The kernel writes downwards: while the head is at h, the ring holds
 * the bytes from h on, oldest last; when it has moved to h', the oldest h - h' of these are overwritten. So the copy
 * goes from the oldest to the newest, in pieces, and reads the head after each: a piece needs to be ahead of the
 * kernel only while it is copied.
 *
 * The kernel reserves space, writes, and publishes the head when the outermost writer of that CPU has finished
 * (perf_output_put_handle() in kernel/events/ring_buffer.c): therefore the guard. Its barrier between data and head is
 * matched here by one between head and data, and by another between data and the next head. */

#include "ring-copy.h"

#define PIECE ((size_t) 128 * 1024)  /* fits into the CPU's cache */
#define CONTEXTS 4u                  /* task, soft interrupt, interrupt, NMI: each may be writing a record */
#define PAUSE_MAX ((size_t) 256 * 1024) /* bytes that are copied in less than 100 µs, also from cold memory */

uint64_t ring_copy_mark(const Ring *r) {
        return __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
}

size_t ring_guard(size_t record_max) {
        return CONTEXTS * MIN_OF(record_max, (size_t) RING_RECORD_MAX);
}

bool ring_copy_wants_pause(const Ring *r, size_t guard) {
        return guard > r->size / 2 && r->size <= PAUSE_MAX;
}

/* Copies the bytes [begin, end) behind the head. The kernel may be writing there: overwritten bytes are discarded
 * later. */
static void copy_piece(const Ring *r, uint64_t head, size_t begin, size_t end, uint8_t *to) {
        while (begin < end) {
                size_t offset = (size_t) ((head + begin) & (r->size - 1));
                size_t n = MIN_OF(end - begin, r->size - offset);

                memcpy(to + begin, r->data + offset, n);
                begin += n;
        }
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

/* Returns the number of bytes behind head that are not overwritten. */
static size_t still_there(const Ring *r, uint64_t head, size_t guard) {
        uint64_t written = head - ring_copy_mark(r);

        if (written >= r->size || r->size - written <= guard)
                return 0;
        return (size_t) (r->size - written) - guard;
}

void ring_copy_running(const Ring *r, uint64_t mark, uint64_t dumped_to, size_t guard, RingCopy *c) {
        size_t wanted = (size_t) MIN_OF(dumped_to - mark, (uint64_t) r->size), intact = wanted;

        for (size_t end = wanted; end > 0;) {
                size_t begin = end > PIECE ? end - PIECE : 0, there;

                copy_piece(r, mark, begin, end, c->memory);
                there = still_there(r, mark, guard);
                if (there < end)
                        intact = MIN_OF(intact, MAX_OF(there, begin));
                end = begin;
        }
        c->head = mark;
        c->intact = intact;
        c->cut = intact < wanted || dumped_to - mark > r->size;
}
