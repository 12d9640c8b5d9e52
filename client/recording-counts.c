/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the records of a recording, in all and by event, for files without extended attributes. A sample whose event is
 * unknown counts, too. Processes and functions of the samples are the business of lib/analysis. */

#include "recording-counts.h"

#include "record-counts.h"
#include "sample.h"

static void recording_counts_add_sample(RecordingCounts *c, PerfDataReader *reader, const struct perf_event_header *record) {
        const PerfDataEvent *events, *e = perf_data_reader_event_of(reader, record);
        PerfSample sample;

        if (!e)
                return;
        (void) perf_data_reader_events(reader, &events);
        c->of_event[e - events]++;
        if (sample_parse(&e->attr, record, &sample) < 0 || sample.time == 0)
                return;
        c->first = c->first == 0 ? sample.time : MIN_OF(c->first, sample.time);
        c->last = MAX_OF(c->last, sample.time);
}

int recording_counts_init(RecordingCounts *c, PerfDataReader *reader) {
        const struct perf_event_header *record;
        const PerfDataEvent *events;
        RecordCounts counts = {};
        size_t cursor = 0;
        int r;

        *c = (RecordingCounts){ .n_events = perf_data_reader_events(reader, &events) };
        c->of_event = calloc(c->n_events + 1, sizeof(*c->of_event));
        if (!c->of_event)
                return -ENOMEM;
        while ((r = perf_data_reader_next(reader, &cursor, &record)) > 0) {
                record_counts_add(&counts, record);
                if (record->type == PERF_RECORD_SAMPLE)
                        recording_counts_add_sample(c, reader, record);
        }
        if (r == -ENOMEM)
                return r;
        c->samples = counts.samples;
        c->lost = counts.lost;
        c->throttled = counts.throttled;
        c->error = r;
        return 0;
}

void recording_counts_done(RecordingCounts *c) {
        free(c->of_event);
        *c = (RecordingCounts){};
}
