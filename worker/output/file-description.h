/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bpf-catalog.h"
#include "dso-hits.h"
#include "event-set.h"
#include "writer.h"

/* What every file of a recording says of itself: its events and its header features. */
typedef struct FileDescription FileDescription;

/* Whose build ids the files have in their table. */
typedef enum BuildIdTable {
        BUILD_ID_TABLE_NONE, /* none; the maps may have them */
        BUILD_ID_TABLE_HIT,  /* what samples fell into */
        BUILD_ID_TABLE_ALL,  /* all that was mapped */
        _BUILD_ID_TABLE_MAX,
} BuildIdTable;

/* set must outlive it. command_line: NULL-terminated, goes into the files. Tracepoints' formats are read now, since a
 * tracepoint may be gone at the end. */
int file_description_new(const EventSet *set, char *const *command_line, BuildIdTable build_ids, FileDescription **ret,
                         Diagnosis *d);
FileDescription *file_description_free(FileDescription *f);
DEFINE_CLEANUP(FileDescription *, file_description_free);

/* The programs to put into the files from now on; must outlive it. */
void file_description_set_programs(FileDescription *f, BpfCatalog *programs);

/* As the files have them; they are the description's. */
const PerfDataEvent *file_description_events(const FileDescription *f, size_t *ret_n);

/* Gathers now what the next file that is finished says of the machine and of BPF programs: so that another thread may
 * finish it. What fails will be missing. */
void file_description_gather(FileDescription *f);
void file_description_gather_machine(FileDescription *f); /* the costly part of it, once for all files */

/* Counted up while a file is written and finished, see perf_data_writer_set_progress(); has to outlive f. */
void file_description_set_progress(FileDescription *f, uint64_t *progress);

/* The times of the first and last sample are noted also where no build id is looked for. */
void file_description_want_times(FileDescription *f);

/* The files from now on say how the samples' clock relates to the wall clock: offset is CLOCK_REALTIME less the samples'
 * time, now, in ns. */
int file_description_relate_clock(FileDescription *f, int64_t offset);

/* What was hit is looked for, and kept at the end of each file, also where no build id is looked for. */
void file_description_want_hits(FileDescription *f);

/* A new file for these events, or the stream, which must tell of the machine at once. level: of compression, 0: none.
 * synced: it is on the disk before it gets its name. One at a time. */
int file_description_open(FileDescription *f, int dir_fd, const char *name, unsigned level, bool synced, PerfDataWriter **ret);
int file_description_open_stream(FileDescription *f, int fd, unsigned level, PerfDataWriter **ret);

/* The next file's records are looked at as they are shown by file_description_show(), by another thread if that is faster,
 * and not when they are appended. Nothing else of the description is touched by that, but it must be over before the file
 * is finished. */
void file_description_expect_shown(FileDescription *f);
void file_description_show(FileDescription *f, const struct iovec *records, size_t n);

/* perf_data_writer_append(), and what has to be done at once with records for the file's end. */
int file_description_append(FileDescription *f, PerfDataWriter *w, const struct iovec *segments, size_t n_segments);

/* Does some of what else the end needs, if much of it has gathered: when nobody waits for the memory that was appended. */
void file_description_keep_up(FileDescription *f, const PerfDataWriter *w);

/* The times of the first and the last sample so far, ns of their clock. false: there is none, or nobody looks for them. */
bool file_description_look(FileDescription *f, const PerfDataWriter *w, uint64_t *ret_first, uint64_t *ret_last);

/* Adds what only the finished data tells (build ids, first and last time), and closes the file properly. name: that it gets, in
 * the place of the one that it was opened with; NULL: it gets that, and an existing file becomes NAME.old. *ret_hits: what was hit
 * in it, if that is wanted; the caller's. *ret_left_out: see perf_data_writer_finish(). */
int file_description_finish(FileDescription *f, PerfDataWriter *w, const char *name, uint64_t *ret_left_out, DsoHits **ret_hits);
