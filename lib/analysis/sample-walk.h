/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "cgroup-names.h"
#include "code-places.h"
#include "place-lookup.h"
#include "reader.h"
#include "sample.h"
#include "sample-selection.h"
#include "sample-table.h"
#include "thread-names.h"
#include "unwinder.h"
#include "watcher.h"

/* A walk over the samples of one recording in the order of time, one by one, with what each of them means: its
 * event, its thread's name at that time, the places of its addresses and their names. Names are looked up once for
 * each place, when they are first asked for. */
typedef struct SampleWalk SampleWalk;

typedef struct WalkedSample {
        const PerfDataEvent *event;
        size_t number;             /* of the event */
        const PerfSample *sample;
        uint16_t misc;             /* of the record's header */
        uint32_t thread, name;     /* see thread-names.h */
        uint32_t cgroup;           /* see cgroup-names.h; 0: not known */
        UnwindEnd end;             /* of the call chain; UNWIND_END_MAX: it was not made of a copy of the stack */
        uint32_t maps;             /* places of the process's addresses are the same as long as this is, and the kernel's maps */
} WalkedSample;

/* A record of the side band, after the walk has followed it. */
typedef struct WalkedRecord {
        const struct perf_event_header *record; /* whole, see record_is_whole() */
        size_t number;                          /* of its event; the first one if that is not known */
        const PerfSample *trailer;              /* fields that the record lacks are 0, and the CPU is UINT32_MAX */
        uint64_t time;
} WalkedRecord;

/* 0, or a negative errno that ends the walk. */
typedef struct SampleWalkUser {
        int (*sample)(void *userdata, const WalkedSample *s);
        int (*record)(void *userdata, const WalkedRecord *r); /* NULL: not wanted */
        int (*round)(void *userdata);                         /* FINISHED_ROUND, after all that is due by it; likewise */
        void *userdata;
} SampleWalkUser;

/* Reads which binaries are mapped, to know their build ids. symbols (may be NULL), selection and reader must outlive
 * it. 0, -ENOMEM; what cannot be read is left out here. */
int sample_walk_new(PerfDataReader *reader, const SampleSelection *selection, Symbols *symbols, SampleWalk **ret);
SampleWalk *sample_walk_free(SampleWalk *w);
DEFINE_CLEANUP(SampleWalk *, sample_walk_free);
#define _cleanup_sample_walk_free_ _cleanup_(sample_walk_freep)

/* Samples with copies of the stack get call chains from now on; before, they have the kernel's part only. Rules are
 * those of binaries
 * with these numbers. */
void sample_walk_unwind(SampleWalk *w, const UnwindSource *source);
const CodePlaces *sample_walk_places(const SampleWalk *w);
/* Counts how the call chains of an event end that were made of copies of the stack: UNWIND_END_MAX numbers. */
const uint64_t *sample_walk_unwound(const SampleWalk *w, size_t event);

/* Has it ask the watch while it runs. */
void sample_walk_set_watcher(SampleWalk *w, Watcher watcher);

/* Calls the user for each sample that is selected, and for each record of the side band. 0; -EINTR: the watch ended it;
 * -EBADMSG and errors of read(2): the rest of the recording can't be read; -ENOMEM, -ENOSPC, and the user's errors. */
int sample_walk_run(SampleWalk *w, const SampleWalkUser *user);

const SampleTotals *sample_walk_totals(const SampleWalk *w);
const char *sample_walk_comm(const SampleWalk *w, uint32_t name);
/* Returns the path of a control group; NULL: not known. */
const char *sample_walk_cgroup(const SampleWalk *w, uint32_t number);
/* Finds or adds a thread, as for a record of the side band, and returns its name. 0, -ENOSPC, -ENOMEM. */
int sample_walk_name_thread(SampleWalk *w, uint32_t pid, uint32_t tid, const char **ret);

/* Changes when places of the kernel's addresses may have changed. */
uint32_t sample_walk_kernel_maps(const SampleWalk *w);

/* Finds the number of the place of an address of a process at this time. Numbers stay valid. 0 or -ENOMEM. */
int sample_walk_find(SampleWalk *w, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret);
/* The same for a caller in a call chain, see code-places.h. */
int sample_walk_find_caller(SampleWalk *w, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret);

/* The names of places. They are the walk's. */
PlaceLookup *sample_walk_names(SampleWalk *w);
