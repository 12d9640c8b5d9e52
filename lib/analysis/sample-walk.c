/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The recording is read twice. The build ids of binaries are known only when all maps are, since a path may have had
 * several files (recorded-paths.h): the first pass takes the maps, the second one has the samples. Between them lies
 * nothing of either but the table of binaries and the names of BPF programs and of control groups. */

#include "sample-walk.h"

#include "array.h"
#include "deferred-chains.h"
#include "record-queue.h"
#include "sample-counters.h"
#include "sample-layout.h"
#include "saturate.h"
#include "throttle-spans.h"
#include "user-stacks.h"

#define RECORDS_PER_WATCH 1024u

/* The causes for which samples are missing. */
typedef struct WalkLosses {
        SampleTotals totals;
        ThrottleSpans throttled;
} WalkLosses;

struct SampleWalk {
        PerfDataReader *reader;
        const SampleSelection *selection;
        const SampleWalkUser *user;
        Watcher watcher;
        Symbols *symbols;
        const PerfDataEvent *events;
        size_t n_events;
        SampleLayout *layouts;
        SampleCounters counters;
        WalkLosses losses;
        ThreadNames threads;
        CgroupNames cgroups;
        DeferredChains deferred;
        CodePlaces places;
        PlaceLookup *names;
        uint32_t kernel_maps;
        bool build_ids;
        Unwinder unwinder;
        uint64_t (*unwound)[UNWIND_END_MAX]; /* of the events */
};

SampleWalk *sample_walk_free(SampleWalk *w) {
        if (!w)
                return NULL;
        free(w->layouts);
        free(w->unwound);
        unwinder_done(&w->unwinder);
        sample_counters_done(&w->counters);
        throttle_spans_done(&w->losses.throttled);
        thread_names_done(&w->threads);
        cgroup_names_done(&w->cgroups);
        deferred_chains_done(&w->deferred);
        place_lookup_free(w->names);
        code_places_done(&w->places);
        free(w);
        return NULL;
}

static bool is_map(const struct perf_event_header *record) {
        return record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2 || record->type == PERF_RECORD_KSYMBOL;
}

/* Takes what the second pass can need early: maps, and paths of control groups, which may come behind the samples. A recording
 * that cannot be read to its end has those until there. */
static int walk_take_maps(SampleWalk *w) {
        const struct perf_event_header *record;
        size_t cursor = 0;
        int r = 0, more;

        while (r >= 0 && (more = perf_data_reader_next(w->reader, &cursor, &record)) == 1)
                if (is_map(record) && record_is_whole(record, 0))
                        r = code_places_take(&w->places, record);
                else if (record->type == PERF_RECORD_CGROUP && record_is_whole(record, 0))
                        r = cgroup_names_take(&w->cgroups, (const void *) record);
        return r < 0 ? r : more == -ENOMEM ? more : 0;
}

static int walk_begin(SampleWalk *w) {
        int r;

        for (size_t i = 0; i < w->n_events; i++) {
                sample_layout_init(w->layouts + i, &w->events[i].attr);
                w->build_ids = w->build_ids || w->events[i].attr.build_id;
        }
        code_places_begin(&w->places, w->build_ids);
        code_places_set_clock(&w->places, w->events, w->n_events);
        r = walk_take_maps(w);
        if (r >= 0)
                r = deferred_chains_read(&w->deferred, w->reader);
        if (r >= 0)
                r = place_lookup_new(&w->places, w->reader, w->symbols, &w->names);
        code_places_begin(&w->places, w->build_ids);
        return r;
}

int sample_walk_new(PerfDataReader *reader, const SampleSelection *selection, Symbols *symbols, SampleWalk **ret) {
        _cleanup_sample_walk_free_ SampleWalk *w = calloc(1, sizeof(*w));
        int r;

        if (!w)
                return -ENOMEM;
        w->reader = reader;
        w->selection = selection;
        w->cgroups.units = selection->units;
        w->cgroups.user_units = selection->user_units;
        w->symbols = symbols;
        w->n_events = perf_data_reader_events(reader, &w->events);
        w->layouts = calloc(w->n_events + 1, sizeof(*w->layouts));
        w->unwound = calloc(w->n_events + 1, sizeof(*w->unwound));
        if (!w->layouts || !w->unwound)
                return -ENOMEM;
        r = sample_counters_init(&w->counters, w->events, w->n_events);
        if (r >= 0)
                r = code_places_init(&w->places);
        if (r >= 0 && symbols)
                code_places_set_files(&w->places, symbols_directory(symbols), symbols_root(symbols));
        if (r >= 0)
                r = walk_begin(w);
        if (r < 0)
                return r;
        *ret = steal_ptr(w);
        return 0;
}

void sample_walk_unwind(SampleWalk *w, const UnwindSource *source) {
        w->unwinder.source = *source;
}

const CodePlaces *sample_walk_places(const SampleWalk *w) {
        return &w->places;
}

const uint64_t *sample_walk_unwound(const SampleWalk *w, size_t event) {
        return w->unwound[event];
}

static int walk_unwind(SampleWalk *w, const PerfDataEvent *e, PerfSample *s, UnwindEnd *ret) {
        UnwindStack stack;
        int r;

        unwind_stack_of_sample(&stack, s, e->attr.sample_regs_user);
        r = unwinder_chain(&w->unwinder, process_table_find(&w->places.processes, s->pid), &stack, s->callchain, s->n_callchain,
                           &s->n_callchain, ret);
        if (r < 0)
                return r;
        s->callchain = w->unwinder.chain;
        w->unwound[e - w->events][*ret]++;
        return 0;
}

static int walk_show_hit(SampleWalk *w, const PerfDataEvent *e, PerfSample *s, uint16_t misc, UnwindEnd *ret) {
        int r = unwinder_chain_hit(&w->unwinder, s->callchain, s->n_callchain, user_stacks_hit(s, misc), &s->n_callchain);

        if (r < 0)
                return r;
        s->callchain = w->unwinder.chain;
        *ret = user_stacks_end(s, w->unwinder.source.foreign);
        w->unwound[e - w->events][*ret]++;
        return 0;
}

static int walk_give(SampleWalk *w, const PerfDataEvent *e, const PerfSample *s, uint16_t misc) {
        PerfSample unwound = *s;
        WalkedSample walked = {
                .event = e, .number = (size_t) (e - w->events), .sample = &unwound, .misc = misc, .end = UNWIND_END_MAX,
        };
        uint32_t cpu = e->attr.sample_type & PERF_SAMPLE_CPU ? s->cpu : UINT32_MAX;
        bool copied, unwind;
        int r;

        if (!sample_selection_has_time(w->selection, s->time) || !sample_selection_has_cpu(w->selection, cpu))
                return 0;
        r = thread_names_get(&w->threads, s->pid, s->tid, &walked.thread);
        if (r >= 0)
                r = thread_names_name(&w->threads, walked.thread, &walked.name);
        if (r >= 0)
                r = cgroup_names_get(&w->cgroups, s->cgroup, &walked.cgroup);
        if (r < 0)
                return r;
        if (!sample_selection_has_thread(w->selection, s->pid, s->tid, sample_walk_comm(w, walked.name)) ||
            !cgroup_names_wants(&w->cgroups, walked.cgroup))
                return 0;
        if (w->selection->no_idle && e->attr.sample_type & PERF_SAMPLE_TID &&
            sample_is_idle(s->pid, misc & PERF_RECORD_MISC_CPUMODE_MASK))
                return 0;
        if (w->places.kernel_changed) {
                w->places.kernel_changed = false;
                w->kernel_maps++;
        }
        copied = w->unwinder.source.find && e->attr.sample_type & PERF_SAMPLE_STACK_USER &&
                 s->user_abi != PERF_SAMPLE_REGS_ABI_NONE;
        unwind = copied && !w->unwinder.source.foreign && user_stacks_has(s, e->attr.sample_regs_user);
        if (deferred_chain_waits(s->callchain, s->n_callchain))
                r = deferred_chains_merge(&w->deferred, s->tid, unwind, &unwound.callchain, &unwound.n_callchain);
        if (r < 0)
                return r;
        if (unwind)
                r = walk_unwind(w, e, &unwound, &walked.end);
        else if (copied)
                r = walk_show_hit(w, e, &unwound, misc, &walked.end);
        else if (unwound.n_callchain > 0) {
                UnwindEnd end = unwinder_mark_of(unwound.callchain, unwound.n_callchain);

                w->unwound[e - w->events][end]++;
                if (end != UNWIND_WHOLE) /* one without a mark may be of any kind */
                        walked.end = end;
        }
        if (r < 0)
                return r;
        w->places.time = s->time;
        walked.maps = code_places_generation(&w->places, s->pid);
        return w->user->sample(w->user->userdata, &walked);
}

/* As in perf, a sample with values of counters counts as one sample of each. */
static int walk_give_values(SampleWalk *w, const PerfDataEvent *e, const PerfSample *s, uint16_t misc, size_t n) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n; i++) {
                PerfSample one = *s;
                uint64_t value;
                size_t counter;

                if (!sample_counters_value(&w->counters, s, e->attr.read_format, i, &counter, &value))
                        continue;
                one.period = sample_counters_advance(&w->counters, counter, value);
                one.id = w->counters.counters[counter].id;
                if (one.period > 0)
                        r = walk_give(w, w->events + w->counters.counters[counter].event, &one, misc);
        }
        return r;
}

static int walk_take_sample(SampleWalk *w, const PerfDataEvent *e, const struct perf_event_header *record) {
        PerfSample s;
        size_t n;

        if (!e || sample_parse(&e->attr, record, &s) < 0) {
                w->losses.totals.unreadable++;
                return 0;
        }
        if (!(e->attr.sample_type & PERF_SAMPLE_PERIOD))
                s.period = e->attr.sample_period;
        n = w->counters.n > 0 ? sample_counters_values(&s, e->attr.read_format) : 0;
        return n > 0 ? walk_give_values(w, e, &s, record->misc, n) : walk_give(w, e, &s, record->misc);
}

static int walk_follow(SampleWalk *w, const struct perf_event_header *record) {
        int r = 0;

        if (record->type == PERF_RECORD_FORK)
                r = thread_names_fork(&w->threads, (const void *) record);
        else if (record->type == PERF_RECORD_COMM)
                r = thread_names_comm(&w->threads, (const void *) record);
        return r == -ENOMEM ? r : code_places_take(&w->places, record);
}

/* The trailer's CPU of a record without one is not known. */
static void walk_read_trailer(const PerfDataEvent *e, const struct perf_event_header *record, PerfSample *ret) {
        *ret = (PerfSample) {};
        if (sample_parse_trailer(&e->attr, record, ret) < 0)
                *ret = (PerfSample) {};
        if (!(ret->sample_type & PERF_SAMPLE_CPU))
                ret->cpu = UINT32_MAX;
}

static int walk_take(void *userdata, const struct perf_event_header *record, uint64_t time) {
        SampleWalk *w = userdata;
        const PerfDataEvent *e = perf_data_reader_event_of(w->reader, record);
        WalkedRecord walked = { .record = record, .number = e ? (size_t) (e - w->events) : 0, .time = time };
        PerfSample trailer;
        int r;

        if (record->type == PERF_RECORD_SAMPLE)
                return walk_take_sample(w, e, record);
        r = walk_follow(w, record);
        if (r < 0 || !w->user->record || w->n_events == 0)
                return r;
        walk_read_trailer(w->events + walked.number, record, &trailer);
        walked.trailer = &trailer;
        if (trailer.cpu != UINT32_MAX && !sample_selection_has_cpu(w->selection, trailer.cpu))
                return 0;
        return w->user->record(w->user->userdata, &walked);
}

static uint64_t record_time(const SampleWalk *w, const struct perf_event_header *record) {
        const PerfDataEvent *e = perf_data_reader_event_of(w->reader, record);
        PerfSample trailer;

        if (!e)
                return 0;
        if (record->type == PERF_RECORD_SAMPLE) {
                int place = w->layouts[e - w->events].time;

                return place >= 0 && (size_t) place + 1 < record->size / sizeof(uint64_t) ?
                       ((const uint64_t *) (record + 1))[place] : 0;
        }
        return sample_parse_trailer(&e->attr, record, &trailer) >= 0 ? trailer.time : 0;
}

/* Counts what samples are missing for. */
static int walk_count(SampleWalk *w, const struct perf_event_header *record) {
        SampleTotals *totals = &w->losses.totals;

        switch (record->type) {
        case PERF_RECORD_LOST:
                totals->lost_records = saturate_sum(totals->lost_records, ((const PerfRecordLost *) record)->lost);
                return 0;
        case PERF_RECORD_LOST_SAMPLES:
                totals->lost_samples = saturate_sum(totals->lost_samples, ((const PerfRecordLostSamples *) record)->lost);
                return 0;
        case PERF_RECORD_THROTTLE:
                return throttle_spans_begin(&w->losses.throttled, (const void *) record);
        case PERF_RECORD_UNTHROTTLE:
                throttle_spans_end(&w->losses.throttled, (const void *) record);
                return 0;
        default:
                return 0;
        }
}

static int walk_feed(SampleWalk *w, RecordQueue *q, const struct perf_event_header *record) {
        if (record->type == PERF_RECORD_FINISHED_ROUND) {
                int r = record_queue_finish_round(q);

                return r >= 0 && w->user->round ? w->user->round(w->user->userdata) : r;
        }
        if (record->type >= PERF_RECORD_USER_TYPE_START)
                return 0;
        if (record->type != PERF_RECORD_SAMPLE) {
                int r = record_is_whole(record, 0) ? walk_count(w, record) : 0;

                if (r < 0 || !record_is_whole(record, 0))
                        return r;
        }
        return record_queue_put(q, record_time(w, record), record);
}

void sample_walk_set_watcher(SampleWalk *w, Watcher watcher) {
        w->watcher = w->unwinder.watcher = watcher;
}

int sample_walk_run(SampleWalk *w, const SampleWalkUser *user) {
        _cleanup_(record_queue_freep) RecordQueue *q = NULL;
        const struct perf_event_header *record;
        int r = record_queue_new(walk_take, w, &q), more = 1;
        size_t cursor = 0, n = 0;

        w->user = user;
        while (r >= 0 && (more = perf_data_reader_next(w->reader, &cursor, &record)) == 1) {
                r = walk_feed(w, q, record);
                if (++n % RECORDS_PER_WATCH == 0 && !watcher_go_on(&w->watcher)) {
                        more = -EINTR;
                        break;
                }
        }
        if (r >= 0 && more != -ENOMEM)
                r = record_queue_finish(q);
        w->losses.totals.throttled = w->losses.throttled.times;
        w->losses.totals.throttled_time = w->losses.throttled.total;
        return r < 0 ? r : more;
}

const SampleTotals *sample_walk_totals(const SampleWalk *w) {
        return &w->losses.totals;
}

const char *sample_walk_comm(const SampleWalk *w, uint32_t name) {
        return thread_names_text(&w->threads, name);
}

const char *sample_walk_cgroup(const SampleWalk *w, uint32_t number) {
        return number > 0 ? cgroup_names_text(&w->cgroups, w->cgroups.groups[number - 1].path) : NULL;
}

int sample_walk_name_thread(SampleWalk *w, uint32_t pid, uint32_t tid, const char **ret) {
        uint32_t thread, name;
        int r = thread_names_get(&w->threads, pid, tid, &thread);

        if (r >= 0)
                r = thread_names_name(&w->threads, thread, &name);
        if (r >= 0)
                *ret = thread_names_text(&w->threads, name);
        return r;
}

uint32_t sample_walk_kernel_maps(const SampleWalk *w) {
        return w->kernel_maps;
}

int sample_walk_find(SampleWalk *w, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret) {
        return code_places_find(&w->places, pid, cpumode, ip, ret);
}

int sample_walk_find_caller(SampleWalk *w, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret) {
        return code_places_find_caller(&w->places, pid, cpumode, ip, ret);
}

PlaceLookup *sample_walk_names(SampleWalk *w) {
        return w->names;
}
