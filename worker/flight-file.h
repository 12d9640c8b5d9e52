/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dump-order.h"
#include "file-description.h"
#include "flight-samples.h"
#include "output-place.h"
#include "record.h"

/* One dump's file, from what was gathered for it: nothing here looks at the machine, so a thread may write it. */
typedef struct FlightFile {
        FileDescription *description;
        const OutputPlace *place;
        const char *session;         /* NULL: none */
        const DumpOrder *order;      /* NULL: it is no dump, but the recording's own file */
        const DumpResult *facts;     /* what is known of its samples; no name yet */
        const FlightSamples *samples;
        const RecordBuffer *preamble;
        unsigned level;              /* of compression */
        bool timestamp;              /* in its name */
        bool synced;
} FlightFile;

typedef struct FlightFileWritten {
        char *name;                  /* within the place; new */
        uint64_t size;               /* bytes */
        uint64_t original, compressed; /* bytes of its records; 0: there is no compression */
        uint64_t left_out;           /* features, for lack of room: a bit for each */
} FlightFileWritten;

/* Writes all of it under a temporary name, and gives it its own at the very end. On failure nothing is left of it. */
int flight_file_write(const FlightFile *f, FlightFileWritten *ret);
