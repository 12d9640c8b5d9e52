/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recorded-chains.h"
#include "replay.h"
#include "sample-events.h"
#include "sample-facets.h"

/* The samples of recordings, counted: a row is a distinct call chain of an event under a thread's name, with the number of its
 * samples and their weight. Memory is bounded by what is distinct, not by the number of samples. Names of functions are
 * looked up afterwards, once for each place (place-names.h). */
typedef struct SampleTable SampleTable;

/* Rows distinguish these, too. */
typedef enum SampleDimensions {
        SAMPLE_BY_THREAD = 1 << 0,
        SAMPLE_BY_CPU = 1 << 1,
        SAMPLE_BY_TIME = 1 << 2, /* in slices */
        SAMPLE_BY_CGROUP = 1 << 3,
        SAMPLE_BY_HOST = 1 << 4,
        SAMPLE_BY_PROCESS = 1 << 5,     /* samples of all threads count as the main thread's, by its name and their own */
        SAMPLE_WITHOUT_CHAIN = 1 << 6,  /* call chains are not looked at */
        SAMPLE_BY_LABEL = 1 << 7,       /* see SampleLabel */
        SAMPLE_EACH_BRANCH = 1 << 8,    /* the branches of samples are counted, each with the weight 1, by where they led */
        SAMPLE_PERIOD_IS_WEIGHT = 1 << 9, /* weight: that of samples' memory accesses, not their period */
        SAMPLE_BY_PARALLELISM = 1 << 10, /* how many threads ran at that time, by recorded context switches */
} SampleDimensions;

typedef struct SampleRow {
        uint32_t event;
        uint32_t thread; /* of the first sample */
        uint32_t name;   /* see process-view.h */
        uint32_t cpu;    /* of the first sample; UINT32_MAX: not recorded */
        uint32_t cgroup; /* of the first sample, see cgroup-names.h; 0: not recorded */
        uint32_t host;   /* see sample_table_host() */
        union {
                uint32_t label;    /* see sample_table_label() */
                uint32_t own_name; /* with SAMPLE_BY_PROCESS: of the thread that was hit, where name is the main thread's */
        };
        uint32_t facets; /* see sample_table_facets(); 0: none */
        uint32_t chain;  /* see sample_table_chain() */
        uint32_t leaf;   /* the place that was hit */
        uint32_t parallelism; /* with SAMPLE_BY_PARALLELISM; at least 1 */
        uint64_t slice;  /* where its time slice begins; 0 without SAMPLE_BY_TIME */
        uint64_t first;  /* the time of the first sample */
        uint64_t count, period;
        uint64_t latency; /* with SAMPLE_BY_PARALLELISM: the periods, each shared among the threads that ran at that time */
} SampleRow;

/* The plan says what is counted of samples. */
typedef struct SampleTablePlan {
        unsigned dimensions; /* SampleDimensions */
        unsigned facets;     /* rows distinguish these, too: SampleFacet */
        uint64_t slice;      /* the length of time slices, in nanoseconds; 0: no slices */
        bool map_sizes, by_file; /* of places, see code-places.h */
        bool data_maps;      /* the view has maps of data also without FACET_DATA */
} SampleTablePlan;

int sample_table_new(const SampleTablePlan *plan, SampleTable **ret); /* 0, -ENOMEM */
SampleTable *sample_table_free(SampleTable *t);
DEFINE_CLEANUP(SampleTable *, sample_table_free);
#define _cleanup_sample_table_free_ _cleanup_(sample_table_freep)

/* The wishes with which a recording is read. Zero: everything counts. */
typedef struct SampleReading {
        const SampleSelection *selection; /* NULL: all samples; what it refers to must outlive the reading */
        const SymbolSources *stacks; /* see ReplayOptions; NULL: chains have the kernel's part only where the stack was copied */
        bool labels;                 /* samples have labels, which are made of their raw data */
        uint32_t records;            /* other moments that the caller wants, see ReplayNeeds */
        uint64_t fields;             /* of samples that he wants, likewise */
        bool all;                    /* he wants samples of other times and CPUs, too */
        Watcher watcher;
} SampleReading;

/* Begins to add a recording. The caller takes the moments of the cursor, which is the table's, one by one, and has those that are
 * samples counted:
 *
 *         while ((r = replay_next(replay, &m)) == 1)
 *                 if (moment_is_sample(&m))
 *                         …sample_table_count(t, &m, NULL, &row)…
 *
 * 0; -E2BIG: more events than 65536, and none of its samples can be counted; -ENOMEM. */
int sample_table_begin(SampleTable *t, PerfDataReader *reader, const SampleReading *reading, Replay **ret);

/* Begins to count what happens now, by these events, which must outlive the table: there is no recording and no cursor, and the
 * caller makes the moments, whose chains are numbers of those. He has the view of the machine follow the records that are no
 * samples. 0, -E2BIG, -ENOMEM. */
int sample_table_begin_live(SampleTable *t, const PerfDataEvent *events, size_t n, RecordedChains *chains, MachineView **ret);

/* Has all weights decay to so many eighths, rounded down; 0: all are forgotten. Rows without weight are gone, other ones have
 * other numbers, and recorded chains are needed no longer. Sums of events are those of their rows. 0; -ENOMEM, after which the
 * table is of no use. */
int sample_table_decay(SampleTable *t, unsigned eighths);

/* Forgets the rows of slices that begin before that time. Other rows have other numbers, and recorded chains are needed no longer.
 * Sums of events are those of their rows. 0; -ENOMEM, after which the table is of no use. */
int sample_table_forget(SampleTable *t, uint64_t before);

/* Returns how many bytes it has, about, of what grows with what happens. */
size_t sample_table_memory(const SampleTable *t);

/* Texts of a sample, each one line of UTF-8 and with a zero byte behind it. */
typedef struct SampleLabel {
        const char *texts;
        size_t size; /* bytes of all; 0: it has none */
} SampleLabel;

#define SAMPLE_NO_ROW UINT32_MAX

/* Counts a sample of the cursor, at its moment. label may be NULL. *ret: its row, or of its branches the last one's; SAMPLE_NO_ROW:
 * it is not selected. 0; -EFBIG: more rows than 2^24; -ENOSPC: more threads than PROCESS_VIEW_THREADS_MAX; -ENOMEM, after which
 * the table is of no use. */
int sample_table_count(SampleTable *t, const Moment *m, const SampleLabel *label, uint32_t *ret);

/* Ends a recording, also one that could not be read to its end, and returns what is missing of it. */
SampleTotals sample_table_end(SampleTable *t);

/* Counts all samples of a recording. Errors are those of these functions and of replay_next(). */
int sample_table_read(SampleTable *t, PerfDataReader *reader, const SampleReading *reading);

/* All are the table's. Events with the same name, of several recordings, are one. */
const SampleEvent *sample_table_events(const SampleTable *t, size_t *ret_n);
/* Returns how many samples of all events were selected, and in *ret_all how many there were. */
uint64_t sample_table_selected(const SampleTable *t, uint64_t *ret_all);
const SampleRow *sample_table_rows(const SampleTable *t, size_t *ret_n);
/* Returns whether the samples of a row are those of idle CPUs. */
bool sample_table_row_is_idle(const SampleTable *t, const SampleRow *row);
/* Returns the numbers of the rows in a new array: those of the first event come first, and of one event those that were hit first.
 * NULL without memory. */
uint32_t *sample_table_order(const SampleTable *t);
const SampleTotals *sample_table_totals(const SampleTable *t);
const ProcessView *sample_table_view(const SampleTable *t);
const CgroupNames *sample_table_cgroups(const SampleTable *t);
/* The name of the machine, as the recording of a row has it, as one line of UTF-8. */
const char *sample_table_host(const SampleTable *t, uint32_t host);
/* The text of that number of a label; NULL: it has none. */
const char *sample_table_label(const SampleTable *t, uint32_t label, size_t number);
/* The facets of that number, or zeros. */
SampleFacets sample_table_facets(const SampleTable *t, uint32_t facets);
CodePlaces *sample_table_places(SampleTable *t);

/* Returns the places of a call chain, the innermost first; *ret_n may be 0. */
const uint32_t *sample_table_chain(const SampleTable *t, uint32_t chain, size_t *ret_n);

/* The places of a sample, the innermost first: its call chain, and before it the place that was hit, if the chain lacks the
 * kernel's part, or all. */
typedef struct SampleStack {
        const uint32_t *chain;
        uint32_t leaf;
        bool lacks_leaf;
        size_t n; /* at least 1 */
} SampleStack;

SampleStack sample_table_stack(const SampleTable *t, const SampleRow *row);

static inline uint32_t sample_stack_place(const SampleStack *s, size_t i) {
        return !s->lacks_leaf ? s->chain[i] : i == 0 ? s->leaf : s->chain[i - 1];
}

/* Begins each call chain at the outermost of its places p that have starts[p], which is then what was hit: callees of these are
 * forgotten. Call it as the next one. 0, -ENOMEM. */
int sample_table_start_chains(SampleTable *t, const bool *starts);

/* Replaces each place p in the call chains by list[first[p]] and those that follow up to first[p + 1]. Call it after the last
 * recording was added; it invalidates what sample_table_chain() returned. 0, -ENOMEM. */
int sample_table_replace_places(SampleTable *t, const uint32_t *first, const uint32_t *list);

/* Returns whether samples are of the idle task, which has the PID 0. It has no user space: PID 0 in user space is a process that
 * the recorder's PID namespace does not see. */
static inline bool sample_row_is_idle(SampleTable *t, const SampleRow *row) {
        return sample_table_view(t)->threads[row->thread].pid == 0 && sample_table_places(t)->places[row->leaf].level == 'k';
}
