/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Writes a stream, perf 6.1's pipe mode. The content of a file's header and tail comes first, as records: attributes
 * with ids, features, formats of tracepoints. Nothing can be undone, so a write that stopped half-way has to be
 * continued: its rest is kept, and counts as written. A full pipe is waited for, also if it is non-blocking; the
 * kernel's rings fill up in the meantime and report their losses. */

#include "writer-parts.h"

#include <poll.h>
#include "fd-file.h"
#include "record.h"

#define BATCH_SEGMENTS 256u

/* Features that perf 6.1 does not send in a stream: they have no use there, or a record of their own. */
static const uint64_t unsent = UINT64_C(1) << PERF_FEATURE_TRACING_DATA | UINT64_C(1) << PERF_FEATURE_BUILD_ID |
                               UINT64_C(1) << PERF_FEATURE_BRANCH_STACK | UINT64_C(1) << PERF_FEATURE_AUXTRACE |
                               UINT64_C(1) << PERF_FEATURE_STAT | UINT64_C(1) << PERF_FEATURE_CACHE |
                               UINT64_C(1) << PERF_FEATURE_DIR_FORMAT | UINT64_C(1) << PERF_FEATURE_HYBRID_TOPOLOGY;

/* Writes until all is written or writing fails; the segments are moved over what was written. */
static int write_batch(PerfDataWriter *w, struct iovec **segments, size_t *n_segments) {
        struct pollfd room = { .fd = w->fd, .events = POLLOUT };

        segments_skip(segments, n_segments, 0);
        while (*n_segments > 0) {
                ssize_t n = writev(w->fd, *segments, (int) *n_segments);

                if (n < 0 && (errno == EINTR || (errno == EAGAIN && TEMP_FAILURE_RETRY(poll(&room, 1, -1)) >= 0)))
                        continue;
                if (n < 0)
                        return -errno;
                if (n == 0)
                        return -EIO;
                w->written += (uint64_t) n;
                segments_skip(segments, n_segments, (size_t) n);
        }
        return 0;
}

int writer_stream_flush(PerfDataWriter *w) {
        struct iovec rest = { .iov_base = w->rest.data, .iov_len = w->rest.size }, *p = &rest;
        size_t n = 1;
        int r = write_batch(w, &p, &n);

        if (n == 0)
                byte_buffer_done(&w->rest);
        else if (rest.iov_len < w->rest.size) {
                memmove(w->rest.data, rest.iov_base, rest.iov_len);
                w->rest.size = rest.iov_len;
        }
        return r;
}

static int keep_rest(PerfDataWriter *w, const struct iovec *segments, size_t n_segments) {
        for (size_t i = 0; i < n_segments; i++)
                byte_buffer_put(&w->rest, segments[i].iov_base, segments[i].iov_len);
        return w->rest.error;
}

int writer_stream_append(PerfDataWriter *w, const struct iovec *segments, size_t n_segments) {
        uint64_t before;
        int r = writer_stream_flush(w);

        before = w->written;
        while (r >= 0 && n_segments > 0) {
                struct iovec batch[BATCH_SEGMENTS], *p = batch;
                size_t n = MIN_OF(n_segments, (size_t) BATCH_SEGMENTS);

                memcpy(batch, segments, n * sizeof(*batch));
                segments += n;
                n_segments -= n;
                r = write_batch(w, &p, &n);
                if (r < 0 && r != -EPIPE && w->written > before) {
                        r = keep_rest(w, p, n);
                        return r < 0 ? r : keep_rest(w, segments, n_segments);
                }
        }
        return r;
}

/* A feature that is too long for a record is left out, as in perf. */
static int put_features(RecordBuffer *b, const FeatureTable *features) {
        int r = 0;

        for (unsigned i = 1; i < _PERF_FEATURE_MAX && r >= 0; i++) {
                const void *data;
                size_t size;

                if (!(unsent >> i & 1) && feature_table_get(features, i, &data, &size) && size > 0)
                        r = record_put_feature(b, i, data, size);
                if (r == -E2BIG)
                        r = 0;
        }
        return r < 0 ? r : record_put_feature(b, _PERF_FEATURE_MAX, NULL, 0);
}

int writer_stream_begin(PerfDataWriter *w, const FeatureTable *features) {
        static const PerfPipeHeader header = { .magic = PERF_FILE_MAGIC, .size = sizeof(header) };
        _cleanup_byte_buffer_ RecordBuffer b = {};
        struct iovec segment;
        const void *data;
        size_t size;
        int r = 0;

        byte_buffer_put(&b, &header, sizeof(header));
        for (const PerfDataEvent *e = w->options.events; e < w->options.events + w->options.n_events && r >= 0; e++)
                r = record_put_attr(&b, &e->attr, e->ids, e->n_ids);
        if (r >= 0)
                r = put_features(&b, features);
        if (r >= 0 && feature_table_get(features, PERF_FEATURE_TRACING_DATA, &data, &size))
                r = record_put_tracing_data(&b, data, size);
        if (r < 0)
                return r;
        segment = record_buffer_iovec(&b);
        return writer_stream_append(w, &segment, 1);
}
