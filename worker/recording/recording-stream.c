/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A recording that writes all the time: its rings are drained into an open file, and a dump finishes that file, with a
 * timestamp, and begins another one. A pipe or a device takes one endless file. Some rings, or all if a flight
 * recorder is not possible, may be overwrite rings: they are read once for each file, up to the mark, from a copy
 * (snapshot.c).
 *
 * A file of a session that has no sample is no dump: unless somebody asked for it, it is removed, and the next one begins
 * with what processes are and have mapped by then.
 *
 * Invariant: all samples up to a mark are in the file that is finished for it, and no sample is in two files. */

#include "array.h"
#include "recording.h"

#include "drain.h"
#include "log.h"
#include "output.h"
#include "preamble.h"
#include "process.h"
#include "recorder.h"
#include "snapshot.h"

typedef struct Stream {
        Recording recording;
        Output *output;
        FlightMemory memory;   /* the state only: positions up to which overwrite rings were read */
        Snapshot *snapshot;    /* of overwrite rings; NULL: there are none */
        uint64_t lost_before, lost_records_before, throttled_before; /* counted in the files so far */
        DrainLost lost;        /* the events' counts when they were read last */
        bool lost_changed;     /* the kernel reported more since then */
        usec_t lost_look;      /* time from which they may be read again, CLOCK_MONOTONIC */
        LeftOutNotes left_out_notes;
} Stream;

static Stream *stream_of(Recording *x) {
        return (Stream *) x;
}

static bool stream_has_files(const Stream *s) {
        return !output_place_is_stream(&s->recording.recorder->files.place);
}

/* The events tell lost samples from other lost records. */
static bool stream_tells_lost(const Stream *s) {
        return s->recording.recorder->counters->page->lost_records != PR_COUNTERS_UNKNOWN;
}

static void stream_take_lost(Stream *s, const DrainLost *now) {
        const Recorder *r = s->recording.recorder;
        PrCounters *page = r->counters->page;
        uint64_t records = now->records - MIN_OF(now->records, s->lost.records);

        if (records > 0 && page->lost_records == 0 && r->files.session) /* it is told at the end, which may be far */
                log_warning("The kernel had no room for what processes did: some samples may have no symbols");
        counters_add(&page->lost, now->samples - MIN_OF(now->samples, s->lost.samples));
        counters_add(&page->lost_records, records);
        s->lost = *now;
}

/* Counts what LOST records reported. The events' counts, which say what it was, are read only then, and once a second at most
 * or at the end of a file, because that interrupts the CPUs. */
static void stream_count_lost(Stream *s, uint64_t lost, bool file_ends) {
        const Recorder *r = s->recording.recorder;
        usec_t now = now_usec(CLOCK_MONOTONIC);
        DrainLost counts;

        if (!stream_tells_lost(s)) {
                counters_add(&r->counters->page->lost, lost);
                return;
        }
        s->lost_changed = s->lost_changed || lost > 0;
        if (!s->lost_changed || (!file_ends && now < s->lost_look) || drain_read_lost(r->set, NULL, &counts) < 0)
                return;
        stream_take_lost(s, &counts);
        s->lost_changed = false;
        s->lost_look = now + USEC_PER_SEC;
}

static int stream_begin(Recording *x) {
        return recording_streams(x->recorder) ? output_begin(stream_of(x)->output) : 0;
}

static int stream_drain(Recording *x) {
        Stream *s = stream_of(x);
        uint64_t lost = 0;
        int q = recording_streams(x->recorder) ? drain_rings(x->recorder->set, s->output, &lost) : 0;

        stream_count_lost(s, lost, false);
        return q < 0 ? q : output_is_over(s->output);
}

/* With overwrite rings only, the file is begun here; it is also written if they are empty. */
static int stream_mark(Recording *x) {
        Stream *s = stream_of(x);
        uint64_t lost = 0;
        int q = output_begin(s->output);

        if (q >= 0)
                q = output_rescue(s->output);
        if (q >= 0)
                q = drain_rings(x->recorder->set, s->output, &lost);
        stream_count_lost(s, lost, true);
        if (q >= 0 && s->snapshot) {
                const FlightSamples samples = snapshot_samples(s->snapshot);

                q = samples.mark(samples.userdata);
        }
        return q < 0 ? q : 1;
}

/* Writes the samples of overwrite rings, up to the mark. */
static int stream_complete(Stream *s) {
        FlightSamples samples;
        uint64_t lost = 0;
        int q;

        if (!s->snapshot)
                return 0;
        samples = snapshot_samples(s->snapshot);
        q = drain_overwrite_rings(&samples, s->output, &lost);
        stream_count_lost(s, lost, true);
        return q;
}

/* Finds the times of the first and the last sample by the wall clock. They stay 0 if they are not known. */
static void stream_find_times(Stream *s, DumpResult *part) {
        Recorder *r = s->recording.recorder;
        uint64_t first, last;
        int64_t offset;

        if (recorder_relate_clock(r, &offset) < 0 ||
            !file_description_look(r->files.description, output_writer(s->output), &first, &last))
                return;
        part->first = (first + (uint64_t) offset) / NSEC_PER_USEC;
        part->last = (last + (uint64_t) offset) / NSEC_PER_USEC;
}

/* Describes the samples of the open file, and adds that to it as facts. The result has no name yet. */
static DumpResult stream_describe_file(Stream *s, const DumpOrder *order) {
        const Recorder *r = s->recording.recorder;
        const PrCounters *c = r->counters->page;
        _cleanup_free_ char *lent = NULL;
        DumpResult part = {
                .samples = output_file_samples(s->output),
                .lost = c->lost - s->lost_before,
                .lost_records = stream_tells_lost(s) ? c->lost_records - s->lost_records_before : PR_COUNTERS_UNKNOWN,
                .throttled = c->throttled - s->throttled_before,
        };

        stream_find_times(s, &part);
        part.lent = lent = output_files_describe_lent(&r->files, &part, order->timestamp);
        if (output_writer(s->output))
                output_files_put_facts(&r->files, output_writer(s->output), order, &part);
        part.lent = NULL;
        return part;
}

/* Finishes the open file, which is complete up to the mark. If that fails, it goes on being filled. */
static int stream_finish_file(Stream *s, const DumpOrder *order, DumpResult *ret_part, OutputFinished *ret) {
        const PrCounters *c = s->recording.recorder->counters->page;
        int q;

        *ret_part = stream_describe_file(s, order);
        q = output_finish(s->output, true, ret);
        if (q < 0)
                return q;
        s->lost_before = c->lost;
        s->lost_records_before = c->lost_records;
        s->throttled_before = c->throttled;
        return 0;
}

static bool stream_takes_samples(const Stream *s) {
        const EventSet *set = s->recording.recorder->set;

        return !s->recording.recorder->options->attr.no_samples &&
               ANY_OF(set->n_members, i, !attr_is_dummy(&set->members[i].attr));
}

/* A file that says that samples were lost is of use, and so is the side band if that is all that is recorded. */
static bool stream_is_pointless(const Stream *s, const DumpOrder *order) {
        const Recorder *r = s->recording.recorder;
        const PrCounters *c = r->counters->page;

        return r->files.session && stream_has_files(s) && !order->requested && output_file_samples(s->output) == 0 &&
               stream_takes_samples(s) && c->lost == s->lost_before && c->throttled == s->throttled_before &&
               (!stream_tells_lost(s) || c->lost_records == s->lost_records_before);
}

static int stream_refuse(Stream *s, const char *sentence) {
        const DumpResult refusal = { .error = -EOPNOTSUPP, .sentence = sentence };

        triggers_dump_done(s->recording.recorder->triggers, &refusal);
        return 0;
}

static int stream_dump(Recording *x, const DumpOrder *order) {
        _cleanup_(output_finished_done) OutputFinished file = {};
        Stream *s = stream_of(x);
        DumpResult result = {};
        int q;

        /* All samples are in files, and perfctl can choose a window of time when it reads them. */
        if (stream_has_files(s) && (order->since > 0 || order->until > 0))
                return stream_refuse(s, "it writes all samples to files (Mode=stream), which are cut when they are read: leave the "
                                        "window of time out");
        q = stream_complete(s);
        if (q >= 0 && !stream_has_files(s))
                return stream_refuse(s, "a stream has no dumps");
        if (q >= 0 && stream_is_pointless(s, order)) {
                output_discard(s->output);
                result = (DumpResult) { .error = -ENODATA, .sentence = "no sample has come since the previous file" };
        } else if (q >= 0)
                q = stream_finish_file(s, order, &result, &file);
        if (q < 0)
                result = (DumpResult) { .error = q };
        result.name = file.name;
        recording_dump_done(x, &result);
        if (q < 0)
                return q == -ENOMEM ? q : 0;
        q = recording_begin(x);
        return q == -ENOMEM ? q : recorder_arm_switch_timer(x->recorder);
}

/* The rings may have lost more than they had room to report. */
static void stream_put_lost(Stream *s) {
        const Recorder *r = s->recording.recorder;
        uint64_t *seen = &r->counters->page->lost;
        DrainLost lost = {};

        if (drain_read_lost(r->set, s->output, &lost) < 0)
                return;
        if (stream_tells_lost(s))
                stream_take_lost(s, &lost);
        else
                counters_set(seen, MAX_OF(*seen, lost.samples + lost.records));
}

static int stream_finish_last(Stream *s, const DumpOrder *order, OutputFinished *ret, char ***ret_shortfall) {
        Recorder *r = s->recording.recorder;

        stream_put_lost(s);
        *ret_shortfall = recording_describe_shortfall(&s->recording);
        if (r->files.session && stream_has_files(s))
                (void) stream_describe_file(s, order);
        if (!r->options->preamble_last) /* the preamble at the end reads the events */
                recording_close_events(&s->recording);
        return output_finish(s->output, r->options->timestamp_filename && stream_has_files(s), ret);
}

static int stream_finish(Recording *x, const DumpOrder *order, bool last, OutputFinished *ret, char ***ret_shortfall) {
        Stream *s = stream_of(x);
        DumpResult part;
        int q = stream_mark(x);

        if (q >= 0)
                q = stream_complete(s);
        if (q < 0)
                return q;
        if (last)
                return stream_finish_last(s, order, ret, ret_shortfall);
        if (stream_is_pointless(s, order)) {
                output_discard(s->output);
                return -ENODATA;
        }
        return stream_has_files(s) ? stream_finish_file(s, order, &part, ret) : -ENODATA;
}

static uint64_t stream_file_size(const Recording *x) {
        return output_file_size(((const Stream *) x)->output);
}

static void stream_free(Recording *x) {
        Stream *s = stream_of(x);

        output_free(s->output);
        snapshot_free(s->snapshot);
        flight_memory_done(&s->memory);
        free(s);
}

static const RecordingKind stream_kind = {
        .begin = stream_begin,
        .drain = stream_drain,
        .mark = stream_mark,
        .dump = stream_dump,
        .finish = stream_finish,
        .file_size = stream_file_size,
        .free = stream_free,
};

typedef struct PreambleLeftOut {
        Stream *stream;
        LeftOut *sum;
} PreambleLeftOut;

/* Each file finds the same processes again; left_out_tell() limits the messages. */
static void stream_on_left_out(void *userdata, pid_t pid, uint64_t n) {
        const PreambleLeftOut *l = userdata;
        char name[PROCESS_COMM_SIZE] = "";

        l->sum->mappings += n;
        l->sum->processes++;
        (void) process_read_comm("", pid, pid, name);
        left_out_tell(&l->stream->left_out_notes, (uint32_t) pid, name, n);
}

static int stream_put_preamble(void *userdata, RecordBuffer *b, LeftOut *ret_left_out) {
        Stream *s = userdata;
        Recorder *r = s->recording.recorder;
        PreambleLeftOut l = { .stream = s, .sum = ret_left_out };
        PreambleOptions o = recorder_preamble(r);
        int q = bpf_catalog_update(r->bpf.catalog);

        o.left_out = stream_on_left_out;
        o.userdata = &l;
        return q < 0 ? q : preamble_put(&o, b);
}

/* A stream's reader is watched, since there may be nothing to write for long. epoll refuses files, which have no reader. */
static int stream_on_reader_gone(void *userdata, int fd, uint32_t events) {
        Stream *s = userdata;

        loop_remove(s->recording.recorder->loop, fd);
        output_reader_gone(s->output);
        loop_stop(s->recording.recorder->loop);
        return 0;
}

static int stream_open_output(Stream *s) {
        Recorder *r = s->recording.recorder;
        const struct perf_event_attr *first = &r->set->members[0].attr;
        const OutputOptions o = {
                .files = &r->files,
                .max_size = r->options->max_size,
                .preamble_last = r->options->preamble_last,
                .trailer.sample_type = first->sample_type,
                .preamble = stream_put_preamble,
                .userdata = s,
        };
        size_t wakeup = r->set->n_rings > 0 ? r->set->rings[0].mapped / 2 : 0;
        int q;

        /* As perf warns: the kernel wakes the recorder up when a ring is half full, so a file can't be smaller. */
        if (r->options->switch_output.size > 0 && r->options->switch_output.size < wakeup)
                log_warning("WARNING: switch-output data size lower than wakeup kernel buffer size (%zuK) "
                            "expect bigger perf.data sizes", wakeup / 1024);
        q = output_new(&o, &s->output);
        if (q >= 0 && !stream_has_files(s))
                q = loop_add(r->loop, r->files.place.stream_fd, 0, stream_on_reader_gone, s);
        return q == -EPERM ? 0 : q; /* a stream that can't be watched */
}

static int stream_open_snapshot(Stream *s) {
        Recorder *r = s->recording.recorder;
        const PerfDataEvent *events;
        size_t n;
        int q;

        if (!ANY_OF(r->set->n_rings, i, r->set->rings[i].overwrite))
                return 0;
        q = flight_state_new(r->set->n_rings, &s->memory.state_fd, &s->memory.state);
        if (q < 0)
                return q;
        events = file_description_events(r->files.description, &n);
        return snapshot_new(r->set, events, n, s->memory.state, &s->snapshot);
}

int recording_stream_new(Recorder *r, Recording **ret) {
        Stream *s = calloc(1, sizeof(Stream));
        int q;

        if (!s)
                return log_diagnosis(NULL, -ENOMEM, r->files.place.shown);
        s->recording = (Recording) { .kind = &stream_kind, .recorder = r };
        s->memory = (FlightMemory) FLIGHT_MEMORY_EMPTY;
        s->lost_before = r->counters->page->lost;
        s->lost_records_before = r->counters->page->lost_records;
        s->throttled_before = r->counters->page->throttled;
        q = stream_open_snapshot(s);
        if (q >= 0)
                q = stream_open_output(s);
        if (q < 0) {
                stream_free(&s->recording);
                return log_diagnosis(NULL, q, r->files.place.shown);
        }
        *ret = &s->recording;
        return 0;
}
