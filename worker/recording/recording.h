/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flight-memory.h"
#include "handover.h"
#include "output-files.h"

/* How the samples of a recorder's events get to files, of which there are two kinds: a stream writes them all the time, a flight
 * recorder keeps them in memory until there is a trigger. A recording belongs to one set of events: where others are opened, it
 * is finished and another one begins. */
typedef struct Recorder Recorder;
typedef struct Recording Recording;

typedef struct RecordingKind {
        /* Begins the file that samples go into all the time. NULL: there is none. */
        int (*begin)(Recording *x);

        /* Reads the rings that are to be read all the time. 1: nothing more need be recorded, which was said. */
        int (*drain)(Recording *x);

        /* See TriggersOptions.mark and .dump; its end goes to recording_dump_done(). */
        int (*mark)(Recording *x);
        int (*dump)(Recording *x, const DumpOrder *order);

        /* Waits until no dump is being made any more. NULL: none outlasts the call that began it. */
        int (*wait)(Recording *x);

        /* Finishes a file of all that is there now, at once, and reports it. last: of the whole recording; *ret_shortfall are the
         * lines that describe its losses. -ENODATA: there is no file, for lack of samples or because it is the stream. */
        int (*finish)(Recording *x, const DumpOrder *order, bool last, OutputFinished *ret, char ***ret_shortfall);

        /* What is to outlive this process, for handover_set(). NULL: nothing. */
        bool (*hand_over)(Recording *x, int files[static _HANDOVER_FILE_MAX]);

        uint64_t (*file_size)(const Recording *x); /* of the open file; NULL: none is */
        void (*free)(Recording *x);
} RecordingKind;

struct Recording {
        const RecordingKind *kind;
        Recorder *recorder;
        unsigned long wakeups; /* of the loop, when the last file was begun */
};

/* For the recorder's set, whose description is there. memory: what the previous recorder left; taken over. What is wrong was
 * printed. Begins no file. */
int recording_new(Recorder *r, FlightMemory *memory, Recording **ret);
Recording *recording_free(Recording *x);

bool recording_wants_flight(const Recorder *r);
bool recording_streams(const Recorder *r); /* some ring is read all the time */

int recording_begin(Recording *x);
uint64_t recording_file_size(const Recording *x); /* 0: none is open */
bool recording_hand_over(Recording *x, int files[static _HANDOVER_FILE_MAX]);

/* The dump that was begun is finished: says so, and answers its triggers. userdata: the recording. */
void recording_dump_done(void *userdata, const DumpResult *result);

/* Makes the dumps now that still wait for their delay. */
int recording_finish_dumps(Recording *x);

/* Finishes the file so far, for that order, while recording goes on. What went wrong was printed. */
int recording_split(Recording *x, const DumpOrder *order);

/* The end: disables nothing, writes the last file, and says what was recorded. */
int recording_finish(Recording *x);

/* An order that nobody gave. */
DumpOrder recording_own_order(const Recorder *r, const char *trigger, const char *detail);

/* For the kinds. */
int recording_stream_new(Recorder *r, Recording **ret);
int recording_flight_new(Recorder *r, FlightMemory *memory, Recording **ret);
char **recording_describe_shortfall(const Recording *x); /* as long as the events can still be read */
void recording_close_events(Recording *x);               /* all has been read from them */
