/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Shows what a recording says of itself, the numbers of its records, and the processes and functions of its samples, as an object
 * of JSON: perfctl info prints it, together with what the service knows of a dump. Of data that cannot be read as a whole it is
 * what comes before the broken part. */

#include "verb-info.h"

#include "info-json.h"
#include "info-rows.h"
#include "name-options.h"
#include "selection-options.h"
#include "wall-clock.h"

#define BEHIND_TRIGGER 10u /* seconds of the minute */

typedef struct InfoOptions {
        const char *path, *name, *symfs;
        SelectionOptions select;
        NameOptions names;
        bool user_units, pretty, verbose;
} InfoOptions;

static const ViewOption rows[] = { INFO_ROWS };

static const ViewVerb verb = {
        .synopsis = "info [OPTION...]", .purpose = "Write what a recording holds as an object of JSON, which perfctl info shows.",
        .options = rows, .n = ELEMENTSOF(rows),
};

static void options_done(InfoOptions *o) {
        selection_options_done(&o->select);
        name_options_done(&o->names);
}

/* Begins the spans of a dump that an incident made, of which all samples count. seconds: of what is compared, and the baseline. */
static bool info_begin_spans(const InfoOptions *o, const RecordingInput *in, const RecordingCounts *c, SpanCounts *spans,
                             double *seconds) {
        const SelectionOptions *s = &o->select;
        uint64_t trigger, end;
        usec_t span;

        if (!in->incident || s->comms || s->units || s->n_pids > 0 || s->n_tids > 0 || s->n_cpus > 0 || s->n_times > 0 ||
            s->no_idle || time_window_is_set(&s->window))
                return false;
        span = time_window_incident(in, &trigger);
        spans->length = span * NSEC_PER_USEC;
        if (span == 0 || trigger - spans->length >= c->last)
                return false;
        span_counts_begin_recording(spans, c->first, trigger);
        end = MIN_OF(trigger, c->last);
        seconds[UNUSUAL_COMPARED] = (double) (end - (trigger - spans->length)) / NSEC_PER_SEC;
        seconds[UNUSUAL_BASELINE] = (double) (trigger - spans->length - c->first) / NSEC_PER_SEC;
        return true;
}

static int make_profile(const InfoOptions *o, const RecordingInput *in, ProfileSeconds *seconds, SpanCounts *counts,
                        Profile **ret) {
        _cleanup_symbols_free_ Symbols *symbols = NULL;
        _cleanup_free_ SampleSpan *spans = NULL;
        SampleSelection selection;
        int r = selection_options_find(&o->select, in, &spans, &selection);

        if (r < 0)
                return r;
        selection.comm_patterns = true;
        selection.user_units = o->user_units;
        r = name_options_symbols(&o->names, o->verbose, in, &symbols);
        if (r >= 0)
                r = profile_new(in->reader, symbols, &selection, seconds, counts, ret);
        return r < 0 ? recording_input_fail(in, "read", r) : 0;
}

/* Returns whether all samples are of events that count CPU time. */
static bool samples_are_time(const PerfDataReader *reader, const RecordingCounts *c) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);

        for (size_t i = 0; i < n; i++) {
                const struct perf_event_attr *a = &events[i].attr;
                bool time = (a->type == PERF_TYPE_SOFTWARE &&
                             (a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK)) ||
                            (a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_CPU_CYCLES);

                if (c->of_event[i] > 0 && !time)
                        return false;
        }
        return !c->counting && c->samples > 0 && c->last > c->first;
}

static uint64_t seconds_before(uint64_t time, unsigned seconds) {
        return time > seconds * NSEC_PER_SEC ? time - seconds * NSEC_PER_SEC : 0;
}

/* Chooses the minute that is shown second by second: around the trigger, if one is known, otherwise the last one. */
static void choose_seconds(const RecordingInput *in, RecordingInfo *info, ProfileSeconds *seconds) {
        const RecordingCounts *c = info->counts;
        uint64_t trigger = UINT64_MAX;
        WallClock clock;
        bool has_clock = wall_clock_read(in->reader, &clock) >= 0;

        if (has_clock && in->triggered > 0)
                trigger = wall_clock_to_time(&clock, in->triggered * NSEC_PER_USEC);
        seconds->begin = MIN_OF(seconds_before(trigger, PROFILE_SECONDS - BEHIND_TRIGGER),
                                seconds_before(c->last, PROFILE_SECONDS - 1));
        seconds->begin = MAX_OF(seconds->begin, c->first);
        info->seconds = seconds;
        info->n_seconds = MIN_OF((size_t) ((c->last - seconds->begin) / NSEC_PER_SEC + 1), (size_t) PROFILE_SECONDS);
        info->begin = has_clock ? wall_clock_from_time(&clock, seconds->begin) / NSEC_PER_USEC : 0;
        info->trigger = trigger >= seconds->begin && trigger != UINT64_MAX ? (trigger - seconds->begin) / NSEC_PER_SEC : SIZE_MAX;
}

static int write_info(const InfoOptions *o, const RecordingInput *in, const RecordingInfo *info) {
        _cleanup_(text_buffer_done) TextBuffer out = { .file = stdout };
        JsonWriter w = { .out = &out, .pretty = o->pretty };
        int r;

        info_json_put(&w, info);
        r = text_buffer_flush(&out);
        if (r >= 0 && (fflush(stdout) != 0 || ferror(stdout)))
                r = -EIO;
        return r < 0 ? recording_input_fail(in, "print the facts of", r) : 0;
}

/* *ret_read: the result of reading the records. */
static int read_info(const InfoOptions *o, const RecordingInput *in, int *ret_read) {
        _cleanup_(recording_counts_done) RecordingCounts counts = {};
        _cleanup_(symbols_missing_done) SymbolsMissing missing = {};
        _cleanup_(span_counts_done) SpanCounts spans = {};
        _cleanup_(unusual_table_done) UnusualTable unusual = {};
        _cleanup_profile_free_ Profile *profile = NULL;
        bool compared;
        ProfileSeconds seconds = {};
        RecordingInfo info = {
                .reader = in->reader, .counts = &counts, .missing = in->symbols ? &missing : NULL,
        };
        int r = recording_counts_init(&counts, in->reader);

        if (r >= 0 && in->symbols)
                r = symbols_missing_read(&missing, in->symbols);
        if (r < 0)
                return recording_input_fail(in, "read", r);
        if (samples_are_time(in->reader, &counts))
                choose_seconds(in, &info, &seconds);
        compared = info_begin_spans(o, in, &counts, &spans, unusual.seconds);
        r = make_profile(o, in, info.seconds ? &seconds : NULL, compared ? &spans : NULL, &profile);
        if (r >= 0 && compared && profile_find_unusual(profile, &unusual) >= 0)
                info.unusual = &unusual;
        info.profile = profile;
        *ret_read = counts.error;
        return r < 0 ? r : write_info(o, in, &info);
}

static int info(const InfoOptions *o) {
        _cleanup_(recording_input_done) RecordingInput in = RECORDING_INPUT_EMPTY;
        int read = 0, r = recording_input_open(&in, o->path, o->name, o->symfs);

        if (r >= 0)
                r = recording_input_restrict(&in);
        if (r >= 0)
                r = recording_input_read(&in);
        if (r >= 0)
                r = read_info(o, &in, &read);
        return r < 0 || recording_input_report_damage(&in, read) ? EXIT_FAILURE : EXIT_SUCCESS;
}

int verb_info(int argc, char **argv) {
        _cleanup_(options_done) InfoOptions o = {};
        int r = view_options_parse(&verb, &o, argc, argv);

        if (r != 0)
                return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
        return info(&o);
}
