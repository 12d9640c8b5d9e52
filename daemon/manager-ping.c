/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Pings sessions side by side: each through its recorder's own loop, by a word on its control FIFO. One timer for all of
 * a call ends it; recorders that have answered by then are not held up by those that have not. */

#include <perf-recorder/control-words.h>

#include "session-internal.h"

#define DEFAULT_TIMEOUT_USEC (3 * USEC_PER_SEC)
#define LONGEST_TIMEOUT_USEC (60 * USEC_PER_MINUTE)

typedef struct PingSlot {
        PingCall *call;
        ControlWaiter *waiter;
        char *name;
} PingSlot;

struct PingCall {
        Manager *manager;
        PingCall *next;
        PingDone done;
        void *userdata;
        sd_event_source *timer;
        PingRow *rows;
        PingSlot *slots;
        size_t n_rows, n_pending;
};

static PingCall *ping_call_free(PingCall *c) {
        if (!c)
                return NULL;
        for (PingCall **p = &c->manager->ping_calls; *p; p = &(*p)->next)
                if (*p == c) {
                        *p = c->next;
                        break;
                }
        for (size_t i = 0; i < c->n_rows; i++) {
                control_waiter_free(c->slots[i].waiter);
                free(c->slots[i].name);
        }
        sd_event_source_disable_unref(c->timer);
        free(c->rows);
        free(c->slots);
        free(c);
        return NULL;
}
DEFINE_CLEANUP(PingCall *, ping_call_free);

static void ping_call_end(PingCall *call) {
        _cleanup_(ping_call_freep) PingCall *c = call;

        c->done(0, NULL, c->rows, c->n_rows, c->userdata);
}

static void on_pong(int error, usec_t round_trip, void *userdata) {
        PingSlot *slot = userdata;
        PingCall *c = slot->call;
        PingRow *row = &c->rows[slot - c->slots];

        slot->waiter = NULL;
        row->status = error < 0 ? "dead" : "ok";
        row->round_trip_usec = error < 0 ? 0 : round_trip;
        if (--c->n_pending == 0)
                ping_call_end(c);
}

static int on_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        ping_call_end(userdata);
        return 0;
}

static const char *ping_session(SessionObject *s, PingSlot *slot) {
        if (session_object_state(s) == SESSION_FAILED || session_object_state(s) == SESSION_BAD_SETTING)
                return "dead";
        if (session_object_state(s) == SESSION_INACTIVE || session_object_state(s) == SESSION_WAITING)
                return "inactive";
        if (!s->control)
                return s->phase == PHASE_LOOKUP ? "timeout" : "dead";
        return control_send(s->control, PR_CONTROL_PING, on_pong, slot, &slot->waiter) < 0 ? "timeout" : NULL;
}

static int ping_call_new(Manager *m, const SessionList *l, PingDone done, void *userdata, PingCall **ret) {
        _cleanup_(ping_call_freep) PingCall *c = NULL;

        c = calloc(1, sizeof(PingCall));
        if (!c)
                return -ENOMEM;
        c->manager = m;
        c->done = done;
        c->userdata = userdata;
        c->rows = calloc(l->n_sessions + 1, sizeof(PingRow));
        c->slots = calloc(l->n_sessions + 1, sizeof(PingSlot));
        if (!c->rows || !c->slots)
                return -ENOMEM;
        for (; c->n_rows < l->n_sessions; c->n_rows++) {
                PingSlot *slot = &c->slots[c->n_rows];

                slot->call = c;
                slot->name = strdup(l->sessions[c->n_rows]->name); /* it may be gone when the last one answers */
                if (!slot->name)
                        return -ENOMEM;
                c->rows[c->n_rows].name = slot->name;
        }
        c->next = m->ping_calls;
        *ret = m->ping_calls = steal_ptr(c);
        return 0;
}

/* Those that run or wait, those that failed, and those that start with the service and can't. */
static bool should_run(const SessionObject *s) {
        return session_object_is_active(s) || session_object_state(s) == SESSION_FAILED ||
               (session_object_state(s) == SESSION_BAD_SETTING && s->enabled);
}

/* The call counts itself as pending while it sends, so that it cannot end in between. */
static void ping_all(Manager *m, PingCall *c, const SessionList *l, usec_t timeout) {
        int r;

        timeout = MIN_OF(timeout ?: DEFAULT_TIMEOUT_USEC, LONGEST_TIMEOUT_USEC);
        c->n_pending = 1;
        for (size_t i = 0; i < l->n_sessions; i++) {
                const char *status = ping_session(l->sessions[i], &c->slots[i]);

                c->rows[i].status = status ?: "timeout"; /* until it answers */
                c->n_pending += !status;
        }
        r = --c->n_pending == 0 ? -ENODATA
                                : sd_event_add_time_relative(m->event, &c->timer, CLOCK_MONOTONIC, timeout, USEC_PER_MSEC,
                                                             on_timeout, c);
        if (r < 0)
                ping_call_end(c);
}

void manager_ping(Manager *m, char *const *names, usec_t timeout, PingDone done, void *userdata) {
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_free_ char *sentence = NULL;
        PingCall *c;
        int r;

        r = manager_select(m, names, false, should_run, &l, &sentence);
        if (r >= 0)
                r = ping_call_new(m, &l, done, userdata, &c);
        if (r < 0)
                done(r, sentence, NULL, 0, userdata);
        else
                ping_all(m, c, &l, timeout);
}

void manager_withdraw_ping(Manager *m, const void *userdata) {
        PingCall *c = m->ping_calls;

        while (c && c->userdata != userdata)
                c = c->next;
        ping_call_free(c);
}
