/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "left-out.h"
#include "output-files.h"
#include "record.h"

/* The files of a recording that writes all the time, at most one of which is open; or its one stream. */

/* Appends the records that each file begins with to a buffer whose drain is the file. */
typedef int (*OutputPreamble)(void *userdata, RecordBuffer *b, LeftOut *ret_left_out);

typedef struct OutputOptions {
        OutputFiles *files;
        uint64_t max_size;     /* bytes of records in a file, after which the recording is over; 0: no limit */
        bool preamble_last;    /* the preamble is written at the end, not at the beginning */
        RecordTrailer trailer; /* of synthesized records */
        OutputPreamble preamble;
        void *userdata;
} OutputOptions;

typedef struct Output Output;

/* All that options points to must outlive it. Opens no file yet. */
int output_new(const OutputOptions *options, Output **ret);
Output *output_free(Output *o); /* removes a file that was not finished */
DEFINE_CLEANUP(Output *, output_free);

/* Begins a file, unless one is open; a stream is begun once. */
int output_begin(Output *o);

/* To be called before a file is finished, see output_files_rescue(). */
int output_rescue(Output *o);

/* The content of appended segments. */
typedef struct OutputCounts {
        uint64_t samples;
        uint64_t lost; /* samples that LOST_SAMPLES records report */
        uint64_t throttled; /* PERF_RECORD_THROTTLE records */
} OutputCounts;

/* Appends, and begins a file if none is open. A full disk is no error: records that do not fit are dropped and counted, and
 * *ret_written (may be NULL) is false. Neither is a reader of the stream that has gone. */
int output_append(Output *o, const struct iovec *segments, size_t n_segments, const OutputCounts *counts, bool *ret_written);

/* To be called when the appended memory has been released: does work for the file's end that would take too long then. */
void output_keep_up(Output *o);

/* True if the recording is complete: the size limit was reached, or the stream's reader has gone. That was printed. */
bool output_is_over(const Output *o);
void output_reader_gone(Output *o); /* to be called if that is noticed before a write fails */

PerfDataWriter *output_writer(const Output *o); /* of the open file; NULL: none is open */
uint64_t output_file_size(const Output *o);    /* of the open file; 0: none is open */
uint64_t output_file_samples(const Output *o); /* in the open file, or in the one that was finished last */

/* Finishes the open file under its own name or with a timestamp, or the stream, and reports it. ret may be NULL. -ENODATA:
 * nothing is open. On failure it stays open. */
int output_finish(Output *o, bool timestamp, OutputFinished *ret);

/* Removes the open file, if any: the next one begins as if it had not been there. Not for a stream. */
void output_discard(Output *o);
