/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cgroup-paths.h"
#include "live-rings.h"
#include "running-code.h"
#include "sample-table.h"
#include "top.h"

/* The samples of what happens now, in a table whose rows decay, and their names. Memory is bounded: processes that exited are
 * forgotten, and a table that has grown is replaced by an empty one. The rows of a session's samples are by slices of time and do
 * not decay: a refresh counts those of some time, and the oldest ones are forgotten when the table has grown. */

#define TOP_SLICE_NSEC UINT64_C(1000000000)

/* The samples since the last refresh. */
typedef struct TopWindow {
        uint64_t samples, kernel, exact; /* also those that are left out of the table */
        uint64_t lost;
        uint64_t missed; /* ns whose samples a session's recorder had no longer in memory */
} TopWindow;

typedef struct TopSamples {
        const TopOptions *options;
        PerfDataEvent *events; /* as they were opened, without those of the side band */
        size_t n_events;
        SampleTable *table;
        MachineView *machine;  /* the table's */
        RunningCode *code;
        PlaceNames names;
        RecordedChains chains; /* of this window */
        CgroupPaths groups;
        TopWindow window;
        uint64_t from, to;     /* only slices that begin in this time are shown, ns of the samples' clock; to 0: it has no end */
        uint64_t lost, missed; /* since the begin */
        size_t memory_max;     /* bytes of the table with which it is replaced */
        unsigned n_bounded;    /* samples since its memory was looked at, of slices */
        bool with_chains;      /* call chains count */
        bool all_keys, zero;   /* zero: the next window forgets what was before */
        unsigned n_tables;     /* so many were begun */
        bool renewed;          /* the table was replaced, and what processes are is not known any more; the caller resets it */
} TopSamples;

#define TOP_MEMORY_MAX ((size_t) 128 << 20)

/* all_keys: samples are told apart by all that a browser groups them by. members: the first n ones of an open set; their attributes
 * and names must outlive s. s is initialised, and done after a failure too. 0, -E2BIG, -ENOMEM. */
int top_samples_init(TopSamples *s, const TopOptions *options, bool all_keys, const SetMember *members, size_t n);
void top_samples_done(TopSamples *s);

/* Takes a record, in the order of time. attr: by which it is read; event: its number. 0, -ENOMEM and errors of
 * sample_table_count(). */
int top_samples_take(TopSamples *s, const struct perf_event_header *record, const struct perf_event_attr *attr, size_t event);

/* Looks up the names of what came since the last call. 0, -ENOMEM. */
int top_samples_name(TopSamples *s);

/* Begins another window: what was before weighs an eighth less, or nothing, unless it is in slices. 0, -E2BIG, -ENOMEM. */
int top_samples_next_window(TopSamples *s);
