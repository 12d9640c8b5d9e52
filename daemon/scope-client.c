/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The connection to systemd. It is made when the first request needs it and made anew after it was lost, so that a bus
 * that restarts costs a session its start at worst. Requests that were out when it was lost end with -ENOTCONN: calls by
 * sd-bus itself, which answers them all, those that wait for a signal by on_disconnected().
 *
 * A request belongs to who asked. Its slot lives in it, so that dropping it cancels the call. */

#include "scope-client.h"

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
        c->disconnected = sd_bus_slot_unref(c->disconnected);
        c->bus = sd_bus_flush_close_unref(c->bus);
        c->lost = c->subscribed = false;
}

ScopeClient *scope_client_free(ScopeClient *c) {
        if (!c)
                return NULL;
        c->lost = true; /* nothing is sent any more */
        while (c->first)
                scope_request_free(c->first);
        drop_connection(c);
        sd_event_unref(c->event);
        free(c);
        return NULL;
}

/* The bus is dropped when it is asked for next: it is in use here. */
static int on_disconnected(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeClient *c = userdata;

        c->lost = true;
        for (ScopeRequest *q = c->first, *next; q; q = next) {
                next = q->next;
                if (!q->slot)
                        scope_request_end(q, -ENOTCONN, "the connection to systemd was lost");
        }
        return 0;
}

static int connect_bus(ScopeClient *c) {
        int r;

        r = c->user ? sd_bus_open_user(&c->bus) : sd_bus_open_system(&c->bus);
        if (r < 0)
                return r;
        r = sd_bus_match_signal(c->bus, &c->disconnected, "org.freedesktop.DBus.Local", "/org/freedesktop/DBus/Local",
                                "org.freedesktop.DBus.Local", "Disconnected", on_disconnected, c);
        if (r >= 0)
                r = sd_bus_attach_event(c->bus, c->event, SD_EVENT_PRIORITY_NORMAL);
        if (r < 0)
                drop_connection(c);
        return r;
}

int scope_client_bus(ScopeClient *c, sd_bus **ret) {
        int r;

        if (c->lost)
                drop_connection(c);
        if (!c->bus) {
                r = connect_bus(c);
                if (r < 0)
                        return r;
        }
        *ret = c->bus;
        return 0;
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

/* The one that has waited longest: requests stand newest first. */
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

int scope_request_subscribe(ScopeRequest *q, sd_bus *bus) {
        ScopeClient *c = q->client;

        if (!q->subscribes) {
                q->subscribes = true;
                c->n_subscribers++;
        }
        if (c->subscribed)
                return 0;
        c->subscribed = true;
        return sd_bus_call_method_async(bus, NULL, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, "Subscribe", NULL, NULL, NULL);
}

static void unsubscribe(ScopeClient *c) {
        if (--c->n_subscribers > 0 || !c->bus || c->lost)
                return;
        c->subscribed = false;
        (void) sd_bus_call_method_async(c->bus, NULL, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, "Unsubscribe", NULL, NULL,
                                        NULL);
}

/* Nobody listens to systemd while no job is awaited: its signals about others' units must not wake the daemon. */
static void release_jobs(ScopeClient *c) {
        if (--c->n_jobs > 0)
                return;
        c->job_removed = sd_bus_slot_unref(c->job_removed);
        c->unit_removed = sd_bus_slot_unref(c->unit_removed);
}

ScopeRequest *scope_request_free(ScopeRequest *q) {
        if (!q)
                return NULL;
        for (ScopeRequest **p = &q->client->first; *p; p = &(*p)->next)
                if (*p == q) {
                        *p = q->next;
                        break;
                }
        if (q->slot)
                scope_request_answered(q);
        sd_bus_message_unref(q->waiting);
        sd_event_source_disable_unref(q->retry);
        sd_bus_slot_unref(q->changes);
        if (q->holds_jobs)
                release_jobs(q->client);
        if (q->subscribes)
                unsubscribe(q->client);
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
        if (asprintf(&sentence, "%s: %s", what,
                     error == -ETIMEDOUT ? "it does not answer, the machine may be overloaded" : e->message ?: e->name) < 0)
                sentence = NULL;
        scope_request_end(q, error, sentence ?: what);
        return true;
}
