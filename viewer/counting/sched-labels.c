/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Fields are found by their names in the formats that the recording has. An event whose format lacks one of them has no labels. */

#include "sched-labels.h"

#include <inttypes.h>

#include "process-view.h"
#include "trace-layout.h"
#include "utf8.h"

#define SCHED_WAKING_NAME "sched:sched_waking"
#define SCHED_WAKEUP_NAME "sched:sched_wakeup"
#define STATE_ALL     0xffu /* bits of prev_state, of all kernels; a preempted thread has none of them */
#define STATE_EXITED  0x30u /* EXIT_DEAD, EXIT_ZOMBIE */

typedef struct SchedLayout {
        TraceLayout layout;
        const TraceLayoutField *out, *in, *state, *comm; /* state: of a switch; comm: of a waking */
} SchedLayout;

struct SchedLabels {
        SchedLayout *events;
        size_t n;
        char text[THREAD_NAME_SIZE]; /* a state is shorter than a name */
};

SchedLabels *sched_labels_free(SchedLabels *l) {
        if (!l)
                return NULL;
        for (size_t i = 0; l->events && i < l->n; i++)
                trace_layout_done(&l->events[i].layout);
        free(l->events);
        free(l);
        return NULL;
}

/* perf shows modifiers behind the name. */
static bool is_tracepoint(const PerfDataEvent *e, const char *name) {
        const char *rest = e->attr.type == PERF_TYPE_TRACEPOINT && e->name ? startswith(e->name, name) : NULL;

        return rest && (*rest == '\0' || *rest == ':');
}

static const PerfDataEvent *sched_find_event(const PerfDataReader *reader, const char *name) {
        const PerfDataEvent *events;
        size_t n = perf_data_reader_events(reader, &events);

        for (size_t i = 0; i < n; i++)
                if (is_tracepoint(events + i, name))
                        return events + i;
        return NULL;
}

static const char *waking_of(const PerfDataReader *reader) {
        bool wakeup = !sched_find_event(reader, SCHED_WAKING_NAME) && sched_find_event(reader, SCHED_WAKEUP_NAME);

        return wakeup ? SCHED_WAKEUP_NAME : SCHED_WAKING_NAME;
}

const char *sched_labels_event(const PerfDataReader *reader, bool wakers) {
        const PerfDataEvent *e = sched_find_event(reader, wakers ? waking_of(reader) : SCHED_SWITCH);

        return e ? e->name : NULL;
}

/* 1; 0: a field is missing; -ENOMEM. */
static int find_fields(const PerfDataReader *reader, const PerfDataEvent *e, bool waking, SchedLayout *ret) {
        const void *data;
        size_t size;
        int r = perf_data_reader_feature(reader, PERF_FEATURE_TRACING_DATA, &data, &size);

        if (r >= 0)
                r = trace_layout_init(&ret->layout, data, size, e->attr.config);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        ret->out = trace_layout_find(&ret->layout, waking ? "common_pid" : "prev_pid");
        ret->in = trace_layout_find(&ret->layout, waking ? "pid" : "next_pid");
        ret->state = waking ? NULL : trace_layout_find(&ret->layout, "prev_state");
        ret->comm = waking ? trace_layout_find(&ret->layout, "comm") : NULL;
        return ret->out && ret->in && (ret->state || ret->comm);
}

int sched_labels_new(const PerfDataReader *reader, bool wakers, SchedLabels **ret) {
        _cleanup_(sched_labels_freep) SchedLabels *l = calloc(1, sizeof(*l));
        const char *waking = waking_of(reader);
        const PerfDataEvent *events;

        if (!l)
                return -ENOMEM;
        l->n = perf_data_reader_events(reader, &events);
        l->events = calloc(l->n + 1, sizeof(*l->events));
        if (!l->events)
                return -ENOMEM;
        for (size_t i = 0; i < l->n; i++) {
                bool wakes = wakers && is_tracepoint(events + i, waking);
                int r = 1;

                if (wakes || is_tracepoint(events + i, SCHED_SWITCH))
                        r = find_fields(reader, events + i, wakes, l->events + i);
                if (r < 0)
                        return r;
                if (r == 0)
                        l->events[i].out = NULL;
        }
        *ret = steal_ptr(l);
        return 0;
}

static bool sched_take_number(const TraceLayoutField *f, const PerfSample *s, uint64_t *ret) {
        const uint8_t *bytes;
        size_t n;

        *ret = 0;
        if (!trace_field_bytes(f, s->raw, s->raw_size, &bytes, &n) || n > sizeof(*ret))
                return false;
        memcpy(ret, bytes, n); /* the machine is little endian */
        return true;
}

static void sched_put_comm(const TraceLayoutField *f, const PerfSample *s, char *to) {
        char name[THREAD_NAME_SIZE] = "";
        const uint8_t *bytes;
        size_t n;

        if (trace_field_bytes(f, s->raw, s->raw_size, &bytes, &n))
                memcpy(name, bytes, MIN_OF(n, sizeof(name) - 1));
        (void) utf8_line_to(to, THREAD_NAME_SIZE, name);
}

bool sched_labels_event_of(const SchedLabels *l, const Moment *m, SchedEvent *ret) {
        static const char letters[] = "SDTtXZPI"; /* of the kernel's bits, from the lowest on */
        const SchedLayout *event = l->events + m->number;
        const PerfSample *s = m->sample;
        uint64_t out, in, state = 0;

        if (!event->out || !s->raw || !sched_take_number(event->out, s, &out) || !sched_take_number(event->in, s, &in) ||
            (event->state && !sched_take_number(event->state, s, &state)))
                return false;
        *ret = (SchedEvent) { .kind = SCHED_WAKING, .out = (uint32_t) out, .in = (uint32_t) in };
        if (event->state) {
                ret->kind = state & STATE_EXITED ? SCHED_OUT_DEAD : state & STATE_ALL ? SCHED_OUT_ASLEEP : SCHED_OUT_RUNNABLE;
                ret->state = state & STATE_ALL ? letters[__builtin_ctzll(state & STATE_ALL)] : 'R'; /* it could go on */
        }
        return true;
}

SampleLabel sched_labels_label(SchedLabels *l, const Moment *m, const SchedEvent *event) {
        const TraceLayoutField *comm = l->events[m->number].comm;

        if (comm)
                sched_put_comm(comm, m->sample, l->text);
        else
                (void) snprintf(l->text, sizeof(l->text), "%s", sched_state_text(event->state));
        return (SampleLabel) { .texts = l->text, .size = strlen(l->text) + 1 };
}

/* Returns what is wrong with an event; NULL: nothing. */
static const char *lack_of_event(const PerfDataReader *reader, const PerfDataEvent *e, bool chains) {
        const void *data;
        size_t size;

        if (!(e->attr.sample_type & PERF_SAMPLE_RAW) || !(e->attr.sample_type & PERF_SAMPLE_TIME) ||
            perf_data_reader_feature(reader, PERF_FEATURE_TRACING_DATA, &data, &size) < 0)
                return "its samples have no fields or no times";
        if (e->attr.freq || e->attr.sample_period > 1)
                return "not each of them was recorded; record it with -c 1, in a session Period=1";
        if (chains && !(e->attr.sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER)))
                return "its samples have no call chains; record it with -g, in a session CallGraph=fp";
        return NULL;
}

static int sched_check_event(const RecordingInput *in, const char *option, const char *name, bool chains) {
        const PerfDataEvent *e = sched_find_event(in->reader, name);
        const char *lack = e ? lack_of_event(in->reader, e, chains) :
                "it has none; record it with -a -g, or take the session 'sched'";

        if (!lack)
                return 0;
        (void) fprintf(stderr, "%s: --%s needs the event %s: %s\n", in->name, option, name, lack);
        return -ENODATA;
}

int sched_labels_check(const RecordingInputs *inputs, const char *option, bool wakers) {
        int r = 0;

        for (size_t i = 0; r >= 0 && i < inputs->n; i++) {
                const RecordingInput *in = inputs->inputs + i;

                r = sched_check_event(in, option, SCHED_SWITCH, false);
                if (r >= 0 && wakers)
                        r = sched_check_event(in, option, waking_of(in->reader), true);
        }
        return r;
}

bool sched_labels_lack_chains(const RecordingInputs *inputs) {
        for (size_t i = 0; i < inputs->n; i++) {
                const PerfDataEvent *e = sched_find_event(inputs->inputs[i].reader, SCHED_SWITCH);

                if (e && !(e->attr.sample_type & (PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER)))
                        return true;
        }
        return false;
}

void sched_labels_remark(const char *title, const ThreadWaits *w) {
        const WaitTotals *t = &w->totals;

        if (t->waits == 0)
                (void) fprintf(stderr, "%s: no thread left a CPU and %s; were all CPUs recorded (-a)?\n", title,
                               w->wakers ? "was woken" : "came back to one");
        if (t->open > 0 && !w->spans_wanted)
                (void) fprintf(stderr, "%s: waits that had not ended with the recording, and do not count: %" PRIu64 "\n", title,
                               t->open);
        if (t->doubtful > 0)
                (void) fprintf(stderr, "%s: waits that are left out, since records of that time are missing: %" PRIu64 "\n", title,
                               t->doubtful);
}
