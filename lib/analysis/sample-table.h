/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cgroup-names.h"
#include "code-places.h"
#include "reader.h"
#include "sample.h"
#include "sample-facets.h"
#include "sample-selection.h"
#include "sample-totals.h"
#include "process-view.h"
#include "unwinder.h"
#include "watcher.h"

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
        SAMPLE_BY_LABEL = 1 << 7,       /* see SampleLabeler */
        SAMPLE_EACH_BRANCH = 1 << 8,    /* the branches of samples are counted, each with the weight 1, by where they led */
        SAMPLE_PERIOD_IS_WEIGHT = 1 << 9, /* weight: that of samples' memory accesses, not their period */
        SAMPLE_WITH_LABEL = 1 << 10,    /* samples have labels for a follower, which rows do not distinguish */
        SAMPLE_BY_PARALLELISM = 1 << 11, /* how many threads ran at that time, by recorded context switches */
} SampleDimensions;

typedef struct SampleEvent {
        char *name;                           /* one line of valid UTF-8 */
        uint64_t samples, period;             /* in all */
        uint64_t latency;                     /* with SAMPLE_BY_PARALLELISM: of all rows and of what is not selected */
        double squares;                       /* the sum of the squares of their periods */
        uint64_t selected, selected_period;   /* in rows */
        uint64_t idle, idle_period;           /* of idle CPUs, among those that are selected; with no_idle in no other number */
        bool tasks;                           /* its samples have the task that was hit */
        bool callchain;                       /* its samples have call chains */
        bool user_stack;                      /* they have copies of the stack */
        uint64_t unwound[UNWIND_END_MAX];     /* call chains that were made of copies of the stack, by how they end */
        bool tracepoint;
        uint32_t members;                     /* of the group that it leads, with those behind it; 0: it leads none */
        char *group;                          /* the group's name, as name is; NULL: it has none */
} SampleEvent;

#define SAMPLE_GROUP_MAX 64u /* events of a group; those of a larger one are none */

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

/* selection may be NULL, and must outlive the table otherwise. */
int sample_table_new(const SampleSelection *selection, unsigned dimensions, SampleTable **ret);
SampleTable *sample_table_free(SampleTable *t);
DEFINE_CLEANUP(SampleTable *, sample_table_free);
#define _cleanup_sample_table_free_ _cleanup_(sample_table_freep)

/* Samples with copies of the stack get call chains by these rules, from now on; before, they have the kernel's part only. */
void sample_table_unwind(SampleTable *t, const UnwindSource *source);

/* Gives samples with raw data a label: texts, each one line of UTF-8 and with a zero byte behind it, which ret points to until the
 * next call. Returns the bytes of all; 0: it has none. number: of the event. */
typedef struct SampleLabeler {
        size_t (*text)(void *userdata, const PerfDataEvent *e, size_t number, const PerfSample *s, const char **ret);
        void *userdata;
} SampleLabeler;

/* The recordings that are read from now on have these labels; NULL: none. */
void sample_table_set_labeler(SampleTable *t, const SampleLabeler *labeler);

/* Rows distinguish these facets of samples, too (SampleFacet), in recordings that are read from now on. */
void sample_table_want_facets(SampleTable *t, unsigned wanted);

#define SAMPLE_NO_ROW UINT32_MAX

/* A sample of a row; SAMPLE_NO_ROW: it is not selected. */
typedef struct FollowedSample {
        uint32_t row, cpu; /* cpu: UINT32_MAX: not recorded */
        uint64_t time, period;
        const char *label; /* the first of its texts (SampleLabeler), until the call returns; NULL: it has none */
} FollowedSample;

/* Hears of samples when they are counted: those between two records of the side band come in the order of the file, and those of a
 * dump with more samples than the queue holds in several parts. Each returns 0, or a negative errno that ends it all. */
typedef struct SampleFollower {
        int (*begin)(void *userdata, const PerfDataReader *reader); /* a recording; NULL: not wanted */
        int (*sample)(void *userdata, const FollowedSample *s);
        /* A whole record of the side band, or the end of a round, in the order of the file; trailer: fields that it lacks are 0.
         * NULL: not wanted. */
        int (*record)(void *userdata, const struct perf_event_header *record, const PerfSample *trailer);
        void *userdata;
        bool all; /* hears also of samples that are not selected */
} SampleFollower;

/* The recordings that are read from now on are followed. */
void sample_table_set_follower(SampleTable *t, const SampleFollower *follower);

/* Has it ask the watch while it reads. */
void sample_table_set_watcher(SampleTable *t, Watcher watcher);

/* Adds a recording. 0; -EINTR: the watch ended it; -EBADMSG and errors of read(2): the rest of it can't be read, and what comes
 * before is counted; so it is
 * with -EFBIG (more rows than 2^24), -ENOSPC (more threads than PROCESS_VIEW_THREADS_MAX) and -E2BIG (more events than 65536);
 * -ENOMEM, after which the table is of no use. */
int sample_table_read(SampleTable *t, PerfDataReader *reader);

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
