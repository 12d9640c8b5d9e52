/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "deferred-chains.h"
#include "read-ahead.h"
#include "recorded-chains.h"
#include "sample-layout.h"
#include "sample-selection.h"

/* The records of a recording that a cursor needs, as they come in the file. Samples of which only a few numbers are needed are made
 * short here, and read ahead. Zero-initialise. */
typedef struct BriefSample {
        struct perf_event_header header; /* as recorded, but for its size */
        uint64_t ip, period, cgroup;
        uint32_t pid, tid, cpu;
        uint32_t chain;                  /* a number of RecordedChains; 0: none, or none is wanted */
        uint32_t end;                    /* UnwindEnd of it */
        uint32_t reserved;
} BriefSample;

typedef struct ReplayFeed {
        PerfDataReader *reader;
        const PerfDataEvent *events;
        size_t n_events;
        SampleLayout *layouts;
        bool *brief;                      /* of the events: their samples are BriefSamples */
        bool chains;                      /* these have call chains */
        uint32_t records;                 /* which records are needed: bits of their types; those above all are */
        const SampleSelection *selection; /* samples of other times and CPUs are not needed; NULL: all are */
        RecordedChains recorded;
        DeferredChains deferred;
        BriefSample made;
        size_t cursor;
        ReadAhead *ahead;                 /* NULL: this thread reads */
} ReplayFeed;

#define REPLAY_BRIEF (UINT32_C(1) << 31)

/* 0, -ENOMEM. */
int replay_feed_init(ReplayFeed *f, PerfDataReader *reader);
void replay_feed_done(ReplayFeed *f);

/* Has samples be BriefSamples whose events record none of these fields (PERF_SAMPLE_…), which are needed as they are recorded. */
void replay_feed_make_brief(ReplayFeed *f, uint64_t fields);

/* Begins with the first record. */
void replay_feed_rewind(ReplayFeed *f);

/* Reads the next record, which is valid until the next call, and has the number of its event + 1 as source, of a BriefSample
 * together with REPLAY_BRIEF; 0: it is not known. The record is NULL after many that are not needed. 1; 0: there are no more;
 * errors of perf_data_reader_next(). */
int replay_feed_next(ReplayFeed *f, OrderedRecord *ret);
