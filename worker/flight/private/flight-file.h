/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "flight-samples.h"
#include "left-out.h"
#include "output-files.h"
#include "record.h"

/* The file of one dump, made of what was gathered for it, so a thread may write it: of the machine only the boot id is
 * read here. If the preamble is long, the loop writes its first pieces while it makes them (flight_file_begin()). */
typedef struct FlightFile {
        OutputFiles *files;
        const DumpOrder *order;      /* NULL: it is no dump, but the recording's own file */
        const DumpResult *facts;     /* about its samples; no name yet */
        const FlightSamples *samples;
        const RecordBuffer *preamble; /* its rest, after the pieces that flight_file_begin() has written */
        bool timestamp;              /* in its name */
        LeftOut left_out;            /* of the preamble */
        PerfDataWriter *writer;      /* NULL: the file is not begun */
} FlightFile;

/* Begins the file, unless it is begun, and writes the next piece of the preamble. After a failure call flight_file_done(). */
int flight_file_begin(FlightFile *f, const struct iovec *records);

/* Writes the rest of the file, which has a temporary name until the very end. On failure nothing is left of it. */
int flight_file_write(FlightFile *f, OutputFinished *ret);
void flight_file_done(FlightFile *f); /* removes a file that was begun and not finished */
