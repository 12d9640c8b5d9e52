/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a writer does whatever the shape of what it writes: records go in, compressed if that is asked for, and are counted
 * when they are in. */

#include "writer-shape.h"

PerfDataWriter *writer_alloc(const WriterShape *shape, const PerfDataEvent *events, size_t n_events) {
        PerfDataWriter *w = calloc(1, sizeof(*w));

        if (!w)
                return NULL;
        w->shape = shape;
        w->file = (AtomicFile) ATOMIC_FILE_EMPTY;
        w->fd = w->replaced = -EBADF;
        w->events = events;
        w->n_events = n_events;
        return w;
}

PerfDataWriter *perf_data_writer_free(PerfDataWriter *w) {
        if (!w)
                return NULL;
        atomic_file_done(&w->file);
        safe_close(w->replaced);
        compressor_free(w->compressor);
        byte_buffer_done(&w->rest);
        free(w);
        return NULL;
}

void writer_skip(struct iovec **segments, size_t *n_segments, size_t n) {
        while (*n_segments > 0 && n >= (*segments)->iov_len) {
                n -= (*segments)->iov_len;
                (*segments)++;
                (*n_segments)--;
        }
        if (*n_segments > 0) {
                (*segments)->iov_base = (uint8_t *) (*segments)->iov_base + n;
                (*segments)->iov_len -= n;
        }
}

int perf_data_writer_compress(PerfDataWriter *w, int level) {
        return w->compressor || w->data_size > 0 ? -EBUSY : compressor_new(level, &w->compressor);
}

static int append(PerfDataWriter *w, const struct iovec *segments, size_t n_segments) {
        uint64_t size = 0;
        int r;

        for (size_t i = 0; i < n_segments; i++)
                size += segments[i].iov_len;
        r = w->shape->append(w, segments, n_segments, size);
        if (r >= 0)
                w->data_size += size;
        return r;
}

int perf_data_writer_append(PerfDataWriter *w, const struct iovec *segments, size_t n_segments) {
        struct iovec compressed;
        int r;

        if (w->finished || w->fd < 0)
                return -EBADFD;
        if (!w->compressor)
                return append(w, segments, n_segments);
        r = compressor_put(w->compressor, segments, n_segments, &compressed);
        if (r < 0)
                return r;
        r = append(w, &compressed, 1);
        compressor_settle(w->compressor, r >= 0);
        return r;
}

uint64_t perf_data_writer_data_size(const PerfDataWriter *w) {
        return w->data_size;
}

uint64_t perf_data_writer_data_offset(const PerfDataWriter *w) {
        return w->header.data.offset;
}

uint64_t perf_data_writer_file_size(const PerfDataWriter *w) {
        if (perf_data_writer_is_stream(w))
                return w->written;
        return w->finished ? w->file_size : w->end;
}

bool perf_data_writer_is_stream(const PerfDataWriter *w) {
        return w->shape == &writer_stream_shape;
}

int perf_data_writer_level(const PerfDataWriter *w) {
        return w->compressor ? compressor_level(w->compressor) : 0;
}

bool perf_data_writer_compression(const PerfDataWriter *w, uint64_t *ret_original, uint64_t *ret_compressed) {
        if (!w->compressor)
                return false;
        compressor_sizes(w->compressor, ret_original, ret_compressed);
        return true;
}

int perf_data_writer_fd(const PerfDataWriter *w) {
        return w->fd;
}

int perf_data_writer_finish(PerfDataWriter *w, const FeatureTable *features, uint64_t *ret_left_out) {
        uint64_t left_out = 0;
        int r;

        if (w->finished || w->fd < 0)
                return -EBADFD;
        r = w->shape->finish(w, features, &left_out);
        if (r < 0)
                return r;
        w->finished = true;
        if (ret_left_out)
                *ret_left_out = left_out;
        return 0;
}
