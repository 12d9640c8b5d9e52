/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Pings sessions side by side: each recorder answers a word on its control FIFO from its own loop. One timer ends
 * the call; answers that have come by then are reported. */

#include "list.h"
#include "manager-parts.h"

#define DEFAULT_TIMEOUT_USEC (3 * USEC_PER_SEC)
#define N_SERVICE_ROWS 2
#define LONGEST_TIMEOUT_USEC (60 * USEC_PER_MINUTE)

typedef struct PingSlot {
        PingCall *call;
        ControlWaiter *waiter;
} PingSlot;

struct PingCall {
        Manager *manager;
        PingCall *next;
        PingDone done;
        void *userdata;
        sd_event_source *timer;
        Gather *gather; /* of sessions that have not answered; NULL: all have */
        PingRow *rows;
        PingSlot *slots;
        size_t n_rows;
};

static PingCall *ping_call_free(PingCall *c) {
        if (!c)
                return NULL;
        LIST_REMOVE(c->manager->ping_calls, c);
        for (size_t i = 0; i < c->n_rows; i++)
                control_waiter_free(c->slots[i].waiter);
        sd_event_source_disable_unref(c->timer);
        gather_free(c->gather);
        free(c->rows);
        free(c->slots);
        free(c);
        return NULL;
}
DEFINE_CLEANUP(PingCall *, ping_call_free);

static void on_all_answered(Failure failure, const char *sentence, void *userdata) {
        _cleanup_(ping_call_freep) PingCall *c = userdata;

        c->done(FAILURE_NONE, NULL, c->rows, c->n_rows, c->userdata);
        c->gather = NULL;
}

static void on_pong(int error, usec_t round_trip, void *userdata) {
        PingSlot *slot = userdata;
        PingRow *row = &slot->call->rows[slot - slot->call->slots];

        slot->waiter = NULL;
        row->status = error < 0 ? "dead" : "ok";
        row->round_trip_usec = error < 0 ? 0 : round_trip;
        gather_leave(slot->call->gather, FAILURE_NONE, NULL);
}

static int on_timeout(sd_event_source *source, uint64_t usec, void *userdata) {
        _cleanup_(ping_call_freep) PingCall *c = userdata;

        c->done(FAILURE_NONE, NULL, c->rows, c->n_rows, c->userdata);
        return 0;
}

static int ping_call_new(Manager *m, const SessionList *l, usec_t timeout, PingDone done, void *userdata, PingCall **ret) {
        _cleanup_(ping_call_freep) PingCall *c = NULL;
        int r;

        c = calloc(1, sizeof(PingCall));
        if (!c)
                return -ENOMEM;
        *c = (PingCall) { .manager = m, .done = done, .userdata = userdata };
        c->rows = calloc(l->n_sessions + N_SERVICE_ROWS, sizeof(PingRow));
        c->slots = calloc(l->n_sessions + N_SERVICE_ROWS, sizeof(PingSlot));
        r = c->rows && c->slots ? gather_new(on_all_answered, c, &c->gather) : -ENOMEM;
        if (r >= 0)
                r = sd_event_add_time_relative(m->host.event, &c->timer, CLOCK_MONOTONIC,
                                               MIN_OF(timeout ?: DEFAULT_TIMEOUT_USEC, LONGEST_TIMEOUT_USEC), USEC_PER_MSEC,
                                               on_timeout, c);
        if (r < 0)
                return r;
        for (; c->n_rows < l->n_sessions; c->n_rows++) {
                c->slots[c->n_rows].call = c;
                c->rows[c->n_rows].name = gather_keep(c->gather, session_name(l->sessions[c->n_rows]));
                if (!c->rows[c->n_rows].name)
                        return -ENOMEM;
        }
        c->next = m->ping_calls;
        *ret = m->ping_calls = steal_ptr(c);
        return 0;
}

static bool should_run(const Session *s) {
        return session_is_active(s) || session_has_failed(s);
}

static void ping_all(PingCall *c, const SessionList *l, bool with_service) {
        const SessionHost *host = &c->manager->host;

        for (size_t i = 0; i < l->n_sessions; i++) {
                const char *status = session_ping(l->sessions[i], on_pong, &c->slots[i], &c->slots[i].waiter);

                c->rows[i].status = status ?: "timeout"; /* until it answers */
                if (!status)
                        gather_join(c->gather);
        }
        if (with_service && host->settings.error)
                c->rows[c->n_rows++] = (PingRow){ .name = DAEMON_SETTINGS_NAME, .status = "bad-setting" };
        if (with_service && base_directory_is_missing(&host->base))
                c->rows[c->n_rows++] = (PingRow){ .name = host->base.path, .status = "missing" };
        gather_seal(c->gather);
}

void manager_ping(Manager *m, char *const *names, usec_t timeout, PingDone done, void *userdata) {
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_free_ char *sentence = NULL;
        Failure failure;
        PingCall *c = NULL;

        failure = sessions_select(&m->sessions, names, false, should_run, &l, &sentence);
        if (!failure)
                failure = failure_of(ping_call_new(m, &l, timeout, done, userdata, &c));
        if (failure || !c)
                done(failure, sentence, NULL, 0, userdata);
        else
                ping_all(c, &l, strv_length(names) == 0);
}

void manager_withdraw_ping(Manager *m, const void *userdata) {
        PingCall *c = m->ping_calls;

        while (c && c->userdata != userdata)
                c = c->next;
        ping_call_free(c);
}
