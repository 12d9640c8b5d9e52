/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The verbs that the manager has for many sessions and each session for itself: reading and validating the
 * arguments, one call into the domain, and the answer from its callback. Arguments other than a session's name, an
 * existing signal or a finite timeout are refused here: the domain sees nothing else. Authorization comes before
 * (bus-call.c). */

#include "bus-verb.h"

#include <perf-recorder/bus-names.h>

#include "bus-error.h"
#include "parse-number.h"
#include "settings.h"

#define PING_TIMEOUT_MAX (10 * USEC_PER_MINUTE)

static int add_session(BusCall *c, const char *name, sd_bus_error *e) {
        char quoted[64];

        bus_error_quote(quoted, sizeof(quoted), name);
        if (!session_name_is_valid(name))
                return bus_error_setf(e, FAILURE_ARGUMENT, "'%s' can't name a session: that takes letters, digits and "
                                      ":-_.\\@, with no dot or @ first, and %d bytes at most", quoted, SESSION_NAME_MAX);
        if (session_name_is_template(name))
                return bus_error_setf(e, FAILURE_ARGUMENT, "'%s' is a template: name an instance of it, such as '%sNAME'",
                                      quoted, quoted);
        return strv_contains(c->sessions, name) ? 0 : strv_extend(&c->sessions, name);
}

int bus_read_sessions(BusCall *c, sd_bus_error *e) {
        const char *name;
        int r;

        r = sd_bus_message_enter_container(c->message, 'a', "s");
        if (r < 0)
                return r;
        for (unsigned n = 0; (r = sd_bus_message_read_basic(c->message, 's', &name)) > 0; n++) {
                if (n >= BUS_SESSIONS_PER_CALL_MAX)
                        return bus_error_setf(e, FAILURE_LIMIT, "More than %u sessions in one call",
                                              BUS_SESSIONS_PER_CALL_MAX);
                r = add_session(c, name, e);
                if (r < 0)
                        return r;
        }
        return r < 0 ? r : sd_bus_message_exit_container(c->message);
}

int bus_read_session(BusCall *c, sd_bus_error *e) {
        const char *name;
        int r;

        r = sd_bus_message_read(c->message, "s", &name);
        return r < 0 ? r : add_session(c, name, e);
}

int bus_read_path(BusCall *c, sd_bus_error *e) {
        _cleanup_free_ char *name = NULL;
        int r;

        r = sd_bus_path_decode(sd_bus_message_get_path(c->message), PR_BUS_SESSION_PATH, &name);
        if (r < 0)
                return r;
        /* It may have gone while polkit was asked. */
        if (r == 0 || !sessions_find(manager_sessions(c->bus->manager), name))
                return bus_error_set(e, FAILURE_NO_SUCH_OBJECT, "There is no such session any more");
        return strv_consume(&c->sessions, steal_ptr(name));
}

int bus_read_signal(BusCall *c, sd_bus_error *e) {
        int r;

        r = sd_bus_message_read(c->message, "i", &c->signal);
        if (r < 0)
                return r;
        if (!signal_name(c->signal))
                return bus_error_setf(e, FAILURE_ARGUMENT, "There is no signal %i", c->signal);
        return 0;
}

int bus_read_timeout(BusCall *c, sd_bus_error *e) {
        int r;

        r = sd_bus_message_read(c->message, "t", &c->timeout);
        if (r < 0)
                return r;
        if (c->timeout > PING_TIMEOUT_MAX)
                return bus_error_set(e, FAILURE_ARGUMENT, "A timeout is in microseconds, ten minutes at most");
        return 0;
}

int bus_read_now(BusCall *c, sd_bus_error *e) {
        int r, now;

        if (!c->sessions)
                return bus_error_set(e, FAILURE_ARGUMENT, "Name the sessions: no name does not mean all of them here");
        r = sd_bus_message_read(c->message, "b", &now);
        if (r < 0)
                return r;
        c->now = now;
        return 0;
}

int bus_verb_run(BusCall *c, sd_bus_error *e) {
        BusCall *kept = bus_call_keep(c);

        if (!kept)
                return -ENOMEM;
        kept->method->run(kept->bus->manager, kept->sessions, bus_call_done, kept);
        return 1;
}

static int append_change(sd_bus_message *reply, const char *type, const void *changes, size_t i) {
        const FileChange *change = (const FileChange *) changes + i;

        return sd_bus_message_append(reply, type, change->created ? "created" : "removed", change->path, change->target ?: "");
}

static void on_enable_done(Failure failure, const char *sentence, const FileChanges *changes, void *userdata) {
        _cleanup_(bus_call_freep) BusCall *c = userdata;

        if (!bus_call_failed(c, failure, sentence))
                bus_call_replied(c, bus_reply_rows(c, "(sss)", changes->n, append_change, changes->changes));
}

static int set_enabled(BusCall *c, bool enable) {
        BusCall *kept = bus_call_keep(c);

        if (!kept)
                return -ENOMEM;
        manager_enable(kept->bus->manager, kept->sessions, enable, kept->now, on_enable_done, kept);
        return 1;
}

int bus_verb_enable(BusCall *c, sd_bus_error *e) {
        return set_enabled(c, true);
}

int bus_verb_disable(BusCall *c, sd_bus_error *e) {
        return set_enabled(c, false);
}

static int append_signal(sd_bus_message *reply, const char *type, const void *rows, size_t i) {
        const SignalRow *row = (const SignalRow *) rows + i;

        return sd_bus_message_append(reply, type, row->name, (uint32_t) row->pid, (int32_t) abs(row->error));
}

int bus_verb_signal(BusCall *c, sd_bus_error *e) {
        _cleanup_free_ SignalRow *rows = NULL;
        size_t n_rows = 0;
        int r;

        r = manager_signal(c->bus->manager, c->sessions, c->signal, &rows, &n_rows);
        if (r < 0)
                return r;
        if (!bus_call_is_for_one(c))
                return bus_reply_rows(c, "(sui)", n_rows, append_signal, rows);
        if (n_rows == 0 || rows[0].error == ESRCH)
                return bus_error_setf(e, FAILURE_NOT_RUNNING, "Session '%s' is not running: start it first", c->sessions[0]);
        if (rows[0].error > 0)
                return bus_error_set(e, failure_of(-rows[0].error), strerror(rows[0].error));
        return sd_bus_reply_method_return(c->message, "u", (uint32_t) rows[0].pid);
}

static int append_ping(sd_bus_message *reply, const char *type, const void *rows, size_t i) {
        const PingRow *row = (const PingRow *) rows + i;

        return sd_bus_message_append(reply, type, row->name, row->status, row->round_trip_usec);
}

static void on_pinged(Failure failure, const char *sentence, const PingRow *rows, size_t n_rows, void *userdata) {
        _cleanup_(bus_call_freep) BusCall *c = userdata;

        if (bus_call_failed(c, failure, sentence))
                return;
        if (!bus_call_is_for_one(c))
                bus_call_replied(c, bus_reply_rows(c, "(sst)", n_rows, append_ping, rows));
        else if (!bus_call_failed(c, n_rows == 0 ? FAILURE_NOT_RUNNING : FAILURE_NONE, NULL))
                bus_call_replied(c, sd_bus_reply_method_return(c->message, "st", rows[0].status, rows[0].round_trip_usec));
}

int bus_verb_ping(BusCall *c, sd_bus_error *e) {
        BusCall *kept = bus_call_keep(c);

        if (!kept)
                return -ENOMEM;
        manager_ping(kept->bus->manager, kept->sessions, kept->timeout, on_pinged, kept);
        return 1;
}

int bus_read_window(BusCall *c, sd_bus_error *e) {
        int r, whole;

        r = sd_bus_message_read(c->message, "tb", &c->since, &whole);
        if (r < 0)
                return r;
        c->whole = whole;
        return 0;
}

static void on_window(Failure failure, const char *sentence, int fd, uint64_t until, void *userdata) {
        _cleanup_(bus_call_freep) BusCall *c = userdata;

        if (!bus_call_failed(c, failure, sentence))
                bus_call_replied(c, sd_bus_reply_method_return(c->message, "ht", fd, until));
}

int bus_verb_window(BusCall *c, sd_bus_error *e) {
        BusCall *kept = bus_call_keep(c);

        if (!kept)
                return -ENOMEM;
        manager_open_window(kept->bus->manager, *kept->sessions, kept->since, kept->whole, on_window, kept);
        return 1;
}
