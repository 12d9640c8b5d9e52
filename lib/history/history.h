/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "parse-time.h"

/* The history ring: records in compressed blocks, the oldest dropped for the newest, in one region of memory that can
 * be handed to another process. A recorder that is killed at any instruction leaves a region that history_take_over()
 * reads.
 *
 * Each record has a position, the number of bytes that were appended before it, which only grows and stays the same
 * after a take-over. Records are in the history from the commit on, which also notes the position up to which each
 * ring was read: a ring must not be consumed before that, and a successor moves the rings' tails to history_tail(). */
typedef struct History History;

#define HISTORY_SIZE_MIN (UINT64_C(1) << 20)
#define HISTORY_SIZE_MAX (UINT64_C(1) << 40)
#define HISTORY_RINGS_MAX 65536u

typedef struct HistoryOptions {
        uint64_t size;    /* bytes of the region, rounded up to whole pages; the compressor has some MiB besides */
        usec_t max_age;   /* older samples are dropped, block by block, see history_tell_time(); USEC_INFINITY: none are */
        int level;        /* zstd's, 0: not compressed */
        size_t n_rings;
        int time_word;    /* of a sample: the word of 8 bytes behind the header that is its time; -1: none */
        unsigned chain_word; /* of a sample: the word behind the header that is the number of addresses in its call chain, 0: none,
                              * or samples differ: others are rearranged before they are compressed (sample-columns.h) */
        unsigned switch_word; /* of a context switch: the word from its end that is its time, 1: the last; 0: none */
        uint8_t sample_type; /* records that count as samples: their type; 0: PERF_RECORD_SAMPLE */
        bool unmark_maps; /* remove the mark of build ids that the kernel puts on records of maps unasked (record-repair.h) */
} HistoryOptions;

/* -EINVAL: wrong options; -ENOMEM, and the errors of memfd_create(2). */
int history_new(const HistoryOptions *options, History **ret);

/* Opens the history that another recorder left, by its descriptor, which stays the caller's. Only one process may append.
 * -EBADMSG: it is no history, or a damaged one. */
int history_take_over(int fd, History **ret);
History *history_free(History *h);
DEFINE_CLEANUP(History *, history_free);

int history_fd(const History *h);
const HistoryOptions *history_options(const History *h);

/* Copies the records, which came out of that ring and end at its position tail. A record that the end of the ring
 * splits may lie in two segments. -EBADMSG: some bytes are no record: they and the rest are left out, and count as
 * read; -EINVAL: there is no such ring; -ENOMEM. */
int history_append(History *h, size_t ring, const struct iovec *segments, size_t n_segments, uint64_t tail);

/* Sets the time (ns of the samples' clock) from which the age of samples counts, unless the newest sample is later: if
 * no samples come any more, this is the only way to know how old they are. The next commit drops what is too old. */
void history_tell_time(History *h, uint64_t now);

/* Puts all that was appended into the history. The rings that it came from may then be consumed. */
int history_commit(History *h);

uint64_t history_tail(const History *h, size_t ring); /* as committed; 0: nothing was read yet */
uint64_t history_position(const History *h);          /* behind the newest committed record */

typedef struct HistoryCounts {
        uint64_t first, last; /* times of the oldest and the newest sample or context switch, ns of the samples' clock; 0: none */
        uint64_t samples;
        uint64_t lost;        /* as records report it */
        uint64_t throttled;
} HistoryCounts;

/* The counts of all records appended since this process made the history or took it over, with those dropped since. */
void history_appended(History *h, HistoryCounts *ret);

/* Totals of all blocks. */
typedef struct HistoryTotals {
        HistoryCounts counts;
        uint64_t blocks;          /* full ones */
        uint64_t bytes;           /* of records */
        uint64_t stored;          /* bytes that the records take */
        uint64_t dropped_samples; /* since the beginning */
} HistoryTotals;
void history_totals(History *h, HistoryTotals *ret);

/* Returns the time of the oldest sample, ns of the samples' clock; false: there is no sample. */
bool history_oldest(History *h, uint64_t *ret_time);

typedef struct HistorySpan {
        uint64_t from;  /* position of the first record */
        uint64_t to;    /* position behind the last one; UINT64_MAX: all that is committed now */
        uint64_t since; /* ns of the samples' clock: skips blocks whose samples are all older; 0: no limit */
        uint64_t until; /* … or all newer; 0: no limit */
} HistorySpan;

typedef int (*HistoryEach)(void *userdata, const struct iovec *records);

/* Calls each with the records of one block after the other, oldest first: whole records in one piece, a copy that it may
 * change. An error of each ends the walk and is returned. May run in another thread than those that append, and needs memory
 * for some blocks. *ret_missed (may be NULL): samples that were dropped in the meantime, or are damaged. -ENOMEM. */
int history_each(History *h, const HistorySpan *span, HistoryEach each, void *userdata, uint64_t *ret_missed);
