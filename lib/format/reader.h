/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "build-id.h"
#include "cleanup.h"
#include "event-index.h"
#include "header.h"
#include "record-walk.h"

/* A mapped recording of this machine's byte order: a finished file, or a stream (pipe mode), whose last record may be
 * cut off. Nothing in it is trusted: wrong data is -EBADMSG when it is opened or read. If the file is truncated while
 * it is read, the rest reads as zeros (mapped-file.h), which are no records. */
typedef struct PerfDataReader PerfDataReader;

/* For tests: programs get descriptors, or open them with checks of their own. */
int perf_data_reader_new(int dir_fd, const char *path, PerfDataReader **ret);
/* fd stays the caller's and is no longer needed. A pipe or socket is read to its end, into a file without a name. */
int perf_data_reader_new_fd(int fd, PerfDataReader **ret);
/* Copies what comes from a pipe or socket, up to its end, to a new file without a name. 0 or a negative errno. */
int perf_data_spool(int fd, int *ret);
/* As perf_data_reader_new_fd(), and accepts a file whose end is missing, because its writer was killed or a disk was full: its
 * data reach to the end of the file, it has no features, and perf_data_reader_is_cut() returns true. It also does so for a stream
 * that does not end with a record. The last record of such data may be broken. */
int perf_data_reader_new_partial(int fd, PerfDataReader **ret);
bool perf_data_reader_is_cut(const PerfDataReader *r);
/* Returns how a cut recording ends, for behind its name: "is cut at byte 4096, within its data". buf: 80 bytes are enough. */
const char *perf_data_reader_explain_cut(const PerfDataReader *r, char *buf, size_t size);
/* Returns a sentence for the error with which the file was refused: it is empty, no perf.data file, broken … */
const char *perf_data_reader_explain(int fd, int error);
/* For tests and fuzzers, which make many small recordings. data is aligned to 8 and outlives the reader. */
int perf_data_reader_new_memory(const void *data, size_t size, PerfDataReader **ret);
PerfDataReader *perf_data_reader_free(PerfDataReader *r);
DEFINE_CLEANUP(PerfDataReader *, perf_data_reader_free);
#define _cleanup_perf_data_reader_free_ _cleanup_(perf_data_reader_freep)

/* Returns true for a stream, whose features are among its records. */
bool perf_data_reader_is_stream(const PerfDataReader *r);
/* The place of the records within a file. */
void perf_data_reader_data(const PerfDataReader *r, PerfFileSection *ret);

/* Returns the events, which are the reader's; names are those of EVENT_DESC, or NULL. */
size_t perf_data_reader_events(const PerfDataReader *r, const PerfDataEvent **ret);
/* Returns whether the event is the tracepoint of that name, behind which perf shows modifiers. */
bool perf_data_event_is_tracepoint(const PerfDataEvent *e, const char *name);
/* Returns the first one; NULL: there is none. */
const PerfDataEvent *perf_data_reader_find_tracepoint(const PerfDataReader *r, const char *name);
/* Names an event that has no name. 0, -ENOMEM. */
int perf_data_reader_name_event(PerfDataReader *r, size_t event, const char *name);
/* NULL also for perf's own records, which are of no event. */
const PerfDataEvent *perf_data_reader_event_of(const PerfDataReader *r, const struct perf_event_header *record);

/* A feature's bytes within the file: 0, -ENODATA (the file has none). */
int perf_data_reader_feature(const PerfDataReader *r, unsigned feature, const void **ret, size_t *ret_size);
/* The first string of a feature: HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC, CPUID. -ENODATA, -EBADMSG. */
int perf_data_reader_feature_string(const PerfDataReader *r, unsigned feature, const char **ret);
/* CMDLINE: a new array. -ENODATA, -EBADMSG, -ENOMEM. */
int perf_data_reader_command_line(const PerfDataReader *r, char ***ret);

typedef struct BuildIdEntry {
        const char *path; /* in the file */
        uint16_t cpumode;
        uint32_t pid;
        BuildId id;
} BuildIdEntry;

/* The next entry of the build id table. 1, 0 at the end, -EBADMSG. Start with *cursor = 0. */
int perf_data_reader_next_build_id(const PerfDataReader *r, size_t *cursor, BuildIdEntry *ret);

/* The next record of the data, from compressed ones too, aligned, valid until the next call: 1, 0 at the end,
 * -EBADMSG, -ENOMEM. *cursor = 0 begins again; a reader supports one walk at a time. The records of a stream include
 * those in place of a header. */
int perf_data_reader_next(PerfDataReader *r, size_t *cursor, const struct perf_event_header **ret);
/* Returns how many compressed records of that type (COMPRESSED, COMPRESSED2) this walk has passed. */
uint64_t perf_data_reader_compressed(const PerfDataReader *r, uint32_t type);
/* Returns, after that failed with -EBADMSG, the record that is to blame; its offset is that in the file. */
BrokenRecord perf_data_reader_broken(const PerfDataReader *r);
/* Returns the records of unknown types that this walk has passed. */
const UnknownRecords *perf_data_reader_unknown(const PerfDataReader *r);

/* Has the records of a file read in blocks from now on, which takes less time and memory than its mapping, and begins
 * again. fd is that of the reader's file, and must stay open; other sources stay as they are. 0 or -ENOMEM, -EFBIG,
 * errors of fstat(2). */
int perf_data_reader_read_blocks(PerfDataReader *r, int fd);
