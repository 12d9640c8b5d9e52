/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "name-options.h"
#include "recording-inputs.h"
#include "replay.h"
#include "selection-options.h"

/* Recordings that are read moment by moment, one recording after the other, for a consumer that shows what happened. */

/* A recording that is being read, and what is selected of it: of threads, units, CPUs and the time. */
typedef struct RecordingRun {
        const RecordingInput *in;
        Replay *replay;
        MachineView machine;
        SampleSelection selection;
        SampleSpan *spans;
        Symbols *symbols;          /* NULL: names of functions are not wanted */
} RecordingRun;

typedef struct RecordingRunOptions {
        const RecordingNames *inputs;
        const SelectionOptions *select;
        const NameOptions *names;
        bool verbose; /* see name_options_symbols() */
} RecordingRunOptions;

/* A consumer shows what happens. It is given all moments, also those of threads and times that are not selected, unless their unit
 * is another one. check, begin and end may be NULL. They return 0 or a negative errno, which ends all; moment also 1: the rest of
 * the recording is not wanted. */
typedef struct RecordingConsumer {
        int (*check)(void *userdata, const RecordingInput *in);     /* before it is read. An error was printed */
        int (*begin)(void *userdata, RecordingRun *run);
        int (*moment)(void *userdata, RecordingRun *run, const Moment *m);
        int (*end)(void *userdata, RecordingRun *run);
        bool (*named)(void *userdata, const RecordingInput *in);    /* it needs the names of functions; NULL: it does not */
        bool data_maps; /* places of data have files, too */
        void *userdata;
        uint32_t threads_max; /* of whom -ENOSPC tells that there are more */
} RecordingConsumer;

/* Opens the recordings that the options name, and reads one after the other. What is missing in them is reported on standard error.
 * Returns the exit status. */
int recording_run_all(const RecordingRunOptions *o, const RecordingConsumer *c);

static inline bool recording_run_wants_cpu(const RecordingRun *run, uint32_t cpu) {
        return sample_selection_has_cpu(&run->selection, cpu);
}

static inline bool recording_run_wants_time(const RecordingRun *run, uint64_t time) {
        return sample_selection_has_time(&run->selection, time);
}
