/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/time.h>
#include "counters.h"
#include "dump-order.h"
#include "file-description.h"
#include "left-out.h"
#include "notifier.h"
#include "output-place.h"
#include "symbol-keeper.h"

/* The files that were finished last; older ones are removed. */
typedef struct KeptFiles {
        char **names;
        unsigned max; /* 0: no limit, and no names are kept */
} KeptFiles;

/* The common part of all files of a recording: their directory, description and symbols, and the reports of them. A
 * file has a temporary name and a lock (see output_remove_stale()) until it is finished. */
typedef struct OutputFiles {
        OutputPlace place;            /* owned, as are description, symbols and kept */
        FileDescription *description; /* of the events that are recorded now */
        SymbolKeeper *symbols;        /* puts them beside finished files; NULL: no file gets any */
        KeptFiles kept;               /* of those with a timestamp */
        Counters *counters;
        Notifier *notifier;
        const char *session;          /* NULL: none */
        const Lendings *lendings;     /* of the events; NULL: none */
        bool renewed;                 /* the directory is made again if it is removed */
} OutputFiles;

#define OUTPUT_FILES_EMPTY { .place = OUTPUT_PLACE_EMPTY }

void output_files_done(OutputFiles *f); /* the symbols must have been stopped */

/* A file that is finished. */
typedef struct OutputFinished {
        char *name;                    /* within the place; allocated; NULL: it was the stream */
        uint64_t size;                 /* bytes */
        uint64_t samples;
        uint64_t original, compressed; /* bytes of its records; 0: there is no compression */
        uint64_t left_out;             /* features, for lack of room: a bit for each */
        DsoHits *hits;                 /* for its symbols, until these are ordered; NULL: it has no symbols */
} OutputFinished;

void output_finished_done(OutputFinished *x);

/* Begins a file. at_once: see file_description_open(). -ENOENT: its directory was removed and can't be made again. */
int output_files_open(OutputFiles *f, bool at_once, PerfDataWriter **ret);

/* To be called before a file is finished: if its directory was removed, makes it again and links the open file into
 * it. w may be NULL. */
int output_files_rescue(OutputFiles *f, PerfDataWriter *w);

/* Sets the facts of a dump (dump-facts.h) as extended attributes and at the end of its file, so that dumps need no index. To be
 * called before the file is synced and gets its name, so that every file with its name has them. Facts that can't be kept are
 * missing: that is no failure of the dump. */
void output_files_put_facts(const OutputFiles *f, PerfDataWriter *w, const DumpOrder *order, const DumpResult *result);
/* Returns the times of a file when counters were lent, for DumpResult.lent: those that its samples, or the time from the last one
 * to the trigger, touch; and those that ended within a second before the first sample, since that has come only after them.
 * "": none; NULL: none, or no memory. For the loop's thread. */
char *output_files_describe_lent(const OutputFiles *f, const DumpResult *result, usec_t until);

void output_files_put_left_out(PerfDataWriter *w, const LeftOut *l); /* the mappings that the file lacks, if there are any */

/* Chooses the name of the finished file: the recording's own, or with a timestamp. */
int output_files_choose_name(const OutputFiles *f, bool timestamp, char **ret);

/* Finishes the file, which gets the name of *ret at the very end. Sets all of *ret except name and samples. */
int output_files_finish(OutputFiles *f, PerfDataWriter *w, bool timestamp, OutputFinished *ret);

/* Reports the finished file to the daemon, counts it, orders its symbols, and removes files beyond kept.max. */
void output_files_report(OutputFiles *f, OutputFinished *x, bool timestamp);

/* Returns a "BASE.TIMESTAMP" that does not exist in the directory yet. The timestamp is perf's YYYYMMDDhhmmssuu in
 * local time, uu hundredths of a second: that of t, or the next one that is free. */
int output_name_new(int dir_fd, const char *base, struct timeval t, char **ret);

/* Removes unfinished files of recorders that were killed, ".#BASE.…" without a lock, and says so. dir_shown: the directory, for
 * messages. */
void output_remove_stale(int dir_fd, const char *dir_shown, const char *base);

/* Adds name and removes the oldest file beyond max, with the symbols beside it. */
int kept_files_add(KeptFiles *f, int dir_fd, const char *name);
void kept_files_done(KeptFiles *f);
