/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "hash-index.h"
#include "header.h"
#include "record-counts.h"

/* A summary of samples, which a dump needs before it writes them: their number, times, processes and control groups. Context
 * switches, which are recorded with the samples, count for the processes and for oldest, since they need the side band too. */

typedef struct SampleReader SampleReader; /* knows the layout of some events' samples; may be shared by threads */

int sample_reader_new(const PerfDataEvent *events, size_t n_events, SampleReader **ret); /* the events must outlive it */
int sample_reader_renew_ids(SampleReader *x); /* when the events have other ids */
SampleReader *sample_reader_free(SampleReader *x);
DEFINE_CLEANUP(SampleReader *, sample_reader_free);

typedef struct SampleSummary {
        RecordCounts counts;
        uint64_t first, last; /* time of the oldest and the newest, ns of their clock; last 0: none has a time */
        uint64_t oldest;      /* … of the oldest sample or context switch; UINT64_MAX: none has a time */
        uint64_t *pids;       /* of samples and context switches, a bit for each */
        size_t n_words;       /* of pids, up to the last that is not 0 */
        uint64_t *cgroups;    /* ids of control groups in samples, each once */
        size_t n_cgroups;
        HashIndex cgroup_index; /* of numbers from 1 on */
        bool cgroups_unknown; /* there may be more than these */
} SampleSummary;

int sample_summary_init(SampleSummary *s);
void sample_summary_done(SampleSummary *s);

/* Adds the whole records at data, up to size bytes. Returns their bytes. */
size_t sample_summary_add(SampleSummary *s, const SampleReader *x, const void *data, size_t size);

/* Keeps only the records of a window of time, ns of the samples' clock, both ends included (0: no limit), and moves them
 * together. Records without a time stay. Returns the bytes that are left of the whole records. */
size_t sample_reader_cut(const SampleReader *x, void *data, size_t size, uint64_t from, uint64_t until);

/* Returns the time of the oldest of the whole records there; UINT64_MAX: none has one. */
uint64_t sample_reader_oldest(const SampleReader *x, const void *data, size_t size);

void sample_summary_merge(SampleSummary *s, const SampleSummary *other);

/* Returns the processes in ascending order, in an allocated array. */
int sample_summary_pids(const SampleSummary *s, uint32_t **ret, size_t *ret_n);

/* Returns the ids of the control groups likewise. NULL: not known. */
int sample_summary_cgroups(const SampleSummary *s, uint64_t **ret, size_t *ret_n);
