/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the records of a recording, in all and by event, for files without extended attributes. A sample whose event is
 * unknown counts, too. Processes and functions of the samples are the business of lib/analysis. */

#include "recording-counts.h"

#include "array.h"
#include "attr-kind.h"
#include "event-index.h"
#include "record-counts.h"
#include "record-layout.h"
#include "sample.h"

static void recording_counts_add_time(RecordingCounts *c, uint64_t time) {
        c->first = c->first == 0 ? time : MIN_OF(c->first, time);
        c->last = MAX_OF(c->last, time);
}

static void recording_counts_add_sample(RecordingCounts *c, PerfDataReader *reader, const struct perf_event_header *record) {
        const PerfDataEvent *events, *e = perf_data_reader_event_of(reader, record);
        PerfSample sample;

        if (!e)
                return;
        (void) perf_data_reader_events(reader, &events);
        c->of_event[e - events]++;
        if (sample_parse(&e->attr, record, &sample) < 0 || sample.time == 0)
                return;
        recording_counts_add_time(c, sample.time);
}

/* round: what the reading that is not complete yet has of each event. */
static void recording_counts_add_reading(RecordingCounts *c, const PerfDataEvent *events, const EventIndex *index, uint64_t *round,
                                         const struct perf_event_header *record) {
        const PerfRecordStat *stat = (const PerfRecordStat *) record;
        const PerfDataEvent *e;

        if (record_lacks_fields(record))
                return;
        if (record->type == PERF_RECORD_STAT) {
                e = event_index_find_id(index, stat->id);
                if (e)
                        round[e - events] += stat->value;
                return;
        }
        memcpy(c->of_event, round, c->n_events * sizeof(*round));
        memset(round, 0, c->n_events * sizeof(*round));
        c->samples++;
        recording_counts_add_time(c, ((const PerfRecordStatRound *) record)->time);
}

/* Returns whether what the event lost is of one kind: samples, or records of tasks and maps. */
static bool event_tells_lost(const PerfDataEvent *e) {
        const struct perf_event_attr *a = &e->attr;

        return attr_is_dummy(a) || !(a->task || a->comm || a->mmap || a->context_switch);
}

/* Returns what a LOST_SAMPLES record has of a dummy event, which has only records of tasks and maps. */
static uint64_t lost_of_dummy(const PerfDataReader *reader, const struct perf_event_header *record) {
        const PerfDataEvent *e = perf_data_reader_event_of(reader, record);
        RecordCounts one = {};

        if (e && attr_is_dummy(&e->attr))
                record_counts_add(&one, record);
        return one.lost;
}

/* Both LOST and LOST_SAMPLES have what found no room. Only the latter, which recorders append since Linux 6.0, name the event. */
static void recording_counts_set_lost(RecordingCounts *c, const RecordCounts *counts, const PerfDataEvent *events,
                                      uint64_t of_dummies) {
        bool told = !ANY_OF(c->n_events, i, !event_tells_lost(&events[i]));

        if (counts->lost == 0 || (told && counts->lost_samples > 0)) {
                c->lost = counts->lost_samples - of_dummies;
                c->lost_records = of_dummies;
        } else {
                c->lost = MAX_OF(counts->lost_samples, counts->lost - counts->lost_samples);
                c->lost_records = UINT64_MAX;
        }
}

int recording_counts_init(RecordingCounts *c, PerfDataReader *reader) {
        const struct perf_event_header *record;
        const PerfDataEvent *events;
        _cleanup_event_index_free_ EventIndex *index = NULL;
        _cleanup_free_ uint64_t *round = NULL;
        RecordCounts counts = {};
        uint64_t of_dummies = 0;
        size_t cursor = 0;
        int r;

        *c = (RecordingCounts){ .n_events = perf_data_reader_events(reader, &events) };
        c->of_event = calloc(c->n_events + 1, sizeof(*c->of_event));
        round = calloc(c->n_events + 1, sizeof(*round));
        if (!c->of_event || !round || event_index_new(events, c->n_events, &index) < 0)
                return -ENOMEM;
        while ((r = perf_data_reader_next(reader, &cursor, &record)) > 0) {
                record_counts_add(&counts, record);
                if (record->type == PERF_RECORD_SAMPLE)
                        recording_counts_add_sample(c, reader, record);
                else if (record->type == PERF_RECORD_LOST_SAMPLES)
                        of_dummies += lost_of_dummy(reader, record);
                else if (record->type == PERF_RECORD_STAT_CONFIG)
                        c->counting = true;
                else if (c->counting && (record->type == PERF_RECORD_STAT || record->type == PERF_RECORD_STAT_ROUND))
                        recording_counts_add_reading(c, events, index, round, record);
        }
        if (r == -ENOMEM)
                return r;
        c->samples += counts.samples;
        recording_counts_set_lost(c, &counts, events, of_dummies);
        c->throttled = counts.throttled;
        c->error = r;
        return 0;
}

void recording_counts_done(RecordingCounts *c) {
        free(c->of_event);
        *c = (RecordingCounts){};
}
