/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The connection to systemd is made when the first request needs it, and again after it was lost, so that a restart of
 * the bus costs a session its start at worst. Pending requests end with -ENOTCONN when it is lost: calls by sd-bus,
 * which answers them all, requests that wait for a signal by on_disconnected().
 *
 * Invariant: handlers get signals from systemd and the bus only. Any user can send a signal directly to this
 * connection, which has no well-known name that the bus's policy could protect, and sd-bus does not compare the sender
 * with that of a match.
 *
 * A request is owned by its caller. It has its slot, so that freeing it cancels the call. */

#include "scope-client.h"

#include "bus-open.h"
#include "format-text.h"
#include "list.h"

#define RECONNECT_USEC (1 * USEC_PER_SEC)
#define CALLS_MAX 64u /* half of dbus-daemon's own max_replies_per_connection, dbus-daemon(1) */
#define CALL_TIMEOUT_USEC (60 * USEC_PER_SEC) /* a machine under overload has a slow PID 1 */

int scope_client_new(sd_event *event, bool user, ScopeClient **ret) {
        ScopeClient *c = calloc(1, sizeof(ScopeClient));

        if (!c)
                return -ENOMEM;
        *c = (ScopeClient){ .event = sd_event_ref(event), .user = user };
        *ret = c;
        return 0;
}

static void drop_connection(ScopeClient *c) {
        c->job_removed = sd_bus_slot_unref(c->job_removed);
        c->unit_removed = sd_bus_slot_unref(c->unit_removed);
        if (c->bus && c->listener.dropped)
                c->listener.dropped(c->listener.userdata);
        c->bus = sd_bus_flush_close_unref(c->bus);
        free(steal_ptr(c->owner));
        c->lost = c->subscribed = false;
}

ScopeClient *scope_client_free(ScopeClient *c) {
        if (!c)
                return NULL;
        scope_client_end_left(c);
        c->lost = true; /* nothing is sent any more */
        while (c->first)
                scope_request_free(c->first);
        drop_connection(c);
        sd_event_source_disable_unref(c->reconnect);
        sd_event_source_disable_unref(c->at_exit);
        sd_event_unref(c->event);
        free(c);
        return NULL;
}

static int on_reconnect(sd_event_source *source, uint64_t usec, void *userdata);

static void reconnect_later(ScopeClient *c) {
        c->reconnect = sd_event_source_disable_unref(c->reconnect);
        if (c->listener.connected)
                (void) sd_event_add_time_relative(c->event, &c->reconnect, CLOCK_MONOTONIC, RECONNECT_USEC, 0, on_reconnect, c);
}

static int on_reconnect(sd_event_source *source, uint64_t usec, void *userdata) {
        sd_bus *bus;

        if (scope_client_bus(userdata, &bus) < 0)
                reconnect_later(userdata);
        return 0;
}

/* The bus is in use here: scope_client_bus() drops it at the next request. */
static int on_disconnected(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeClient *c = userdata;

        c->lost = true;
        reconnect_later(c);
        for (ScopeRequest *q = c->first, *next; q; q = next) {
                next = q->next;
                if (!q->slot)
                        scope_request_end(q, -ENOTCONN, "the connection to systemd was lost");
        }
        return 0;
}

/* The filter gets a message before the matches; 1 drops it. */
static int on_any_message(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *sender = sd_bus_message_get_sender(m);
        const ScopeClient *c = userdata;

        if (sd_bus_message_is_signal(m, NULL, NULL) <= 0 || !sender || streq(sender, "org.freedesktop.DBus") ||
            streq(sender, "org.freedesktop.DBus.Local"))
                return 0;
        return !streq_ptr(sender, c->owner);
}

static int on_owner_changed(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *name, *before, *after;
        ScopeClient *c = userdata;

        if (sd_bus_message_read(m, "sss", &name, &before, &after) >= 0)
                (void) free_and_strdup(&c->owner, *after ? after : NULL);
        return 0;
}

static int on_owner(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *owner;
        ScopeClient *c = userdata;

        if (!sd_bus_message_get_error(m) && sd_bus_message_read(m, "s", &owner) >= 0)
                (void) free_and_strdup(&c->owner, owner);
        return 0;
}

/* The bus answers in order, so the owner is known before the first signal of a later match. */
static int admit_systemd(ScopeClient *c) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        int r = sd_bus_add_filter(c->bus, NULL, on_any_message, c);

        if (r >= 0)
                r = sd_bus_add_match_async(c->bus, NULL,
                                           "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
                                           "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='" SYSTEMD_SERVICE "'",
                                           on_owner_changed, NULL, c);
        if (r >= 0)
                r = sd_bus_message_new_method_call(c->bus, &m, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                                   "org.freedesktop.DBus", "GetNameOwner");
        if (r >= 0)
                r = sd_bus_message_append(m, "s", SYSTEMD_SERVICE);
        return r < 0 ? r : sd_bus_call_async(c->bus, NULL, m, on_owner, c, UINT64_MAX);
}

static int connect_client(ScopeClient *c) {
        const BusPlan plan = {
                .user = c->user, .without_files = true, .description = "perf-recorderd-systemd",
                .on_disconnected = on_disconnected, .userdata = c,
        };
        int r = bus_open(c->event, &plan, &c->bus);

        if (r == -ENOENT) /* no socket: for callers, the bus does not run, and no unit is missing */
                r = -ECONNREFUSED;
        if (r >= 0)
                r = admit_systemd(c);
        if (r >= 0 && c->listener.connected)
                r = c->listener.connected(c->bus, c->listener.userdata);
        if (r < 0)
                drop_connection(c);
        return r;
}

int scope_client_bus(ScopeClient *c, sd_bus **ret) {
        int r;

        if (c->lost)
                drop_connection(c);
        if (!c->bus) {
                r = connect_client(c);
                if (r < 0)
                        return r;
        }
        *ret = c->bus;
        return 0;
}

int scope_client_connect(ScopeClient *c) {
        sd_bus *bus;

        return scope_client_bus(c, &bus);
}

int scope_client_listen(ScopeClient *c, const ScopeListener *listener) {
        sd_bus *bus;
        int r;

        if (c->bus && c->listener.dropped)
                c->listener.dropped(c->listener.userdata);
        c->listener = (ScopeListener){};
        c->reconnect = sd_event_source_disable_unref(c->reconnect);
        if (!listener)
                return 0;
        r = scope_client_bus(c, &bus);
        if (r < 0)
                return r;
        c->listener = *listener;
        return c->listener.connected(bus, c->listener.userdata);
}

int scope_client_new_call(ScopeClient *c, const char *method, sd_bus_message **ret) {
        sd_bus *bus;
        int r = scope_client_bus(c, &bus);

        return r < 0 ? r : sd_bus_message_new_method_call(bus, ret, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, method);
}

int scope_request_new(ScopeClient *c, const char *unit, ScopeDone done, void *userdata, ScopeRequest **ret) {
        ScopeRequest *q = calloc(1, sizeof(ScopeRequest));

        if (!q)
                return -ENOMEM;
        *q = (ScopeRequest){ .client = c, .next = c->first, .done = done, .userdata = userdata };
        if (unit && !(q->unit = strdup(unit))) {
                free(q);
                return -ENOMEM;
        }
        c->first = q;
        *ret = q;
        return 0;
}

static int send_call(ScopeRequest *q, sd_bus_message *m, sd_bus_message_handler_t handler) {
        int r = sd_bus_call_async(q->client->bus, &q->slot, m, handler, q, CALL_TIMEOUT_USEC);

        if (r >= 0)
                q->client->n_calls++;
        return r;
}

int scope_request_call(ScopeRequest *q, sd_bus_message *m, sd_bus_message_handler_t handler) {
        if (q->client->n_calls < CALLS_MAX)
                return send_call(q, m, handler);
        q->waiting = sd_bus_message_ref(m);
        q->handler = handler;
        return 0;
}

int scope_request_send(ScopeClient *c, const char *unit, sd_bus_message *m, sd_bus_message_handler_t handler, ScopeDone done,
                       void *userdata, ScopeRequest **ret) {
        ScopeRequest *q;
        int r;

        r = scope_request_new(c, unit, done, userdata, &q);
        if (r < 0)
                return r;
        r = scope_request_call(q, m, handler);
        if (r < 0) {
                scope_request_free(q);
                return r;
        }
        *ret = q;
        return 0;
}

/* The request that has waited longest: the newest is first in the list. */
static ScopeRequest *find_waiting(const ScopeClient *c) {
        ScopeRequest *oldest = NULL;

        for (ScopeRequest *q = c->first; q; q = q->next)
                if (q->waiting)
                        oldest = q;
        return oldest;
}

static void send_waiting(ScopeClient *c) {
        ScopeRequest *q;

        while (!c->lost && c->n_calls < CALLS_MAX && (q = find_waiting(c))) {
                _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = steal_ptr(q->waiting);
                int r = send_call(q, m, q->handler);

                if (r < 0)
                        scope_request_end(q, r, "cannot ask systemd");
        }
}

void scope_request_answered(ScopeRequest *q) {
        q->slot = sd_bus_slot_unref(q->slot);
        q->client->n_calls--;
        send_waiting(q->client);
}

int scope_request_get_property(ScopeRequest *q, const char *path, const char *interface, const char *name,
                               sd_bus_message_handler_t handler) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        sd_bus *bus;
        int r;

        if (q->slot)
                scope_request_answered(q);
        r = scope_client_bus(q->client, &bus);
        if (r >= 0)
                r = sd_bus_message_new_method_call(bus, &m, SYSTEMD_SERVICE, path, "org.freedesktop.DBus.Properties", "Get");
        if (r >= 0)
                r = sd_bus_message_append(m, "ss", interface, name);
        return r < 0 ? r : scope_request_call(q, m, handler);
}

int scope_client_subscribe(ScopeClient *c, sd_bus *bus) {
        c->n_subscribers++;
        if (c->subscribed)
                return 0;
        c->subscribed = true;
        return sd_bus_call_method_async(bus, NULL, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, "Subscribe", NULL, NULL, NULL);
}

void scope_client_unsubscribe(ScopeClient *c) {
        if (--c->n_subscribers > 0 || !c->bus || c->lost)
                return;
        c->subscribed = false;
        (void) sd_bus_call_method_async(c->bus, NULL, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, "Unsubscribe", NULL, NULL,
                                        NULL);
}

int scope_request_subscribe(ScopeRequest *q, sd_bus *bus) {
        if (q->subscribes)
                return 0;
        q->subscribes = true;
        return scope_client_subscribe(q->client, bus);
}

ScopeRequest *scope_request_free(ScopeRequest *q) {
        ScopeClient *c;

        if (!q)
                return NULL;
        c = q->client;
        LIST_REMOVE(c->first, q);
        if (q->slot)
                scope_request_answered(q);
        sd_bus_message_unref(q->waiting);
        sd_event_source_disable_unref(q->retry);
        sd_bus_slot_unref(q->changes);
        /* Signals about jobs are received only while a request waits for one: those of other units must not wake
         * the daemon. */
        if (q->holds_jobs && --c->n_jobs == 0) {
                c->job_removed = sd_bus_slot_unref(c->job_removed);
                c->unit_removed = sd_bus_slot_unref(c->unit_removed);
        }
        if (q->subscribes)
                scope_client_unsubscribe(c);
        free(q->unit);
        free(q->job);
        free(q->directory);
        free(q->description);
        free(q->settings.slice);
        free(q);
        return NULL;
}

void scope_request_end(ScopeRequest *q, int error, const char *text) {
        ScopeDone done = q->done;
        void *userdata = q->userdata;

        scope_request_free(q);
        done(error, text, userdata);
}

bool scope_request_failed(ScopeRequest *q, sd_bus_message *reply, const char *what) {
        _cleanup_free_ char *sentence = NULL;
        const sd_bus_error *e = sd_bus_message_get_error(reply);
        int error;

        if (!e)
                return false;
        error = -sd_bus_error_get_errno(e);
        sentence = format_text("%s: %s", what,
                               error == -ETIMEDOUT ? "it does not answer, the machine may be overloaded" : e->message ?: e->name);
        scope_request_end(q, error, sentence ?: what);
        return true;
}
