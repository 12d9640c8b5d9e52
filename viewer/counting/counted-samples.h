/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "access-table.h"
#include "event-pairs.h"
#include "name-options.h"
#include "place-names.h"
#include "progress.h"
#include "recorded-paths.h"
#include "recording-inputs.h"
#include "sample-timeline.h"
#include "selection-options.h"
#include "span-counts.h"
#include "thread-waits.h"
#include "trace-columns.h"

/* The samples of recordings, counted and named, with what went wrong on the way. */
typedef struct CountedRecording {
        Symbols *symbols;
        RecordedPaths paths;
        SampleTotals totals;
        int read; /* the result of reading it */
} CountedRecording;

/* The plan says what is counted, and how it is named; it must outlive the samples. */
typedef struct CountingPlan {
        const SelectionOptions *select;
        const NameOptions *names;
        unsigned dimensions; /* SampleDimensions */
        const TraceColumns *traces; /* fields of tracepoints that are distinguished, with SAMPLE_BY_LABEL */
        bool trace_text;     /* all of their fields are, as text */
        unsigned facets;     /* SampleFacet */
        bool map_sizes;      /* of the maps that places lie in, too */
        uint64_t slice;      /* the length of time slices, in nanoseconds */
        Timeline *timeline;  /* takes all moments; NULL: they are not wanted one by one */
        ThreadWaits *waits;  /* likewise; with SAMPLE_BY_LABEL, labels are those of sched-labels.h */
        AccessTable *accesses; /* likewise, of memory */
        SpanCounts *spans;     /* likewise: all rows' samples by spans of what is selected of a recording */
        EventPairs *pairs;   /* likewise, of samples that begin and end something */
        bool wakings;        /* samples of wakings have labels, and end waits or parts of them */
        bool inlined;        /* inlined functions are in call chains, too */
        bool verbose;
} CountingPlan;

/* Zero-initialise. */
typedef struct CountedSamples {
        CountingPlan plan;
        RecordingInputs inputs;
        Lendings lent; /* those of all recordings, once they are counted */
        CountedRecording *each; /* as many */
        SampleTable *table;
        PlaceNames names;
        Progress progress; /* of the step that takes long; symbols ask it also later, so that further steps may begin it again */
        unsigned broken; /* files whose debug information is broken or too large */
} CountedSamples;

void counted_samples_done(CountedSamples *c);

/* The steps, in this order: opens the recordings, restricts the process and reads what they begin with; counts; finds names. Each
 * prints what went wrong, if it is what ends everything. 0 or a negative errno. */
int counted_samples_open(CountedSamples *c, const RecordingNames *recordings);
/* In place of the first step, takes over a recording that is open and read, behind those it has; in is empty afterwards.
 * 0, -ENOMEM. */
int counted_samples_take(CountedSamples *c, RecordingInput *in);
int counted_samples_count(CountedSamples *c, const CountingPlan *plan);
int counted_samples_name(CountedSamples *c);

/* The symbols of the first recording, by which lines of the source are found. */
SymbolSources counted_samples_sources(const CountedSamples *c);

/* Returns what stands for all recordings in messages. */
const char *counted_samples_title(const CountedSamples *c);

/* Puts what the samples lack as a line, or "". Returns whether it is anything. */
bool counted_samples_loss(const CountedSamples *c, char *buf, size_t size);

typedef enum CountedRemarks {
        COUNTED_LOST = 1 << 0,    /* lost samples */
        COUNTED_NOTHING = 1 << 1, /* that no sample was selected */
        COUNTED_ALL = COUNTED_LOST | COUNTED_NOTHING,
} CountedRemarks;

/* Says on standard error what is missing in what was shown; these only if they are in what, since the output did not show them.
 * Returns the exit status: 0; 1: a part could not be read, or the user ended it. */
int counted_samples_remark(const CountedSamples *c, unsigned what);
