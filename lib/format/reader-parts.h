/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reader.h"
#include "record-walk.h"

/* What a reader knows of a recording, whichever shape it has; reader-file.c and reader-stream.c find it out. */

#define READER_EVENTS_MAX 65536u
#define READER_ATTR_SIZE_MAX 4096u

struct PerfDataReader {
        const uint8_t *file;
        size_t size;
        bool mapped;
        bool stream;
        PerfFileHeader header; /* of a stream: which features there are, and where its records begin */
        PerfDataEvent *events; /* ids are owned here, names by names */
        size_t n_events;
        uint64_t *ids;
        char **names;          /* per event; NULL: not known */
        PerfFileSection features[PERF_FEATURE_WORDS * 64];
        EventIndex *index;
        RecordWalk *walk;
};

int reader_alloc_events(PerfDataReader *r, size_t n_events, size_t n_ids);

/* The attribute of another age: what it has more than ours is left, what it lacks is 0. */
void reader_copy_attr(struct perf_event_attr *ret, const void *attr, size_t size);

/* Checks the frame, fills in events, ids and features. -EBADMSG, -ENOMEM. */
int reader_open_file(PerfDataReader *r);
int reader_open_stream(PerfDataReader *r);
int reader_read_updates(PerfDataReader *r); /* of a stream, once there is the index: names of events */

/* Names are an extra: an event description that is broken leaves the names out that follow. */
int reader_read_names(PerfDataReader *r);
int reader_set_name(PerfDataReader *r, size_t event, const char *name);
