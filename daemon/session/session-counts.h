/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <perf-recorder/counters.h>

#include "cleanup.h"

/* The counts that a recorder of a session with Mode=count read last. */
typedef struct SessionCounts {
        PrCount *rows; /* row->name and row->unit are places in names, where strings begin */
        uint32_t n_rows;
        char *names;
} SessionCounts;

/* Reads them in the file of the page of counters, without waking the recorder, which may write it at the same time, and may write
 * anything. -ENODATA: it has none yet, or does not count; -EAGAIN: it wrote all the time; -EBADMSG: our recorder writes
 * something else. */
int session_counts_read(int fd, SessionCounts *ret);

static inline void session_counts_done(SessionCounts *c) {
        free(c->rows);
        free(c->names);
        *c = (SessionCounts) {};
}
