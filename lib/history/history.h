/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "parse-time.h"

/* The history ring: records of a recording in blocks, compressed, the oldest dropped for the newest, in one region of
 * memory that can be handed to another process. A recorder that is killed at any instruction leaves a region that
 * history_take_over() reads.
 *
 * Each record has a position, the number of bytes that were appended before it, which only grows and survives a taking
 * over. What was appended counts when it is committed, together with the position up to which each ring was read: a ring
 * must not be consumed before that, and who takes over moves the rings' tails to history_tail(). */
typedef struct History History;

#define HISTORY_SIZE_MIN (UINT64_C(1) << 20)
#define HISTORY_SIZE_MAX (UINT64_C(1) << 40)
#define HISTORY_RINGS_MAX 65536u

typedef struct HistoryOptions {
        uint64_t size;    /* bytes of the region, rounded up to whole pages; the compressor has some MiB besides */
        usec_t max_age;   /* what is older is dropped, block by block, see history_tell_time(); USEC_INFINITY: never */
        int level;        /* zstd's, 0: not compressed */
        size_t n_rings;
        int time_word;    /* where a sample has its time, in words of 8 bytes behind the header; -1: nowhere */
        unsigned switch_word; /* where a context switch has its time, in words of 8 bytes from its end, 1: the last; 0: nowhere */
        bool unmark_maps; /* take back the mark of build ids that the kernel leaves on maps nobody asked it for */
} HistoryOptions;

/* -EINVAL: options; -ENOMEM and what memfd_create(2) answers. */
int history_new(const HistoryOptions *options, History **ret);

/* What a recorder left, by its descriptor, which stays the caller's. Only one process may append. -EBADMSG: it is none. */
int history_take_over(int fd, History **ret);
History *history_free(History *h);
DEFINE_CLEANUP(History *, history_free);

int history_fd(const History *h);
const HistoryOptions *history_options(const History *h);

/* Takes a copy of the records, which came out of that ring and end at its position tail. A record that the end of the ring
 * splits may lie in two segments. -EBADMSG: what is there is no record: that and the rest is left out, and
 * counts as read; -EINVAL: ring; -ENOMEM. */
int history_append(History *h, size_t ring, const struct iovec *segments, size_t n_segments, uint64_t tail);

/* The age of samples counts from this time on (ns of the samples' clock), or from the newest of them if that is later: where
 * none come any more, nothing else tells how old they are. It is seen to with the next commit. */
void history_tell_time(History *h, uint64_t now);

/* What was appended counts now, and the rings that it came from may be consumed. */
int history_commit(History *h);

uint64_t history_tail(const History *h, size_t ring); /* as committed; 0: nothing was read yet */
uint64_t history_position(const History *h);          /* behind the newest record, committed */

typedef struct HistoryCounts {
        uint64_t first, last; /* times of the oldest and the newest sample or context switch, ns of the samples' clock; 0: none */
        uint64_t samples;
        uint64_t lost;        /* that records tell of */
        uint64_t throttled;
} HistoryCounts;

/* The counts of all records appended since this process made the history or took it over, with those dropped since. */
void history_appended(History *h, HistoryCounts *ret);

/* Of all that is held. */
typedef struct HistoryTotals {
        HistoryCounts counts;
        uint64_t blocks;          /* full ones */
        uint64_t bytes;           /* of records */
        uint64_t stored;          /* bytes that they take */
        uint64_t dropped_samples; /* since the beginning */
} HistoryTotals;
void history_totals(History *h, HistoryTotals *ret);

/* false: there is no sample. ns of the samples' clock. */
bool history_oldest(History *h, uint64_t *ret_time);

typedef struct HistorySpan {
        uint64_t from;  /* position: without the records before it */
        uint64_t to;    /* position: without those from there on; UINT64_MAX: all that is committed now */
        uint64_t since; /* ns of the samples' clock: without blocks whose samples are all older; 0: no limit */
        uint64_t until; /* … or all newer; 0: no limit */
} HistorySpan;

typedef int (*HistoryEach)(void *userdata, const struct iovec *records);

/* Calls each with the records of one block after the other, oldest first: whole records in one piece, a copy that it may
 * change. An error of each ends the walk and is answered. May run in another thread than those that append, and needs memory
 * for a block or two. *ret_missed (may be NULL): how many samples were dropped meanwhile, or are damaged. -ENOMEM. */
int history_each(History *h, const HistorySpan *span, HistoryEach each, void *userdata, uint64_t *ret_missed);
