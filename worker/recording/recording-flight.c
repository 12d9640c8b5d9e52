/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recording as a flight recorder: it writes a file only for a trigger, and at the end. flight.c makes the dumps;
 * this file chooses where the samples stay until then: in overwrite rings (snapshot.c), or in a history (-M), into
 * which the rings are read when one is half full. The positions up to which dumps went, the side band, and the history
 * are in files that can outlive the process (flight-memory.h).
 *
 * The page of counters has the number of samples, and the time up to which a history reaches back. The latter is for
 * people, so it is updated once a second at most. */

#include "recording.h"

#include <time.h>
#include "count-samples.h"
#include "flight.h"
#include "history-drain.h"
#include "history-samples.h"
#include "log.h"
#include "recorder.h"
#include "snapshot.h"

typedef struct FlightRecording {
        Recording recording;
        FlightMemory memory;
        PreambleOptions preamble;
        Snapshot *snapshot;            /* NULL: there is a history */
        HistorySource *history_source; /* … of samples */
        CountSource *counts;           /* … or of counts */
        CountTable *count_table;       /* … which the daemon reads; NULL: there is none */
        int timer;                     /* of their next reading; -EBADF: none */
        HistoryStacks *stacks;         /* NULL: copies of stacks stay in the samples */
        usec_t oldest_shown;           /* time when flight_show_oldest() last ran */
        Flight *flight;
} FlightRecording;

static FlightRecording *flight_of(Recording *x) {
        return (FlightRecording *) x;
}

static void flight_show_oldest(FlightRecording *x) {
        const Recorder *r = x->recording.recorder;
        History *h = x->memory.history;
        uint64_t oldest = 0;
        int64_t offset; /* wall clock minus samples' clock */

        x->oldest_shown = now_usec(CLOCK_MONOTONIC);
        if (flight_clock_offset(x->flight, &offset) < 0)
                return;
        history_tell_time(h, now_nsec(CLOCK_REALTIME) - (uint64_t) offset);
        if (!history_oldest(h, &oldest))
                return;
        oldest += (uint64_t) offset - (now_nsec(CLOCK_REALTIME) - now_nsec(CLOCK_MONOTONIC));
        counters_set(&r->counters->page->first_sample_nsec, oldest);
}

static int flight_follow_processes(FlightRecording *x) {
        if (!x->stacks)
                return 0;
        history_stacks_begin(x->stacks);
        return flight_follow(x->flight, history_stacks_follow, x->stacks);
}

static int flight_recording_drain(Recording *recording) {
        FlightRecording *x = flight_of(recording);
        int q = flight_drain(x->flight);

        if (q >= 0 && x->stacks && history_stacks_is_full(x->stacks))
                q = flight_follow_processes(x);
        if (q >= 0 && x->history_source) {
                q = history_drain(x->memory.history, recording->recorder->set, x->stacks);
                flight_count(x->flight);
                if (q >= 0 && now_usec(CLOCK_MONOTONIC) - x->oldest_shown >= USEC_PER_SEC)
                        flight_show_oldest(x);
        }
        return MIN_OF(q, 0);
}

/* There is nothing to do any more when all threads are gone: nothing else tells, since counters have no rings. */
static int flight_on_interval(void *userdata, int fd, uint32_t events) {
        FlightRecording *x = userdata;
        Recorder *r = x->recording.recorder;
        int q = count_source_read(x->counts);

        flight_count(x->flight);
        flight_show_oldest(x);
        if (q >= 0 && !event_set_has_threads(r->set))
                loop_stop(r->loop);
        return q == -ENOMEM ? q : 0;
}

static int flight_recording_mark(Recording *x) {
        return flight_mark(flight_of(x)->flight);
}

static int flight_recording_dump(Recording *x, const DumpOrder *order) {
        int q = flight_dump(flight_of(x)->flight, order, recording_dump_done, x);

        if (q < 0 && q != -ENOMEM) {
                triggers_dump_done(x->recorder->triggers, &(DumpResult) { .error = q });
                return 0;
        }
        return q < 0 ? q : recorder_arm_switch_timer(x->recorder);
}

static int flight_recording_window(Recording *recording, const FlightWindowOrder *order, FlightWindowDone done, void *userdata) {
        FlightRecording *x = flight_of(recording);

        return x->counts ? -EOPNOTSUPP : flight_window(x->flight, order, done, userdata);
}

static int flight_recording_wait(Recording *x) {
        return flight_wait(flight_of(x)->flight);
}

/* Also the last file of a session has the facts of its trigger. */
static int flight_recording_finish(Recording *x, const DumpOrder *order, bool last, OutputFinished *ret, char ***ret_shortfall) {
        const Recorder *r = x->recorder;
        bool timestamp = !last || r->options->timestamp_filename;
        int q = flight_finish(flight_of(x)->flight, r->files.session ? order : NULL, timestamp, ret);

        if (q >= 0 && last) {
                *ret_shortfall = recording_describe_shortfall(x);
                recording_close_events(x);
        }
        return q;
}

static int flight_recording_renew_ids(Recording *recording) {
        FlightRecording *x = flight_of(recording);
        int q = flight_wait(x->flight);

        if (q >= 0)
                q = file_description_renew_ids(recording->recorder->files.description);
        if (q >= 0 && x->snapshot)
                q = snapshot_renew_ids(x->snapshot);
        if (q >= 0 && x->history_source)
                q = history_source_renew_ids(x->history_source);
        return q >= 0 && x->stacks ? history_stacks_renew_ids(x->stacks) : q;
}

static bool flight_recording_hand_over(Recording *recording, int files[static _HANDOVER_FILE_MAX]) {
        const FlightRecording *x = flight_of(recording);

        if (!x->memory.journal)
                return false;
        flight_memory_files(&x->memory, files);
        return true;
}

static void flight_recording_leave(Recording *recording, FlightMemory *memory) {
        memory->counted = steal_ptr(flight_of(recording)->counts);
}

static void flight_print_history(History *h) {
        HistoryTotals t;

        history_totals(h, &t);
        log_info("[ perf record: History held %" PRIu64 " samples of %.1f s, %.3f MB in %.3f MB, and dropped %" PRIu64 " ]",
                 t.counts.samples, (double) (t.counts.last - t.counts.first) / (double) NSEC_PER_SEC,
                 (double) t.bytes / 1024.0 / 1024.0, (double) t.stored / 1024.0 / 1024.0, t.dropped_samples);
}

static void flight_recording_free(Recording *recording) {
        FlightRecording *x = flight_of(recording);

        handover_forget(recording->recorder->handover);
        loop_remove_timer(recording->recorder->loop, x->timer);
        flight_free(x->flight);
        snapshot_free(x->snapshot);
        if (x->memory.history && log_is_verbose(1))
                flight_print_history(x->memory.history);
        history_source_free(x->history_source);
        count_source_free(x->counts);
        count_table_free(x->count_table);
        history_stacks_free(x->stacks);
        flight_memory_done(&x->memory);
        free(x);
}

static const RecordingKind flight_kind = {
        .drain = flight_recording_drain,
        .mark = flight_recording_mark,
        .dump = flight_recording_dump,
        .window = flight_recording_window,
        .wait = flight_recording_wait,
        .finish = flight_recording_finish,
        .renew_ids = flight_recording_renew_ids,
        .hand_over = flight_recording_hand_over,
        .leave = flight_recording_leave,
        .free = flight_recording_free,
};

static int flight_open_history(FlightRecording *x, const PerfDataEvent *events, size_t n, FlightSamples *ret) {
        Recorder *r = x->recording.recorder;
        const Options *o = r->options;
        FlightMemory *m = &x->memory;
        int q = 0;

        if (m->history) /* taken over; only what is appended from now on is counted */
                counters_set(&r->counters->page->samples, r->counters->previous.samples);
        else
                q = history_for_set(r->set, o->history_size, o->history_time, (int) o->history_level, &m->history);
        if (q >= 0 && o->unwind)
                q = history_stacks_new(r->set, events, n, o->attr.user_registers > 0, &x->stacks);
        if (q >= 0)
                q = history_source_new(m->history, r->set, events, n, m->state, x->stacks, &x->history_source);
        if (q >= 0)
                *ret = history_source_samples(x->history_source);
        return q;
}

static int flight_open_counts(FlightRecording *x, FlightSamples *ret) {
        Recorder *r = x->recording.recorder;
        const Options *o = r->options;
        FlightMemory *m = &x->memory;
        int q = m->history ? 0 : history_for_counts(o->history_size, o->history_time, (int) o->history_level, &m->history);

        if (q >= 0)
                q = count_source_new(m->history, r->set, m->state, &x->counts);
        if (q < 0)
                return q;
        if (m->counted)
                count_source_continue(x->counts, m->counted);
        m->counted = count_source_free(m->counted);
        if (r->counters->fd >= 0 && count_table_new(r->counters->fd, r->set, &x->count_table) >= 0)
                count_source_set_table(x->counts, x->count_table);
        x->timer = loop_add_timer(r->loop, o->history_interval, true, flight_on_interval, x);
        if (x->timer < 0)
                return x->timer;
        *ret = count_source_samples(x->counts);
        return count_source_read(x->counts);
}

static int flight_open_samples(FlightRecording *x, FlightSamples *ret) {
        Recorder *r = x->recording.recorder;
        size_t n;
        const PerfDataEvent *events = file_description_events(r->files.description, &n);
        int q;

        if (event_set_counts(r->set))
                return flight_open_counts(x, ret);
        if (r->options->history_size > 0)
                return flight_open_history(x, events, n, ret);
        q = snapshot_new(r->set, events, n, x->memory.state, &x->snapshot);
        if (q >= 0)
                *ret = snapshot_samples(x->snapshot);
        return q;
}

static int flight_recording_open(FlightRecording *x) {
        Recorder *r = x->recording.recorder;
        FlightMemory *m = &x->memory;
        FlightSamples samples = {};
        int q = m->state ? 0 : flight_state_new(flight_memory_positions(r->set), &m->state_fd, &m->state);

        if (q >= 0 && r->handover && !m->journal)
                q = sideband_journal_new(r->set->n_rings, &m->journal);
        if (q >= 0)
                q = flight_open_samples(x, &samples);
        if (q >= 0)
                q = bpf_catalog_update(r->bpf.catalog);
        if (q < 0)
                return q;
        r->files.renewed = true;
        x->preamble = recorder_preamble(r);
        q = flight_new(
                &(FlightOptions) {
                        .preamble = &x->preamble,
                        .files = &r->files,
                        .samples = samples,
                        .journal = m->journal,
                },
                r->loop, &x->flight);
        return q < 0 ? q : flight_follow_processes(x);
}

int recording_flight_new(Recorder *r, FlightMemory *memory, Recording **ret) {
        FlightRecording *x = calloc(1, sizeof(FlightRecording));
        int q;

        if (!x)
                return log_diagnosis(NULL, -ENOMEM, "The side band can't be recorded");
        x->recording = (Recording) { .kind = &flight_kind, .recorder = r };
        x->timer = -EBADF;
        x->memory = *memory;
        *memory = (FlightMemory) FLIGHT_MEMORY_EMPTY;
        q = flight_recording_open(x);
        if (q < 0)
                flight_recording_free(&x->recording);
        if (q == -ENODATA && r->options->history_size > 0)
                return log_diagnosis(NULL, q, "-M needs the time in the samples of all events");
        if (q < 0)
                return log_diagnosis(NULL, q, "The side band can't be recorded");
        counters_set(&r->counters->page->overwritten, !x->memory.history);
        *ret = &x->recording;
        return 0;
}
