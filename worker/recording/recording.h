/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flight.h"
#include "flight-memory.h"
#include "handover.h"
#include "output-files.h"

/* A recording takes the samples of a recorder's events to files. There are two kinds: a stream writes them all the
 * time, a flight recorder keeps them in memory until there is a trigger. A recording belongs to one set of events:
 * when others are opened, it is finished and another one begins. */
typedef struct Recorder Recorder;
typedef struct Recording Recording;

typedef struct RecordingKind {
        /* Begins the file to which samples are written all the time. NULL: there is none. */
        int (*begin)(Recording *x);

        /* Reads the rings that are read all the time. 1: the recording is complete, which was reported. */
        int (*drain)(Recording *x);

        /* See TriggersOptions.mark and .dump; the dump's end is reported to recording_dump_done(). */
        int (*mark)(Recording *x);
        int (*dump)(Recording *x, const DumpOrder *order);

        /* Begins a window of the samples in memory, see flight_window(). NULL: there are none in memory. */
        int (*window)(Recording *x, const FlightWindowOrder *order, FlightWindowDone done, void *userdata);

        /* Waits until no dump is being made any more. NULL: none outlasts the call that began it. */
        int (*wait)(Recording *x);

        /* Finishes a file of all samples so far, at once, and reports it. last: of the whole recording; *ret_shortfall
         * are the lines that describe its losses. -ENODATA: there is no file, for lack of samples or because the
         * output is a pipe. */
        int (*finish)(Recording *x, const DumpOrder *order, bool last, OutputFinished *ret, char ***ret_shortfall);

        /* Has the files from now on, and what reads the samples, know the ids of events that were opened again. NULL: that needs
         * another recording. */
        int (*renew_ids)(Recording *x);

        /* Returns the files for handover_set(); false, or a NULL hand_over: there is nothing to hand over. */
        bool (*hand_over)(Recording *x, int files[static _HANDOVER_FILE_MAX]);

        /* Moves into memory what the recording of the next set goes on with, before this one is freed. NULL: there is nothing. */
        void (*leave)(Recording *x, FlightMemory *memory);

        uint64_t (*file_size)(const Recording *x); /* of the open file; NULL: there never is one */
        void (*free)(Recording *x);
} RecordingKind;

struct Recording {
        const RecordingKind *kind;
        Recorder *recorder;
        unsigned long wakeups; /* of the loop, when the last file was begun */
};

/* Makes the recording of the recorder's set, whose file description must exist. memory: the files of the previous
 * recorder, which become the recording's. Prints what fails. Begins no file. */
int recording_new(Recorder *r, FlightMemory *memory, Recording **ret);
Recording *recording_free(Recording *x);

bool recording_wants_flight(const Recorder *r);
bool recording_streams(const Recorder *r); /* some ring is read all the time */

int recording_begin(Recording *x);
uint64_t recording_file_size(const Recording *x); /* 0: none is open */
bool recording_hand_over(Recording *x, int files[static _HANDOVER_FILE_MAX]);

/* To be called when the dump that was begun is finished: prints it, and answers its triggers. userdata: the recording. */
void recording_dump_done(void *userdata, const DumpResult *result);

/* Makes the dumps now that still wait for their delay. */
int recording_finish_dumps(Recording *x);

/* Finishes the file so far, for that order, while recording goes on. Prints what fails. */
int recording_split(Recording *x, const DumpOrder *order);

/* Writes the last file and prints a summary. The events must be disabled. */
int recording_finish(Recording *x);

/* Makes an order for a file that no trigger asked for. */
DumpOrder recording_own_order(const Recorder *r, const char *trigger, const char *detail);

/* For the kinds. */
int recording_stream_new(Recorder *r, Recording **ret);
int recording_flight_new(Recorder *r, FlightMemory *memory, Recording **ret);
char **recording_describe_shortfall(const Recording *x); /* while the events can still be read */
void recording_close_events(Recording *x);               /* when all was read from them */
