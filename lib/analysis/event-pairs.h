/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "pair-rule.h"
#include "record-losses.h"
#include "sample-table.h"
#include "time-axis.h"
#include "trace-layout.h"

/* Latencies: the times between two samples that make a pair by a rule. */

typedef struct EventPair {
        uint64_t begin, end; /* see EventPairs.axis */
        uint32_t row;        /* of the sample that begins, in the sample table */
} EventPair;

typedef struct PairTotals {
        uint64_t begins, ends; /* samples that begin and that end */
        uint64_t pairs;        /* that were kept */
        uint64_t replaced;     /* began again before they ended */
        uint64_t forgotten;    /* have no end, as a sample showed */
        uint64_t crowded;      /* were forgotten, since too many were open */
        uint64_t open;         /* had not ended with the recording */
        uint64_t lone_ends;    /* nothing had begun */
        uint64_t doubtful;     /* pairs during which records were lost */
        uint64_t unselected;   /* pairs that began with a sample that is not selected */
        uint64_t unreadable;   /* samples without a time, or that are too short for a field of the key */
} PairTotals;

/* A sample of a side. The key is a hash of its fields, which is as good as they are: one field of a number has its own. */
typedef struct PairMoment {
        uint64_t time, key;
        uint32_t row; /* SAMPLE_NO_ROW: it is not selected */
        uint32_t cpu : 30, role : 2;
} PairMoment;

/* The key of a side in an event of a recording. */
typedef struct PairedSide {
        bool used;
        const TraceLayoutField *fields[PAIR_KEYS_MAX]; /* NULL: the sample's thread, … */
        bool of_cpu[PAIR_KEYS_MAX];                    /* … or CPU */
} PairedSide;

typedef struct PairedEvent {
        TraceLayout layout;
        PairedSide sides[PAIR_SIDES_MAX];
} PairedEvent;

#define EVENT_PAIRS_OPEN_MAX 1048576u

/* Zero-initialise, but for what comes first. */
typedef struct EventPairs {
        const PairRule *rule; /* which must outlive it */
        size_t max_open;      /* those that have begun longest ago are forgotten for others; 0: EVENT_PAIRS_OPEN_MAX */
        EventPair *pairs;     /* of each recording those that end first come first */
        size_t n, allocated;
        PairTotals totals;
        TimeAxis axis;        /* of their times */
        PairedEvent *events;  /* of the recording that is read */
        size_t n_events;
        PairMoment *moments;  /* likewise, in any order */
        size_t n_moments, moments_allocated;
        bool unordered;       /* they are not in that of time */
        RecordLosses losses;
} EventPairs;

/* The fields of samples that it needs, and the records whose moments it takes, see SampleReading; of samples it takes all. */
#define EVENT_PAIRS_FIELDS PERF_SAMPLE_RAW
#define EVENT_PAIRS_RECORDS (1u << PERF_RECORD_LOST)

void event_pairs_done(EventPairs *p);

/* Finds out whether a recording has what a rule needs. 0; -ENODATA: *ret_why, a new string, says what it lacks, and how to record
 * it; -ENOMEM. */
int event_pairs_check(const PairRule *rule, const PerfDataReader *reader, char **ret_why);

/* Ends the recording before, and begins another one. Events that the rule needs may be missing. 0; -EOPNOTSUPP: see
 * time_axis_begin_recording(); -ENOMEM. */
int event_pairs_begin_recording(EventPairs *p, const PerfDataReader *reader);

/* Takes a sample, of any event, and its row, or another moment. 0, -ENOMEM. */
int event_pairs_take(EventPairs *p, const Moment *m, uint32_t row);

/* Ends the last recording: then all pairs are there. 0, -ENOMEM. */
int event_pairs_finish(EventPairs *p);
