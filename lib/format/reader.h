/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "build-id.h"
#include "cleanup.h"
#include "event-index.h"
#include "header.h"

/* A mapped recording of this machine's byte order: a finished file, or a stream (pipe mode), whose last record may be
 * cut off. Nothing in it is trusted: wrong data is -EBADMSG when it is opened or read. If the file is truncated while
 * it is read, the rest reads as zeros (mapped-file.h), which are no records. */
typedef struct PerfDataReader PerfDataReader;

int perf_data_reader_new(int dir_fd, const char *path, PerfDataReader **ret);
/* fd stays the caller's and is no longer needed. A pipe or socket is read to its end, into a file without a name. */
int perf_data_reader_new_fd(int fd, PerfDataReader **ret);
int perf_data_reader_new_memory(const void *data, size_t size, PerfDataReader **ret); /* aligned to 8; must outlive it */
PerfDataReader *perf_data_reader_free(PerfDataReader *r);
DEFINE_CLEANUP(PerfDataReader *, perf_data_reader_free);
#define _cleanup_perf_data_reader_free_ _cleanup_(perf_data_reader_freep)

/* Returns the events, which are the reader's; names are those of EVENT_DESC, or NULL. */
size_t perf_data_reader_events(const PerfDataReader *r, const PerfDataEvent **ret);
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
