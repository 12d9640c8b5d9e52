/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A set of events with small rings of its own, as perf's side band thread has one. The kernel wakes us up for each event;
 * however many came by then, they are one reason. */

#include "switch-event.h"

#include "ring-watch.h"

#define RING_PAGES 4u

struct SwitchEvent {
        EventSet *set;
        RingWatch *watch;
        void (*fired)(void *userdata);
        void *userdata;
};

static void on_data(void *userdata) {
        switch_event_look(userdata);
}

/* Whether the recording is over is for the events that are recorded to say. */
static void on_all_gone(void *userdata) {
}

int switch_event_new(const SwitchEventOptions *options, Loop *loop, SwitchEvent **ret, Diagnosis *d) {
        _cleanup_(switch_event_freep) SwitchEvent *s = calloc(1, sizeof(*s));
        EventSetOptions so = {
                .attr = ATTR_OPTIONS_DEFAULT,
                .target = options->target,
                .pages = RING_PAGES,
                .no_sideband = true,
        };
        int r;

        if (!s)
                return -ENOMEM;
        s->fired = options->fired;
        s->userdata = options->userdata;
        so.attr.frequency = 0;
        so.attr.period = 1;
        so.attr.no_buffering = true;
        r = event_set_open(options->specs, &so, &s->set, d);
        if (r >= 0)
                r = ring_watch_new(s->set, loop,
                                   &(RingWatchHandlers) { .data = on_data, .all_gone = on_all_gone, .userdata = s }, &s->watch);
        if (r < 0)
                return r;
        *ret = steal_ptr(s);
        return 0;
}

SwitchEvent *switch_event_free(SwitchEvent *s) {
        if (!s)
                return NULL;
        ring_watch_free(s->watch);
        event_set_free(s->set);
        free(s);
        return NULL;
}

int switch_event_enable(SwitchEvent *s) {
        return event_set_enable(s->set, NULL, true);
}

void switch_event_look(SwitchEvent *s) {
        RingCounts counts = {};

        for (size_t i = 0; i < s->set->n_rings; i++) {
                struct iovec segments[2];
                unsigned n = 0;
                size_t bytes = ring_read_begin(&s->set->rings[i], segments, &n);

                if (bytes == 0)
                        continue;
                ring_counts_add(&counts, segments, n);
                ring_consume(&s->set->rings[i], bytes);
        }
        if (counts.samples > 0)
                s->fired(s->userdata);
}
