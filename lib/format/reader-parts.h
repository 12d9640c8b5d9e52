/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"
#include "record-walk.h"

/* The reader of a recording of either shape; reader-frame.c fills it in. */

/* The part that is missing. */
typedef enum ReaderCut {
        READER_CUT_NOTHING,
        READER_CUT_UNFINISHED, /* the writer puts the size of the data into the header at its end */
        READER_CUT_DATA,
        READER_CUT_FEATURES,
        READER_CUT_RECORDS,    /* a stream's, behind its last whole one */
} ReaderCut;

struct PerfDataReader {
        const uint8_t *file;
        size_t size;
        bool mapped;
        bool stream;
        bool partial; /* a file without its end is accepted */
        ReaderCut cut;
        PerfFileHeader header; /* of a stream: only the bits of features, and the offset of its records */
        PerfDataEvent *events; /* ids are owned here, names by names */
        size_t n_events;
        uint64_t *ids;
        char **names;          /* per event; NULL: not known */
        PerfFileSection features[PERF_FEATURE_WORDS * 64];
        EventIndex *index;
        RecordWalk *walk;
};

/* Checks the frame, fills in events, ids and features. -EBADMSG, -ENOMEM. */
int reader_open_frame(PerfDataReader *r, bool stream);
int reader_read_updates(PerfDataReader *r); /* reads the names of a stream's events, which takes the index */
