/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The common part of both kinds of recording: the choice of the kind, the calls to it, and the lines that perf record
 * prints about finished files. It does not know the files' content. A dump's file that can't be finished stays open
 * and goes on being filled. */

#include "recording.h"

#include <perf-recorder/dump-facts.h>
#include "array.h"
#include "log.h"
#include "recorder.h"
#include "shortfall.h"

static bool spec_overwrites(const Options *o, const EventSpec *s) {
        if (s->sample_read && !s->leader) /* such a member has no samples, but a normal ring */
                return false;
        return s->terms.has_overwrite ? s->terms.overwrite : o->attr.overwrite;
}

bool recording_wants_flight(const Recorder *r) {
        const Options *o = r->options;

        if (o->history_size > 0)
                return true;
        if (output_place_is_stream(&r->files.place) || o->preamble_last)
                return false;
        return !ANY_OF(o->events.n_specs, i, !spec_overwrites(o, &o->events.specs[i]));
}

bool recording_streams(const Recorder *r) {
        return r->options->history_size == 0 &&
               ANY_OF(r->set->n_rings, i, !r->set->rings[i].overwrite && !r->set->rings[i].sideband);
}

int recording_new(Recorder *r, FlightMemory *memory, Recording **ret) {
        int q;

        if (!event_set_tells_lost(r->set))
                counters_set(&r->counters->page->lost_records, PR_COUNTERS_UNKNOWN);
        /* If there was no memory to lock for rings of the side band, a flight recorder is not possible: it becomes a stream
         * recording whose rings are overwritten. */
        if (recording_wants_flight(r) && (event_set_counts(r->set) || ANY_OF(r->set->n_rings, i, r->set->rings[i].sideband)))
                q = recording_flight_new(r, memory, ret);
        else
                q = recording_stream_new(r, ret);
        if (q >= 0)
                (*ret)->wakeups = loop_wakeups(r->loop);
        return q;
}

Recording *recording_free(Recording *x) {
        if (x)
                x->kind->free(x);
        return NULL;
}

int recording_begin(Recording *x) {
        return x->kind->begin ? x->kind->begin(x) : 0;
}

uint64_t recording_file_size(const Recording *x) {
        return x->kind->file_size ? x->kind->file_size(x) : 0;
}

bool recording_hand_over(Recording *x, int files[static _HANDOVER_FILE_MAX]) {
        return x->kind->hand_over && x->kind->hand_over(x, files);
}

static void recording_count_wakeups(Recording *x) {
        if (!log_is_for_daemon())
                log_info("[ perf record: dump data: Woken up %lu times ]", loop_wakeups(x->recorder->loop) - x->wakeups);
        x->wakeups = loop_wakeups(x->recorder->loop);
}

static void recording_print_dumped(const Recording *x, const char *name) {
        const OutputPlace *p = &x->recorder->files.place;

        if (!log_is_for_daemon())
                log_info("[ perf record: Dump %s%s ]", p->shown, name + strlen(p->base));
}

static const char *recording_explain(int error) {
        return error == -ENOENT ? "the directory of the dumps is gone" : strerror(-error);
}

void recording_dump_done(void *userdata, const DumpResult *result) {
        Recording *x = userdata;
        DumpResult told = *result;

        if (told.error < 0 && !told.sentence)
                told.sentence = recording_explain(told.error);
        if (told.error == -ENODATA)
                log_verbose(1, "No dump: %s", told.sentence);
        else if (told.error < 0) {
                recording_count_wakeups(x);
                if (!log_is_for_daemon()) /* as perf has it; of a flight recorder, to dump */
                        log_error("Failed to switch to new file: %s", told.sentence);
        } else {
                recording_count_wakeups(x);
                recording_print_dumped(x, told.name);
        }
        triggers_dump_done(x->recorder->triggers, &told);
}

static int recording_wait(Recording *x) {
        return x->kind->wait ? x->kind->wait(x) : 0;
}

int recording_finish_dumps(Recording *x) {
        Triggers *t = x->recorder->triggers;
        int q = recording_wait(x);

        while (q >= 0 && triggers_is_waiting(t)) {
                triggers_hurry(t);
                q = triggers_run(t);
                if (q >= 0)
                        q = recording_wait(x);
        }
        return q;
}

DumpOrder recording_own_order(const Recorder *r, const char *trigger, const char *detail) {
        return (DumpOrder) {
                .trigger = trigger,
                .detail = detail,
                .timestamp = now_usec(CLOCK_REALTIME),
                .n_triggers = 1,
                .content = r->options->triggers.overlap ? DUMP_CONTENT_ALL : DUMP_CONTENT_AUTOMATIC,
                .automatic = true,
        };
}

int recording_split(Recording *x, const DumpOrder *order) {
        _cleanup_(output_finished_done) OutputFinished file = {};
        int q = x->kind->finish(x, order, false, &file, NULL);

        if (q == -ENODATA)
                return 0;
        recording_count_wakeups(x);
        if (q < 0) {
                log_error("Failed to switch to new file: %s", recording_explain(q));
                return q;
        }
        recording_print_dumped(x, file.name);
        return 0;
}

char **recording_describe_shortfall(const Recording *x) {
        const PrCounters *c = x->recorder->counters->page;
        char **lines = NULL;

        (void) shortfall_describe(&(Shortfall) { c->samples, c->lost, c->lost_records, c->throttled }, x->recorder->set, &lines);
        return lines;
}

void recording_close_events(Recording *x) {
        Recorder *r = x->recorder;

        r->watch = ring_watch_free(r->watch);
        event_closer_start(&r->closer, r->set);
}

static void recording_print_captured(const Recording *x, bool timestamp, const OutputFinished *file) {
        char samples[64] = "", compressed[96] = "";

        if (file->samples > 0)
                (void) snprintf(samples, sizeof(samples), " (%" PRIu64 " samples)", file->samples);
        if (file->compressed > 0)
                (void) snprintf(compressed, sizeof(compressed), ", compressed (original %.3f MB, ratio is %.3f)",
                                (double) file->original / 1024.0 / 1024.0, (double) file->original / (double) file->compressed);
        log_info("[ perf record: Captured and wrote %.3f MB %s%s%s%s ]", (double) file->size / 1024.0 / 1024.0,
                 x->recorder->files.place.shown, timestamp ? ".<timestamp>" : "", samples, compressed);
}

int recording_finish(Recording *x) {
        const Recorder *r = x->recorder;
        const DumpOrder order = recording_own_order(r, PR_TRIGGER_SHUTDOWN, r->end.reason ?: "");
        _cleanup_(output_finished_done) OutputFinished file = {};
        _cleanup_strv_free_ char **shortfall = NULL;
        bool timestamp = r->options->timestamp_filename && !output_place_is_stream(&r->files.place);
        int q;

        if (!log_is_for_daemon())
                log_info("[ perf record: Woken up %lu times to write data ]", loop_wakeups(r->loop) - x->wakeups);
        q = x->kind->finish(x, &order, true, &file, &shortfall);
        if (q == -ENODATA) {
                log_info("[ perf record: No sample came since the last dump, so there is no file ]");
                return 0;
        }
        if (q < 0)
                return log_diagnosis(NULL, q, "The file can't be finished");
        if (timestamp)
                recording_print_dumped(x, file.name);
        recording_print_captured(x, timestamp, &file);
        STRV_FOREACH(line, shortfall)
                log_warning("%s", *line);
        return 0;
}
