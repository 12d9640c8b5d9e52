/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recording as a flight recorder: nothing is written until there is a trigger, and at the end. What differs from one that
 * writes all the time is in flight.c; here it gets what the recording has, and what it made is told. */

#include "recorder.h"

#include <perf-recorder/environment.h>
#include <perf-recorder/notify-fields.h>
#include "log.h"

static bool spec_overwrites(const Options *o, const EventSpec *s) {
        if (s->sample_read && !s->leader) /* such a member has no samples, but a ring that is read */
                return false;
        return s->terms.has_overwrite ? s->terms.overwrite : o->attr.overwrite;
}

bool recorder_wants_flight(const Recorder *r) {
        const Options *o = r->options;

        if (o->history_size > 0)
                return true;
        if (output_place_is_stream(&r->place) || o->preamble_last)
                return false;
        for (size_t i = 0; i < o->events.n_specs; i++)
                if (!spec_overwrites(o, &o->events.specs[i]))
                        return false;
        return true;
}

static bool has_sideband(const EventSet *set) {
        for (size_t i = 0; i < set->n_rings; i++)
                if (set->rings[i].sideband)
                        return true;
        return false;
}

static void warm(void *userdata) {
        snapshot_warm(userdata);
}

static int open_samples(Recorder *r, FlightSamples *ret) {
        size_t n;
        const PerfDataEvent *events = file_description_events(r->description, &n);
        int q;

        if (r->options->history_size > 0)
                return recorder_open_history(r, events, n, ret);
        q = snapshot_new(r->set, events, n, r->flight_state, &r->snapshot);
        if (q >= 0)
                *ret = snapshot_samples(r->snapshot);
        return q;
}

static int open_flight(Recorder *r) {
        FlightSamples samples = {};
        int q = r->flight_state ? 0 : flight_state_new(r->set->n_rings, &r->flight_state_fd, &r->flight_state);

        if (q >= 0 && r->handover && !r->journal)
                q = sideband_journal_new(r->set->n_rings, &r->journal);
        if (q >= 0)
                q = open_samples(r, &samples);
        if (q >= 0)
                q = bpf_catalog_update(r->programs);
        if (q < 0)
                return q;
        r->preamble = recorder_preamble(r);
        return flight_new(
                &(FlightOptions) {
                        .preamble = &r->preamble,
                        .description = r->description,
                        .place = &r->place,
                        .samples = samples,
                        .journal = r->journal,
                        .warm = r->snapshot ? warm : NULL,
                        .counters = r->counters,
                        .symbols = r->symbols,
                        .session = getenv(PR_SESSION_ENV),
                        .synced = r->notifier->fd >= 0 || r->options->switch_output.enabled, /* as open_output() has it */
                        .level = r->options->compression,
                },
                r->loop, &r->flight);
}

static bool has_overwrite_ring(const EventSet *set) {
        for (size_t i = 0; i < set->n_rings; i++)
                if (set->rings[i].overwrite)
                        return true;
        return false;
}

/* Overwrite rings of a recording that is no flight recorder are read for each file. */
static int open_overwrite_rings(Recorder *r) {
        FlightSamples samples;
        int q = flight_state_new(r->set->n_rings, &r->flight_state_fd, &r->flight_state);

        if (q >= 0)
                q = open_samples(r, &samples);
        return q < 0 ? log_diagnosis(NULL, q, "The overwrite rings can't be read") : 0;
}

int recorder_open_flight(Recorder *r) {
        int q;

        if (!recorder_wants_flight(r) || !has_sideband(r->set))
                return has_overwrite_ring(r->set) ? open_overwrite_rings(r) : 0;
        r->dumps.max = r->options->switch_output.max_files;
        q = open_flight(r);
        if (q == -ENODATA && r->options->history_size > 0)
                return log_diagnosis(NULL, q, "-M needs the time in the samples of all events");
        return q < 0 ? log_diagnosis(NULL, q, "The side band can't be followed") : 0;
}

void recorder_close_flight(Recorder *r) {
        handover_forget(r->handover);
        r->flight = flight_free(r->flight);
        r->snapshot = snapshot_free(r->snapshot);
        recorder_close_history(r);
        r->journal = sideband_journal_free(r->journal);
        r->flight_state = flight_state_free(r->flight_state);
        r->flight_state_fd = safe_close(r->flight_state_fd);
}

static void tell(Recorder *r, const char *name) {
        int q = output_files_add(&r->dumps, r->place.dir_fd, name);

        if (q < 0)
                log_warning("An old file could not be removed: %s", strerror(-q));
        notifier_send(r->notifier, PR_NOTIFY_OUTPUT "%s/%s", r->place.dir, name);
}

static void on_dump(void *userdata, const DumpResult *result) {
        Recorder *r = userdata;

        if (result->error == -ENODATA) {
                log_verbose(1, "No dump: %s", result->sentence);
                triggers_dump_done(r->triggers, result);
                return;
        }
        log_info("[ perf record: dump data: Woken up %lu times ]", loop_wakeups(r->loop) - r->wakeups);
        r->wakeups = loop_wakeups(r->loop);
        if (result->error < 0)
                log_error("Failed to switch to new file: %s", result->sentence);
        else {
                log_info("[ perf record: Dump %s%s ]", r->place.shown, result->name + strlen(r->place.base));
                tell(r, result->name);
        }
        triggers_dump_done(r->triggers, result);
}

int recorder_dump_flight(Recorder *r, const DumpOrder *order) {
        int q = flight_dump(r->flight, order, on_dump, r);

        if (q < 0 && q != -ENOMEM) {
                triggers_dump_done(r->triggers, &(DumpResult) { .error = q, .sentence = strerror(-q) });
                return 0;
        }
        return q < 0 ? q : recorder_arm_switch_timer(r);
}

/* Of a session it says why it is there, as all its dumps. */
int recorder_finish_flight(Recorder *r, const DumpOrder *order, bool timestamp, FlightEnd *ret) {
        int q = flight_finish(r->flight, getenv(PR_SESSION_ENV) ? order : NULL, timestamp, ret);

        if (q >= 0 && timestamp)
                tell(r, ret->name);
        else if (q >= 0)
                notifier_send(r->notifier, PR_NOTIFY_OUTPUT "%s/%s", r->place.dir, ret->name);
        return q;
}

int recorder_dump_flight_now(Recorder *r, const DumpOrder *order) {
        FlightEnd end = {};
        int q = recorder_finish_flight(r, order, true, &end);

        if (q == -ENODATA)
                return 0;
        if (q < 0) {
                log_error("Failed to switch to new file: %s", strerror(-q));
                return q;
        }
        log_info("[ perf record: Dump %s%s ]", r->place.shown, end.name + strlen(r->place.base));
        free(end.name);
        return 0;
}
