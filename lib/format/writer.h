/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/uio.h>
#include "cleanup.h"
#include "compress.h"
#include "feature.h"
#include "header.h"

/* A recording that is being written, in one of two shapes.
 *
 * A file is there whole or not at all: it has a temporary name until perf_data_writer_finish(), and freeing an unfinished
 * writer removes it. Space for the tail (features) is reserved ahead of the data, so that a file can always be finished on
 * a full disk.
 *
 * A stream (pipe mode) goes to a descriptor that can't be gone back on, and has all that is known beforehand in front. */
typedef struct PerfDataWriter PerfDataWriter;

#define PERF_DATA_TAIL_SIZE (UINT64_C(128) * 1024) /* bytes kept in reserve by default */

/* All that is decided before the first byte. Events and progress must outlive the writer. */
typedef struct PerfDataWriterOptions {
        const PerfDataEvent *events;
        size_t n_events;
        unsigned level;     /* of compression, zstd's 1 to COMPRESS_LEVEL_MAX; 0: none. The caller puts the feature COMPRESSED */
        uint64_t *progress; /* increased atomically whenever a part of a file was written or synced to the disk, so that a
                             * process that waits for the end of a large file on a slow disk sees progress; NULL: not counted */

        /* A file only. */
        uint64_t tail_size; /* what feature_table_size() will need and some more (tracing data!); 0: PERF_DATA_TAIL_SIZE */
        bool unsynced;      /* it may get its name before it is on the disk: a power failure can leave a part of it */
        bool keep_old;      /* an existing file of its name becomes NAME.old, as in perf record; otherwise it is replaced */
        bool all_at_once;   /* no blocks are reserved for later data, which saves some time; on a full disk the end of the file
                             * is less likely to find room then */
} PerfDataWriterOptions;

/* The file path beside dir_fd (AT_FDCWD is fine), mode 0600 as perf's. A path's parent must exist; a link at the last
 * name is replaced, not followed. The header, ids and attributes are written at once.
 * -ENOSPC: not even an empty file has room. -EISDIR, -EBADFD: a directory or a device has that name (/dev/null). -EINVAL: no such
 * level. What open(2), write(2) answer. */
int perf_data_writer_new(int dir_fd, const char *path, const PerfDataWriterOptions *options, PerfDataWriter **ret);

/* A stream on a descriptor that the caller keeps: a pipe, a socket, a device, or a file from its position on. features is
 * needed for the call only. -E2BIG: an event has more ids than a record holds (8,000). SIGPIPE must be ignored: -EPIPE says
 * that the reader has gone. A full pipe is waited for. On a full disk, what was accepted is never torn by what is refused
 * then; names and features at the end are for files. */
int perf_data_writer_new_stream(int fd, const PerfDataWriterOptions *options, const FeatureTable *features, PerfDataWriter **ret);

/* If the file is not finished, the temporary file is removed. */
PerfDataWriter *perf_data_writer_free(PerfDataWriter *w);
DEFINE_CLEANUP(PerfDataWriter *, perf_data_writer_free);
#define _cleanup_perf_data_writer_free_ _cleanup_(perf_data_writer_freep)

/* Appends whole records, from any number of segments (which may split a record), in one write. All or nothing:
 * -ENOSPC, -EDQUOT, -EFBIG and -EIO leave the file as it was, and the next call may succeed. */
int perf_data_writer_append(PerfDataWriter *w, const struct iovec *segments, size_t n_segments);

uint64_t perf_data_writer_data_size(const PerfDataWriter *w); /* bytes of records so far, as they were written */
uint64_t perf_data_writer_data_offset(const PerfDataWriter *w); /* of the records in a file; 0: it is a stream */
bool perf_data_writer_is_stream(const PerfDataWriter *w);
/* Bytes before and after compression; false: there is none. */
bool perf_data_writer_compression(const PerfDataWriter *w, uint64_t *ret_original, uint64_t *ret_compressed);
uint64_t perf_data_writer_file_size(const PerfDataWriter *w); /* with the header; after finish, of the whole file */
int perf_data_writer_fd(const PerfDataWriter *w);             /* readable too; the writer's; -EBADF once it is renamed */

/* If the temporary file was removed, without which the file can't be finished: copies it to a new one beside dir_fd.
 * 1: that was done, and perf_data_writer_fd() has changed; 0: it exists. On failure the writer is as it was. */
int perf_data_writer_rescue(PerfDataWriter *w, int dir_fd);

/* May be called when no record follows: the data are synced to the disk from now on, while the features are gathered. */
void perf_data_writer_expect_finish(PerfDataWriter *w);

/* Sets a fact about the file (file-facts.h) as its attribute, which its file system may not support, and for its end. -EBADFD: it
 * is a stream or finished. -E2BIG, -ENOMEM. */
int perf_data_writer_put_fact(PerfDataWriter *w, const char *name, const char *value, size_t size);

/* Writes features and final header, syncs, and renames. Afterwards only _free and the sizes may be called. On failure
 * the file is not finished; this may be called again, until fsync or rename have failed (then -EBADFD). features may
 * be NULL. name: another one in the same directory (perf.data.TIMESTAMP), where it replaces a file; NULL: the one that it was
 * opened with. -EINVAL: a slash is in it. Features that do not fit on a full disk are left out, the largest first, rather than
 * the file: *ret_left_out (may be NULL) has a bit for each. */
int perf_data_writer_finish(PerfDataWriter *w, const FeatureTable *features, const char *name, uint64_t *ret_left_out);
