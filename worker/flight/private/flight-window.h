/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "atomic-file.h"
#include "flight-samples.h"
#include "output-files.h"
#include "record.h"

/* The stream of one window (flight.h), in a file that has no name any more. */
typedef struct FlightWindowFile {
        OutputFiles *files;
        bool whole;
        uint64_t begin, until;        /* the time in which it has all samples */
        const FlightSamples *samples; /* that were taken */
        const RecordBuffer *preamble; /* its rest, after the pieces that flight_window_file_begin() has written */
        AtomicFile file;              /* -EBADF: it is not begun */
        int read_fd;
        PerfDataWriter *writer;
} FlightWindowFile;

#define FLIGHT_WINDOW_FILE_EMPTY { .file = ATOMIC_FILE_EMPTY, .read_fd = -EBADF }

/* Begins the file, unless it is begun, and writes the next piece of the preamble. */
int flight_window_file_begin(FlightWindowFile *f, const struct iovec *records);

/* Writes the rest of it. read_fd is a descriptor by which it can only be read. May run in a thread. */
int flight_window_file_write(FlightWindowFile *f);
void flight_window_file_done(FlightWindowFile *f);
