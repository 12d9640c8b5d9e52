/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A set of events with small rings of its own, as perf's side-band thread has one. The kernel wakes the recorder up
 * for each event; all that one read finds are one reason, whose detail is of the first. An event that never stops must
 * not keep the recorder from all other work: after a read that found samples the rings are not watched for
 * TRIGGER_EVENT_PAUSE, so there are ten such reads a second at most. */

#include "trigger-event.h"

#include "event-set-lending.h"
#include "process.h"
#include "record-counts.h"
#include "record-cursor.h"
#include "ring-watch.h"
#include "sample.h"

#define RING_PAGES 4u

struct TriggerEvent {
        EventSet *set;
        Loop *loop;
        RingWatch *watch; /* NULL: during the pause */
        int timer;        /* of the next read, -EBADF: none */
        int (*fired)(void *userdata, const char *detail, unsigned n);
        void *userdata;
        uint8_t scratch[RING_RECORD_MAX]; /* for a record that the ring's end splits */
};

/* The samples of one read: their number, and the facts of the first. */
typedef struct Found {
        uint64_t n;
        const char *name;
        uint32_t pid, tid; /* 0: not known */
} Found;

static int trigger_event_on_time(void *userdata, int fd, uint32_t events);

static int trigger_event_read_after(TriggerEvent *t, usec_t usec) {
        int fd = loop_add_timer(t->loop, usec, false, trigger_event_on_time, t);

        if (fd < 0)
                return fd;
        t->timer = fd;
        return 0;
}

/* A watch can't be freed by its own handler, so the rings are read in the loop's next turn. */
static void trigger_event_on_data(void *userdata) {
        TriggerEvent *t = userdata;

        if (t->timer < 0)
                (void) trigger_event_read_after(t, 1);
}

/* Only the end of the recorded events ends the recording. */
static void trigger_event_on_all_gone(void *userdata) {
}

static int trigger_event_watch(TriggerEvent *t) {
        const RingWatchHandlers handlers = { .data = trigger_event_on_data, .all_gone = trigger_event_on_all_gone, .userdata = t };

        return ring_watch_new(t->set, t->loop, &handlers, &t->watch);
}

int trigger_event_new(const TriggerEventOptions *options, Loop *loop, TriggerEvent **ret, Diagnosis *d) {
        _cleanup_(trigger_event_freep) TriggerEvent *t = calloc(1, sizeof(*t));
        EventSetOptions so = {
                .attr = ATTR_OPTIONS_DEFAULT,
                .target = options->target,
                .pages = RING_PAGES,
                .no_sideband = true,
                .lendings = options->lendings,
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
                r = trigger_event_watch(t);
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

/* Samples that are in the rings are read when these are watched again. */
static int trigger_event_watch_again(TriggerEvent *t) {
        return t->timer >= 0 ? 0 : trigger_event_read_after(t, 1);
}

bool trigger_event_lends(const TriggerEvent *t, CounterKind kind) {
        return event_set_lends(t->set, kind);
}

int trigger_event_close_lent(TriggerEvent *t) {
        t->watch = ring_watch_free(t->watch);
        (void) event_set_close_lent(t->set);
        return trigger_event_watch_again(t);
}

int trigger_event_open_lent(TriggerEvent *t, CounterKind kind, Diagnosis *d) {
        int r;

        t->watch = ring_watch_free(t->watch);
        r = event_set_open_lent(t->set, kind, d);
        return r < 0 ? r : trigger_event_watch_again(t);
}

static const SetMember *trigger_event_member(const EventSet *set, const struct perf_event_header *record) {
        uint64_t id = 0;

        if (record->size >= sizeof(*record) + sizeof(id)) /* PERF_SAMPLE_IDENTIFIER comes first */
                memcpy(&id, record + 1, sizeof(id));
        for (size_t i = 0; i < set->n_events; i++)
                if (set->events[i].id == id)
                        return &set->members[set->events[i].member];
        return &set->members[0];
}

static void trigger_event_note(const TriggerEvent *t, Found *f, const struct perf_event_header *record) {
        const SetMember *m;
        PerfSample sample;

        if (f->name)
                return;
        m = trigger_event_member(t->set, record);
        f->name = m->name;
        if (sample_parse(&m->attr, record, &sample) < 0)
                return;
        f->pid = sample.pid;
        f->tid = sample.tid;
}

static void trigger_event_read_ring(TriggerEvent *t, Ring *ring, Found *f) {
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
                        trigger_event_note(t, f, record);
        ring_consume(ring, bytes);
}

/* "sched:sched_process_exit, PID 12 (true)". The name is that of the process now, if it still exists. */
static void found_describe(const Found *f, char *ret, size_t size) {
        char comm[PROCESS_COMM_SIZE];
        bool task = f->pid > 0 && f->pid != UINT32_MAX;

        if (task && process_read_comm("", (pid_t) f->pid, (pid_t) f->tid, comm) >= 0)
                (void) snprintf(ret, size, "%s, PID %" PRIu32 " (%s)", f->name ?: "", f->pid, comm);
        else if (task)
                (void) snprintf(ret, size, "%s, PID %" PRIu32, f->name ?: "", f->pid);
        else
                (void) snprintf(ret, size, "%s", f->name ?: "");
}

static int trigger_event_read_rings(TriggerEvent *t, bool *ret_found) {
        char detail[512];
        Found f = {};

        for (size_t i = 0; i < t->set->n_rings; i++)
                trigger_event_read_ring(t, &t->set->rings[i], &f);
        *ret_found = f.n > 0;
        if (f.n == 0)
                return 0;
        found_describe(&f, detail, sizeof(detail));
        return t->fired(t->userdata, detail, (unsigned) MIN_OF(f.n, (uint64_t) UINT32_MAX));
}

int trigger_event_look(TriggerEvent *t) {
        bool found;

        return trigger_event_read_rings(t, &found);
}

/* A ring that is added to epoll again is no longer readable for the data it has (ring-watch.h), so it must be read
 * after that. */
static int trigger_event_on_time(void *userdata, int fd, uint32_t events) {
        TriggerEvent *t = userdata;
        bool found = false;
        int r;

        loop_remove_timer(t->loop, t->timer);
        t->timer = -EBADF;
        t->watch = ring_watch_free(t->watch);
        r = trigger_event_read_rings(t, &found);
        if (r >= 0 && !found) {
                r = trigger_event_watch(t);
                if (r >= 0)
                        r = trigger_event_read_rings(t, &found);
        }
        if (r < 0 || !found)
                return r;
        t->watch = ring_watch_free(t->watch);
        return trigger_event_read_after(t, TRIGGER_EVENT_PAUSE);
}
