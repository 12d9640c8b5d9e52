/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the records of a recording, in all and by event, for files without extended attributes. A sample whose event is
 * unknown counts, too. Processes and functions of the samples are the business of lib/analysis. */

#include "recording-counts.h"

#include "record-layout.h"
#include "sample.h"

static void recording_counts_add_sample(RecordingCounts *c, PerfDataReader *reader, const struct perf_event_header *record) {
        const PerfDataEvent *events, *e = perf_data_reader_event_of(reader, record);
        PerfSample sample;

        c->samples++;
        if (!e)
                return;
        (void) perf_data_reader_events(reader, &events);
        c->of_event[e - events]++;
        if (sample_parse(&e->attr, record, &sample) < 0 || sample.time == 0)
                return;
        c->first = c->first == 0 ? sample.time : MIN_OF(c->first, sample.time);
        c->last = MAX_OF(c->last, sample.time);
}

static void recording_counts_add(RecordingCounts *c, PerfDataReader *reader, const struct perf_event_header *record) {
        switch (record->type) {
        case PERF_RECORD_SAMPLE:
                recording_counts_add_sample(c, reader, record);
                break;
        case PERF_RECORD_LOST:
                c->lost += record_is_whole(record, 0) ? ((const PerfRecordLost *) record)->lost : 0;
                break;
        case PERF_RECORD_LOST_SAMPLES:
                c->lost += record_is_whole(record, 0) ? ((const PerfRecordLostSamples *) record)->lost : 0;
                break;
        case PERF_RECORD_THROTTLE:
                c->throttled++;
                break;
        default:
                break;
        }
}

int recording_counts_init(RecordingCounts *c, PerfDataReader *reader) {
        const struct perf_event_header *record;
        const PerfDataEvent *events;
        size_t cursor = 0;
        int r;

        *c = (RecordingCounts){ .n_events = perf_data_reader_events(reader, &events) };
        c->of_event = calloc(c->n_events + 1, sizeof(*c->of_event));
        if (!c->of_event)
                return -ENOMEM;
        while ((r = perf_data_reader_next(reader, &cursor, &record)) > 0)
                recording_counts_add(c, reader, record);
        if (r == -ENOMEM)
                return r;
        c->error = r;
        return 0;
}

void recording_counts_done(RecordingCounts *c) {
        free(c->of_event);
        *c = (RecordingCounts){};
}
