/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A fact that is not known has no key. */

#include "info-json.h"

#include "utf8.h"

static void put_text_of(JsonWriter *w, const char *key, const char *s, size_t size) {
        _cleanup_free_ char *text = utf8_text(s, size, SIZE_MAX);

        if (text)
                json_writer_text(w, key, text);
        else
                w->out->error = -ENOMEM;
}

static void info_put_text(JsonWriter *w, const char *key, const char *s) {
        put_text_of(w, key, s, SIZE_MAX);
}

static void put_counts(JsonWriter *w, const RecordingCounts *c) {
        json_writer_number(w, "samples", c->samples);
        json_writer_number(w, "lost", c->lost);
        if (c->lost_records != UINT64_MAX)
                json_writer_number(w, "lost_records", c->lost_records);
        json_writer_number(w, "throttled", c->throttled);
        if (c->last == 0)
                return;
        json_writer_number(w, "first_nsec", c->first);
        json_writer_number(w, "last_nsec", c->last);
}

static void put_machine(JsonWriter *w, const PerfDataReader *reader) {
        static const struct {
                const char *key;
                unsigned feature;
        } strings[] = {
                { "hostname", PERF_FEATURE_HOSTNAME }, { "kernel", PERF_FEATURE_OSRELEASE },
                { "architecture", PERF_FEATURE_ARCH }, { "cpu", PERF_FEATURE_CPUDESC },
        };
        uint32_t cpus[2]; /* all of them, and those that were online */
        const void *data;
        const char *s;
        size_t size;

        for (size_t i = 0; i < ELEMENTSOF(strings); i++)
                if (perf_data_reader_feature_string(reader, strings[i].feature, &s) >= 0)
                        info_put_text(w, strings[i].key, s);
        if (perf_data_reader_feature(reader, PERF_FEATURE_NRCPUS, &data, &size) < 0 || size < sizeof(cpus))
                return;
        memcpy(cpus, data, sizeof(cpus));
        json_writer_number(w, "cpus", cpus[1]);
        json_writer_number(w, "cpus_available", cpus[0]);
}

static void info_put_command(JsonWriter *w, const PerfDataReader *reader) {
        _cleanup_strv_free_ char **words = NULL;

        if (perf_data_reader_command_line(reader, &words) < 0)
                return;
        json_writer_begin(w, "command", '[');
        STRV_FOREACH(word, words)
                info_put_text(w, NULL, *word);
        json_writer_end(w, ']');
}

static void info_put_events(JsonWriter *w, const PerfDataReader *reader, const RecordingCounts *c) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);

        json_writer_begin(w, "events", '[');
        for (size_t i = 0; i < n; i++) {
                json_writer_begin(w, NULL, '{');
                info_put_text(w, "event", events[i].name ?: "");
                json_writer_number(w, c->counting ? "count" : "samples", c->of_event[i]);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
}

/* The list may have less lines than there are binaries. */
static void put_missing(JsonWriter *w, const SymbolsMissing *l) {
        json_writer_number(w, "binaries_without_symbols", l->n);
        json_writer_begin(w, "without_symbols", '[');
        STRV_FOREACH(line, l->lines) {
                const char *reason = symbols_missing_reason(*line);

                json_writer_begin(w, NULL, '{');
                put_text_of(w, "binary", *line, *reason ? (size_t) (reason - *line) - strlen(": ") : SIZE_MAX);
                info_put_text(w, "reason", reason);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
}

static void put_stripped(JsonWriter *w, const Profile *p) {
        size_t n;
        const char *const *paths = profile_stripped(p, &n);

        json_writer_begin(w, "stripped", '[');
        for (size_t i = 0; i < n; i++)
                info_put_text(w, NULL, paths[i]);
        json_writer_end(w, ']');
}

static void put_units(JsonWriter *w, const Profile *p) {
        size_t n;
        const SampleUser *units = profile_units(p, &n);

        json_writer_begin(w, "units", '[');
        for (size_t i = 0; i < n; i++) {
                json_writer_begin(w, NULL, '{');
                info_put_text(w, "unit", units[i].name);
                json_writer_number(w, "samples", units[i].count);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
}

static void put_seconds(JsonWriter *w, const RecordingInfo *info) {
        if (info->begin > 0)
                json_writer_number(w, "seconds_begin_usec", info->begin);
        if (info->trigger < info->n_seconds)
                json_writer_number(w, "trigger_second", info->trigger);
        json_writer_begin(w, "seconds", '[');
        for (size_t i = 0; i < info->n_seconds; i++) {
                json_writer_begin(w, NULL, '{');
                json_writer_number(w, "samples", info->seconds->all[i]);
                json_writer_number(w, "idle", info->seconds->idle[i]);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
}

static void put_processes(JsonWriter *w, const char *key, const ProfileProcess *processes, size_t n) {
        json_writer_begin(w, key, '[');
        for (size_t i = 0; i < n; i++) {
                json_writer_begin(w, NULL, '{');
                info_put_text(w, "name", processes[i].comm);
                if (processes[i].pid != PROFILE_PID_EXITED)
                        json_writer_number(w, "pid", processes[i].pid);
                if (processes[i].instance > 0)
                        json_writer_number(w, "instance", processes[i].instance + UINT64_C(1));
                json_writer_number(w, "samples", processes[i].samples);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
}

static void put_functions(JsonWriter *w, const Profile *p) {
        size_t n;
        const ProfileSymbol *symbols = profile_symbols(p, &n);

        json_writer_begin(w, "functions", '[');
        for (size_t i = 0; i < n; i++) {
                json_writer_begin(w, NULL, '{');
                if (symbols[i].name)
                        info_put_text(w, "function", symbols[i].name);
                info_put_text(w, "binary", symbols[i].dso);
                json_writer_boolean(w, "kernel", symbols[i].kernel);
                json_writer_number(w, "samples", symbols[i].samples);
                json_writer_end(w, '}');
        }
        json_writer_end(w, ']');
}

static void info_put_profile(JsonWriter *w, const Profile *p) {
        const ProfileProcess *processes, *threads;
        size_t n_processes, n_threads;

        processes = profile_processes(p, &n_processes);
        threads = profile_threads(p, &n_threads);
        json_writer_number(w, "selected", profile_samples(p));
        json_writer_number(w, "idle", profile_idle(p));
        put_units(w, p);
        put_processes(w, "processes", processes, n_processes);
        put_processes(w, "threads", threads, n_threads);
        put_functions(w, p);
}

static void info_put_unusual(JsonWriter *w, const UnusualTable *t) {
        _cleanup_(text_buffer_done) TextBuffer missing = {};

        unusual_json_put(t, w);
        json_writer_number(w, "unusual_span_usec", (uint64_t) (t->span_seconds * USEC_PER_SEC + 0.5));
        if (!unusual_text_put_loss(t, &missing))
                return;
        text_buffer_putc(&missing, '\0');
        info_put_text(w, "unusual_missing", missing.error < 0 ? "" : missing.data);
}

void info_json_put(JsonWriter *w, const RecordingInfo *info) {
        json_writer_begin(w, NULL, '{');
        put_counts(w, info->counts);
        put_machine(w, info->reader);
        info_put_command(w, info->reader);
        info_put_events(w, info->reader, info->counts);
        if (info->missing)
                put_missing(w, info->missing);
        if (info->profile)
                put_stripped(w, info->profile);
        if (info->profile)
                info_put_profile(w, info->profile);
        if (info->profile && info->seconds)
                put_seconds(w, info);
        if (info->unusual)
                info_put_unusual(w, info->unusual);
        json_writer_end(w, '}');
        text_buffer_putc(w->out, '\n');
}
