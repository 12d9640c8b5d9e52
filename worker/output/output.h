/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "left-out.h"
#include "output-files.h"
#include "record.h"

/* The files of a recording, one after the other, of which at most one is open; or its one stream. */

/* Appends what each file begins with, to a buffer whose drain is the file. */
typedef int (*OutputPreamble)(void *userdata, RecordBuffer *b, LeftOut *ret_left_out);

typedef struct OutputOptions {
        OutputFiles *files;
        uint64_t max_size;     /* bytes of records in a file, after which the recording is over; 0: no limit */
        bool preamble_last;    /* the preamble tells of the end, not of the beginning */
        RecordTrailer trailer; /* of the records that we make */
        OutputPreamble preamble;
        void *userdata;
} OutputOptions;

typedef struct Output Output;

/* All that options points to must outlive it. Opens no file yet. */
int output_new(const OutputOptions *options, Output **ret);
Output *output_free(Output *o); /* a file that was not finished is gone */
DEFINE_CLEANUP(Output *, output_free);

/* Begins a file, unless one is open; a stream is begun once. */
int output_begin(Output *o);

/* To be called before a file is finished: if somebody removed its directory, there is one again, and the open file in it. */
int output_rescue(Output *o);

/* What the segments hold. */
typedef struct OutputCounts {
        uint64_t samples;
        uint64_t lost; /* that the kernel told of */
        uint64_t throttled; /* how often it held an event back */
} OutputCounts;

/* Appends, beginning a file if need be. A full disk is no error: what does not fit is dropped and counted, *ret_written
 * (may be NULL) says which it was. Neither is a reader of a stream who has gone. */
int output_append(Output *o, const struct iovec *segments, size_t n_segments, const OutputCounts *counts, bool *ret_written);

/* To be called when what was appended is no longer needed: does work for the file's end that would take too long then. */
void output_keep_up(Output *o);

/* Nothing more need be recorded: the size limit was reached, or nobody reads the stream any more. It was said. */
bool output_is_over(const Output *o);
void output_reader_gone(Output *o); /* somebody saw it before a write did */

const PerfDataWriter *output_writer(const Output *o); /* of the open file; NULL: none is open */
int output_file_fd(const Output *o);           /* of the open file, the output's; -EBADF: none is open */
uint64_t output_file_size(const Output *o);    /* of the open file; 0: none is open */
uint64_t output_file_samples(const Output *o); /* in it, or in the one that was finished last */

/* Finishes the open file under its own name or with a timestamp, or the stream, and reports it. ret may be NULL. -ENODATA:
 * nothing is open. On failure it stays open. */
int output_finish(Output *o, bool timestamp, OutputFinished *ret);
