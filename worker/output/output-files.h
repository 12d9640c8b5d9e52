/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "counters.h"
#include "file-description.h"
#include "notifier.h"
#include "output-name.h"
#include "output-place.h"
#include "symbol-keeper.h"

/* What all files of a recording have in common: where they are, what they say of themselves, and who is told of them. A file
 * has a temporary name and a lock (see output_remove_stale()) until it is finished. */
typedef struct OutputFiles {
        OutputPlace place;            /* owned, as are description, symbols and kept */
        FileDescription *description; /* of the events that are recorded now */
        SymbolKeeper *symbols;        /* puts them beside finished files; NULL: no file gets any */
        KeptFiles kept;               /* of those with a timestamp */
        Counters *counters;
        Notifier *notifier;
        const char *session;          /* NULL: none */
        unsigned level;               /* of compression, 0: none */
        bool synced;                  /* files are on the disk before they get their names */
        bool renewed;                 /* the directory is made again if somebody removes it */
} OutputFiles;

#define OUTPUT_FILES_EMPTY { .place = OUTPUT_PLACE_EMPTY }

void output_files_done(OutputFiles *f); /* the symbols must have been stopped */

/* A file that is finished. */
typedef struct OutputFinished {
        char *name;                    /* within the place; new; NULL: it was the stream */
        uint64_t size;                 /* bytes */
        uint64_t samples;
        uint64_t original, compressed; /* bytes of its records; 0: there is no compression */
        uint64_t left_out;             /* features, for lack of room: a bit for each */
} OutputFinished;

void output_finished_done(OutputFinished *x);

/* Begins a file. -ENOENT: its directory is gone and can't be made again. */
int output_files_open(OutputFiles *f, PerfDataWriter **ret);

/* To be called before the file is finished: if somebody removed its directory, there is one again, and the file in it. */
int output_files_rescue(OutputFiles *f, PerfDataWriter *w); /* w may be NULL */

/* The name that the file is going to have: the recording's own, or with a timestamp. */
int output_files_choose_name(OutputFiles *f, PerfDataWriter *w, bool timestamp, char **ret);

/* Finishes the file, which gets its name at the very end. Sets all of *ret but name and samples. */
int output_files_finish(OutputFiles *f, PerfDataWriter *w, OutputFinished *ret);

/* Reports the finished file to the daemon, counts it, orders its symbols, and removes what is too old. */
void output_files_report(OutputFiles *f, const OutputFinished *x, bool timestamp);
