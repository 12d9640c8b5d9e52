/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A set of events with small rings of its own, as perf's side band thread has one. The kernel wakes us up for each event;
 * however many came by then, they are one reason, and what is told of them is told of the first. An event that never stops
 * must not keep us from all else: after each look that found something the rings are left alone for a moment, so there are
 * ten such looks a second at most. */

#include "trigger-event.h"

#include "process.h"
#include "record-counts.h"
#include "record-cursor.h"
#include "ring-watch.h"
#include "sample.h"

#define RING_PAGES 4u

struct TriggerEvent {
        EventSet *set;
        Loop *loop;
        RingWatch *watch; /* NULL: the rings are left alone */
        int timer;        /* for the next look, -EBADF: none */
        int (*fired)(void *userdata, const char *detail, unsigned n);
        void *userdata;
        uint8_t scratch[RING_RECORD_MAX]; /* for a record that goes round the ring's end */
};

/* What one look found: how often something happened, and what is told of the first. */
typedef struct Found {
        uint64_t n;
        const char *name;
        uint32_t pid, tid; /* 0: not known */
} Found;

static int on_time(void *userdata, int fd, uint32_t events);

static int look_in(TriggerEvent *t, usec_t usec) {
        int fd = loop_add_timer(t->loop, usec, false, on_time, t);

        if (fd < 0)
                return fd;
        t->timer = fd;
        return 0;
}

/* Whoever says that there is data may not lose its watch while it says so: that is done in the next turn. */
static void on_data(void *userdata) {
        TriggerEvent *t = userdata;

        if (t->timer < 0)
                (void) look_in(t, 1);
}

/* Whether the recording is over is for the events that are recorded to say. */
static void on_all_gone(void *userdata) {
}

static int watch(TriggerEvent *t) {
        const RingWatchHandlers handlers = { .data = on_data, .all_gone = on_all_gone, .userdata = t };

        return ring_watch_new(t->set, t->loop, &handlers, &t->watch);
}

int trigger_event_new(const TriggerEventOptions *options, Loop *loop, TriggerEvent **ret, Diagnosis *d) {
        _cleanup_(trigger_event_freep) TriggerEvent *t = calloc(1, sizeof(*t));
        EventSetOptions so = {
                .attr = ATTR_OPTIONS_DEFAULT,
                .target = options->target,
                .pages = RING_PAGES,
                .no_sideband = true,
        };
        int r;

        if (!t)
                return -ENOMEM;
        t->loop = loop;
        t->timer = -EBADF;
        t->fired = options->fired;
        t->userdata = options->userdata;
        so.attr.frequency = 0;
        so.attr.period = 1;
        so.attr.no_buffering = true;
        so.attr.identifier = true; /* at one place in the samples of all events */
        r = event_set_open(options->specs, &so, &t->set, d);
        if (r >= 0)
                r = watch(t);
        if (r < 0)
                return r;
        *ret = steal_ptr(t);
        return 0;
}

TriggerEvent *trigger_event_free(TriggerEvent *t) {
        if (!t)
                return NULL;
        if (t->loop)
                loop_remove_timer(t->loop, t->timer);
        ring_watch_free(t->watch);
        event_set_free(t->set);
        free(t);
        return NULL;
}

int trigger_event_enable(TriggerEvent *t) {
        return event_set_enable(t->set, NULL, true);
}

static const SetMember *member_of(const EventSet *set, const struct perf_event_header *record) {
        uint64_t id = 0;

        if (record->size >= sizeof(*record) + sizeof(id)) /* PERF_SAMPLE_IDENTIFIER comes first */
                memcpy(&id, record + 1, sizeof(id));
        for (size_t i = 0; i < set->n_events; i++)
                if (set->events[i].id == id)
                        return &set->members[set->events[i].member];
        return &set->members[0];
}

static void note_sample(const TriggerEvent *t, Found *f, const struct perf_event_header *record) {
        const SetMember *m;
        PerfSample sample;

        if (f->name)
                return;
        m = member_of(t->set, record);
        f->name = m->name;
        if (sample_parse(&m->attr, record, &sample) < 0)
                return;
        f->pid = sample.pid;
        f->tid = sample.tid;
}

static void read_ring(TriggerEvent *t, Ring *ring, Found *f) {
        const struct perf_event_header *record;
        RecordCounts counts = {};
        struct iovec segments[2];
        RecordCursor cursor;
        unsigned n = 0;
        size_t bytes = ring_read_begin(ring, segments, &n);

        if (bytes == 0)
                return;
        record_counts_add_segments(&counts, segments, n);
        f->n += counts.samples > 0 ? counts.samples + counts.lost : 0;
        record_cursor_init(&cursor, segments, n, t->scratch);
        while (!f->name && record_cursor_next(&cursor, &record) > 0)
                if (record->type == PERF_RECORD_SAMPLE)
                        note_sample(t, f, record);
        ring_consume(ring, bytes);
}

/* "sched:sched_process_exit, PID 12 (true)". The name is the process's by now, which may be gone. */
static void describe(const Found *f, char *ret, size_t size) {
        char comm[PROCESS_COMM_SIZE];
        bool task = f->pid > 0 && f->pid != UINT32_MAX;

        if (task && process_read_comm("", (pid_t) f->pid, (pid_t) f->tid, comm) >= 0)
                (void) snprintf(ret, size, "%s, PID %" PRIu32 " (%s)", f->name ?: "", f->pid, comm);
        else if (task)
                (void) snprintf(ret, size, "%s, PID %" PRIu32, f->name ?: "", f->pid);
        else
                (void) snprintf(ret, size, "%s", f->name ?: "");
}

static int read_rings(TriggerEvent *t, bool *ret_found) {
        char detail[512];
        Found f = {};

        for (size_t i = 0; i < t->set->n_rings; i++)
                read_ring(t, &t->set->rings[i], &f);
        *ret_found = f.n > 0;
        if (f.n == 0)
                return 0;
        describe(&f, detail, sizeof(detail));
        return t->fired(t->userdata, detail, (unsigned) MIN_OF(f.n, (uint64_t) UINT32_MAX));
}

int trigger_event_look(TriggerEvent *t) {
        bool found;

        return read_rings(t, &found);
}

/* Being watched anew takes from a ring that it has data (ring-watch.h), so a look must follow. */
static int on_time(void *userdata, int fd, uint32_t events) {
        TriggerEvent *t = userdata;
        bool found = false;
        int r;

        loop_remove_timer(t->loop, t->timer);
        t->timer = -EBADF;
        t->watch = ring_watch_free(t->watch);
        r = read_rings(t, &found);
        if (r >= 0 && !found) {
                r = watch(t);
                if (r >= 0)
                        r = read_rings(t, &found);
        }
        if (r < 0 || !found)
                return r;
        t->watch = ring_watch_free(t->watch);
        return look_in(t, TRIGGER_EVENT_PAUSE);
}
