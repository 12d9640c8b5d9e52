/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bpf-catalog.h"
#include "dso-hits.h"
#include "event-set.h"
#include "writer.h"

/* The events and header features of a recording's files, and the search for binaries with samples. */
typedef struct FileDescription FileDescription;

/* The binaries whose build ids are in the files' table. */
typedef enum BuildIdTable {
        BUILD_ID_TABLE_NONE, /* none; the records of maps may have them */
        BUILD_ID_TABLE_HIT,  /* binaries with samples */
        BUILD_ID_TABLE_ALL,  /* all mapped binaries */
        _BUILD_ID_TABLE_MAX,
} BuildIdTable;

typedef struct FileDescriptionOptions {
        const EventSet *set;       /* must outlive the description, as must programs and progress */
        char *const *command_line; /* NULL-terminated, for the files */
        BuildIdTable build_ids;
        BpfCatalog *programs;      /* the BPF programs for the files; NULL: they have none */
        uint64_t *progress;        /* counted up while a file is written and finished, see PerfDataWriterOptions */
        unsigned level;            /* of compression, 0: none */
        bool synced;               /* files are on the disk before they get their names */
        bool unwound;              /* samples have call chains instead of copies of stacks (unwound-sample.h) */
        bool registers;            /* and keep their registers */
        bool want_times;           /* files note the times of their first and last sample, also without build ids */
        bool want_hits;            /* file_description_finish() returns the hits of each file, also without build ids */
} FileDescriptionOptions;

/* Reads the formats of tracepoints, since a tracepoint may not exist any more at the end. */
int file_description_new(const FileDescriptionOptions *options, FileDescription **ret, Diagnosis *d);
FileDescription *file_description_free(FileDescription *f);
DEFINE_CLEANUP(FileDescription *, file_description_free);

/* To be called when events of the set were opened again, and have new ids: the files from now on have them too. No file may be
 * open. All that indexes the events by their ids has to do so again. */
int file_description_renew_ids(FileDescription *f);

/* Returns the events as the files have them; they are the description's. */
const PerfDataEvent *file_description_events(const FileDescription *f, size_t *ret_n);

/* Reads the features of the machine and of BPF programs for the next file, so that another thread may finish it.
 * Features that can't be read will be missing. */
void file_description_gather(FileDescription *f);
void file_description_gather_machine(FileDescription *f); /* only the costly part of it, once for all files */

/* Has the files from now on note the relation of the clocks: offset is CLOCK_REALTIME minus the samples' clock, now,
 * in ns. */
int file_description_relate_clock(FileDescription *f, int64_t offset);

/* Begins a file, or the stream, whose features of the machine come first. at_once: all records come at once, and are searched
 * for hits when file_description_search() is called with them. Only one file may be open. */
int file_description_open(FileDescription *f, int dir_fd, const char *name, bool at_once, PerfDataWriter **ret);
int file_description_open_stream(FileDescription *f, int fd, PerfDataWriter **ret);

/* Begins a stream for somebody who looks at the samples in memory: not compressed, and no file of the description's, so others may
 * be open. It has the time in which it has all samples. whole: with the features of the machine and of the last file, too;
 * otherwise only with the events' attributes. */
int file_description_open_window(FileDescription *f, int fd, bool whole, uint64_t begin, uint64_t until, PerfDataWriter **ret);

/* Searches records of a file whose records come at once. That may be another thread: it touches nothing else of the description,
 * and must end before the file is finished. */
void file_description_search(FileDescription *f, const struct iovec *records, size_t n);

/* Calls perf_data_writer_append(), and searches the records for hits if that is not possible later. */
int file_description_append(FileDescription *f, PerfDataWriter *w, const struct iovec *segments, size_t n_segments);

/* Searches the written data for hits if it is far behind: to be called when the rings have been consumed. */
void file_description_keep_up(FileDescription *f, const PerfDataWriter *w);

/* Returns the times of the first and the last sample so far, ns of their clock. false: there is none, or times are not
 * wanted. */
bool file_description_look(FileDescription *f, const PerfDataWriter *w, uint64_t *ret_first, uint64_t *ret_last);

/* Adds the features that need all data (build ids, first and last time), and finishes the file. name: its name,
 * instead of the one that it was opened with; NULL: it gets that, and an existing file becomes NAME.old. *ret_hits:
 * the hits in it, if they are wanted; the caller's. *ret_left_out: see perf_data_writer_finish(). */
int file_description_finish(FileDescription *f, PerfDataWriter *w, const char *name, uint64_t *ret_left_out, DsoHits **ret_hits);
