/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "dso-hits.h"
#include "reader.h"

/* Finds the files that a recording means by each path. A recording's table of build ids has files by their paths only,
 * and so does perf, while a path may have had several files: a binary that was replaced, or those of several
 * containers. */
typedef struct RecordedPath {
        DsoHit **files;   /* those mapped there, in the caller's array */
        size_t n_files;
        BuildId id;       /* the last one of the path in the table */
        size_t n_entries; /* of the path in the table */
        bool several_ids; /* the table's ids of the path differ */
        bool ambiguous;   /* the path does not identify one file */
} RecordedPath;

/* Zero-initialise. */
typedef struct RecordedPaths {
        DsoHit **files;
        RecordedPath *paths; /* in the order of their names */
        size_t n;
} RecordedPaths;

/* files: every file that was mapped, each once. Those without a build id get the one in the table if it is theirs. They must
 * outlive p. 0 or -ENOMEM. */
int recorded_paths_identify(RecordedPaths *p, DsoHit *files, size_t n, const PerfDataReader *reader);
void recorded_paths_done(RecordedPaths *p);

const RecordedPath *recorded_paths_find(const RecordedPaths *p, const char *path); /* NULL: nothing was mapped there */
