/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flight-samples.h"
#include "flight-sideband.h"
#include "loop.h"
#include "output-files.h"

/* The dumps of a flight recorder: samples stay in memory until a dump is ordered, and recording goes on while it is made.
 * Between dumps only the side band is read. */
typedef struct Flight Flight;

typedef struct FlightOptions {       /* all that this points to must outlive the Flight */
        const PreambleOptions *preamble;
        OutputFiles *files;
        FlightSamples samples;
        SidebandJournal *journal;    /* NULL: no successor will take over */
} FlightOptions;

int flight_new(const FlightOptions *options, Loop *loop, Flight **ret);
Flight *flight_free(Flight *f); /* waits for a dump that is being written */
DEFINE_CLEANUP(Flight *, flight_free);

/* Reads the side band. To be called when one of its rings has filled up. */
int flight_drain(Flight *f);

/* From now on passes all records of what processes do to follower (flight-sideband.h), first those that are known. */
int flight_follow(Flight *f, SidebandFollower *follower, void *userdata);

/* Brings the page of counters up to date. Otherwise that happens only when samples are taken. */
void flight_count(Flight *f);

/* Marks where the samples end now, for the dump that is to follow; may be repeated until it is begun. Returns 1, or 0
 * if other work is under way, whose end wakes up the loop. */
int flight_mark(Flight *f);

/* Begins a dump of the samples up to the mark. done is called when the file has its name or has failed, from the loop
 * or within the call. -EBUSY: nothing is marked. */
int flight_dump(Flight *f, const DumpOrder *order, DumpDone done, void *userdata);

/* A window: the samples in memory that are newer than since, for one who looks at them again and again. */
typedef struct FlightWindowOrder {
        uint64_t since; /* ns of the samples' clock; 0: all; in the future: there are none */
        bool whole;     /* with all of the side band and the features of a file, not only with what is newer than since */
} FlightWindowOrder;

typedef struct FlightWindowResult { /* all is borrowed for the call */
        int error;            /* 0, or a negative errno: then sentence is the reason */
        const char *sentence;
        int fd;               /* a stream of perf.data that can only be read, from its begin; its file has no name */
        uint64_t until;       /* it has no later sample, and the next window, from here on, has all of these */
} FlightWindowResult;

typedef void (*FlightWindowDone)(void *userdata, const FlightWindowResult *result);

/* Makes a window of what is in memory now, which is no dump: it counts nothing as dumped and is reported to nobody else. done is
 * called from the loop or within the call. -EBUSY: other work is under way, whose end wakes up the loop. */
int flight_window(Flight *f, const FlightWindowOrder *order, FlightWindowDone done, void *userdata);

/* Waits, without the loop, until no work is under way any more; done was called for a dump. */
int flight_wait(Flight *f);

/* Makes a file at once, without the loop: waits for a dump that is being made, then for this one. order NULL: the file has no
 * facts of a trigger. timestamp: the name has the time; otherwise the file has the recording's own name. */
int flight_finish(Flight *f, const DumpOrder *order, bool timestamp, OutputFinished *ret);

/* Returns CLOCK_REALTIME minus the samples' clock, now, in ns; -ENODATA: not known. */
int flight_clock_offset(Flight *f, int64_t *ret);
