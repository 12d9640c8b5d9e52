/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cgroup-names.h"
#include "place-lookup.h"
#include "process-view.h"
#include "reader.h"
#include "sample.h"
#include "sample-selection.h"
#include "sample-totals.h"
#include "unwinder.h"
#include "watcher.h"

/* A recording is read by a cursor: replay_next() returns its samples and records one by one in the order of time, each with what is
 * true at that moment (who lives, is called how, and has mapped what). */
typedef struct Replay Replay;

/* The options are copied; what they refer to must outlive the cursor. */
typedef struct ReplayOptions {
        const SampleSelection *selection; /* other samples are passed over; NULL: all are wanted */
        bool named;                   /* replay_names() is wanted, for which all maps are read before */
        Symbols *symbols;             /* of named places; NULL: functions have no names */
        const SymbolSources *stacks;  /* where binaries are, whose rules make call chains of copied stacks; NULL: chains are as they
                                       * were recorded */
        Watcher watcher;
} ReplayOptions;

/* A sample, another record of the kernel, or FINISHED_ROUND, after all that is due by it. All is the cursor's, and valid until its
 * next step. */
typedef struct Moment {
        const struct perf_event_header *record; /* whole, but for a round: its type is PERF_RECORD_SAMPLE or another */
        uint64_t time;              /* 0: not known */
        const PerfDataEvent *event; /* of a record whose own is not known the first one; NULL: there is none */
        size_t number;              /* of the event */
        const PerfSample *sample;   /* or the trailer of the record: fields that it lacks are 0, and the CPU is UINT32_MAX */
        uint32_t thread, name;      /* of a sample, see process-view.h */
        uint32_t cgroup;            /* of a sample, see cgroup-names.h; 0: not known */
        UnwindEnd end;              /* of its call chain; UNWIND_END_MAX: it was not made of a copy of the stack */
        uint32_t maps, kernel_maps; /* as long as both are the same, so are places of addresses */
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
