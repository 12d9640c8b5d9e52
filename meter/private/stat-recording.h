/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "count-records.h"
#include "event-spec.h"
#include "writer.h"

/* The recording of stat record: a file, or a stream to standard output or a device. An error of writing is kept, so that counting
 * goes on, and the file is not finished. Zero-initialise with STAT_RECORDING_EMPTY. */
typedef struct StatRecording {
        PerfDataWriter *writer;
        FeatureTable *features;
        PerfDataEvent *events;
        RecordBuffer records;
        int fd;               /* of a stream */
        int error;
} StatRecording;

#define STAT_RECORDING_EMPTY { .fd = -EBADF }

/* The description of a recording. */
typedef struct StatRecordingOptions {
        const CountLayout *layout; /* must outlive the recording */
        CountConfig config;
        const EventSpecs *events;  /* of the layout, whose tracepoints' formats are recorded; NULL: none */
        char *const *command_line; /* of this process; NULL: not known */
} StatRecordingOptions;

/* path: "-" is standard output; a regular file of that name becomes PATH.old. Errors are those of perf_data_writer_new(), and
 * -E2BIG: there are more threads than a recording holds. */
int stat_recording_begin(StatRecording *r, const char *path, const StatRecordingOptions *options);
void stat_recording_done(StatRecording *r);

/* Adds a round, in ns from the beginning. */
void stat_recording_add(StatRecording *r, const CountLayout *l, const Count *counts, bool final, uint64_t time);

/* Finishes the file. 0, or the first error. */
int stat_recording_finish(StatRecording *r);
