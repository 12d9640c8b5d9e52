/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "count-layout.h"
#include "cpu-place.h"
#include "diagnosis.h"
#include "reader.h"

/* A recording of counts that is read: perf's, or one of count-records.h. Nothing in it is trusted. */
typedef struct CountReader CountReader;

typedef struct CountRound {
        bool final;
        uint64_t time;        /* ns from the beginning */
        const Count *counts;  /* since the beginning, by their place in the layout */
} CountRound;

/* Reads what the recording counts, and how that is shown; the recording must outlive it, and has no other walk. -EBADMSG: it has no
 * counts, or is broken before the first of them. -EFBIG: there are more counts than COUNT_READER_MAX. -ENOMEM. d has a predicate:
 * "has no counts". */
int count_reader_new(PerfDataReader *recording, CountReader **ret, Diagnosis *d);
CountReader *count_reader_free(CountReader *c);
DEFINE_CLEANUP(CountReader *, count_reader_free);

#define COUNT_READER_MAX ((uint64_t) 4 << 20) /* events times CPUs times threads */

/* Both are the reader's. Units are of at most 32 bytes; an event is supported if it was counted anywhere. */
const CountLayout *count_reader_layout(const CountReader *c);
const CountConfig *count_reader_config(const CountReader *c);

/* 1: the next round; 0: there is none. -EBADMSG: the recording is broken, with a predicate in d: "counts on CPU 5, which it
 * does not list"; none where the next bytes are no record. -ENOMEM, errors of reading. */
int count_reader_next(CountReader *c, CountRound *ret, Diagnosis *d);

/* Finds the places of the layout's CPUs in the machine that was recorded: a new array. -ENODATA: the recording does not have them.
 * -ENOMEM. */
int count_reader_places(const CountReader *c, CpuPlace **ret);
