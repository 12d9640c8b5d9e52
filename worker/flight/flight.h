/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flight-samples.h"
#include "flight-sideband.h"
#include "loop.h"
#include "output-files.h"

/* A flight recorder's dumps: samples stay where they are until somebody wants a file of them, and recording goes on while
 * it is made. Between dumps the side band alone is followed. */
typedef struct Flight Flight;

typedef struct FlightOptions {       /* all that this points to must outlive it */
        const PreambleOptions *preamble;
        OutputFiles *files;
        FlightSamples samples;
        SidebandJournal *journal;    /* NULL: nobody goes on after us */
} FlightOptions;

int flight_new(const FlightOptions *options, Loop *loop, Flight **ret);
Flight *flight_free(Flight *f); /* waits for a dump that is being written */
DEFINE_CLEANUP(Flight *, flight_free);

/* To be called when a ring of the side band asked for it. */
int flight_drain(Flight *f);

/* Brings the page of counters up to date: by itself that happens only when samples are looked at. */
void flight_count(Flight *f);

/* Marks where the samples end now, for the dump that is to follow; may be repeated until it is begun. 1: it is marked. 0: other
 * work is under way, whose end wakes up the loop. */
int flight_mark(Flight *f);

/* Begins a dump of the samples up to the mark. done is called when there is a file or none, from the loop or within the call.
 * -EBUSY: nothing is marked. */
int flight_dump(Flight *f, const DumpOrder *order, DumpDone done, void *userdata);

int flight_wait(Flight *f); /* until nothing is being made any more, without the loop; what it led to was told */

/* A file made at once, without the loop: waits for a dump that is being made, then for this one. order NULL: the file says
 * nothing of a trigger. timestamp: in its name, which is the recording's own otherwise. */
int flight_finish(Flight *f, const DumpOrder *order, bool timestamp, OutputFinished *ret);

/* CLOCK_REALTIME less the time of samples, now, in ns; -ENODATA: not known. */
int flight_clock_offset(Flight *f, int64_t *ret);
