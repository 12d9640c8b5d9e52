/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flight-samples.h"
#include "left-out.h"
#include "output-files.h"
#include "record.h"

/* One dump's file, from what was gathered for it: nothing here looks at the machine, so a thread may write it. Where the
 * preamble is long, its first pieces are written before by whoever makes it. */
typedef struct FlightFile {
        OutputFiles *files;
        const DumpOrder *order;      /* NULL: it is no dump, but the recording's own file */
        const DumpResult *facts;     /* what is known of its samples; no name yet */
        const FlightSamples *samples;
        const RecordBuffer *preamble; /* behind the pieces that flight_file_begin() was given */
        bool timestamp;              /* in its name */
        LeftOut left_out;            /* of the preamble */
        PerfDataWriter *writer;      /* the file's own, as soon as it is begun; else NULL */
} FlightFile;

/* Begins the file, unless it is, and writes the next piece of the preamble. On failure flight_file_done() is to follow. */
int flight_file_begin(FlightFile *f, const struct iovec *records);

/* Writes all of it (what is left of it) under a temporary name, and gives it its own at the very end. On failure nothing is
 * left of it. */
int flight_file_write(FlightFile *f, OutputFinished *ret);
void flight_file_done(FlightFile *f); /* removes a file that was begun and not written */
