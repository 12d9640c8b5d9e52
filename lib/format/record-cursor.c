/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Invariant: the cursor is at the beginning of a record, or at something that is no record, and then it stays there. */

#include "record-cursor.h"

static bool enter_next(RecordCursor *c) {
        for (; c->at == c->end && c->n_next > 0; c->next++, c->n_next--)
                if (c->next->iov_len > 0) { /* an empty one may have no address */
                        c->at = c->next->iov_base;
                        c->end = c->at + c->next->iov_len;
                }
        return c->at != c->end;
}

void record_cursor_init(RecordCursor *c, const struct iovec *segments, size_t n_segments, void *scratch) {
        c->at = c->end = NULL;
        c->next = segments;
        c->n_next = n_segments;
        c->scratch = scratch;
        (void) enter_next(c);
}

size_t record_cursor_left(const RecordCursor *c) {
        size_t left = (size_t) (c->end - c->at);

        for (size_t i = 0; i < c->n_next; i++)
                left += c->next[i].iov_len;
        return left;
}

/* Copies the first "room" of the next "size" bytes, and moves over all of them. That many must be left. */
static void take_bytes(RecordCursor *c, void *to, size_t room, size_t size) {
        size_t taken = 0;

        while (taken < size && enter_next(c)) {
                size_t n = MIN_OF((size_t) (c->end - c->at), size - taken);

                if (taken < room)
                        memcpy((uint8_t *) to + taken, c->at, MIN_OF(n, room - taken));
                c->at += n;
                taken += n;
        }
}

int record_cursor_next_split(RecordCursor *c, const struct perf_event_header **ret) {
        const struct perf_event_header *h;
        size_t left;

        if (c->at == c->end)
                return enter_next(c) ? record_cursor_next(c, ret) : 0;
        h = (const void *) c->at;
        left = (size_t) (c->end - c->at);
        if (left < sizeof(*h) || h->size < sizeof(*h) || h->size % sizeof(uint64_t) != 0 || h->size > record_cursor_left(c))
                return -EBADMSG;
        if (c->scratch)
                take_bytes(c, c->scratch, RECORD_SCRATCH_SIZE, h->size);
        else
                take_bytes(c, c->head, sizeof(c->head), h->size);
        *ret = c->scratch ?: (const void *) c->head;
        return 1;
}
