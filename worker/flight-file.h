/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump-order.h"
#include "file-description.h"
#include "flight-samples.h"
#include "left-out.h"
#include "output-place.h"
#include "record.h"

/* One dump's file, from what was gathered for it: nothing here looks at the machine, so a thread may write it. Where the
 * preamble is long, its first pieces are written before by whoever makes it. */
typedef struct FlightFile {
        FileDescription *description;
        const OutputPlace *place;
        const char *session;         /* NULL: none */
        const DumpOrder *order;      /* NULL: it is no dump, but the recording's own file */
        const DumpResult *facts;     /* what is known of its samples; no name yet */
        const FlightSamples *samples;
        const RecordBuffer *preamble; /* behind the pieces that flight_file_begin() was given */
        unsigned level;              /* of compression */
        bool timestamp;              /* in its name */
        bool synced;
        LeftOut left_out;            /* of the preamble */
        PerfDataWriter *writer;      /* the file's own, as soon as it is begun; else NULL */
} FlightFile;

typedef struct FlightFileWritten {
        char *name;                  /* within the place; new */
        uint64_t size;               /* bytes */
        uint64_t original, compressed; /* bytes of its records; 0: there is no compression */
        uint64_t left_out;           /* features, for lack of room: a bit for each */
} FlightFileWritten;

/* Begins the file, unless it is, and writes the next piece of the preamble. On failure flight_file_done() is to follow. */
int flight_file_begin(FlightFile *f, const struct iovec *records);

/* Writes all of it (what is left of it) under a temporary name, and gives it its own at the very end. On failure nothing is
 * left of it. */
int flight_file_write(FlightFile *f, FlightFileWritten *ret);
void flight_file_done(FlightFile *f); /* removes a file that was begun and not written */
