/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The daemon's connection to its bus, made again after the bus went away: the objects on it, the name, and the
 * manager's news. The first connection takes its name before bus_new() returns, so that a second daemon exits at
 * once. Later connections never block, and wait for the name if it is taken, since recorders must not end because
 * of the bus. For objects and calls see bus-manager.c, bus-session.c, bus-dump.c and bus-call.c. */

#include "bus.h"

#include <syslog.h>

#include <perf-recorder/bus-names.h>

#include "bus-call.h"
#include "bus-dump.h"
#include "bus-manager.h"
#include "bus-open.h"
#include "bus-reserve.h"
#include "bus-session.h"
#include "journal.h"
#include "strv.h"

#define RECONNECT_DELAY_MIN (100 * USEC_PER_MSEC)
#define RECONNECT_DELAY_MAX (30 * USEC_PER_SEC)

static void on_session_new(Session *s, void *userdata) {
        Bus *b = userdata;

        if (!b->bus)
                return;
        bus_session_emit_added(b, s);
        bus_manager_emit_session(b, "SessionNew", s);
        bus_manager_emit_numbers_later(b);
}

static void on_session_removed(Session *s, void *userdata) {
        Bus *b = userdata;

        if (!b->bus)
                return;
        bus_session_emit_removed(b, s);
        bus_manager_emit_session(b, "SessionRemoved", s);
        bus_manager_emit_numbers_later(b);
}

static void on_session_changed(Session *s, SessionChange mask, void *userdata) {
        Bus *b = userdata;

        if (!b->bus)
                return;
        bus_session_emit_changed(b, s, mask);
        bus_manager_emit_numbers_later(b);
}

static void on_dump_new(const Dump *d, void *userdata) {
        Bus *b = userdata;

        if (!b->bus)
                return;
        bus_dump_emit_added(b, d);
        bus_manager_emit_numbers_later(b);
}

static void on_dump_removed(const Dump *d, void *userdata) {
        Bus *b = userdata;

        if (!b->bus)
                return;
        bus_dump_emit_removed(b, d);
        bus_manager_emit_numbers_later(b);
}

static void on_dump_changed(const Dump *d, void *userdata) {
        Bus *b = userdata;

        if (b->bus)
                bus_dump_emit_changed(b, d);
}

static void on_reserved(const char *what, bool is_reserved, void *userdata) {
        Bus *b = userdata;

        if (b->bus)
                bus_reserve_emit(b, what, is_reserved);
}

static void on_reloading(bool active, void *userdata) {
        Bus *b = userdata;

        if (b->bus)
                bus_manager_emit_reloading(b, active);
}

static void disconnect(Bus *b) {
        bus_calls_orphan(b);
        large_answers_detach(&b->large);
        b->polkit = polkit_free(b->polkit);
        b->bus = sd_bus_flush_close_unref(b->bus);
}

/* Invariant: the last reference to the connection is dropped here, since sd-bus reads the vtables when it frees the
 * connection. So calls that are still under way keep neither their message nor a slot. */
Bus *bus_free(Bus *b) {
        if (!b)
                return NULL;
        manager_set_observer(b->manager, &(ManagerObserver) {});
        disconnect(b);
        sd_event_source_disable_unref(b->reconnect);
        sd_event_source_disable_unref(b->numbers);
        large_answers_done(&b->large);
        sd_event_unref(b->event);
        free(b->manager_vtable);
        free(b->session_vtable);
        free(b->dump_vtable);
        free(b);
        return NULL;
}

static int connect_later(Bus *b);

static int on_disconnected(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        Bus *b = userdata;

        journal_log(LOG_WARNING, "The connection to the bus ended: connecting again. Sessions go on");
        return connect_later(b);
}

/* A caller that writes a session file and then calls finds the session: all calls, those for properties too, see
 * the current files. Reload reads them itself, and returns what changed. */
static int on_message(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        Bus *b = userdata;

        if (sd_bus_message_is_method_call(m, NULL, NULL) > 0 &&
            sd_bus_message_is_method_call(m, PR_BUS_MANAGER_INTERFACE, "Reload") <= 0)
                manager_catch_up(b->manager);
        return 0;
}

static int connect_bus(Bus *b) {
        const BusPlan plan = {
                .user = b->user, .description = "perf-recorderd", .on_disconnected = on_disconnected, .userdata = b,
        };
        int r = bus_open(b->event, &plan, &b->bus);

        if (r < 0)
                return r;
        r = polkit_new(b->bus, b->user ? getuid() : 0, &b->polkit);
        if (r < 0)
                return r;
        large_answers_attach(&b->large, b->event, b->bus, b->polkit);
        r = sd_bus_add_filter(b->bus, NULL, on_message, b);
        if (r < 0)
                return r;
        r = bus_limit_answers(b);
        if (r < 0)
                return r;
        r = bus_manager_export(b);
        if (r < 0)
                return r;
        r = bus_session_export(b);
        if (r < 0)
                return r;
        return bus_dump_export(b);
}

static int on_name(sd_bus_message *reply, void *userdata, sd_bus_error *error) {
        Bus *b = userdata;
        uint32_t result;

        if (!sd_bus_message_is_method_error(reply, NULL) && sd_bus_message_read(reply, "u", &result) >= 0 && result == 1) {
                b->reconnect_delay = RECONNECT_DELAY_MIN;
                journal_log(LOG_INFO, "Connected to the bus again");
                manager_retry(b->manager);
                return 0;
        }
        journal_log(LOG_WARNING, "Cannot get the name %s on the bus: trying again", PR_BUS_NAME);
        return connect_later(b);
}

static int on_reconnect(sd_event_source *source, uint64_t usec, void *userdata) {
        Bus *b = userdata;
        int r;

        disconnect(b);
        r = connect_bus(b);
        if (r >= 0)
                r = sd_bus_request_name_async(b->bus, NULL, PR_BUS_NAME, 0, on_name, b);
        return r < 0 ? connect_later(b) : 0;
}

/* Each try waits twice as long as the previous one. The old connection is freed by on_reconnect(), because this
 * runs inside its callbacks. */
static int connect_later(Bus *b) {
        usec_t delay = b->reconnect_delay;
        int r;

        b->reconnect_delay = MIN_OF(2 * delay, RECONNECT_DELAY_MAX);
        b->reconnect = sd_event_source_disable_unref(b->reconnect);
        r = sd_event_add_time_relative(b->event, &b->reconnect, CLOCK_MONOTONIC, delay, 0, on_reconnect, b);
        if (r < 0)
                journal_log(LOG_ERR, "Cannot try to reach the bus again: %s", strerror(-r));
        return 0;
}

int bus_new(sd_event *event, Manager *m, bool user, Bus **ret) {
        _cleanup_(bus_freep) Bus *b = NULL;
        int r;

        b = calloc(1, sizeof(Bus));
        if (!b)
                return -ENOMEM;
        b->event = sd_event_ref(event);
        b->manager = m;
        b->user = user;
        b->reconnect_delay = RECONNECT_DELAY_MIN;

        r = connect_bus(b);
        if (r < 0)
                return r;
        r = sd_bus_request_name(b->bus, PR_BUS_NAME, 0);
        if (r < 0)
                return r;
        manager_set_observer(m, &(ManagerObserver) {
                .session_new = on_session_new,
                .session_removed = on_session_removed,
                .session_changed = on_session_changed,
                .dump_new = on_dump_new,
                .dump_removed = on_dump_removed,
                .dump_changed = on_dump_changed,
                .reloading = on_reloading,
                .reserved = on_reserved,
                .userdata = b,
        });
        *ret = steal_ptr(b);
        return 0;
}
