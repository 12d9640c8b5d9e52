/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The manager's object: a table row for each method, the methods that sessions do not have, properties and signals.
 * dbus/org.perfrecorder1.Manager.xml describes them, and a test compares the two. */

#include "bus-manager.h"

#include <perf-recorder/bus-names.h>

#include "bus-counts.h"
#include "bus-dump.h"
#include "bus-error.h"
#include "bus-reserve.h"
#include "bus-session.h"
#include "bus-settings.h"
#include "bus-verb.h"
#include "defer.h"

static int append_change(sd_bus_message *reply, const char *type, const void *rows, size_t i) {
        const ReloadRow *row = (const ReloadRow *) rows + i;

        return sd_bus_message_append(reply, type, row->name, row->change);
}

static void on_reload_done(Failure failure, const char *sentence, const ReloadRow *rows, size_t n_rows, void *userdata) {
        _cleanup_(bus_call_freep) BusCall *c = userdata;

        if (!bus_call_failed(c, failure, sentence))
                bus_call_replied(c, bus_reply_rows(c, "(ss)", n_rows, append_change, rows));
}

static int method_reload(BusCall *c, sd_bus_error *e) {
        BusCall *kept = bus_call_keep(c);

        if (!kept)
                return -ENOMEM;
        manager_reload(kept->bus->manager, on_reload_done, kept);
        return 1;
}

static int method_exit(BusCall *c, sd_bus_error *e) {
        BusCall *kept = bus_call_keep(c);

        if (!kept)
                return -ENOMEM;
        manager_exit(kept->bus->manager, bus_call_done, kept);
        return 1;
}

static int read_assignments(BusCall *c, sd_bus_error *e) {
        return bus_read_settings(c->message, &c->assignments, e);
}

static void on_transient_started(Failure failure, const char *sentence, void *userdata) {
        _cleanup_(bus_call_freep) BusCall *c = userdata;
        _cleanup_free_ char *path = NULL;
        int r;

        if (bus_call_failed(c, failure, sentence))
                return;
        r = bus_session_path(c->sessions[0], &path);
        bus_call_replied(c, r < 0 ? r : sd_bus_reply_method_return(c->message, "o", path));
}

static int method_start_transient(BusCall *c, sd_bus_error *e) {
        BusCall *kept = bus_call_keep(c);

        if (!kept)
                return -ENOMEM;
        manager_start_transient(kept->bus->manager, kept->sessions[0], kept->assignments, on_transient_started, kept);
        return 1;
}

static int append_session(sd_bus_message *reply, const char *type, const void *sessions, size_t i) {
        const Session *s = ((Session *const *) sessions)[i];
        const SessionView v = session_view(s);
        _cleanup_free_ char *path = NULL;
        int r;

        r = bus_session_path(session_name(s), &path);
        if (r < 0)
                return r;
        r = sd_bus_message_open_container(reply, 'r', "sossu");
        if (r >= 0)
                r = sd_bus_message_append(reply, "sos", session_name(s), path, session_state_to_string(v.state));
        if (r >= 0)
                r = bus_append_text(reply, v.description);
        if (r >= 0)
                r = sd_bus_message_append(reply, "u", (uint32_t) v.main_pid);
        return r < 0 ? r : sd_bus_message_close_container(reply);
}

static int method_list_sessions(BusCall *c, sd_bus_error *e) {
        const Sessions *l = manager_sessions(c->bus->manager);

        return bus_reply_rows(c, "(sossu)", l->n, append_session, l->all);
}

static int refuse_name(BusCall *c, sd_bus_error *e) {
        _cleanup_free_ char *sentence = sessions_explain_missing(manager_sessions(c->bus->manager), c->sessions[0]);

        return bus_error_set(e, FAILURE_NO_SUCH_SESSION, sentence);
}

static int method_get_session_file_state(BusCall *c, sd_bus_error *e) {
        const char *state = manager_file_state(c->bus->manager, c->sessions[0]);

        return state ? sd_bus_reply_method_return(c->message, "s", state) : refuse_name(c, e);
}

static int method_get_session(BusCall *c, sd_bus_error *e) {
        _cleanup_free_ char *path = NULL;
        int r;

        if (!sessions_find(manager_sessions(c->bus->manager), c->sessions[0]))
                return refuse_name(c, e);
        r = bus_session_path(c->sessions[0], &path);
        return r < 0 ? r : sd_bus_reply_method_return(c->message, "o", path);
}

#define SESSIONS SD_BUS_PARAM(sessions)

static const BusMethod methods[] = {
        { "Start",   "as",  "", SESSIONS, PR_POLKIT_MANAGE, "start",   bus_read_sessions, bus_verb_run, .run = manager_start },
        { "Stop",    "as",  "", SESSIONS, PR_POLKIT_MANAGE, "stop",    bus_read_sessions, bus_verb_run, .run = manager_stop },
        { "Restart", "as",  "", SESSIONS, PR_POLKIT_MANAGE, "restart", bus_read_sessions, bus_verb_run, .run = manager_restart },
        { "Pause",   "as",  "", SESSIONS, PR_POLKIT_MANAGE, "pause",   bus_read_sessions, bus_verb_run, .run = manager_pause },
        { "Resume",  "as",  "", SESSIONS, PR_POLKIT_MANAGE, "resume",  bus_read_sessions, bus_verb_run, .run = manager_resume },
        { "Enable",  "asb", "a(sss)", SESSIONS SD_BUS_PARAM(now) SD_BUS_PARAM(changes), PR_POLKIT_MANAGE, "enable",
          bus_read_sessions, bus_verb_enable, .read_rest = bus_read_now },
        { "Disable", "asb", "a(sss)", SESSIONS SD_BUS_PARAM(now) SD_BUS_PARAM(changes), PR_POLKIT_MANAGE, "disable",
          bus_read_sessions, bus_verb_disable, .read_rest = bus_read_now },
        { "Signal", "asi", "a(sui)", SESSIONS SD_BUS_PARAM(signal) SD_BUS_PARAM(rows), PR_POLKIT_MANAGE, "signal",
          bus_read_sessions, bus_verb_signal, .read_rest = bus_read_signal, .phrase = "send a signal to" },
        { "Ping", "ast", "a(sst)", SESSIONS SD_BUS_PARAM(timeout_usec) SD_BUS_PARAM(rows), NULL, "ping",
          bus_read_sessions, bus_verb_ping, .read_rest = bus_read_timeout, .lasts = true, .withdraw = manager_withdraw_ping },
        { "Dump", "asa{sv}", "a(soh)", SESSIONS SD_BUS_PARAM(options) SD_BUS_PARAM(dumps), PR_POLKIT_DUMP, "dump",
          bus_read_sessions, bus_verb_dump, .read_rest = bus_read_dump_options, .withdraw = manager_withdraw_dumps },
        { "DumpObjects", "asa{sv}", "a(so)", SESSIONS SD_BUS_PARAM(options) SD_BUS_PARAM(dumps), PR_POLKIT_DUMP, "dump",
          bus_read_sessions, bus_verb_dump, .read_rest = bus_read_dump_options, .withdraw = manager_withdraw_dumps },
        { "Reload", "", "a(ss)", SD_BUS_PARAM(changes), PR_POLKIT_MANAGE, "reload", NULL, method_reload,
          .phrase = "reload the session files" },
        { "StartTransient", "sa{sv}", "o", SD_BUS_PARAM(name) SD_BUS_PARAM(settings) SD_BUS_PARAM(session),
          PR_POLKIT_RECORD, "start-transient", bus_read_session, method_start_transient, .read_rest = read_assignments,
          .phrase = "start the transient" },
        { "Reserve", "sss", "h", SD_BUS_PARAM(what) SD_BUS_PARAM(who) SD_BUS_PARAM(why) SD_BUS_PARAM(fd), PR_POLKIT_RESERVE,
          "reserve", NULL, bus_method_reserve, .read_rest = bus_read_reserve, .withdraw = manager_withdraw_reservation,
          .phrase = "reserve counters of the CPUs" },
        { "ListReservations", "", "a(sssuu)", SD_BUS_PARAM(reservations), NULL, "list-reservations", NULL,
          bus_method_list_reservations },
        { "ListSessions", "", "a(sossu)", SESSIONS, NULL, "list", NULL, method_list_sessions,
          .is_large = true },
        { "ListCounts", "as", "a(sssittt)", SESSIONS SD_BUS_PARAM(counts), NULL, "list-counts", bus_read_sessions,
          bus_method_list_counts, .is_large = true },
        { "GetSession", "s", "o", SD_BUS_PARAM(name) SD_BUS_PARAM(session), NULL, "get", bus_read_session,
          method_get_session },
        { "GetSessionFileState", "s", "s", SD_BUS_PARAM(name) SD_BUS_PARAM(state), NULL, "get-file-state", bus_read_session,
          method_get_session_file_state },
        { "ListDumps", "as", "a(ostttss)", SESSIONS SD_BUS_PARAM(dumps), NULL, "list-dumps", bus_read_sessions,
          bus_verb_list_dumps, .is_large = true },
        { "Exit", "", "", "", PR_POLKIT_MANAGE, "exit", NULL, method_exit, .phrase = "end perf-recorderd" },
};

static int on_method(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        return bus_call_handle(userdata, m, methods, ELEMENTSOF(methods), on_method, error);
}

static uint32_t count_dumps(const Bus *b) {
        size_t n;

        (void) dump_store_all(manager_dumps(b->manager), &n);
        return (uint32_t) n;
}

#define PROPERTY(name, type, value) BUS_PROPERTY(Bus, b, name, type, value)
#define TEXT(name, value) BUS_TEXT_PROPERTY(Bus, b, name, value)

static int get_version(sd_bus *bus, const char *path, const char *interface, const char *property,
                       sd_bus_message *reply, void *userdata, sd_bus_error *error) {
        return sd_bus_message_append(reply, "s", PR_VERSION);
}
TEXT(base_directory, manager_base_directory(b->manager));
PROPERTY(start_timestamp, "t", manager_start_timestamp(b->manager));
PROPERTY(n_sessions, "u", (uint32_t) manager_sessions(b->manager)->n);
PROPERTY(n_running, "u", (uint32_t) manager_n_running(b->manager));
PROPERTY(n_dumps, "u", count_dumps(b));
PROPERTY(locked_memory, "t", manager_locked_memory(b->manager));

static const sd_bus_vtable properties_and_signals[] = {
        SD_BUS_PROPERTY("Version", "s", get_version, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("BaseDirectory", "s", get_base_directory, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("StartTimestamp", "t", get_start_timestamp, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("NSessions", "u", get_n_sessions, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("NRunning", "u", get_n_running, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("NDumps", "u", get_n_dumps, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("LockedMemory", "t", get_locked_memory, 0, 0),
        SD_BUS_SIGNAL_WITH_NAMES("SessionNew", "so", SD_BUS_PARAM(name) SD_BUS_PARAM(session), 0),
        SD_BUS_SIGNAL_WITH_NAMES("SessionRemoved", "so", SD_BUS_PARAM(name) SD_BUS_PARAM(session), 0),
        SD_BUS_SIGNAL_WITH_NAMES("DumpNew", "so", SD_BUS_PARAM(session) SD_BUS_PARAM(dump), 0),
        SD_BUS_SIGNAL_WITH_NAMES("DumpRemoved", "so", SD_BUS_PARAM(session) SD_BUS_PARAM(dump), 0),
        SD_BUS_SIGNAL_WITH_NAMES("Reserved", "s", SD_BUS_PARAM(what), 0),
        SD_BUS_SIGNAL_WITH_NAMES("Released", "s", SD_BUS_PARAM(what), 0),
        SD_BUS_SIGNAL_WITH_NAMES("Reloading", "b", SD_BUS_PARAM(active), 0),
        SD_BUS_VTABLE_END,
};

int bus_manager_export(Bus *b) {
        int r;

        if (!b->manager_vtable) {
                r = bus_methods_to_vtable(methods, ELEMENTSOF(methods), on_method, properties_and_signals,
                                          &b->manager_vtable);
                if (r < 0)
                        return r;
        }
        b->n_sessions = manager_sessions(b->manager)->n;
        b->n_running = manager_n_running(b->manager);
        b->n_dumps = count_dumps(b);
        r = sd_bus_add_object_vtable(b->bus, NULL, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, b->manager_vtable, b);
        return r < 0 ? r : sd_bus_add_object_manager(b->bus, NULL, PR_BUS_PATH);
}

void bus_manager_emit_session(Bus *b, const char *signal, Session *s) {
        _cleanup_free_ char *path = NULL;

        if (bus_session_path(session_name(s), &path) >= 0)
                (void) sd_bus_emit_signal(b->bus, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, signal, "so",
                                          session_name(s), path);
}

void bus_manager_emit_reloading(Bus *b, bool active) {
        (void) sd_bus_emit_signal(b->bus, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, "Reloading", "b", (int) active);
}

static int on_numbers(sd_event_source *source, void *userdata) {
        Bus *b = userdata;
        uint32_t n_sessions = manager_sessions(b->manager)->n, n_running = manager_n_running(b->manager), n_dumps = count_dumps(b);
        char *changed[4] = {}, **end = changed;

        if (n_sessions != b->n_sessions)
                *end++ = (char *) "NSessions";
        if (n_running != b->n_running)
                *end++ = (char *) "NRunning";
        if (n_dumps != b->n_dumps)
                *end++ = (char *) "NDumps";
        if (end == changed || !b->bus)
                return 0;
        b->n_sessions = n_sessions;
        b->n_running = n_running;
        b->n_dumps = n_dumps;
        (void) sd_bus_emit_properties_changed_strv(b->bus, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, changed);
        return 0;
}

/* At the end of the turn: many sessions change in one turn, and one that leaves is still counted while that is
 * reported. */
void bus_manager_emit_numbers_later(Bus *b) {
        defer_once(b->event, &b->numbers, SD_EVENT_PRIORITY_NORMAL, on_numbers, b);
}
