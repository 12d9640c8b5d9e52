/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "sideband-table.h"

/* The side band in memory that outlives the process (a memfd): a successor feeds it to a table of its own. It begins
 * with a base, all that the table knew at some time, compressed; the records that came since then follow. When these
 * take about as much as the base does uncompressed, of a large base a quarter, a new base is appended and the memory
 * before it freed, also if another process has the file too. */
typedef struct SidebandJournal SidebandJournal;

/* Bytes, by default: more than a table puts, even if a base did not shrink. That is, in MiB, 240 of mappings, 128 of the
 * log, 32 of the queue, 40 of the kernel, and 120 of FORKs and COMMs of the largest numbers of processes and threads.
 * (NAMESPACES of them all could be as many again, but those are mostly equal and shrink to little.) */
#define SIDEBAND_JOURNAL_LIMIT ((size_t) 640 * 1024 * 1024)

#define SIDEBAND_JOURNAL_NO_RING UINT32_MAX /* the records came from no ring */

int sideband_journal_new(size_t n_rings, SidebandJournal **ret);
SidebandJournal *sideband_journal_free(SidebandJournal *j);
DEFINE_CLEANUP(SidebandJournal *, sideband_journal_free);

/* Opens the journal that another recorder left; fd stays the caller's. -EBADMSG: it is no journal, or one of another
 * number of rings. */
int sideband_journal_take_over(int fd, size_t n_rings, SidebandJournal **ret);

int sideband_journal_fd(const SidebandJournal *j);

/* For tests, which reach a limit that is smaller sooner. */
void sideband_journal_set_limit(SidebandJournal *j, size_t bytes);

/* Appends the records, which came out of that ring and end at its position tail. The ring may be consumed when this
 * has returned, and not before: if the process is killed in between, its successor finds the records here, and
 * sideband_journal_tail() keeps it from reading them again. After a failure (-ENOMEM, -ENOSPC …), and beyond the
 * limit, the journal is empty, and stays so until sideband_journal_compact(). To be beyond the limit is no failure: the
 * compaction at the end of the same drain mends it. */
int sideband_journal_append(SidebandJournal *j, uint32_t ring, const struct iovec *segments, size_t n_segments, uint64_t tail);

bool sideband_journal_is_empty(const SidebandJournal *j);
uint64_t sideband_journal_tail(const SidebandJournal *j, uint32_t ring); /* 0: the journal has nothing of that ring */

/* The kernel dropped so many records, as those since the last base report. */
typedef struct SidebandLost {
        uint64_t records;
        uint64_t since; /* the time of the newest record before the first report; 0: there was none */
} SidebandLost;

/* Feeds all records to t, in the order they came, and adds to *lost, which may be NULL. */
int sideband_journal_replay(const SidebandJournal *j, SidebandTable *t, SidebandLost *lost);

/* Drops all records: the journal is empty until sideband_journal_compact(). */
void sideband_journal_empty(SidebandJournal *j);

/* Begins the journal again with a base of t, which must know all that was appended, if it has grown enough or lacks
 * something. A failure leaves it as it was; a later call tries again. */
int sideband_journal_compact(SidebandJournal *j, SidebandTable *t);

/* Returns the number of bytes that it takes. For tests, which compare it with what the kernel says. */
size_t sideband_journal_memory(const SidebandJournal *j);
