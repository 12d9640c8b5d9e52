/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Members have the words of perf's lines; times of samples are nanoseconds of the recording's clock. */

#include "header-json.h"

#include "event-json.h"
#include "feature-cursor.h"
#include "json-writer.h"
#include "utf8.h"
#include "wall-clock.h"

#define NSEC_PER_USEC UINT64_C(1000)

static int header_put_line(JsonWriter *w, const char *key, const char *text) {
        _cleanup_free_ char *line = utf8_line(text, SIZE_MAX, SIZE_MAX);

        if (!line)
                return -ENOMEM;
        json_writer_text(w, key, line);
        return 0;
}

static int header_put_texts(JsonWriter *w, const PerfDataReader *reader) {
        static const struct {
                const char *key;
                unsigned feature;
        } texts[] = {
                { "hostname", PERF_FEATURE_HOSTNAME }, { "os_release", PERF_FEATURE_OSRELEASE },
                { "version", PERF_FEATURE_VERSION }, { "arch", PERF_FEATURE_ARCH }, { "cpudesc", PERF_FEATURE_CPUDESC },
                { "cpuid", PERF_FEATURE_CPUID },
        };
        int r = 0;

        for (size_t i = 0; r >= 0 && i < ELEMENTSOF(texts); i++) {
                FeatureCursor c;
                const char *text;

                if (feature_cursor_init(&c, reader, texts[i].feature) >= 0 && (text = feature_cursor_string(&c)))
                        r = header_put_line(w, texts[i].key, text);
        }
        return r;
}

static void put_sizes(JsonWriter *w, const PerfDataReader *reader) {
        uint32_t present, online;
        uint64_t kilobytes;
        FeatureCursor c;

        if (feature_cursor_init(&c, reader, PERF_FEATURE_NRCPUS) >= 0 && feature_cursor_u32(&c, &present) &&
            feature_cursor_u32(&c, &online)) {
                json_writer_number(w, "cpus_online", online);
                json_writer_number(w, "cpus_available", present);
        }
        if (feature_cursor_init(&c, reader, PERF_FEATURE_TOTAL_MEM) >= 0 && feature_cursor_u64(&c, &kilobytes))
                json_writer_number(w, "total_memory_kb", kilobytes);
}

static int header_put_command(JsonWriter *w, const PerfDataReader *reader) {
        FeatureCursor c;
        const char *word;
        uint32_t n;
        int r = 0;

        if (feature_cursor_init(&c, reader, PERF_FEATURE_CMDLINE) < 0 || !feature_cursor_u32(&c, &n))
                return 0;
        json_writer_begin(w, "cmdline", '[');
        for (; r >= 0 && n > 0 && (word = feature_cursor_string(&c)); n--)
                r = header_put_line(w, NULL, word);
        json_writer_end(w, ']');
        return r;
}

static void put_times(JsonWriter *w, const PerfDataReader *reader) {
        uint64_t first, last;
        WallClock wall;
        FeatureCursor c;
        bool known = wall_clock_read(reader, &wall) >= 0;

        if (feature_cursor_init(&c, reader, PERF_FEATURE_SAMPLE_TIME) < 0 || !feature_cursor_u64(&c, &first) ||
            !feature_cursor_u64(&c, &last))
                return;
        json_writer_number(w, "first_sample", first);
        json_writer_number(w, "last_sample", last);
        if (!known)
                return;
        json_writer_number(w, "first_sample_realtime_usec", wall_clock_from_time(&wall, first) / NSEC_PER_USEC);
        json_writer_number(w, "last_sample_realtime_usec", wall_clock_from_time(&wall, last) / NSEC_PER_USEC);
}

int header_json_put(const RecordingInput *in, TextBuffer *out) {
        JsonWriter w = { .out = out };
        int r;

        json_writer_begin(&w, NULL, '{');
        json_writer_number(&w, "captured", (uint64_t) in->changed);
        r = header_put_texts(&w, in->reader);
        put_sizes(&w, in->reader);
        if (r >= 0)
                r = header_put_command(&w, in->reader);
        put_times(&w, in->reader);
        if (r >= 0)
                r = event_json_put(&w, in);
        json_writer_end(&w, '}');
        text_buffer_putc(out, '\n');
        return r < 0 ? r : out->error;
}
