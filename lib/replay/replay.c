/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The cursor over a recording: records are read until one is due in the order of time, what it changes is followed, and a sample
 * gets its call chain. A sample that carries the values of counters is a moment for each of them, as in perf.
 *
 * Names of places need the build ids of binaries, which are known only when all maps are, since a path may have had several files
 * (recorded-paths.h): so a pass before takes the maps. It takes the paths of control groups too, which may come behind the samples
 * that are selected by them. */

#include "replay.h"

#include "array.h"
#include "replay-feed.h"
#include "sample-counters.h"
#include "unwind-files.h"
#include "user-stacks.h"

#define RECORDS_PER_WATCH 1024u
#define ROUND_BYTES_MAX ((size_t) 256 << 20) /* of a round */
#define KEPT_BYTES_MAX ((size_t) 256 << 20)

#define TYPE(name) (UINT32_C(1) << PERF_RECORD_##name)
#define FOLLOWED_TYPES (TYPE(MMAP) | TYPE(MMAP2) | TYPE(KSYMBOL) | TYPE(FORK) | TYPE(COMM))
#define SUMMED_TYPES (TYPE(CGROUP) | TYPE(LOST) | TYPE(LOST_SAMPLES) | TYPE(THROTTLE) | TYPE(UNTHROTTLE))
#define SWITCH_TYPES (TYPE(SWITCH) | TYPE(SWITCH_CPU_WIDE))
#define REPLAY_AGAIN (UINT32_C(1) << 30) /* in the source of a record: it had its moment */

/* The place up to which the recording was read. */
typedef struct ReplayPosition {
        size_t n_read;
        uint64_t time;                  /* of the last moment */
        struct perf_event_header round; /* the one that ended last */
        bool round_due;                 /* it is a moment once nothing else is due */
        int result;                     /* how the reading ended */
        bool read, ended;               /* read: all is; ended: nothing is due any more */
} ReplayPosition;

/* The values of a sample that are moments of their own. */
typedef struct ReplayValues {
        PerfSample sample;
        const PerfDataEvent *event;
        const struct perf_event_header *record;
        size_t next, n;
} ReplayValues;

/* A recording without rounds has the side band before samples, and those of one CPU before another's. If they are too many, they
 * are due in several parts, and for each of these the side band from the first record on. */
typedef struct ReplayParts {
        bool rounds;           /* there are some, so there are no parts */
        bool begun, ended;     /* begun: there is more than one part; ended: what is due is the end of one */
        OrderedRecord *kept;   /* the side band so far: copies */
        size_t n, allocated, bytes;
} ReplayParts;

struct Replay {
        PerfDataReader *reader;
        SampleSelection selection;
        ReplayNeeds needs;
        MomentSelection others;
        bool counts;           /* for a consumer who said what it needs */
        Watcher watcher;
        const PerfDataEvent *events;
        size_t n_events;
        ReplayFeed feed;
        RecordOrder order;
        ReplayParts parts;
        ReplayPosition position;
        ReplayValues values;
        PerfSample sample, brief; /* of the last moment; brief: of a BriefSample, whose other fields are always 0 */
        MachineView own, *machine;
        int64_t running;       /* see Moment */
        PlaceLookup *names;
        SampleCounters counters;
        UnwindFiles *files;
        Unwinder unwinder;
        uint64_t (*unwound)[UNWIND_END_MAX]; /* of the events */
        SampleTotals totals;
        ThrottleSpans throttled;
};

static void parts_done(ReplayParts *p) {
        for (size_t i = 0; i < p->n; i++)
                free((void *) p->kept[i].record);
        free(p->kept);
        *p = (ReplayParts) {};
}

Replay *replay_free(Replay *r) {
        if (!r)
                return NULL;
        replay_feed_done(&r->feed);
        record_order_done(&r->order);
        parts_done(&r->parts);
        free(r->unwound);
        unwinder_done(&r->unwinder);
        unwind_files_free(r->files);
        sample_counters_done(&r->counters);
        throttle_spans_done(&r->throttled);
        place_lookup_free(r->names);
        machine_view_done(&r->own);
        free(r);
        return NULL;
}

/* Takes maps, if they are wanted, and paths of control groups. A recording that cannot be read to its end has those until there. */
static int replay_take_maps(Replay *r, bool maps) {
        const struct perf_event_header *record;
        size_t cursor = 0;
        int q = 0, more;

        while (q >= 0 && (more = perf_data_reader_next(r->reader, &cursor, &record)) == 1)
                switch (record->type) {
                case PERF_RECORD_MMAP:
                case PERF_RECORD_MMAP2:
                case PERF_RECORD_KSYMBOL:
                        q = maps && record_is_whole(record, 0) ? process_view_take(&r->machine->processes, record) : 0;
                        break;
                case PERF_RECORD_CGROUP:
                        q = record_is_whole(record, 0) ? cgroup_names_take(&r->machine->cgroups, (const void *) record) : 0;
                        break;
                default:
                        break;
                }
        process_view_restart(&r->machine->processes);
        return q < 0 ? q : more == -ENOMEM ? more : 0;
}

/* Says what of the recording is read. Values of counters need all samples of their events. */
static void replay_plan_feed(Replay *r) {
        const ReplayNeeds *needs = &r->needs;

        if (r->others < MOMENT_OTHER_TIME && r->counters.n == 0)
                r->feed.selection = &r->selection;
        r->feed.records = UINT32_MAX;
        if (!r->counts)
                return;
        r->feed.records = TYPE(SAMPLE) | FOLLOWED_TYPES | SUMMED_TYPES | needs->records;
        r->feed.chains = needs->chains;
        replay_feed_make_brief(&r->feed, needs->fields | PERF_SAMPLE_READ | PERF_SAMPLE_STACK_USER);
}

static int replay_begin(Replay *r, const ReplayOptions *options) {
        CodePlaces *places = &r->machine->places;
        bool chains = !r->counts || r->needs.chains;
        int q = r->machine == &r->own ? machine_view_init(&r->own) : 0;

        r->machine->cgroups.units = r->selection.units;
        r->machine->cgroups.user_units = r->selection.user_units;
        if (q >= 0)
                q = machine_view_begin_recording(r->machine, r->events, r->n_events);
        if (q >= 0 && options->symbols)
                jit_files_begin(&places->jit, symbols_directory(options->symbols), symbols_root(options->symbols));
        else if (q >= 0 && options->stacks)
                jit_files_begin(&places->jit, options->stacks->directory, options->stacks->root);
        if (q >= 0 && (options->named || r->selection.units))
                q = replay_take_maps(r, options->named);
        if (q >= 0 && !r->needs.together)
                q = sample_counters_init(&r->counters, r->events, r->n_events);
        if (q >= 0 && options->named)
                q = place_lookup_new(places, r->reader, options->symbols, &r->names);
        if (q >= 0 && options->stacks && chains) {
                q = unwind_files_new(places, r->reader, options->stacks, &r->files);
                r->unwinder.source = q >= 0 ? unwind_files_source(r->files) : (UnwindSource) {};
        }
        if (q >= 0)
                replay_plan_feed(r);
        return q;
}

int replay_new(PerfDataReader *reader, const ReplayOptions *options, Replay **ret) {
        _cleanup_replay_free_ Replay *r = calloc(1, sizeof(*r));
        int q;

        if (!r)
                return -ENOMEM;
        r->reader = reader;
        r->selection = options->selection ? *options->selection : (SampleSelection) {};
        r->others = options->others;
        r->counts = options->needs;
        r->needs = options->needs ? *options->needs : (ReplayNeeds) {};
        r->machine = options->machine ?: &r->own;
        r->n_events = perf_data_reader_events(reader, &r->events);
        r->unwound = calloc(r->n_events + 1, sizeof(*r->unwound));
        q = replay_feed_init(&r->feed, reader);
        if (q < 0 || !r->unwound)
                return -ENOMEM;
        q = replay_begin(r, options);
        if (q < 0)
                return q;
        replay_rewind(r, options->watcher);
        *ret = steal_ptr(r);
        return 0;
}

void replay_rewind(Replay *r, Watcher watcher) {
        replay_feed_rewind(&r->feed);
        record_order_done(&r->order);
        r->order.limit = r->counts ? ROUND_BYTES_MAX : 0;
        parts_done(&r->parts);
        r->position = (ReplayPosition) {};
        r->values = (ReplayValues) {};
        r->totals = (SampleTotals) {};
        throttle_spans_done(&r->throttled);
        sample_counters_restart(&r->counters);
        memset(r->unwound, 0, r->n_events * sizeof(*r->unwound));
        process_view_restart(&r->machine->processes);
        r->running = 0;
        r->watcher = r->unwinder.watcher = watcher;
        r->unwinder.ended = false;
}

static bool replay_wants(const Replay *r, const Moment *m, bool with_task) {
        return sample_selection_has_thread(&r->selection, m->sample->pid, m->sample->tid, replay_name(r, m->name)) &&
               cgroup_names_wants(&r->machine->cgroups, m->cgroup) &&
               !(r->selection.no_idle && with_task && sample_is_idle(m->sample->pid, moment_mode(m)));
}

/* Makes the call chain of a copy of the stack; without registers or bytes, only the address that was hit is added. */
static int replay_unwind(Replay *r, const PerfDataEvent *e, PerfSample *s, uint16_t misc, bool whole, UnwindEnd *ret) {
        UnwindStack stack;
        int q;

        if (whole) {
                unwind_stack_of_sample(&stack, s, e->attr.sample_regs_user);
                q = unwinder_chain(&r->unwinder, process_table_find(&r->machine->processes.processes, s->pid), &stack, s->callchain,
                                   s->n_callchain, &s->n_callchain, ret);
        } else {
                q = unwinder_chain_hit(&r->unwinder, s->callchain, s->n_callchain, user_stacks_hit(s, misc), &s->n_callchain);
                *ret = user_stacks_end(s, r->unwinder.source.foreign);
        }
        s->callchain = r->unwinder.chain;
        return q;
}

/* Completes the call chain of a sample, and gives it a number if samples are counted. A recorded one without a mark may be of any
 * kind, and counts as whole. */
static int replay_complete_chain(Replay *r, PerfSample *s, Moment *m) {
        const PerfDataEvent *e = m->event;
        bool copied = r->files && e->attr.sample_type & PERF_SAMPLE_STACK_USER && s->user_abi != PERF_SAMPLE_REGS_ABI_NONE;
        bool whole = copied && !r->unwinder.source.foreign && user_stacks_has(s, e->attr.sample_regs_user);
        UnwindEnd end = UNWIND_END_MAX;
        int q = 0;

        if (deferred_chain_waits(s->callchain, s->n_callchain))
                q = deferred_chains_merge(&r->feed.deferred, s->tid, whole, &s->callchain, &s->n_callchain);
        if (q >= 0 && copied)
                q = replay_unwind(r, e, s, m->record->misc, whole, &end);
        else if (q >= 0 && s->n_callchain > 0)
                end = unwinder_mark_of(s->callchain, s->n_callchain);
        if (q < 0 || end == UNWIND_END_MAX)
                return q;
        r->unwound[m->number][end]++;
        if (copied || end != UNWIND_WHOLE)
                m->end = end;
        if (!r->counts || s->n_callchain == 0 || !recorded_chains_has_room(&r->feed.recorded))
                return 0;
        return recorded_chains_intern(&r->feed.recorded, s->callchain, s->n_callchain, &m->chain);
}

/* Finds the task that was hit, and whether it is selected. */
static int replay_find_task(Replay *r, bool with_task, Moment *m) {
        int q = process_view_thread(&r->machine->processes, m->sample->pid, m->sample->tid, &m->thread);

        if (q >= 0)
                q = process_view_name_thread(&r->machine->processes, m->thread, &m->name);
        if (q >= 0)
                q = cgroup_names_get(&r->machine->cgroups, m->sample->cgroup, &m->cgroup);
        if (q >= 0 && !replay_wants(r, m, with_task))
                m->selected = MOMENT_OTHER_TASK;
        return q;
}

/* Makes the moment of a sample, or of a value, whose call chain is completed unless it is brief. 1; 0: it is passed over. */
static int replay_give_sample(Replay *r, const PerfDataEvent *e, const struct perf_event_header *record, PerfSample *s, bool brief,
                              Moment *ret) {
        Moment m = {
                .record = record, .time = s->time, .event = e, .number = (size_t) (e - r->events), .sample = s,
                .end = UNWIND_END_MAX, .running = r->running,
        };
        int q = 0;

        if (!sample_selection_has_time(&r->selection, s->time) ||
            !sample_selection_has_cpu(&r->selection, e->attr.sample_type & PERF_SAMPLE_CPU ? s->cpu : UINT32_MAX))
                m.selected = MOMENT_OTHER_TIME;
        else
                q = replay_find_task(r, e->attr.sample_type & PERF_SAMPLE_TID, &m);
        if (q < 0 || m.selected > r->others)
                return q;
        if (m.selected == MOMENT_SELECTED && !brief && (!r->counts || r->needs.chains))
                q = replay_complete_chain(r, s, &m);
        if (q < 0)
                return q;
        r->machine->places.time = s->time;
        if (m.selected == MOMENT_SELECTED)
                m.maps = code_places_generation(&r->machine->places, s->pid);
        m.kernel_maps = r->machine->processes.kernel_generation;
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
        return r->sample.period > 0 ? replay_give_sample(r, r->events + counter->event, v->record, &r->sample, false, ret) : 0;
}

static int replay_take_brief(Replay *r, const PerfDataEvent *e, const OrderedRecord *ordered, Moment *ret) {
        const BriefSample *brief = (const void *) ordered->record;
        PerfSample *s = &r->brief;
        int q;

        s->time = ordered->time;
        s->ip = brief->ip;
        s->pid = brief->pid;
        s->tid = brief->tid;
        s->cpu = brief->cpu;
        s->period = brief->period;
        s->cgroup = brief->cgroup;
        q = replay_give_sample(r, e, ordered->record, s, true, ret);
        if (q != 1 || ret->selected != MOMENT_SELECTED || brief->chain == 0)
                return q;
        ret->chain = brief->chain;
        r->unwound[ret->number][brief->end]++;
        if (brief->end != UNWIND_WHOLE)
                ret->end = brief->end;
        return 1;
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
                return replay_give_sample(r, e, record, s, false, ret);
        r->values = (ReplayValues) { .sample = *s, .event = e, .record = record, .n = n };
        return 0;
}

/* The CPU of a record that does not say it is not known. */
static int replay_take_record(Replay *r, const PerfDataEvent *e, const OrderedRecord *ordered, Moment *ret) {
        const struct perf_event_header *record = ordered->record;
        PerfSample *trailer = &r->sample;
        int q = process_view_take(&r->machine->processes, record);

        if (record->type == PERF_RECORD_SWITCH || record->type == PERF_RECORD_SWITCH_CPU_WIDE)
                r->running += record->misc & PERF_RECORD_MISC_SWITCH_OUT ? -1 : 1;
        if (q < 0 || r->n_events == 0 || ordered->source & REPLAY_AGAIN)
                return q;
        if (r->counts && !(record->type < 32 && r->needs.records >> record->type & 1))
                return 0;
        e = e ?: r->events;
        if (sample_parse_trailer(&e->attr, record, trailer) < 0)
                *trailer = (PerfSample) {};
        if (!(trailer->sample_type & PERF_SAMPLE_CPU))
                trailer->cpu = UINT32_MAX;
        *ret = (Moment) {
                .record = record, .time = ordered->time, .event = e, .number = (size_t) (e - r->events), .sample = trailer,
                .end = UNWIND_END_MAX, .running = r->running,
        };
        if (trailer->cpu != UINT32_MAX && !sample_selection_has_cpu(&r->selection, trailer->cpu))
                ret->selected = MOMENT_OTHER_TIME;
        return ret->selected <= r->others;
}

/* Copies a record of the side band for parts that come later. Without room, these do without it. */
static int parts_keep(ReplayParts *p, OrderedRecord *r) {
        OrderedRecord *kept;

        if (p->bytes > KEPT_BYTES_MAX)
                return 0;
        if (ARRAY_RESERVE(p->kept, p->allocated, p->n + 1) < 0)
                return -ENOMEM;
        kept = p->kept + p->n;
        *kept = *r;
        kept->record = malloc(r->record->size);
        if (!kept->record)
                return -ENOMEM;
        r->record = memcpy((void *) kept->record, r->record, r->record->size);
        kept->source |= REPLAY_AGAIN;
        p->bytes += r->record->size;
        p->n++;
        return 1;
}

static int replay_begin_part(Replay *r) {
        int q = 0;

        process_view_restart(&r->machine->processes);
        r->running = 0;
        r->parts.ended = false;
        for (size_t i = 0; q >= 0 && i < r->parts.n; i++)
                q = record_order_put(&r->order, r->parts.kept + i, true);
        return q;
}

static int replay_finish_round(Replay *r, const struct perf_event_header *record) {
        r->position.round = *record;
        r->position.round_due = true;
        if (r->parts.begun)
                return 0;
        r->parts.rounds = r->parts.rounds || r->order.newest_before > 0;
        return record_order_finish_round(&r->order);
}

/* Puts a record where it waits until it is due. */
static int replay_put(Replay *r, OrderedRecord *o) {
        const struct perf_event_header *record = o->record;
        uint32_t type = record->type, bit = type < 32 ? UINT32_C(1) << type : 0;
        int q = 0, kept = 0;

        if (type == PERF_RECORD_FINISHED_ROUND)
                return replay_finish_round(r, record);
        if (type == PERF_RECORD_CGROUP)
                q = cgroup_names_take(&r->machine->cgroups, (const void *) record);
        else if (type != PERF_RECORD_SAMPLE)
                q = sample_totals_take(&r->totals, &r->throttled, record);
        if (q < 0 || (r->counts && !(bit & (TYPE(SAMPLE) | FOLLOWED_TYPES | r->needs.records))))
                return q;
        if (r->counts && !r->parts.rounds && bit & (FOLLOWED_TYPES | (SWITCH_TYPES & r->needs.records)))
                kept = parts_keep(&r->parts, o);
        if (kept >= 0)
                kept = record_order_put(&r->order, o, kept == 1);
        if (kept < 0 || !r->counts || r->parts.rounds || r->order.size <= (r->needs.limit ?: REPLAY_PART_BYTES))
                return kept;
        r->parts.begun = r->parts.ended = true;
        return record_order_finish(&r->order);
}

/* Reads a record. When there are no more, all that waits is due. */
static int replay_read(Replay *r) {
        ReplayPosition *p = &r->position;
        OrderedRecord next;
        int more = replay_feed_next(&r->feed, &next);

        if (more == 1 && (++p->n_read % RECORDS_PER_WATCH == 0 || !next.record) && !watcher_go_on(&r->watcher))
                more = -EINTR;
        if (more == 1)
                return next.record ? replay_put(r, &next) : 0;
        p->result = more;
        p->read = true;
        return more == -ENOMEM ? more : record_order_finish(&r->order);
}

static int replay_take(Replay *r, const OrderedRecord *o, Moment *ret) {
        uint32_t number = o->source & ~(REPLAY_BRIEF | REPLAY_AGAIN);
        const PerfDataEvent *e = number > 0 ? r->events + number - 1 : NULL;

        if (o->source & REPLAY_BRIEF)
                return replay_take_brief(r, e, o, ret);
        return o->record->type == PERF_RECORD_SAMPLE ? replay_take_sample(r, e, o->record, ret) : replay_take_record(r, e, o, ret);
}

/* Goes on by a step. 1: to a moment. */
static int replay_step(Replay *r, Moment *ret) {
        ReplayPosition *p = &r->position;
        const OrderedRecord *next;

        if (r->values.next < r->values.n)
                return replay_give_value(r, ret);
        next = record_order_next(&r->order);
        if (next)
                return replay_take(r, next, ret);
        if (p->round_due) {
                r->sample = (PerfSample) { .cpu = UINT32_MAX };
                *ret = (Moment) { .record = &p->round, .time = p->time, .sample = &r->sample, .end = UNWIND_END_MAX };
                p->round_due = false;
                return 1;
        }
        if (r->parts.ended)
                return replay_begin_part(r);
        if (!p->read)
                return replay_read(r);
        p->ended = true;
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
        return &r->machine->processes;
}

const CodePlaces *replay_places(const Replay *r) {
        return &r->machine->places;
}

int replay_find_place(Replay *r, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret) {
        return code_places_find(&r->machine->places, pid, cpumode, ip, ret);
}

int replay_find_caller(Replay *r, uint32_t pid, uint16_t cpumode, uint64_t ip, uint32_t *ret) {
        return code_places_find_caller(&r->machine->places, pid, cpumode, ip, ret);
}

PlaceLookup *replay_names(const Replay *r) {
        return r->names;
}

const char *replay_name(const Replay *r, uint32_t name) {
        return process_view_name(&r->machine->processes, name);
}

int replay_name_thread(Replay *r, uint32_t pid, uint32_t tid, const char **ret) {
        uint32_t thread, name;
        int q = process_view_thread(&r->machine->processes, pid, tid, &thread);

        if (q >= 0)
                q = process_view_name_thread(&r->machine->processes, thread, &name);
        if (q >= 0)
                *ret = replay_name(r, name);
        return q;
}

const char *replay_cgroup(const Replay *r, uint32_t number) {
        return number > 0 ? cgroup_names_text(&r->machine->cgroups, r->machine->cgroups.groups[number - 1].path) : NULL;
}

const SampleTotals *replay_totals(const Replay *r) {
        return &r->totals;
}

const uint64_t *replay_unwound(const Replay *r, size_t event) {
        return r->unwound[event];
}

const void *replay_chain(Replay *r, uint32_t number, size_t *ret_n) {
        return recorded_chains_get(&r->feed.recorded, number, ret_n);
}
