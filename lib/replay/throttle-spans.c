/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel throttles an event until the next tick. It ends as many spans as it begins, in the order of time for
 * one stream.
 *
 * If the end of a span was lost, its time is not counted: the next span of its stream takes its place. Streams
 * beyond the limit are counted as often as they were throttled, without their time. */

#include "throttle-spans.h"

#include "array.h"
#include "saturate.h"

void throttle_spans_done(ThrottleSpans *t) {
        free(t->streams);
        *t = (ThrottleSpans) {};
}

static ThrottledStream *find_stream(const ThrottleSpans *t, uint64_t id) {
        for (size_t i = 0; i < t->n; i++)
                if (t->streams[i].id == id)
                        return t->streams + i;
        return NULL;
}

int throttle_spans_begin(ThrottleSpans *t, const PerfRecordThrottle *record) {
        ThrottledStream *stream = find_stream(t, record->stream_id);

        t->times++;
        if (!stream && t->n < THROTTLE_STREAMS_MAX) {
                if (ARRAY_RESERVE_NEXT(t->streams, t->n) < 0)
                        return -ENOMEM;
                stream = t->streams + t->n++;
        }
        if (stream)
                *stream = (ThrottledStream) { .id = record->stream_id, .since = record->time };
        return 0;
}

void throttle_spans_end(ThrottleSpans *t, const PerfRecordThrottle *record) {
        ThrottledStream *stream = find_stream(t, record->stream_id);

        if (!stream || stream->since > record->time)
                return;
        t->total = saturate_sum(t->total, record->time - stream->since);
        stream->since = UINT64_MAX;
}
