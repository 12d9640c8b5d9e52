/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Listens to PropertiesChanged of systemd's units (org.freedesktop.systemd1(5)). The signal is only a hint: a unit in
 * the state "failed", or one that waits for its automatic restart, is asked for its result and its invocation, which
 * no signal has. A service that is restarted after a failure passes through both states since systemd 254, and only
 * through the latter before; so the last reported invocations are remembered.
 *
 * The signal is also sent without a change of the state, when a job for the unit is queued or systemd is reloaded. Its
 * time of the change tells such a signal from another failure. The answer is about the unit at that moment: if it was
 * started in the meantime, about the next invocation.
 *
 * This file does not know which units matter to whom. */

#include "unit-watch.h"

#include "list.h"
#include "parse-time.h"
#include "scope-client.h"
#include "strv.h"

#define UNIT_ROOT SYSTEMD_PATH "/unit"
#define TOLD_MAX 64
#define QUESTIONS_MAX 64 /* pending; half of dbus-daemon(1)'s limit for a connection */

typedef struct Told {
        char unit[256];
        char invocation[33];
        usec_t changed;
} Told;

typedef struct Question {
        UnitWatch *watch;
        struct Question *next;
        sd_bus_slot *slot;
        char *unit;
        usec_t changed;
        bool failed; /* known to have failed; otherwise it waits for a restart */
} Question;

struct UnitWatch {
        ScopeClient *client;
        sd_bus *bus;          /* the client's; NULL: there is no connection */
        sd_bus_slot *changes; /* of units */
        usec_t since;         /* CLOCK_MONOTONIC: when it began to listen */
        Question *questions;
        size_t n_questions;
        Told told[TOLD_MAX];
        size_t next_told;
        UnitFailed failed;
        void *userdata;
};

static void question_free(Question *q) {
        LIST_REMOVE(q->watch->questions, q);
        q->watch->n_questions--;
        sd_bus_slot_unref(q->slot);
        free(q->unit);
        free(q);
}

static void on_dropped(void *userdata) {
        UnitWatch *w = userdata;

        if (!w->bus)
                return;
        while (w->questions)
                question_free(w->questions);
        w->changes = sd_bus_slot_unref(w->changes);
        w->bus = NULL;
        scope_client_unsubscribe(w->client);
}

UnitWatch *unit_watch_free(UnitWatch *w) {
        if (!w)
                return NULL;
        (void) scope_client_listen(w->client, NULL);
        free(w);
        return NULL;
}

/* Returns false if it was reported already. */
static bool remember(UnitWatch *w, const char *unit, usec_t changed, const char *invocation) {
        Told *t;

        if (strlen(unit) >= sizeof(t->unit))
                return true;
        for (t = w->told; t < w->told + TOLD_MAX; t++)
                if (streq(t->unit, unit) && ((changed > 0 && t->changed == changed) ||
                                             (*invocation && streq(t->invocation, invocation))))
                        return false;
        t = &w->told[w->next_told++ % TOLD_MAX];
        t->changed = changed;
        strcpy(t->unit, unit);
        strcpy(t->invocation, invocation);
        return true;
}

typedef struct UnitFacts {
        const char *result; /* points into the message; NULL: it has none */
        char invocation[33];
        const char *active, *sub;
        usec_t changed; /* CLOCK_MONOTONIC */
} UnitFacts;

static bool has_failed(const UnitFacts *f) {
        return f->active && streq(f->active, "failed");
}

/* In "auto-restart", or in "auto-restart-queued", which follows. */
static bool waits_for_restart(const UnitFacts *f) {
        return f->sub && startswith(f->sub, "auto-restart");
}

static int read_invocation(sd_bus_message *m, char ret[static 33]) {
        const uint8_t *id;
        size_t size;
        int r = sd_bus_message_enter_container(m, 'v', "ay");

        if (r >= 0)
                r = sd_bus_message_read_array(m, 'y', (const void **) &id, &size);
        if (r >= 0 && size == 16)
                for (size_t i = 0; i < size; i++)
                        (void) snprintf(ret + 2 * i, 3, "%02x", id[i]);
        return r < 0 ? r : sd_bus_message_exit_container(m);
}

static int read_property(sd_bus_message *m, UnitFacts *f) {
        const char *name;
        int r = sd_bus_message_read(m, "s", &name);

        if (r < 0)
                return r;
        if (streq(name, "Result"))
                return sd_bus_message_read(m, "v", "s", &f->result);
        if (streq(name, "ActiveState"))
                return sd_bus_message_read(m, "v", "s", &f->active);
        if (streq(name, "SubState"))
                return sd_bus_message_read(m, "v", "s", &f->sub);
        if (streq(name, "StateChangeTimestampMonotonic"))
                return sd_bus_message_read(m, "v", "t", &f->changed);
        if (streq(name, "InvocationID"))
                return read_invocation(m, f->invocation);
        return sd_bus_message_skip(m, "v");
}

/* a{sv} */
static int read_facts(sd_bus_message *m, UnitFacts *f) {
        int r = sd_bus_message_enter_container(m, 'a', "{sv}");

        while (r >= 0 && (r = sd_bus_message_enter_container(m, 'e', "sv")) > 0) {
                r = read_property(m, f);
                if (r >= 0)
                        r = sd_bus_message_exit_container(m);
        }
        return r < 0 ? r : sd_bus_message_exit_container(m);
}

static int on_answer(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        Question *q = userdata;
        UnitWatch *w = q->watch;
        UnitFacts f = {};

        /* The answer for a unit that is gone is an error, but the signal may have said that it had failed. */
        bool answered = sd_bus_message_get_error(m) == NULL && read_facts(m, &f) >= 0;
        bool is_the_same = answered && (has_failed(&f) || waits_for_restart(&f));
        bool failed = q->failed || (is_the_same && f.result && !streq(f.result, "success"));

        if (failed && remember(w, q->unit, q->changed, is_the_same ? f.invocation : "")) {
                _cleanup_free_ char *unit = steal_ptr(q->unit);

                question_free(q);
                w->failed(unit, is_the_same ? f.invocation : "", w->userdata);
                return 0;
        }
        question_free(q);
        return 0;
}

static int ask(UnitWatch *w, const char *path, const char *unit, const UnitFacts *f) {
        Question *q;
        int r;

        if (w->n_questions >= QUESTIONS_MAX)
                return -EBUSY;
        q = calloc(1, sizeof(Question));
        if (!q)
                return -ENOMEM;
        *q = (Question) { .watch = w, .next = w->questions, .unit = strdup(unit), .changed = f->changed, .failed = has_failed(f) };
        w->questions = q;
        w->n_questions++;
        r = q->unit ? sd_bus_call_method_async(w->bus, &q->slot, SYSTEMD_SERVICE, path, "org.freedesktop.DBus.Properties", "GetAll",
                                               on_answer, q, "s", "")
                    : -ENOMEM;
        if (r < 0)
                question_free(q);
        return r;
}

static int on_changed(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        UnitWatch *w = userdata;
        _cleanup_free_ char *unit = NULL;
        const char *path = sd_bus_message_get_path(m);
        UnitFacts f = {};

        if (sd_bus_path_decode(path, UNIT_ROOT, &unit) <= 0 || sd_bus_message_skip(m, "s") < 0 || read_facts(m, &f) < 0)
                return 0;
        if ((!has_failed(&f) && !waits_for_restart(&f)) || (f.changed > 0 && f.changed < w->since))
                return 0;
        if (ask(w, path, unit, &f) < 0 && has_failed(&f) && remember(w, unit, f.changed, "")) /* then without its invocation */
                w->failed(unit, "", w->userdata);
        return 0;
}

/* The match is for the interface that all kinds of units have. */
static int on_connected(sd_bus *bus, void *userdata) {
        UnitWatch *w = userdata;
        int r;

        w->bus = bus;
        w->since = now_usec(CLOCK_MONOTONIC);
        r = sd_bus_add_match_async(bus, &w->changes,
                                   "type='signal',sender='" SYSTEMD_SERVICE "',interface='org.freedesktop.DBus.Properties',"
                                   "member='PropertiesChanged',path_namespace='" UNIT_ROOT "',arg0='" SYSTEMD_SERVICE ".Unit'",
                                   on_changed, NULL, w);
        return MIN_OF(r, 0) ?: scope_client_subscribe(w->client, bus);
}

int unit_watch_new(ScopeClient *client, UnitFailed failed, void *userdata, UnitWatch **ret) {
        _cleanup_(unit_watch_freep) UnitWatch *w = calloc(1, sizeof(UnitWatch));
        ScopeListener listener = { .connected = on_connected, .dropped = on_dropped, .userdata = w };
        int r;

        if (!w)
                return -ENOMEM;
        *w = (UnitWatch) { .client = client, .failed = failed, .userdata = userdata };
        r = scope_client_listen(client, &listener);
        if (r < 0)
                return r;
        *ret = steal_ptr(w);
        return 0;
}
