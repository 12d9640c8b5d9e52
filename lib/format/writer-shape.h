/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "atomic-file.h"
#include "byte-buffer.h"
#include "compress.h"
#include "writer.h"

/* What the two shapes of a recording, a file and a stream, share, and what each does its own way. */
typedef struct WriterShape {
        /* size bytes of whole records, all or nothing. */
        int (*append)(PerfDataWriter *w, const struct iovec *segments, size_t n_segments, uint64_t size);
        int (*finish)(PerfDataWriter *w, const FeatureTable *features, uint64_t *ret_left_out);
} WriterShape;

extern const WriterShape writer_file_shape, writer_stream_shape;

struct PerfDataWriter {
        const WriterShape *shape;
        int fd;
        const PerfDataEvent *events;
        size_t n_events;
        Compressor *compressor; /* NULL: as they are */
        uint64_t data_size;     /* bytes of records */
        uint64_t *progress;     /* the caller's, or NULL */
        bool finished;

        /* A file. */
        AtomicFile file;
        PerfFileHeader header;
        uint64_t end;           /* where the next record goes */
        uint64_t tail_size;
        uint64_t reserved;
        uint64_t file_size;     /* once finished */
        bool cannot_reserve;
        bool keep_old;
        int replaced;           /* what the new file pushes out: to remove a large file takes time, which is taken last */

        /* A stream. */
        uint64_t written;       /* bytes of all */
        ByteBuffer rest;        /* of what was appended, when the disk was full in the middle of it */
};

PerfDataWriter *writer_alloc(const WriterShape *shape, const PerfDataEvent *events, size_t n_events);

/* Skips n bytes of the segments, and empty ones. */
void writer_skip(struct iovec **segments, size_t *n_segments, size_t n);
