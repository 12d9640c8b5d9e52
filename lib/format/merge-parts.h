/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "feature.h"
#include "merge.h"
#include "record.h"
#include "record-layout.h"
#include "record-set.h"

/* The parts of merge.c. */

/* The events of all recordings. It owns names and ids; zero-initialise. */
typedef struct MergedEvents {
        PerfDataEvent *events;
        size_t n;
        bool same; /* as the first recording's, so that features that number events stay right */
} MergedEvents;

/* -EOPNOTSUPP, -ENOMEM. */
int merged_events_init(MergedEvents *m, PerfDataReader *const *readers, size_t n, Diagnosis *d);
void merged_events_done(MergedEvents *m);

/* Makes the features of the merged file: those of the first recording that has them, except those that are merged of
 * all. -ENOMEM. */
int merge_features(PerfDataReader *const *readers, size_t n, const MergedEvents *events, uint64_t first, uint64_t last,
                   FeatureTable **ret);

/* The count of an event at one of its places: value, time enabled and time running, as in PerfRecordStat. */
typedef struct MergedPlace {
        uint64_t id;
        int32_t cpu;
        uint32_t thread;
        uint64_t now[3], last[3]; /* in the round that is walked and in the one before it, since the recording's beginning */
        uint64_t sum[3];          /* in the merged file */
} MergedPlace;

/* The counts of all recordings up to the round that is walked. Zero-initialise. */
typedef struct MergedCounts {
        MergedPlace *places;
        size_t n, n_now;  /* places, and how many of them the round has so far */
        bool complete;    /* all places are known, since a round has ended */
        uint64_t end;     /* time of the newest round */
        RecordSet rounds; /* times of all rounds */
} MergedCounts;

void merged_counts_done(MergedCounts *c);
/* Begins another recording. They come in the order of their first rounds. */
void merged_counts_begin(MergedCounts *c);
/* -EOPNOTSUPP, -ENOMEM. */
int merged_counts_take(MergedCounts *c, const PerfRecordStat *stat, Diagnosis *d);
/* Puts a round that is wanted, unless an earlier recording had it, with its sums. 1: no earlier one had it, 0: one had it;
 * -EOPNOTSUPP, -ENOMEM. */
int merged_counts_end_round(MergedCounts *c, const PerfRecordStatRound *round, bool wanted, RecordBuffer *out, Diagnosis *d);
