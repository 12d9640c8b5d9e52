/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "atomic-file.h"
#include "byte-buffer.h"
#include "compress.h"
#include "file-facts.h"
#include "writer.h"

/* A recording that is being written, for the parts of its writer. */
struct PerfDataWriter {
        int fd;
        bool is_stream;
        PerfDataWriterOptions options;
        Compressor *compressor; /* NULL: as they are */
        uint64_t data_size;     /* bytes of records */
        bool finished;

        /* A file. */
        AtomicFile file;
        PerfFileHeader header;
        uint64_t end;           /* where the next record goes */
        uint64_t reserved;
        uint64_t file_size;     /* once finished */
        FileFacts facts;        /* for the end of the file */
        bool cannot_reserve;
        int replaced;           /* what the new file pushes out: to remove a large file takes time, which is taken last */

        /* A stream. */
        uint64_t written;       /* bytes of all */
        ByteBuffer rest;        /* of what was appended, when the disk was full in the middle of it */
};

/* Writes what a stream begins with: its header, the events and the features. */
int writer_stream_begin(PerfDataWriter *w, const FeatureTable *features);
/* Whole records, all or nothing. Of what was begun, the rest is written by the next call, or by a flush. */
int writer_stream_append(PerfDataWriter *w, const struct iovec *segments, size_t n_segments);
int writer_stream_flush(PerfDataWriter *w);
