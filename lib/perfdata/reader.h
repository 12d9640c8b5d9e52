/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "build-id.h"
#include "cleanup.h"
#include "event-index.h"
#include "header.h"

/* A finished perf.data file of this machine's byte order, mapped. Nothing in it is trusted: what does not fit is
 * -EBADMSG when it is opened or asked for. The file must not be cut while it is read. */
typedef struct PerfDataReader PerfDataReader;

int perf_data_reader_new(int dir_fd, const char *path, PerfDataReader **ret);
int perf_data_reader_new_fd(int fd, PerfDataReader **ret); /* fd stays the caller's and is no longer needed */
int perf_data_reader_new_memory(const void *data, size_t size, PerfDataReader **ret); /* aligned to 8; must outlive it */
PerfDataReader *perf_data_reader_free(PerfDataReader *r);
DEFINE_CLEANUP(PerfDataReader *, perf_data_reader_free);
#define _cleanup_perf_data_reader_free_ _cleanup_(perf_data_reader_freep)

/* The events; names from EVENT_DESC where it is there, else NULL. They stay the reader's. */
size_t perf_data_reader_events(const PerfDataReader *r, const PerfDataEvent **ret);
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

/* The next record of the data: 1, 0 at the end, -EBADMSG. Start with *cursor = 0. */
int perf_data_reader_next(const PerfDataReader *r, size_t *cursor, const struct perf_event_header **ret);
uint64_t perf_data_reader_data_size(const PerfDataReader *r);
