/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"
#include "record-walk.h"

/* The reader of a recording of either shape; reader-file.c and reader-stream.c fill it in. */

#define READER_EVENTS_MAX 65536u
#define READER_ATTR_SIZE_MAX 4096u

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

int reader_alloc_events(PerfDataReader *r, size_t n_events, size_t n_ids);

/* Copies an attribute of another version: further fields are ignored, missing ones are 0. */
void reader_copy_attr(struct perf_event_attr *ret, const void *attr, size_t size);

/* Checks the frame, fills in events, ids and features. -EBADMSG, -ENOMEM. */
int reader_open_file(PerfDataReader *r);
int reader_open_stream(PerfDataReader *r);
int reader_read_updates(PerfDataReader *r); /* reads the names of a stream's events, which takes the index */

/* Names are optional: after a broken event description the rest of the names is left out. */
int reader_read_names(PerfDataReader *r);
