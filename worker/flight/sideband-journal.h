/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "sideband-table.h"

/* The side band as it came, in memory that outlives the process (a memfd): a successor feeds it to a table of its own. It
 * begins with what a table knew, compressed, and is begun again when as much has come as the table's records take. The memory
 * before that is given back, also where another process has the file too. */
typedef struct SidebandJournal SidebandJournal;

#define SIDEBAND_JOURNAL_LIMIT ((size_t) 640 * 1024 * 1024) /* bytes, by default: more than a table puts */

#define SIDEBAND_JOURNAL_NO_RING UINT32_MAX /* records that came from elsewhere */

int sideband_journal_new(size_t n_rings, SidebandJournal **ret);
SidebandJournal *sideband_journal_free(SidebandJournal *j);
DEFINE_CLEANUP(SidebandJournal *, sideband_journal_free);

/* What a recorder left; fd stays the caller's. -EBADMSG: it is none, or is of another number of rings. */
int sideband_journal_take_over(int fd, size_t n_rings, SidebandJournal **ret);

int sideband_journal_fd(const SidebandJournal *j);

void sideband_journal_set_limit(SidebandJournal *j, size_t bytes);

/* Appends the records, which came out of that ring and end at its position tail. When this returns they count, so the ring
 * may be consumed, and not before: what a process that is killed in between has read, its successor finds here and by
 * sideband_journal_tail() does not read again. On failure (-ENOMEM, -ENOSPC …), and beyond the limit, the journal is empty,
 * and stays so until sideband_journal_compact(). */
int sideband_journal_append(SidebandJournal *j, uint32_t ring, const struct iovec *segments, size_t n_segments, uint64_t tail);

bool sideband_journal_is_empty(const SidebandJournal *j);
uint64_t sideband_journal_tail(const SidebandJournal *j, uint32_t ring); /* 0: nothing of it is here */

/* All that is here, in the order it came. */
int sideband_journal_replay(const SidebandJournal *j, SidebandTable *t);

/* Begins anew with what t knows, which is all that was appended, if it is time for that or the journal lacks something. What
 * goes wrong leaves it as it was, and it is tried again later. */
int sideband_journal_compact(SidebandJournal *j, const SidebandTable *t);

size_t sideband_journal_memory(const SidebandJournal *j); /* bytes */
