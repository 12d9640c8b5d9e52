/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From rings to files: the ordinary reading of the rings, the change to a new file, the end. At the end the events are
 * disabled, the rings emptied, the file finished; only then a command that still runs is ended and waited for, so that
 * one that does not want to end costs no data. A file that can't be finished stays open and goes on being filled. */

#include "recorder.h"

#include <perf-recorder/dump-facts.h>
#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>
#include "drain.h"
#include "dump-xattrs.h"
#include "log.h"
#include "sample-clock.h"
#include "shortfall.h"

bool recorder_streams(const Recorder *r) {
        if (r->options->history_size > 0)
                return false;
        for (size_t i = 0; i < r->set->n_rings; i++)
                if (!r->set->rings[i].overwrite && !r->set->rings[i].sideband)
                        return true;
        return false;
}

int recorder_drain(Recorder *r) {
        r->has_data = false;
        if (r->flight) {
                int q = flight_drain(r->flight);

                return q >= 0 && r->history ? recorder_drain_history(r) : q;
        }
        return recorder_streams(r) ? drain_rings(r->set, r->output) : 0;
}

/* Overwrite rings begin their file here, and it is there also if they were empty. */
static int drain_for_file(Recorder *r) {
        int q = output_begin(r->output);

        if (q >= 0)
                q = output_rescue(r->output);
        if (q < 0)
                return q;
        q = drain_rings(r->set, r->output);
        if (q >= 0 && r->snapshot) {
                const FlightSamples samples = snapshot_samples(r->snapshot);

                q = samples.mark(samples.userdata);
        }
        return q;
}

/* What overwrite rings hold up to their mark. */
static int drain_marked(Recorder *r) {
        FlightSamples samples;

        if (!r->snapshot)
                return 0;
        samples = snapshot_samples(r->snapshot);
        return drain_overwrite_rings(&samples, r->output);
}

int recorder_mark(Recorder *r) {
        int q;

        if (r->flight)
                return flight_mark(r->flight);
        q = drain_for_file(r);
        if (q < 0 && q != -ENOMEM)
                log_error("Failed to switch to new file: %s", strerror(-q));
        return q < 0 ? q : 1;
}

int recorder_relate_clock(Recorder *r, int64_t *ret_offset) {
        SampleClock clock = SAMPLE_CLOCK_EMPTY;
        int q = sample_clock_open(&clock, &r->set->members[0].attr);

        if (q >= 0)
                q = sample_clock_offset(&clock, ret_offset);
        sample_clock_done(&clock);
        return q >= 0 && getenv(PR_SESSION_ENV) ? file_description_relate_clock(r->description, *ret_offset) : q;
}

/* When the samples were taken, by the wall clock: theirs is another one. Not known: 0. */
static void find_times(Recorder *r, DumpResult *part) {
        uint64_t first, last;
        int64_t offset;

        if (recorder_relate_clock(r, &offset) < 0 ||
            !file_description_look(r->description, output_writer(r->output), &first, &last))
                return;
        part->first = (first + (uint64_t) offset) / NSEC_PER_USEC;
        part->last = (last + (uint64_t) offset) / NSEC_PER_USEC;
}

DumpOrder recorder_own_order(const Recorder *r, const char *trigger, const char *detail) {
        return (DumpOrder) {
                .trigger = trigger,
                .detail = detail,
                .timestamp = now_usec(CLOCK_REALTIME),
                .n_triggers = 1,
                .content = r->options->triggers.overlap ? DUMP_CONTENT_ALL : DUMP_CONTENT_AUTOMATIC,
                .automatic = true,
        };
}

/* What the file so far holds, which it says of itself. It has no name yet. */
static DumpResult describe_part(Recorder *r, const DumpOrder *order) {
        const PrCounters *c = r->counters->page;
        DumpResult part = {
                .samples = output_file_samples(r->output),
                .lost = c->lost - r->lost_before,
                .throttled = c->throttled - r->throttled_before,
        };

        r->lost_before = c->lost;
        r->throttled_before = c->throttled;
        find_times(r, &part);
        dump_xattrs_put(output_file_fd(r->output), getenv(PR_SESSION_ENV), order, &part);
        return part;
}

static int finish_part(Recorder *r, const DumpOrder *order, DumpResult *ret_part, char **ret_name) {
        const uint64_t lost = r->lost_before, throttled = r->throttled_before;
        DumpResult part = describe_part(r, order);
        int q = output_finish(r->output, true, ret_name);

        if (q < 0) { /* what is there goes on being filled */
                r->lost_before = lost;
                r->throttled_before = throttled;
        } else if (ret_part)
                *ret_part = part;
        return q;
}

/* The part goes up to the mark. */
static int end_part(Recorder *r, const DumpOrder *order, DumpResult *ret_part, char **ret_name) {
        _cleanup_free_ char *name = NULL;
        int q;

        log_info("[ perf record: dump data: Woken up %lu times ]", loop_wakeups(r->loop) - r->wakeups);
        r->wakeups = loop_wakeups(r->loop);
        q = drain_marked(r);
        if (q >= 0)
                q = finish_part(r, order, ret_part, &name);
        if (q < 0) {
                log_error("Failed to switch to new file: %s", strerror(-q));
                return q;
        }
        log_info("[ perf record: Dump %s ]", name ?: "");
        if (ret_name)
                *ret_name = steal_ptr(name);
        return 0;
}

int recorder_finish_part(Recorder *r, const DumpOrder *order) {
        int q;

        if (r->flight)
                return recorder_dump_flight_now(r, order);
        q = recorder_mark(r);
        if (q < 0)
                return q;
        if (output_place_is_stream(&r->place)) /* it has what there is, and goes on */
                return drain_marked(r);
        return end_part(r, order, NULL, NULL);
}

int recorder_begin_part(Recorder *r) {
        int q = recorder_streams(r) ? output_begin(r->output) : 0;

        return q == -ENOMEM ? q : recorder_arm_switch_timer(r);
}

/* A stream has no parts: what is in the rings goes into it. */
static int dump_into_stream(Recorder *r) {
        int q = drain_marked(r);
        DumpResult result = { .error = q < 0 ? q : -EOPNOTSUPP };

        if (q >= 0)
                result.sentence = "a stream has no dumps";
        triggers_dump_done(r->triggers, &result);
        return q;
}

static const char *file_name(const char *path) {
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

/* Everything is in files; what is not wanted of them is for the reader to leave out. */
static int refuse_window(Recorder *r) {
        const DumpResult refusal = {
                .error = -EOPNOTSUPP,
                .sentence = "it writes all samples to files (Mode=stream), which are cut when they are read: leave the window of "
                            "time out",
        };

        triggers_dump_done(r->triggers, &refusal);
        return 0;
}

int recorder_dump(Recorder *r, const DumpOrder *order) {
        _cleanup_free_ char *path = NULL;
        DumpResult result = {};
        int q;

        if (r->flight)
                return recorder_dump_flight(r, order);
        if (output_place_is_stream(&r->place))
                return dump_into_stream(r);
        if (order->since > 0 || order->until > 0)
                return refuse_window(r);
        q = end_part(r, order, &result, &path);
        if (q >= 0 && !path)
                q = -ENOMEM;
        if (q < 0)
                result = (DumpResult) { .error = q };
        else
                result.name = file_name(path);
        triggers_dump_done(r->triggers, &result);
        if (q < 0)
                return q == -ENOMEM ? q : 0; /* what is there goes on being filled */
        return recorder_begin_part(r);
}

static void finish_lost(Recorder *r) {
        uint64_t lost = 0, seen = r->counters->page->lost;

        if (drain_lost_samples(r->set, r->output, &lost) < 0 || lost <= seen)
                return;
        counters_set(&r->counters->page->lost, lost);
}

/* All has been read from them. */
static void close_events(Recorder *r) {
        r->watch = ring_watch_free(r->watch);
        event_closer_start(&r->closer, r->set);
}

/* What is to be said behind the summary, as long as the events can still be asked. */
static char **describe_shortfall(const Recorder *r) {
        const PrCounters *c = r->counters->page;
        char **lines = NULL;

        (void) shortfall_describe(&(Shortfall) { c->samples, c->lost, c->throttled }, r->set, &lines);
        return lines;
}

static void say_what_was_written(const Recorder *r, bool timestamp, const FlightEnd *end) {
        char samples[64] = "", compressed[96] = "";

        if (end->samples > 0)
                (void) snprintf(samples, sizeof(samples), " (%" PRIu64 " samples)", end->samples);
        if (end->compressed > 0)
                (void) snprintf(compressed, sizeof(compressed), ", compressed (original %.3f MB, ratio is %.3f)",
                                (double) end->original / 1024.0 / 1024.0, (double) end->original / (double) end->compressed);
        log_info("[ perf record: Captured and wrote %.3f MB %s%s%s%s ]", (double) end->size / 1024.0 / 1024.0,
                 r->place.shown, timestamp ? ".<timestamp>" : "", samples, compressed);
}

/* A flight recorder has none open: it is made now. */
static int finish_flight(Recorder *r) {
        const DumpOrder order = recorder_own_order(r, PR_TRIGGER_SHUTDOWN, r->end_reason ?: "");
        bool timestamp = r->options->timestamp_filename;
        _cleanup_strv_free_ char **shortfall = NULL;
        FlightEnd end = {};
        int q;

        log_info("[ perf record: Woken up %lu times to write data ]", loop_wakeups(r->loop) - r->wakeups);
        q = recorder_finish_flight(r, &order, timestamp, &end);
        if (q == -ENODATA) {
                log_info("[ perf record: No sample came since the last dump, so there is no file ]");
                return 0;
        }
        if (q < 0)
                return log_diagnosis(NULL, q, "The file can't be finished");
        shortfall = describe_shortfall(r);
        close_events(r);
        if (timestamp)
                log_info("[ perf record: Dump %s.%s ]", r->place.shown, end.name + strlen(r->place.base) + 1);
        say_what_was_written(r, timestamp, &end);
        STRV_FOREACH(line, shortfall)
                log_warning("%s", *line);
        free(end.name);
        return 0;
}

static FlightEnd describe_file(const Recorder *r) {
        FlightEnd end = { .size = output_file_size(r->output), .samples = output_file_samples(r->output) };
        uint64_t original, compressed;

        if (output_file_compression(r->output, &original, &compressed)) {
                end.original = original;
                end.compressed = compressed;
        }
        return end;
}

static int finish_file(Recorder *r) {
        const DumpOrder order = recorder_own_order(r, PR_TRIGGER_SHUTDOWN, r->end_reason ?: "");
        bool timestamp = r->options->timestamp_filename && !output_place_is_stream(&r->place);
        _cleanup_strv_free_ char **shortfall = NULL;
        FlightEnd end;
        _cleanup_free_ char *name = NULL;
        int q = drain_for_file(r);

        log_info("[ perf record: Woken up %lu times to write data ]", loop_wakeups(r->loop) - r->wakeups);
        if (q >= 0)
                q = drain_marked(r);
        if (q >= 0) {
                finish_lost(r);
                shortfall = describe_shortfall(r);
                if (getenv(PR_SESSION_ENV) && !output_place_is_stream(&r->place))
                        (void) describe_part(r, &order);
                if (!r->options->preamble_last) /* which asks the events */
                        close_events(r);
                q = output_finish(r->output, timestamp, &name);
        }
        if (q < 0)
                return log_diagnosis(NULL, q, "The file can't be finished");
        if (timestamp)
                log_info("[ perf record: Dump %s ]", name ?: "");
        end = describe_file(r);
        say_what_was_written(r, timestamp, &end);
        STRV_FOREACH(line, shortfall)
                log_warning("%s", *line);
        return 0;
}

int recorder_finish_triggers(Recorder *r) {
        int q = r->flight ? flight_wait(r->flight) : 0;

        while (q >= 0 && triggers_is_waiting(r->triggers)) {
                triggers_hurry(r->triggers);
                q = triggers_run(r->triggers);
                if (q >= 0 && r->flight)
                        q = flight_wait(r->flight);
        }
        return q;
}

int recorder_finish(Recorder *r) {
        int q;

        notifier_send(r->notifier, PR_NOTIFY_STOPPING);
        if (!target_is_command(&r->options->target)) /* its events end with it */
                (void) event_set_enable(r->set, NULL, false);
        q = control_port_look(r->control); /* the reason comes right before the signal */
        if (q >= 0)
                q = recorder_finish_triggers(r);
        if (q >= 0 && (recorder_streams(r) || !r->options->triggers.no_shutdown))
                q = r->flight ? finish_flight(r) : finish_file(r);
        command_end(&r->command);
        return q;
}
