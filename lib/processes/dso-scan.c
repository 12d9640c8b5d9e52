/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reads the records of a file from the page cache. Unlike a map, reads cause no signal when the file is truncated, and
 * no page of it is accounted to us; their pieces stay in the processor's cache, which makes up for the copying. */

#include <unistd.h>

#include "dso-hits.h"
#include "record.h"

/* Above the longest record, and below the size from which the recorder's malloc(3) maps each block by itself. */
#define BUFFER_SIZE (96u * 1024u)

/* Feeds the whole records of a block; *ret_used is the end of the last one. */
static int feed_block(DsoHits *h, const uint8_t *data, size_t size, size_t *ret_used) {
        const struct perf_event_header *record;
        size_t cursor = 0, used = 0;
        int r;

        while (record_next(data, size, &cursor, &record) == 1) {
                r = dso_hits_feed(h, record, record->size);
                if (r < 0)
                        return r;
                used = cursor;
        }
        *ret_used = used;
        return 0;
}

int dso_hits_scan(DsoHits *h, int fd, uint64_t *offset, uint64_t wanted, uint64_t end) {
        _cleanup_free_ uint8_t *buffer = NULL;

        if (*offset >= wanted)
                return 0;
        buffer = malloc(BUFFER_SIZE);
        if (!buffer)
                return -ENOMEM;
        while (*offset < wanted) {
                size_t size = MIN_OF(end - *offset, (uint64_t) BUFFER_SIZE);
                ssize_t n = TEMP_FAILURE_RETRY(pread(fd, buffer, size, (off_t) *offset));
                size_t used;
                int r;

                if (n < 0)
                        return -errno;
                r = feed_block(h, buffer, (size_t) n, &used);
                if (r < 0)
                        return r;
                if (used == 0)
                        return -EBADMSG;
                *offset += used;
        }
        return 0;
}
