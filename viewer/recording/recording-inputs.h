/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "recording-input.h"
#include "sample-selection.h"
#include "view-options.h"

/* The recordings of a verb that looks at several ones. */
typedef struct RecordingName {
        const char *path;      /* as recording_input_open() has it; NULL: perf.data */
        const char *name;      /* what messages call it; NULL: as it is opened */
        const char *symfs;     /* the directory of symbols; NULL: the one beside it */
} RecordingName;

/* Zero-initialise; free names. */
typedef struct RecordingNames {
        RecordingName *names;
        size_t n;
        unsigned sandbox; /* SandboxFlags of the verb */
} RecordingNames;

/* These are numbers of the options in RECORDING_ROWS(): a name and a directory belong to the recording before them, or to the first
 * one. */
enum { RECORDING_PATH, RECORDING_NAME, RECORDING_SYMFS };

int recording_names_take(void *names, const ViewOption *option, const char *value);

/* If no option named a recording, it is perf.data. 0, -ENOMEM. */
int recording_names_complete(RecordingNames *names);

/* Zero-initialise. */
typedef struct RecordingInputs {
        RecordingInput *inputs;
        size_t n;
} RecordingInputs;

/* Opens all, restricts the process, and reads them; each step prints what went wrong. 0 or a negative errno. Done after a failure
 * too. */
int recording_inputs_open(RecordingInputs *all, const RecordingNames *names);
void recording_inputs_done(RecordingInputs *all);

/* Dumps of a session may have the same samples: those of the times that an earlier one covers are left out of the spans of the
 * recording of that number, as sample_spans_leave_out() does. 0, -ENOMEM and errors of reading. */
int recording_inputs_leave_out_common(const RecordingInputs *all, size_t number, SampleSpan **spans, size_t *n);
