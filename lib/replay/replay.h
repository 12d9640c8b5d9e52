/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "machine-view.h"
#include "place-lookup.h"
#include "reader.h"
#include "sample.h"
#include "sample-selection.h"
#include "sample-totals.h"
#include "unwinder.h"
#include "watcher.h"

/* A recording is read by a cursor: replay_next() returns its samples and records one by one in the order of time, each with what is
 * true at that moment (who lives, is called how, and has mapped what). */
typedef struct Replay Replay;

#define REPLAY_PART_BYTES ((size_t) 64 << 20)

typedef enum MomentSelection {
        MOMENT_SELECTED,
        MOMENT_OTHER_TASK, /* it is of a thread, name or control group that is not selected */
        MOMENT_OTHER_TIME, /* it is of a time or CPU that is not selected, and its task was not looked up */
} MomentSelection;

/* The needs of a consumer who counts samples, in whatever order. They may come in several parts, each in the order of time, and
 * with what is true at that moment, so that memory does not grow with the recording. */
typedef struct ReplayNeeds {
        uint64_t fields;        /* of samples, besides address, task, time, period, CPU and control group: PERF_SAMPLE_… */
        uint32_t records;       /* that are moments, too: bits of types below 32, such as 1 << PERF_RECORD_LOST. Each is one once */
        bool chains;            /* samples have call chains, see Moment.chain */
        bool together;          /* a sample that carries the values of counters is one moment, its own */
        size_t limit;           /* bytes of samples of a part; 0: REPLAY_PART_BYTES */
} ReplayNeeds;

/* The options are copied; what they refer to must outlive the cursor. */
typedef struct ReplayOptions {
        const SampleSelection *selection; /* other samples are passed over; NULL: all are wanted */
        MomentSelection others;       /* samples that are moments, too: up to these */
        const ReplayNeeds *needs;     /* NULL: everything that is recorded, in the order of time */
        MachineView *machine;         /* initialised; the recording is added to it; NULL: the cursor has its own */
        bool named;                   /* replay_names() is wanted, for which all maps are read before */
        Symbols *symbols;             /* of named places; NULL: functions have no names */
        const SymbolSources *stacks;  /* where binaries are, whose rules make call chains of copied stacks; NULL: chains are as they
                                       * were recorded */
        Watcher watcher;
} ReplayOptions;

/* A sample, another record of the kernel, or FINISHED_ROUND, after all that is due by it. All is the cursor's, and valid until its
 * next step. */
typedef struct Moment {
        const struct perf_event_header *record; /* whole, but for a round: its type is PERF_RECORD_SAMPLE or another; for who counts
                                                 * samples, nothing is behind the header of theirs */
        uint64_t time;              /* 0: not known */
        const PerfDataEvent *event; /* of a record whose own is not known the first one; NULL: there is none */
        size_t number;              /* of the event */
        const PerfSample *sample;   /* or the trailer of the record: fields that it lacks are 0, and the CPU is UINT32_MAX */
        MomentSelection selected;   /* MOMENT_SELECTED, unless others are needed */
        uint32_t thread, name;      /* of a sample, see process-view.h */
        uint32_t cgroup;            /* of a sample, see cgroup-names.h; 0: not known */
        uint32_t chain;             /* for who counts samples: a number of equal call chains, see replay_chain(); 0: it has none */
        UnwindEnd end;              /* of its call chain; UNWIND_END_MAX: it is as recorded, and not marked */
        uint32_t maps, kernel_maps; /* as long as both are the same, so are places of addresses */
        int64_t running;            /* threads, by the context switches so far, some of which may be lost */
} Moment;

static inline bool moment_is_sample(const Moment *m) {
        return m->record->type == PERF_RECORD_SAMPLE;
}

/* Returns where the sample was taken: PERF_RECORD_MISC_… */
static inline uint16_t moment_mode(const Moment *m) {
        return m->record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
}

/* 0, -ENOMEM; what cannot be read is left out here. */
int replay_new(PerfDataReader *reader, const ReplayOptions *options, Replay **ret);
Replay *replay_free(Replay *r);
DEFINE_CLEANUP(Replay *, replay_free);
#define _cleanup_replay_free_ _cleanup_(replay_freep)

/* 1: the next moment; 0: the recording is over; -EINTR: the watcher ended it; -EBADMSG and errors of read(2): the rest cannot be
 * read; -ENOMEM, -ENOSPC. The first result that is not 1 is that of all further calls. */
int replay_next(Replay *r, Moment *ret);

/* Begins again with the first moment. Numbers of threads, names and places stay the same. watcher: of this pass. */
void replay_rewind(Replay *r, Watcher watcher);

/* They show what is true at this moment, and the places that were asked for so far. */
const ProcessView *replay_view(const Replay *r);
const CodePlaces *replay_places(const Replay *r);

/* Finds the number of the place of an address of a process at this moment; of a caller in a call chain, see code-places.h. 0 or
 * -ENOMEM. */
int replay_find_place(Replay *r, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret);
int replay_find_caller(Replay *r, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret);

/* The names of places; NULL: they were not wanted. */
PlaceLookup *replay_names(const Replay *r);

/* Finds or adds a thread, and returns its name. 0, -ENOSPC, -ENOMEM. */
int replay_name_thread(Replay *r, uint32_t pid, uint32_t tid, const char **ret);
const char *replay_name(const Replay *r, uint32_t name);       /* the text of a name */
const char *replay_cgroup(const Replay *r, uint32_t number);   /* the path of a control group; NULL: not known */

/* They count what is missing so far, and how the call chains of an event end: UNWIND_END_MAX numbers. */
const SampleTotals *replay_totals(const Replay *r);
const uint64_t *replay_unwound(const Replay *r, size_t event);

/* Returns the words of a call chain, which stay where they are and may lie at any address. Number 0 has none. */
const void *replay_chain(Replay *r, uint32_t number, size_t *ret_n);
