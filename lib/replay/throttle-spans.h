/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "record-layout.h"

/* The spans in which the kernel kept events from sampling, because they sampled more often than it lets them.
 * Zero-initialise. */
typedef struct ThrottledStream {
        uint64_t id, since; /* since: UINT64_MAX: it samples again */
} ThrottledStream;

typedef struct ThrottleSpans {
        ThrottledStream *streams; /* an event on a CPU or of a thread each */
        size_t n;
        uint64_t times, total; /* total: ns of spans whose end is in the recording, added up for all streams */
} ThrottleSpans;

#define THROTTLE_STREAMS_MAX 4096u /* spans of further ones have no length */

void throttle_spans_done(ThrottleSpans *t);

/* Take records that are whole. 0, -ENOMEM. */
int throttle_spans_begin(ThrottleSpans *t, const PerfRecordThrottle *record);
void throttle_spans_end(ThrottleSpans *t, const PerfRecordThrottle *record); /* UNTHROTTLE */
