/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table of counts behind the page of counters, <perf-recorder/counters.h>. It is read and not mapped: the recorder could make
 * the file shorter, which would kill whoever has it mapped.
 *
 * Invariant: each row of an answer has a name and a unit that are strings, whatever the recorder wrote. */

#include "session-counts.h"

#include <unistd.h>

#define TRIES 3u /* a reading that ends while it is read is followed by another one after a millisecond at the earliest */

static bool counts_read_at(int fd, void *buf, size_t size, size_t offset) {
        return pread(fd, buf, size, (off_t) (PR_COUNTERS_SIZE + offset)) == (ssize_t) size;
}

static int counts_read_rows(int fd, const PrCounts *h, SessionCounts *ret) {
        size_t rows_size = (size_t) h->n_rows * sizeof(PrCount), first = sizeof(PrCounts), names = first + 2 * rows_size;
        _cleanup_(session_counts_done) SessionCounts c = { .n_rows = h->n_rows };

        if (h->n_rows > PR_COUNTS_ROWS_MAX || h->names_size > PR_COUNTS_NAMES_MAX)
                return -EBADMSG;
        c.rows = malloc(rows_size + 1);
        c.names = malloc(h->names_size + 1);
        if (!c.rows || !c.names)
                return -ENOMEM;
        if (!counts_read_at(fd, c.rows, rows_size, first + h->sequence % 2 * rows_size) ||
            !counts_read_at(fd, c.names, h->names_size, names))
                return -EBADMSG;
        c.names[h->names_size] = '\0';
        for (uint32_t i = 0; i < c.n_rows; i++)
                if (c.rows[i].name >= h->names_size || c.rows[i].unit >= h->names_size)
                        return -EBADMSG;
        *ret = steal_value(c, (SessionCounts) {});
        return 0;
}

int session_counts_read(int fd, SessionCounts *ret) {
        for (unsigned i = 0; i < TRIES; i++) {
                _cleanup_(session_counts_done) SessionCounts c = {};
                PrCounts before, after;
                int r;

                if (!counts_read_at(fd, &before, sizeof(before), 0) || before.magic != PR_COUNTS_MAGIC || before.sequence == 0)
                        return -ENODATA;
                r = counts_read_rows(fd, &before, &c);
                if (r == -ENOMEM)
                        return r;
                if (!counts_read_at(fd, &after, sizeof(after), 0) || memcmp(&before, &after, sizeof(before)) != 0)
                        continue;
                if (r >= 0)
                        *ret = steal_value(c, (SessionCounts) {});
                return r;
        }
        return -EAGAIN;
}
