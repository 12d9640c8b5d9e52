/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The cursor over a recording: records are read until one is due in the order of time, what it changes is followed, and a sample
 * gets its call chain. A sample that carries the values of counters is a moment for each of them, as in perf.
 *
 * Names of places need the build ids of binaries, which are known only when all maps are, since a path may have had several files
 * (recorded-paths.h): so a pass before takes the maps. It takes the paths of control groups too, which may come behind the samples
 * that are selected by them. */

#include "replay.h"

#include "deferred-chains.h"
#include "record-order.h"
#include "sample-counters.h"
#include "sample-layout.h"
#include "unwind-files.h"
#include "user-stacks.h"

#define RECORDS_PER_WATCH 1024u

/* The place up to which the recording was read. */
typedef struct ReplayPosition {
        size_t cursor, n_read;
        uint64_t time;                         /* of the last moment */
        const struct perf_event_header *round; /* it ended, and is a moment once nothing is due any more */
        int result;                            /* how the reading ended */
        bool read, ended;                      /* read: all is; ended: nothing is due any more */
} ReplayPosition;

/* The values of a sample that are moments of their own. */
typedef struct ReplayValues {
        PerfSample sample;
        const PerfDataEvent *event;
        const struct perf_event_header *record;
        size_t next, n;
} ReplayValues;

struct Replay {
        PerfDataReader *reader;
        SampleSelection selection;
        Watcher watcher;
        const PerfDataEvent *events;
        size_t n_events;
        SampleLayout *layouts;
        RecordOrder order;
        ReplayPosition position;
        ReplayValues values;
        PerfSample sample; /* of the last moment */
        ProcessView view;
        CodePlaces places;
        PlaceLookup *names;
        CgroupNames cgroups;
        SampleCounters counters;
        DeferredChains deferred;
        UnwindFiles *files;
        Unwinder unwinder;
        uint64_t (*unwound)[UNWIND_END_MAX]; /* of the events */
        SampleTotals totals;
        ThrottleSpans throttled;
};

Replay *replay_free(Replay *r) {
        if (!r)
                return NULL;
        record_order_done(&r->order);
        free(r->layouts);
        free(r->unwound);
        unwinder_done(&r->unwinder);
        unwind_files_free(r->files);
        sample_counters_done(&r->counters);
        throttle_spans_done(&r->throttled);
        cgroup_names_done(&r->cgroups);
        deferred_chains_done(&r->deferred);
        place_lookup_free(r->names);
        code_places_done(&r->places);
        process_view_done(&r->view);
        free(r);
        return NULL;
}

/* A recording that cannot be read to its end has the maps until there. */
static int replay_take_maps(Replay *r) {
        const struct perf_event_header *record;
        size_t cursor = 0;
        int q = 0, more;

        while (q >= 0 && (more = perf_data_reader_next(r->reader, &cursor, &record)) == 1)
                switch (record->type) {
                case PERF_RECORD_MMAP:
                case PERF_RECORD_MMAP2:
                case PERF_RECORD_KSYMBOL:
                        q = record_is_whole(record, 0) ? process_view_take(&r->view, record) : 0;
                        break;
                case PERF_RECORD_CGROUP:
                        q = record_is_whole(record, 0) ? cgroup_names_take(&r->cgroups, (const void *) record) : 0;
                        break;
                default:
                        break;
                }
        process_view_restart(&r->view);
        return q < 0 ? q : more == -ENOMEM ? more : 0;
}

static int replay_begin(Replay *r, const ReplayOptions *options) {
        int q = sample_counters_init(&r->counters, r->events, r->n_events);

        for (size_t i = 0; i < r->n_events; i++)
                sample_layout_init(r->layouts + i, &r->events[i].attr);
        if (q >= 0)
                q = code_places_init(&r->places, &r->view);
        if (q >= 0)
                q = process_view_begin_recording(&r->view, r->events, r->n_events);
        if (q >= 0 && options->symbols)
                jit_files_begin(&r->places.jit, symbols_directory(options->symbols), symbols_root(options->symbols));
        if (q >= 0 && (options->named || r->selection.units))
                q = replay_take_maps(r);
        if (q >= 0)
                q = deferred_chains_read(&r->deferred, r->reader);
        if (q >= 0 && options->named)
                q = place_lookup_new(&r->places, r->reader, options->symbols, &r->names);
        if (q >= 0 && options->stacks) {
                q = unwind_files_new(&r->places, r->reader, options->stacks, &r->files);
                r->unwinder.source = q >= 0 ? unwind_files_source(r->files) : (UnwindSource) {};
        }
        return q;
}

int replay_new(PerfDataReader *reader, const ReplayOptions *options, Replay **ret) {
        _cleanup_replay_free_ Replay *r = calloc(1, sizeof(*r));
        int q;

        if (!r)
                return -ENOMEM;
        r->reader = reader;
        r->selection = options->selection ? *options->selection : (SampleSelection) {};
        r->cgroups.units = r->selection.units;
        r->cgroups.user_units = r->selection.user_units;
        r->n_events = perf_data_reader_events(reader, &r->events);
        r->layouts = calloc(r->n_events + 1, sizeof(*r->layouts));
        r->unwound = calloc(r->n_events + 1, sizeof(*r->unwound));
        if (!r->layouts || !r->unwound)
                return -ENOMEM;
        q = replay_begin(r, options);
        if (q < 0)
                return q;
        replay_rewind(r, options->watcher);
        *ret = steal_ptr(r);
        return 0;
}

void replay_rewind(Replay *r, Watcher watcher) {
        record_order_done(&r->order);
        r->position = (ReplayPosition) {};
        r->values = (ReplayValues) {};
        r->totals = (SampleTotals) {};
        throttle_spans_done(&r->throttled);
        sample_counters_restart(&r->counters);
        memset(r->unwound, 0, r->n_events * sizeof(*r->unwound));
        process_view_restart(&r->view);
        r->watcher = r->unwinder.watcher = watcher;
        r->unwinder.ended = false;
}

static bool replay_wants(const Replay *r, const Moment *m, bool with_task) {
        return sample_selection_has_thread(&r->selection, m->sample->pid, m->sample->tid, replay_name(r, m->name)) &&
               cgroup_names_wants(&r->cgroups, m->cgroup) &&
               !(r->selection.no_idle && with_task && sample_is_idle(m->sample->pid, moment_mode(m)));
}

/* Makes the call chain of a copy of the stack; without registers or bytes, only the address that was hit is added. */
static int replay_unwind(Replay *r, const PerfDataEvent *e, PerfSample *s, uint16_t misc, bool whole, UnwindEnd *ret) {
        UnwindStack stack;
        int q;

        if (whole) {
                unwind_stack_of_sample(&stack, s, e->attr.sample_regs_user);
                q = unwinder_chain(&r->unwinder, process_table_find(&r->view.processes, s->pid), &stack, s->callchain,
                                   s->n_callchain, &s->n_callchain, ret);
        } else {
                q = unwinder_chain_hit(&r->unwinder, s->callchain, s->n_callchain, user_stacks_hit(s, misc), &s->n_callchain);
                *ret = user_stacks_end(s, r->unwinder.source.foreign);
        }
        s->callchain = r->unwinder.chain;
        return q;
}

/* Completes the call chain of a sample. A recorded one without a mark may be of any kind, and counts as whole. */
static int replay_complete_chain(Replay *r, PerfSample *s, Moment *m) {
        const PerfDataEvent *e = m->event;
        bool copied = r->files && e->attr.sample_type & PERF_SAMPLE_STACK_USER && s->user_abi != PERF_SAMPLE_REGS_ABI_NONE;
        bool whole = copied && !r->unwinder.source.foreign && user_stacks_has(s, e->attr.sample_regs_user);
        UnwindEnd end = UNWIND_END_MAX;
        int q = 0;

        if (deferred_chain_waits(s->callchain, s->n_callchain))
                q = deferred_chains_merge(&r->deferred, s->tid, whole, &s->callchain, &s->n_callchain);
        if (q >= 0 && copied)
                q = replay_unwind(r, e, s, m->record->misc, whole, &end);
        else if (q >= 0 && s->n_callchain > 0)
                end = unwinder_mark_of(s->callchain, s->n_callchain);
        if (q < 0 || end == UNWIND_END_MAX)
                return q;
        r->unwound[m->number][end]++;
        if (copied || end != UNWIND_WHOLE)
                m->end = end;
        return 0;
}

/* Makes the moment of a sample, or of a value. 1; 0: it is not selected. */
static int replay_give_sample(Replay *r, const PerfDataEvent *e, const struct perf_event_header *record, Moment *ret) {
        PerfSample *s = &r->sample;
        Moment m = {
                .record = record, .time = s->time, .event = e, .number = (size_t) (e - r->events), .sample = s,
                .end = UNWIND_END_MAX,
        };
        int q;

        if (!sample_selection_has_time(&r->selection, s->time) ||
            !sample_selection_has_cpu(&r->selection, e->attr.sample_type & PERF_SAMPLE_CPU ? s->cpu : UINT32_MAX))
                return 0;
        q = process_view_thread(&r->view, s->pid, s->tid, &m.thread);
        if (q >= 0)
                q = process_view_name_thread(&r->view, m.thread, &m.name);
        if (q >= 0)
                q = cgroup_names_get(&r->cgroups, s->cgroup, &m.cgroup);
        if (q < 0 || !replay_wants(r, &m, e->attr.sample_type & PERF_SAMPLE_TID))
                return q < 0 ? q : 0;
        q = replay_complete_chain(r, s, &m);
        if (q < 0)
                return q;
        r->places.time = s->time;
        m.maps = code_places_generation(&r->places, s->pid);
        m.kernel_maps = r->view.kernel_generation;
        *ret = m;
        return 1;
}

/* 0: it is of no known counter, or did not grow. */
static int replay_give_value(Replay *r, Moment *ret) {
        ReplayValues *v = &r->values;
        const SampleCounter *counter;
        uint64_t value;
        size_t number;

        if (!sample_counters_value(&r->counters, &v->sample, v->event->attr.read_format, v->next++, &number, &value))
                return 0;
        counter = r->counters.counters + number;
        r->sample = v->sample;
        r->sample.period = sample_counters_advance(&r->counters, number, value);
        r->sample.id = counter->id;
        return r->sample.period > 0 ? replay_give_sample(r, r->events + counter->event, v->record, ret) : 0;
}

static int replay_take_sample(Replay *r, const PerfDataEvent *e, const struct perf_event_header *record, Moment *ret) {
        PerfSample *s = &r->sample;
        size_t n;

        if (!e || sample_parse(&e->attr, record, s) < 0) {
                r->totals.unreadable++;
                return 0;
        }
        if (!(e->attr.sample_type & PERF_SAMPLE_PERIOD))
                s->period = e->attr.sample_period;
        n = r->counters.n > 0 ? sample_counters_values(s, e->attr.read_format) : 0;
        if (n == 0)
                return replay_give_sample(r, e, record, ret);
        r->values = (ReplayValues) { .sample = *s, .event = e, .record = record, .n = n };
        return 0;
}

/* The CPU of a record that does not say it is not known. */
static int replay_take_record(Replay *r, const PerfDataEvent *e, const OrderedRecord *ordered, Moment *ret) {
        PerfSample *trailer = &r->sample;
        int q = process_view_take(&r->view, ordered->record);

        if (q < 0 || r->n_events == 0)
                return q;
        e = e ?: r->events;
        if (sample_parse_trailer(&e->attr, ordered->record, trailer) < 0)
                *trailer = (PerfSample) {};
        if (!(trailer->sample_type & PERF_SAMPLE_CPU))
                trailer->cpu = UINT32_MAX;
        if (trailer->cpu != UINT32_MAX && !sample_selection_has_cpu(&r->selection, trailer->cpu))
                return 0;
        *ret = (Moment) {
                .record = ordered->record, .time = ordered->time, .event = e, .number = (size_t) (e - r->events), .sample = trailer,
                .end = UNWIND_END_MAX,
        };
        return 1;
}

static int replay_give_round(Replay *r, Moment *ret) {
        r->sample = (PerfSample) { .cpu = UINT32_MAX };
        *ret = (Moment) { .record = r->position.round, .time = r->position.time, .sample = &r->sample, .end = UNWIND_END_MAX };
        r->position.round = NULL;
        return 1;
}

static uint64_t replay_time_of(const Replay *r, const struct perf_event_header *record) {
        const PerfDataEvent *e = perf_data_reader_event_of(r->reader, record);
        PerfSample trailer;

        if (!e)
                return 0;
        if (record->type == PERF_RECORD_SAMPLE) {
                int place = r->layouts[e - r->events].time;

                return place >= 0 && (size_t) place + 1 < record->size / sizeof(uint64_t) ?
                       ((const uint64_t *) (record + 1))[place] : 0;
        }
        return sample_parse_trailer(&e->attr, record, &trailer) >= 0 ? trailer.time : 0;
}

/* Puts a record where it waits until it is due. */
static int replay_put(Replay *r, const struct perf_event_header *record) {
        int q = 0;

        if (record->type == PERF_RECORD_FINISHED_ROUND) {
                r->position.round = record;
                return record_order_finish_round(&r->order);
        }
        if (record->type >= PERF_RECORD_USER_TYPE_START)
                return 0;
        if (record->type != PERF_RECORD_SAMPLE) {
                if (!record_is_whole(record, 0))
                        return 0;
                q = record->type == PERF_RECORD_CGROUP ? cgroup_names_take(&r->cgroups, (const void *) record) :
                    sample_totals_take(&r->totals, &r->throttled, record);
        }
        if (q < 0)
                return q;
        return record_order_put(&r->order, &(OrderedRecord) { .time = replay_time_of(r, record), .record = record }, false);
}

/* Reads a record. When there are no more, all that waits is due. */
static int replay_read(Replay *r) {
        const struct perf_event_header *record;
        ReplayPosition *p = &r->position;
        int more = perf_data_reader_next(r->reader, &p->cursor, &record);

        if (more == 1 && ++p->n_read % RECORDS_PER_WATCH == 0 && !watcher_go_on(&r->watcher))
                more = -EINTR;
        if (more == 1)
                return replay_put(r, record);
        p->result = more;
        p->read = true;
        return more == -ENOMEM ? more : record_order_finish(&r->order);
}

/* Goes on by a step. 1: to a moment. */
static int replay_step(Replay *r, Moment *ret) {
        const OrderedRecord *next;

        if (r->values.next < r->values.n)
                return replay_give_value(r, ret);
        next = record_order_next(&r->order);
        if (next) {
                const PerfDataEvent *e = perf_data_reader_event_of(r->reader, next->record);

                return next->record->type == PERF_RECORD_SAMPLE ? replay_take_sample(r, e, next->record, ret) :
                       replay_take_record(r, e, next, ret);
        }
        if (r->position.round)
                return replay_give_round(r, ret);
        if (!r->position.read)
                return replay_read(r);
        r->position.ended = true;
        return 0;
}

int replay_next(Replay *r, Moment *ret) {
        ReplayPosition *p = &r->position;

        while (!p->ended) {
                int q = replay_step(r, ret);

                if (q == 1) {
                        p->time = ret->time;
                        return 1;
                }
                if (q < 0) {
                        p->result = q;
                        p->ended = true;
                }
        }
        return p->result;
}

const ProcessView *replay_view(const Replay *r) {
        return &r->view;
}

const CodePlaces *replay_places(const Replay *r) {
        return &r->places;
}

int replay_find_place(Replay *r, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret) {
        return code_places_find(&r->places, pid, cpumode, ip, ret);
}

int replay_find_caller(Replay *r, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret) {
        return code_places_find_caller(&r->places, pid, cpumode, ip, ret);
}

PlaceLookup *replay_names(const Replay *r) {
        return r->names;
}

const char *replay_name(const Replay *r, uint32_t name) {
        return process_view_name(&r->view, name);
}

int replay_name_thread(Replay *r, uint32_t pid, uint32_t tid, const char **ret) {
        uint32_t thread, name;
        int q = process_view_thread(&r->view, pid, tid, &thread);

        if (q >= 0)
                q = process_view_name_thread(&r->view, thread, &name);
        if (q >= 0)
                *ret = replay_name(r, name);
        return q;
}

const char *replay_cgroup(const Replay *r, uint32_t number) {
        return number > 0 ? cgroup_names_text(&r->cgroups, r->cgroups.groups[number - 1].path) : NULL;
}

const SampleTotals *replay_totals(const Replay *r) {
        return &r->totals;
}

const uint64_t *replay_unwound(const Replay *r, size_t event) {
        return r->unwound[event];
}
