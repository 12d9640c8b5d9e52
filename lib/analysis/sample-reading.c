/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A sample waits for its turn in the order of time as a few numbers: its call chain as recorded, addresses and markers,
 * is one of them, and so are its copy of the stack, its label and its facets. */

#include "sample-reading.h"

#include "array.h"
#include "deferred-chains.h"
#include "event-groups.h"
#include "record-trailer.h"
#include "sample-channel.h"
#include "sample-counters.h"
#include "sample-layout.h"
#include "sample-table-parts.h"

#define RECORDS_PER_WATCH 1024u

/* The recording that is read. */
typedef struct Reading {
        SampleTable *table;
        PerfDataReader *reader;
        SampleQueue *queue;
        SampleChannel *channel; /* to the thread that counts; NULL: it is this one */
        const PerfDataEvent *events;
        SampleLayout *layouts;
        uint16_t *numbers;   /* of the events, in the table */
        SampleCounters counters;
        DeferredChains deferred;
        bool facets;         /* some are wanted, or branches, or weights of accesses */
        ThrottleSpans throttled;
} Reading;

static bool reading_is_wanted(const SampleSelection *s, const QueuedSample *sample) {
        return sample_selection_has_time(s, sample->time) && sample_selection_has_cpu(s, sample->cpu);
}

/* Invariant: the periods of all samples of a table add up to at most UINT64_MAX, so that no sum of some of them wraps. */
static int take_sample(void *userdata, const QueuedSample *s) {
        Reading *reading = userdata;
        SampleTable *t = reading->table;
        QueuedSample counted = *s;
        bool wanted = true;
        int r = 0;

        if (s->counter > 0)
                counted.period = sample_counters_advance(&reading->counters, s->counter - 1, s->period);
        if (s->counter > 0 || t->listeners.follower.all)
                wanted = reading_is_wanted(t->selection, s);
        if (wanted && counted.period > UINT64_MAX - t->totals.period) {
                counted.period = UINT64_MAX - t->totals.period;
                t->totals.lightened++;
        }
        t->totals.period += wanted ? counted.period : 0;
        if (s->counter == 0 || counted.period > 0)
                r = wanted ? sample_table_count(t, &counted) : sample_table_follow(t, &counted, SAMPLE_NO_ROW);
        if (s->stack > 0)
                user_stacks_drop(&t->stacks, s->stack);
        return r;
}

static int reading_take_record(void *userdata, const struct perf_event_header *record) {
        Reading *reading = userdata;
        SampleTable *t = reading->table;

        if (record->type == PERF_RECORD_SWITCH || record->type == PERF_RECORD_SWITCH_CPU_WIDE) {
                sample_table_take_switch(t, record);
                return 0;
        }
        return process_view_take(&t->view, record);
}

static void restart(void *userdata) {
        Reading *reading = userdata;

        reading->table->recording.running = 0;
        process_view_restart(&reading->table->view);
}

/* parsed: of a sample that may have a copy of the stack; NULL: it has none. */
static int reading_put_sample(Reading *reading, QueuedSample *s, const uint64_t *chain, size_t n, const PerfDataEvent *e,
                              const PerfSample *parsed) {
        SampleTable *t = reading->table;
        bool chains = !(t->dimensions & SAMPLE_WITHOUT_CHAIN), copied, unwind;
        int r = 0;

        if (s->counter == 0 && !t->listeners.follower.all && !reading_is_wanted(t->selection, s))
                return 0;
        if (t->stacks.bytes > USER_STACKS_BYTES_MAX)
                r = sample_queue_make_room(reading->queue);
        if (r < 0)
                return r;
        copied = parsed && chains && t->unwinder.source.find && e->attr.sample_type & PERF_SAMPLE_STACK_USER &&
                 parsed->user_abi != PERF_SAMPLE_REGS_ABI_NONE;
        unwind = copied && !t->unwinder.source.foreign && user_stacks_has(parsed, e->attr.sample_regs_user);
        if (chains && deferred_chain_waits(chain, n))
                r = deferred_chains_merge(&reading->deferred, s->tid, unwind, &chain, &n);
        if (r < 0)
                return r;
        if (copied && !unwind) {
                r = unwinder_chain_hit(&t->unwinder, chain, n, s->cpumode == PERF_RECORD_MISC_USER ? &s->ip : NULL, &n);
                if (r < 0)
                        return r;
                chain = t->unwinder.chain;
        }
        if (n > 0 && chains && recorded_chains_has_room(&t->recorded)) {
                /* the recorder may have unwound the stack */
                s->end = copied && !unwind ? user_stacks_end(parsed, t->unwinder.source.foreign) : unwinder_mark_of(chain, n);
                r = recorded_chains_intern(&t->recorded, chain, n, &s->chain);
                if (r < 0)
                        return r;
        }
        s->stack = 0;
        if (unwind)
                r = user_stacks_put(&t->stacks, parsed, e->attr.sample_regs_user, &s->stack);
        if (r < 0)
                return r;
        return reading->channel ? sample_channel_put_sample(reading->channel, s) : sample_queue_put_sample(reading->queue, s);
}

/* A value's sample waits for its turn with the value as its weight. */
static int put_values(Reading *reading, const PerfDataEvent *e, QueuedSample *s, const PerfSample *parsed) {
        size_t n = sample_counters_values(parsed, e->attr.read_format), counter;
        int r = 0;

        for (size_t i = 0; r >= 0 && i < n; i++) {
                if (!sample_counters_value(&reading->counters, parsed, e->attr.read_format, i, &counter, &s->period))
                        continue;
                s->counter = (uint32_t) counter + 1;
                s->event = reading->numbers[reading->counters.counters[counter].event];
                s->chain = 0;
                r = reading_put_sample(reading, s, parsed->callchain, parsed->n_callchain, e, parsed);
        }
        return r;
}

static bool has_labels(const Reading *reading, const PerfDataEvent *e) {
        const SampleTable *t = reading->table;

        return t->labels.labeler.text && t->dimensions & (SAMPLE_BY_LABEL | SAMPLE_WITH_LABEL) &&
               e->attr.sample_type & PERF_SAMPLE_RAW;
}

static int reading_label_sample(Reading *reading, const PerfDataEvent *e, const PerfSample *parsed, uint32_t *ret) {
        SampleTable *t = reading->table;
        const char *text;
        size_t n;

        if (!parsed->raw || t->labels.texts.block_bytes > LABELS_BYTES_MAX)
                return 0;
        n = t->labels.labeler.text(t->labels.labeler.userdata, e, (size_t) (e - reading->events), parsed, &text);
        return n > 0 ? byte_pool_intern(&t->labels.texts, text, n, ret) : 0;
}

static int intern_facets(SampleTable *t, const SampleFacets *f, uint32_t *ret) {
        if (t->facets.recorded.block_bytes > FACETS_BYTES_MAX)
                return 0;
        return byte_pool_intern(&t->facets.recorded, f, sizeof(*f), ret);
}

static uint64_t weight_of_access(const PerfSample *parsed) {
        SampleFacets f = {};

        sample_facets_take(&f, FACET_WEIGHT, parsed);
        return MAX_OF(f.weight, 1u);
}

/* As in perf, a branch is a sample of where it led, which may be on the other side of the kernel's border. */
static int reading_put_branches(Reading *reading, const PerfDataEvent *e, const QueuedSample *s, SampleFacets *f,
                                const PerfSample *parsed) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < parsed->n_branches; i++) {
                const struct perf_branch_entry *branch = parsed->branches + i;
                QueuedSample to = *s;

                to.ip = branch->to;
                to.cpumode = CODE_PLACES_ANY_MODE;
                to.period = 1;
                sample_facets_take_branch(f, reading->table->facets.wanted, branch);
                if (reading->table->facets.wanted != 0)
                        r = intern_facets(reading->table, f, &to.facets);
                if (r >= 0)
                        r = reading_put_sample(reading, &to, NULL, 0, e, NULL);
        }
        return r;
}

/* Hands on a sample of which all fields are known but for its facets. */
static int put_with_facets(Reading *reading, const PerfDataEvent *e, QueuedSample *s, const PerfSample *parsed) {
        SampleTable *t = reading->table;
        SampleFacets f = {};

        sample_facets_take(&f, t->facets.wanted, parsed);
        if (t->dimensions & SAMPLE_EACH_BRANCH)
                return reading_put_branches(reading, e, s, &f, parsed);
        if (t->facets.wanted != 0 && intern_facets(t, &f, &s->facets) < 0)
                return -ENOMEM;
        if (t->dimensions & SAMPLE_PERIOD_IS_WEIGHT)
                s->period = weight_of_access(parsed);
        else if (reading->counters.n > 0 && sample_counters_values(parsed, e->attr.read_format) > 0)
                return put_values(reading, e, s, parsed);
        return reading_put_sample(reading, s, parsed->callchain, parsed->n_callchain, e, parsed);
}

/* For events whose fields have no fixed places, or that carry values of counters or copies of stacks. */
static int feed_parsed(Reading *reading, const PerfDataEvent *e, const struct perf_event_header *record, QueuedSample *s) {
        PerfSample parsed;

        if (sample_parse(&e->attr, record, &parsed) < 0) {
                reading->table->totals.unreadable++;
                return 0;
        }
        s->ip = parsed.ip;
        s->pid = parsed.pid;
        s->tid = parsed.tid;
        s->time = parsed.time;
        if (e->attr.sample_type & PERF_SAMPLE_CPU)
                s->cpu = parsed.cpu;
        if (e->attr.sample_type & PERF_SAMPLE_PERIOD)
                s->period = parsed.period;
        if (cgroup_names_get(&reading->table->cgroups, parsed.cgroup, &s->cgroup) < 0)
                return -ENOMEM;
        if (has_labels(reading, e) && reading_label_sample(reading, e, &parsed, &s->label) < 0)
                return -ENOMEM;
        return put_with_facets(reading, e, s, &parsed);
}

static uint64_t word_at(const uint64_t *words, int place) {
        return place >= 0 ? words[place] : 0;
}

static int feed_sample(Reading *reading, const struct perf_event_header *record) {
        const PerfDataEvent *e = perf_data_reader_event_of(reading->reader, record);
        const uint64_t *words = (const uint64_t *) (record + 1);
        size_t n_words = record->size / sizeof(uint64_t) - 1, n = 0;
        const SampleLayout *l;
        const uint64_t *cgroup;
        QueuedSample s;
        uint64_t tid;

        if (!e) {
                reading->table->totals.unreadable++;
                return 0;
        }
        l = reading->layouts + (e - reading->events);
        s = (QueuedSample) {
                .event = reading->numbers[e - reading->events], .period = e->attr.sample_period, .cpu = UINT32_MAX,
                .cpumode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK,
        };
        if (l->callchain_floats || l->cgroup_floats || reading->facets || has_labels(reading, e) ||
            e->attr.sample_type & (PERF_SAMPLE_READ | PERF_SAMPLE_STACK_USER))
                return feed_parsed(reading, e, record, &s);
        if (n_words < l->words || (l->callchain >= 0 && (n = words[l->callchain]) > n_words - l->words)) {
                reading->table->totals.unreadable++;
                return 0;
        }
        tid = word_at(words, l->tid);
        s.ip = word_at(words, l->ip);
        memcpy(&s.pid, &tid, sizeof(s.pid));
        memcpy(&s.tid, (const uint8_t *) &tid + sizeof(s.pid), sizeof(s.tid));
        s.time = word_at(words, l->time);
        if (l->cpu >= 0)
                memcpy(&s.cpu, words + l->cpu, sizeof(s.cpu));
        if (l->period >= 0)
                s.period = words[l->period];
        cgroup = record_word_from_end(record, l->cgroup);
        if (cgroup && cgroup_names_get(&reading->table->cgroups, *cgroup, &s.cgroup) < 0)
                return -ENOMEM;
        return reading_put_sample(reading, &s, n > 0 ? words + l->callchain + 1 : NULL, n, e, NULL);
}

static int feed_record(Reading *reading, const struct perf_event_header *record) {
        const PerfDataEvent *e = perf_data_reader_event_of(reading->reader, record);
        PerfSample trailer;
        uint64_t time = e && sample_parse_trailer(&e->attr, record, &trailer) >= 0 ? trailer.time : 0;

        if (!record_is_whole(record, 0))
                return 0;
        return reading->channel ? sample_channel_put_record(reading->channel, time, record) :
                                  sample_queue_put_record(reading->queue, time, record);
}

static int follow_record(const Reading *reading, const struct perf_event_header *record) {
        const SampleFollower *f = &reading->table->listeners.follower;
        const PerfDataEvent *e = perf_data_reader_event_of(reading->reader, record);
        PerfSample trailer = {};

        if (e && sample_parse_trailer(&e->attr, record, &trailer) < 0)
                trailer = (PerfSample) {};
        if (record->type != PERF_RECORD_FINISHED_ROUND && !record_is_whole(record, 0))
                return 0;
        return f->record(f->userdata, record, &trailer);
}

static int reading_feed(Reading *reading, const struct perf_event_header *record) {
        if (reading->table->listeners.follower.record && record->type != PERF_RECORD_SAMPLE) {
                int r = follow_record(reading, record);

                if (r < 0)
                        return r;
        }
        switch (record->type) {
        case PERF_RECORD_SAMPLE:
                return feed_sample(reading, record);
        case PERF_RECORD_MMAP:
        case PERF_RECORD_MMAP2:
        case PERF_RECORD_KSYMBOL:
        case PERF_RECORD_FORK:
        case PERF_RECORD_COMM:
                return feed_record(reading, record);
        case PERF_RECORD_SWITCH:
        case PERF_RECORD_SWITCH_CPU_WIDE:
                return reading->table->dimensions & SAMPLE_BY_PARALLELISM ? feed_record(reading, record) : 0;
        case PERF_RECORD_CGROUP:
                return record_is_whole(record, 0) ? cgroup_names_take(&reading->table->cgroups, (const void *) record) : 0;
        case PERF_RECORD_LOST:
        case PERF_RECORD_LOST_SAMPLES:
        case PERF_RECORD_THROTTLE:
        case PERF_RECORD_UNTHROTTLE:
                return record_is_whole(record, 0) ? sample_totals_take(&reading->table->totals, &reading->throttled, record) : 0;
        case PERF_RECORD_FINISHED_ROUND:
                return reading->channel ? sample_channel_finish_round(reading->channel) :
                                          sample_queue_finish_round(reading->queue);
        default:
                return 0;
        }
}

static void reading_done(Reading *reading) {
        sample_channel_free(reading->channel);
        sample_queue_free(reading->queue);
        sample_counters_done(&reading->counters);
        deferred_chains_done(&reading->deferred);
        throttle_spans_done(&reading->throttled);
        free(reading->layouts);
        free(reading->numbers);
}

/* Events of a group that do not stand behind each other in the table, as others have their names, are none. */
static int find_groups(Reading *reading) {
        _cleanup_free_ EventGroup *groups = NULL;
        size_t n = 0;
        int r = event_groups_read(reading->reader, &groups, &n);

        for (size_t i = 0; r >= 0 && i < n; i++) {
                const EventGroup *g = groups + i;
                uint32_t leader = reading->numbers[g->leader];

                if (!ANY_OF(g->n, k, reading->numbers[g->leader + k] != leader + k))
                        r = sample_table_add_group(reading->table, leader, g->n, g->name);
        }
        return r;
}

/* Returns the CPUs that the machine may have, the first number of NRCPUS; 0: not known. */
static uint32_t count_cpus(const PerfDataReader *reader) {
        const void *data;
        uint32_t n = 0;
        size_t size;

        if (perf_data_reader_feature(reader, PERF_FEATURE_NRCPUS, &data, &size) >= 0 && size >= sizeof(n))
                memcpy(&n, data, sizeof(n));
        return n;
}

static int reading_begin(Reading *reading) {
        SampleQueueUser user = { .sample = take_sample, .record = reading_take_record, .restart = restart, .userdata = reading };
        size_t n = perf_data_reader_events(reading->reader, &reading->events);
        const SampleFollower *follower = &reading->table->listeners.follower;
        int r = sample_counters_init(&reading->counters, reading->events, n);

        cgroup_names_begin(&reading->table->cgroups);
        reading->table->recording.n_cpus = count_cpus(reading->reader);
        reading->table->recording.running = 0;
        if (r >= 0)
                r = process_view_begin_recording(&reading->table->view, reading->events, n);
        if (r >= 0)
                r = sample_table_set_host(reading->table, reading->reader);
        if (r >= 0)
                r = deferred_chains_read(&reading->deferred, reading->reader);
        if (r >= 0 && follower->begin)
                r = follower->begin(follower->userdata, reading->reader);
        reading->facets = reading->table->facets.wanted != 0 ||
                reading->table->dimensions & (SAMPLE_EACH_BRANCH | SAMPLE_PERIOD_IS_WEIGHT);
        user.ordered = reading->counters.n > 0;
        if (r >= 0)
                r = sample_queue_new(&user, &reading->queue);
        if (r < 0)
                return r;
        reading->layouts = calloc(n + 1, sizeof(*reading->layouts));
        reading->numbers = calloc(n + 1, sizeof(*reading->numbers));
        if (!reading->layouts || !reading->numbers)
                return -ENOMEM;
        for (size_t i = 0; r >= 0 && i < n; i++) {
                sample_layout_init(reading->layouts + i, &reading->events[i].attr);
                r = sample_table_add_event(reading->table, reading->events + i, i, reading->numbers + i);
        }
        if (r >= 0)
                r = find_groups(reading);
        return r;
}

/* Counting takes a thread of its own where it shares nothing with the reading that changes but for call chains. A labeler may fork,
 * and a copy of this process would have the locks of the other thread, but not the thread that gives them back. */
static bool can_count_beside(const Reading *reading) {
        const SampleTable *t = reading->table;
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reading->reader, &events);

        return sample_channel_pays_off() && !t->listeners.follower.sample && !t->listeners.follower.record &&
               reading->counters.n == 0 && !reading->facets && !t->selection->units && !t->labels.labeler.text &&
               !ANY_OF(n, i, events[i].attr.sample_type & PERF_SAMPLE_STACK_USER);
}

int sample_reading_run(SampleTable *t, PerfDataReader *reader) {
        _cleanup_(reading_done) Reading reading = { .table = t, .reader = reader };
        const struct perf_event_header *record;
        size_t cursor = 0, n = 0;
        int r = reading_begin(&reading), more = 1, q;

        if (r >= 0 && can_count_beside(&reading) && sample_channel_new(reading.queue, &reading.channel) < 0)
                reading.channel = NULL; /* this thread counts */
        while (r >= 0 && (more = perf_data_reader_next(reader, &cursor, &record)) == 1) {
                r = reading_feed(&reading, record);
                if (++n % RECORDS_PER_WATCH == 0 && !watcher_go_on(&t->listeners.watcher)) {
                        more = -EINTR;
                        break;
                }
        }
        q = r >= 0 && more != -ENOMEM && reading.channel ? sample_channel_finish(reading.channel) : 0;
        if (r >= 0 && more != -ENOMEM && q >= 0)
                q = sample_queue_finish(reading.queue);
        return r < 0 ? r : q < 0 ? q : more;
}
