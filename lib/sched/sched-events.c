/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Fields are found by their names in the formats that the recording has. An event whose format lacks one that is needed is none. */

#include "sched-events.h"

#include "trace-layout.h"

#define WAKING_NAME "sched:sched_waking"
#define WAKEUP_NAME "sched:sched_wakeup"
#define STATE_ALL     0xffu /* bits of prev_state, of all kernels; a preempted thread has none of them */
#define STATE_EXITED  0x30u /* EXIT_DEAD, EXIT_ZOMBIE */

/* The fields of an event; NULL: it has none. */
typedef struct SchedLayout {
        TraceLayout layout;
        SchedEventKind kind; /* of a switch, any */
        const TraceLayoutField *out, *in, *state, *name_out, *name_in, *from, *to;
} SchedLayout;

struct SchedEvents {
        SchedLayout *events; /* without "in": they are not wanted */
        size_t n;
};

/* The name of an event, and those of its fields. */
typedef struct SchedFields {
        const char *event;
        unsigned wanted;
        SchedEventKind kind;
        const char *out, *in, *state, *name_out, *name_in, *from, *to;
} SchedFields;

static const SchedFields sched_fields[] = {
        { SCHED_SWITCH, SCHED_EVENTS_SWITCHES, SCHED_OUT_ASLEEP, "prev_pid", "next_pid", "prev_state", "prev_comm", "next_comm" },
        { WAKING_NAME, SCHED_EVENTS_WAKINGS, SCHED_WAKING, "common_pid", "pid", .name_in = "comm", .to = "target_cpu" },
        { WAKEUP_NAME, SCHED_EVENTS_WAKINGS, SCHED_WAKING, "common_pid", "pid", .name_in = "comm", .to = "target_cpu" },
        { "sched:sched_wakeup_new", SCHED_EVENTS_NEW, SCHED_WAKING_NEW, "common_pid", "pid", .name_in = "comm",
          .to = "target_cpu" },
        { "sched:sched_migrate_task", SCHED_EVENTS_MIGRATIONS, SCHED_MIGRATION, "common_pid", "pid", .name_in = "comm",
          .from = "orig_cpu", .to = "dest_cpu" },
};

const char *sched_state_text(char state) {
        switch (state) {
        case 'R':
                return "ready (R)";
        case 'S':
                return "asleep (S)";
        case 'D':
                return "uninterruptible (D)";
        case 'T':
                return "stopped (T)";
        case 't':
                return "traced (t)";
        case 'P':
                return "parked (P)";
        case 'I':
                return "idle kernel thread (I)";
        default:
                return "exiting (X)";
        }
}

SchedEvents *sched_events_free(SchedEvents *l) {
        if (!l)
                return NULL;
        for (size_t i = 0; l->events && i < l->n; i++)
                trace_layout_done(&l->events[i].layout);
        free(l->events);
        free(l);
        return NULL;
}

const char *sched_events_waking(const PerfDataReader *reader) {
        bool wakeup = !perf_data_reader_find_tracepoint(reader, WAKING_NAME) &&
                      perf_data_reader_find_tracepoint(reader, WAKEUP_NAME);

        return wakeup ? WAKEUP_NAME : WAKING_NAME;
}

/* 0, also if a field is missing; -ENOMEM. */
static int sched_find_fields(const PerfDataReader *reader, const PerfDataEvent *e, const SchedFields *f, SchedLayout *ret) {
        const TraceLayout *l = &ret->layout;
        const void *data;
        size_t size;
        int r = perf_data_reader_feature(reader, PERF_FEATURE_TRACING_DATA, &data, &size);

        if (r >= 0)
                r = trace_layout_init(&ret->layout, data, size, e->attr.config);
        if (r < 0)
                return r == -ENOMEM ? r : 0;
        ret->kind = f->kind;
        ret->state = f->state ? trace_layout_find(l, f->state) : NULL;
        ret->name_out = f->name_out ? trace_layout_find(l, f->name_out) : NULL;
        ret->name_in = trace_layout_find(l, f->name_in);
        ret->from = f->from ? trace_layout_find(l, f->from) : NULL;
        ret->to = f->to ? trace_layout_find(l, f->to) : NULL;
        ret->out = trace_layout_find(l, f->out);
        if (ret->out && (ret->state || !f->state))
                ret->in = trace_layout_find(l, f->in);
        return 0;
}

int sched_events_new(const PerfDataReader *reader, unsigned wanted, SchedEvents **ret) {
        _cleanup_(sched_events_freep) SchedEvents *l = calloc(1, sizeof(*l));
        const char *waking = sched_events_waking(reader);
        const PerfDataEvent *events;
        int r = 0;

        if (!l)
                return -ENOMEM;
        l->n = perf_data_reader_events(reader, &events);
        l->events = calloc(l->n + 1, sizeof(*l->events));
        if (!l->events)
                return -ENOMEM;
        for (size_t i = 0; i < l->n; i++)
                for (const SchedFields *f = sched_fields; r >= 0 && f < sched_fields + ELEMENTSOF(sched_fields); f++)
                        if (wanted & f->wanted && perf_data_event_is_tracepoint(events + i, f->event) &&
                            (f->wanted != SCHED_EVENTS_WAKINGS || streq(f->event, waking)))
                                r = sched_find_fields(reader, events + i, f, l->events + i);
        if (r < 0)
                return r;
        *ret = steal_ptr(l);
        return 0;
}

static uint32_t sched_take_cpu(const TraceLayoutField *f, const PerfSample *s) {
        uint64_t cpu;

        return f && trace_field_number(f, s->raw, s->raw_size, &cpu) ? (uint32_t) cpu : SCHED_CPU_UNKNOWN;
}

bool sched_events_of(const SchedEvents *l, const Moment *m, SchedEvent *ret) {
        static const char letters[] = "SDTtXZPI"; /* of the kernel's bits, from the lowest on */
        const SchedLayout *event = l->events + m->number;
        const PerfSample *s = m->sample;
        uint64_t out, in, state = 0;

        if (!event->in || !trace_field_number(event->out, s->raw, s->raw_size, &out) ||
            !trace_field_number(event->in, s->raw, s->raw_size, &in) ||
            (event->state && !trace_field_number(event->state, s->raw, s->raw_size, &state)))
                return false;
        *ret = (SchedEvent) {
                .kind = event->kind, .out = (uint32_t) out, .in = (uint32_t) in, .from = sched_take_cpu(event->from, s),
                .to = sched_take_cpu(event->to, s),
        };
        if (event->state) {
                ret->kind = state & STATE_EXITED ? SCHED_OUT_DEAD : state & STATE_ALL ? SCHED_OUT_ASLEEP : SCHED_OUT_RUNNABLE;
                ret->state = state & STATE_ALL ? letters[__builtin_ctzll(state & STATE_ALL)] : 'R'; /* it could go on */
        }
        return true;
}

static bool sched_take_name(const TraceLayoutField *f, const PerfSample *s, char ret[static SCHED_NAME_SIZE]) {
        const uint8_t *bytes;
        size_t n;

        if (!f || !trace_field_bytes(f, s->raw, s->raw_size, &bytes, &n))
                return false;
        n = MIN_OF(n, (size_t) SCHED_NAME_SIZE - 1);
        memcpy(ret, bytes, n);
        memset(ret + n, 0, SCHED_NAME_SIZE - n);
        return true;
}

bool sched_events_name_in(const SchedEvents *l, const Moment *m, char ret[static SCHED_NAME_SIZE]) {
        return sched_take_name(l->events[m->number].name_in, m->sample, ret);
}

bool sched_events_name_out(const SchedEvents *l, const Moment *m, char ret[static SCHED_NAME_SIZE]) {
        return sched_take_name(l->events[m->number].name_out, m->sample, ret);
}
