/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Records are counted where they lie, compressed ones and those in them. */

#include "report-stats.h"

#include <inttypes.h>

#include "record-text.h"
#include "sample-counters.h"
#include "utf8.h"

#define EVENT_NAME_MAX ((size_t) 4096) /* bytes */

typedef struct RecordStats {
        uint64_t of_type[RECORD_TYPES]; /* 0: of other types */
        uint64_t *samples; /* for each event */
        SampleCounters counters;
} RecordStats;

/* A sample that carries values of counters is one of each event that counted something. */
static void stats_count_sample(RecordStats *s, const PerfDataEvent *e, size_t event, const struct perf_event_header *record) {
        size_t n = 0, counter;
        PerfSample parsed;
        uint64_t value;

        if (s->counters.n > 0 && e->attr.sample_type & PERF_SAMPLE_READ && sample_parse(&e->attr, record, &parsed) >= 0)
                n = sample_counters_values(&parsed, e->attr.read_format);
        if (n == 0)
                s->samples[event]++;
        for (size_t i = 0; i < n; i++)
                if (sample_counters_value(&s->counters, &parsed, e->attr.read_format, i, &counter, &value) &&
                    sample_counters_advance(&s->counters, counter, value) > 0)
                        s->samples[s->counters.counters[counter].event]++;
}

static void record_stats_done(RecordStats *s) {
        sample_counters_done(&s->counters);
}

static int count_records(RecordStats *s, PerfDataReader *reader, const PerfDataEvent *events) {
        const struct perf_event_header *record;
        size_t cursor = 0;
        int r;

        while ((r = perf_data_reader_next(reader, &cursor, &record)) == 1) {
                const PerfDataEvent *e = record->type == PERF_RECORD_SAMPLE ? perf_data_reader_event_of(reader, record) : NULL;

                s->of_type[record_text_name(record->type) ? record->type : 0]++;
                if (e)
                        stats_count_sample(s, e, (size_t) (e - events), record);
        }
        s->of_type[PERF_RECORD_COMPRESSED] = perf_data_reader_compressed(reader, PERF_RECORD_COMPRESSED);
        s->of_type[PERF_RECORD_COMPRESSED2] = perf_data_reader_compressed(reader, PERF_RECORD_COMPRESSED2);
        return r;
}

static void print_types(const RecordStats *s, FILE *f) {
        uint64_t total = 0;

        for (size_t i = 0; i < RECORD_TYPES; i++)
                total += s->of_type[i];
        (void) fprintf(f, "\nAggregated stats:\n%16s events: %10" PRIu64 "\n", "TOTAL", total);
        for (size_t i = 0; i < RECORD_TYPES; i++)
                if (s->of_type[i] > 0)
                        (void) fprintf(f, "%16s events: %10" PRIu64 "  (%4.1f%%)\n",
                                       record_text_name((uint32_t) i) ?: "UNKNOWN", s->of_type[i],
                                       100.0 * (double) s->of_type[i] / (double) total);
}

static int stats_print_event(const char *name, size_t number, uint64_t samples, FILE *f) {
        _cleanup_free_ char *line = utf8_line(name ?: "", SIZE_MAX, EVENT_NAME_MAX);

        if (!line)
                return -ENOMEM;
        if (name)
                (void) fprintf(f, "%s stats:\n", line);
        else
                (void) fprintf(f, "event %zu stats:\n", number);
        (void) fprintf(f, "%16s events: %10" PRIu64 "\n", "SAMPLE", samples);
        return 0;
}

int report_stats_print(PerfDataReader *reader, FILE *f) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);
        _cleanup_free_ uint64_t *samples = calloc(n + 1, sizeof(*samples));
        _cleanup_(record_stats_done) RecordStats s = { .samples = samples };
        int read, r = samples ? sample_counters_init(&s.counters, events, n) : -ENOMEM;

        if (r < 0)
                return r;
        read = count_records(&s, reader, events);
        if (read == -ENOMEM)
                return read;
        print_types(&s, f);
        for (size_t i = 0; r >= 0 && i < n; i++)
                if (samples[i] > 0)
                        r = stats_print_event(events[i].name, i + 1, samples[i], f);
        return r < 0 ? r : read;
}
