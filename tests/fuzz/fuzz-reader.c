/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Any bytes as a perf.data file: all that the reader can be asked for stays within them. */

#include "fuzz.h"
#include "reader.h"
#include "sample.h"

static void read_everything(const PerfDataReader *reader) {
        const struct perf_event_header *record;
        const PerfDataEvent *events;
        size_t cursor = 0, n_records = 0;
        volatile uint64_t seen = 0; /* so that what the samples point to is really read */

        (void) perf_data_reader_events(reader, &events);
        while (perf_data_reader_next(reader, &cursor, &record) > 0 && n_records++ < 100000) {
                const PerfDataEvent *event = perf_data_reader_event_of(reader, record);
                PerfSample sample;

                if (!event)
                        continue;
                if (record->type != PERF_RECORD_SAMPLE) {
                        (void) sample_parse_trailer(&event->attr, record, &sample);
                        continue;
                }
                if (sample_parse(&event->attr, record, &sample) < 0)
                        continue;
                for (size_t i = 0; i < sample.n_callchain; i++)
                        seen += sample.callchain[i];
                for (uint32_t i = 0; i < sample.raw_size; i++)
                        seen += ((const uint8_t *) sample.raw)[i];
        }
}

static void read_features(const PerfDataReader *reader) {
        for (unsigned feature = 0; feature < PERF_FEATURE_WORDS * 64; feature++) {
                const char *s;
                const void *bytes;
                size_t size;

                (void) perf_data_reader_feature(reader, feature, &bytes, &size);
                if (perf_data_reader_feature_string(reader, feature, &s) == 0)
                        FUZZ_ASSERT(strlen(s) < SIZE_MAX);
        }
}

static void read_tables(const PerfDataReader *reader) {
        char **words = NULL;
        BuildIdEntry entry;
        size_t cursor = 0;

        if (perf_data_reader_command_line(reader, &words) == 0)
                for (char **w = words; w && *w; w++)
                        free(*w);
        free(words);

        while (perf_data_reader_next_build_id(reader, &cursor, &entry) > 0)
                FUZZ_ASSERT(strlen(entry.path) < SIZE_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        _cleanup_perf_data_reader_free_ PerfDataReader *reader = NULL;
        _cleanup_free_ void *copy = malloc(size > 0 ? size : 1); /* malloc aligns it as the reader wants it */

        FUZZ_ASSERT(copy);
        if (size > 0)
                memcpy(copy, data, size);
        if (perf_data_reader_new_memory(copy, size, &reader) < 0)
                return 0;

        read_everything(reader);
        read_features(reader);
        read_tables(reader);
        return 0;
}
