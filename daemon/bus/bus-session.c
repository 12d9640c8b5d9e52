/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The sessions' objects. There is one vtable for all of them: a path is decoded to a name, and the manager is asked
 * for that session, so that nothing here can outlive a session. Live figures are read on request and never
 * signalled. A session that leaves is still shown while its removal is reported. */

#include "bus-session.h"

#include <perf-recorder/bus-names.h>

#include "bus-dump.h"
#include "bus-verb.h"

int bus_session_path(const char *name, char **ret) {
        return sd_bus_path_encode(PR_BUS_SESSION_PATH, name, ret);
}

static const BusMethod methods[] = {
        { "Start",   "", "", "", PR_POLKIT_MANAGE, "start",   bus_read_path, bus_verb_run, .run = manager_start },
        { "Stop",    "", "", "", PR_POLKIT_MANAGE, "stop",    bus_read_path, bus_verb_run, .run = manager_stop },
        { "Restart", "", "", "", PR_POLKIT_MANAGE, "restart", bus_read_path, bus_verb_run, .run = manager_restart },
        { "Pause",   "", "", "", PR_POLKIT_MANAGE, "pause",   bus_read_path, bus_verb_run, .run = manager_pause },
        { "Resume",  "", "", "", PR_POLKIT_MANAGE, "resume",  bus_read_path, bus_verb_run, .run = manager_resume },
        { "Enable",  "b", "a(sss)", SD_BUS_PARAM(now) SD_BUS_PARAM(changes), PR_POLKIT_MANAGE, "enable",
          bus_read_path, bus_verb_enable, .read_rest = bus_read_now },
        { "Disable", "b", "a(sss)", SD_BUS_PARAM(now) SD_BUS_PARAM(changes), PR_POLKIT_MANAGE, "disable",
          bus_read_path, bus_verb_disable, .read_rest = bus_read_now },
        { "Signal", "i", "u", SD_BUS_PARAM(signal) SD_BUS_PARAM(pid), PR_POLKIT_MANAGE, "signal",
          bus_read_path, bus_verb_signal, .read_rest = bus_read_signal, .phrase = "send a signal to" },
        { "Ping", "t", "st", SD_BUS_PARAM(timeout_usec) SD_BUS_PARAM(status) SD_BUS_PARAM(round_trip_usec), NULL, "ping",
          bus_read_path, bus_verb_ping, .read_rest = bus_read_timeout, .lasts = true, .withdraw = manager_withdraw_ping },
        { "Dump", "a{sv}", "oh", SD_BUS_PARAM(options) SD_BUS_PARAM(dump) SD_BUS_PARAM(fd), PR_POLKIT_DUMP, "dump",
          bus_read_path, bus_verb_dump, .read_rest = bus_read_dump_options, .withdraw = manager_withdraw_dumps },
        { "OpenWindow", "tb", "ht", SD_BUS_PARAM(since_nsec) SD_BUS_PARAM(whole) SD_BUS_PARAM(fd) SD_BUS_PARAM(until_nsec),
          PR_POLKIT_VIEW, "open", bus_read_path, bus_verb_window, .read_rest = bus_read_window, .withdraw = manager_withdraw_window,
          .phrase = "look at the samples of" },
};

static int handle(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        return bus_call_handle(userdata, m, methods, ELEMENTSOF(methods), handle, error);
}

/* userdata is the session, as for properties; the Bus is that of the vtable. */
static int on_method(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        return handle(m, sd_bus_slot_get_userdata(sd_bus_get_current_slot(sd_bus_message_get_bus(m))), error);
}

#define PROPERTY(name, type, value) BUS_PROPERTY(Session, s, name, type, value)
#define TEXT(name, value) BUS_TEXT_PROPERTY(Session, s, name, value)

TEXT(name, session_name(s));
TEXT(description, session_view(s).description);
TEXT(state, session_state_to_string(session_view(s).state));
TEXT(result, session_result_to_string(session_view(s).result));
TEXT(command, session_view(s).command);
PROPERTY(main_pid, "u", (uint32_t) session_view(s).main_pid);
TEXT(unit, session_view(s).unit);
TEXT(scope, session_view(s).scope);
TEXT(fragment_path, session_view(s).fragment_path);
TEXT(directory, session_view(s).directory);
TEXT(control_path, session_view(s).control_path);
TEXT(ack_path, session_view(s).ack_path);
TEXT(output_path, session_view(s).output_path);
PROPERTY(start_timestamp, "t", session_view(s).start_timestamp);
PROPERTY(n_restarts, "u", (uint32_t) session_view(s).n_restarts);

static int get_error(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                     void *userdata, sd_bus_error *error) {
        _cleanup_free_ char *text = NULL;
        int r = session_describe_error(userdata, &text);

        return r < 0 ? r : bus_append_text(reply, text);
}

static int get_drop_in_paths(sd_bus *bus, const char *path, const char *interface, const char *property,
                             sd_bus_message *reply, void *userdata, sd_bus_error *error) {
        int r;

        r = sd_bus_message_open_container(reply, 'a', "s");
        STRV_FOREACH(drop_in, session_view(userdata).drop_in_paths)
                if (r >= 0)
                        r = bus_append_text(reply, *drop_in);
        return r < 0 ? r : sd_bus_message_close_container(reply);
}

static int get_lent(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                    void *userdata, sd_bus_error *error) {
        unsigned lent = session_lent(userdata);
        int r;

        r = sd_bus_message_open_container(reply, 'a', "s");
        for (CounterKind k = 0; k < _COUNTER_KIND_MAX; k++)
                if (r >= 0 && lent & 1u << k)
                        r = sd_bus_message_append(reply, "s", counter_kind_to_string(k));
        return r < 0 ? r : sd_bus_message_close_container(reply);
}

/* The Bus is that of the vtable. */
static int get_last_dump(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                         void *userdata, sd_bus_error *error) {
        const Bus *b = sd_bus_slot_get_userdata(sd_bus_get_current_slot(bus));
        _cleanup_free_ char *dump = NULL;
        int r;

        r = bus_dump_path(dump_store_newest(manager_dumps(b->manager), session_name(userdata)), &dump);
        return r < 0 ? r : sd_bus_message_append(reply, "o", dump);
}

static PrCounters counters_of(const Session *s) {
        PrCounters counters = {};

        session_counters(s, &counters);
        return counters;
}

static usec_t history_of(const Session *s) {
        usec_t first = counters_of(s).first_sample_nsec / NSEC_PER_USEC, now = now_usec(CLOCK_MONOTONIC);

        return session_view(s).main_pid > 0 && first > 0 && first < now ? now - first : 0;
}

/* In wall clock time, which may be set in the meantime. */
static usec_t next_dump_of(const Session *s) {
        usec_t next = counters_of(s).next_dump_nsec / NSEC_PER_USEC;

        if (session_view(s).main_pid == 0 || next == 0)
                return 0;
        return next - now_usec(CLOCK_MONOTONIC) + now_usec(CLOCK_REALTIME);
}

PROPERTY(samples, "t", counters_of(s).samples);
PROPERTY(lost, "t", counters_of(s).lost);
PROPERTY(lost_records, "t", counters_of(s).lost_records);
PROPERTY(throttled, "t", counters_of(s).throttled);
PROPERTY(bytes_written, "t", counters_of(s).bytes_written);
PROPERTY(dumps_written, "t", counters_of(s).magic == PR_COUNTERS_MAGIC ? counters_of(s).files : UINT64_MAX);
PROPERTY(ring_bytes, "t", counters_of(s).ring_bytes);
PROPERTY(history_usec, "t", history_of(s));
PROPERTY(next_dump_usec, "t", next_dump_of(s));
PROPERTY(cpu_usage_nsec, "t", session_cpu_usage(s));

static const sd_bus_vtable properties[] = {
        SD_BUS_PROPERTY("Name", "s", get_name, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("Description", "s", get_description, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("State", "s", get_state, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("Result", "s", get_result, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("Error", "s", get_error, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("Command", "s", get_command, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("Unit", "s", get_unit, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("MainPID", "u", get_main_pid, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("Scope", "s", get_scope, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("FragmentPath", "s", get_fragment_path, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("DropInPaths", "as", get_drop_in_paths, 0, SD_BUS_VTABLE_PROPERTY_EMITS_INVALIDATION),
        SD_BUS_PROPERTY("Directory", "s", get_directory, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("ControlPath", "s", get_control_path, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("AckPath", "s", get_ack_path, 0, SD_BUS_VTABLE_PROPERTY_CONST),
        SD_BUS_PROPERTY("OutputPath", "s", get_output_path, 0, SD_BUS_VTABLE_PROPERTY_EMITS_INVALIDATION),
        SD_BUS_PROPERTY("StartTimestamp", "t", get_start_timestamp, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("NRestarts", "u", get_n_restarts, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("Lent", "as", get_lent, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("LastDump", "o", get_last_dump, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
        SD_BUS_PROPERTY("Samples", "t", get_samples, 0, 0),
        SD_BUS_PROPERTY("Lost", "t", get_lost, 0, 0),
        SD_BUS_PROPERTY("LostRecords", "t", get_lost_records, 0, 0),
        SD_BUS_PROPERTY("Throttled", "t", get_throttled, 0, 0),
        SD_BUS_PROPERTY("BytesWritten", "t", get_bytes_written, 0, 0),
        SD_BUS_PROPERTY("DumpsWritten", "t", get_dumps_written, 0, 0),
        SD_BUS_PROPERTY("RingBytes", "t", get_ring_bytes, 0, 0),
        SD_BUS_PROPERTY("HistoryUsec", "t", get_history_usec, 0, 0),
        SD_BUS_PROPERTY("NextDumpUsec", "t", get_next_dump_usec, 0, 0),
        SD_BUS_PROPERTY("CPUUsageNSec", "t", get_cpu_usage_nsec, 0, 0),
        SD_BUS_VTABLE_END,
};

/* The properties that each bit of a SessionChange stands for, in the order of the bits. */
static const char *const changed_properties[][6] = {
        { "State", "Result", "Error" },
        { "MainPID", "StartTimestamp", "NRestarts", "Scope" },
        { "Description", "Command", "Unit", "FragmentPath", "DropInPaths" },
        { "OutputPath" },
        { "LastDump" },
        { "Lent" },
};

static int on_find(sd_bus *bus, const char *path, const char *interface, void *userdata, void **ret, sd_bus_error *error) {
        _cleanup_free_ char *name = NULL;
        Session *s;
        Bus *b = userdata;
        int r;

        r = sd_bus_path_decode(path, PR_BUS_SESSION_PATH, &name);
        if (r <= 0)
                return r;
        s = b->leaving && streq(session_name(b->leaving), name) ? b->leaving : sessions_find(manager_sessions(b->manager), name);
        if (!s)
                return 0;
        *ret = s;
        return 1;
}

static int on_enumerate(sd_bus *bus, const char *prefix, void *userdata, char ***ret, sd_bus_error *error) {
        _cleanup_strv_free_ char **paths = NULL;
        const Bus *b = userdata;
        const Sessions *l = manager_sessions(b->manager);
        int r;

        paths = calloc(l->n + 1, sizeof(char *));
        if (!paths)
                return -ENOMEM;
        for (size_t i = 0; i < l->n; i++) {
                r = bus_session_path(session_name(l->all[i]), &paths[i]);
                if (r < 0)
                        return r;
        }
        *ret = steal_ptr(paths);
        return 0;
}

int bus_session_export(Bus *b) {
        int r;

        if (!b->session_vtable) {
                r = bus_methods_to_vtable(methods, ELEMENTSOF(methods), on_method, properties, &b->session_vtable);
                if (r < 0)
                        return r;
        }
        r = sd_bus_add_fallback_vtable(b->bus, NULL, PR_BUS_SESSION_PATH, PR_BUS_SESSION_INTERFACE, b->session_vtable,
                                       on_find, b);
        return r < 0 ? r : sd_bus_add_node_enumerator(b->bus, NULL, PR_BUS_SESSION_PATH, on_enumerate, b);
}

void bus_session_emit_added(Bus *b, Session *s) {
        _cleanup_free_ char *path = NULL;

        if (bus_session_path(session_name(s), &path) >= 0)
                (void) sd_bus_emit_object_added(b->bus, path);
}

void bus_session_emit_removed(Bus *b, Session *s) {
        _cleanup_free_ char *path = NULL;

        if (bus_session_path(session_name(s), &path) < 0)
                return;
        b->leaving = s;
        (void) sd_bus_emit_object_removed(b->bus, path);
        b->leaving = NULL;
}

void bus_session_emit_changed(Bus *b, Session *s, SessionChange mask) {
        char *changed[ELEMENTSOF(changed_properties) * ELEMENTSOF(changed_properties[0])] = {}, **end = changed;
        _cleanup_free_ char *path = NULL;

        for (size_t i = 0; i < ELEMENTSOF(changed_properties); i++)
                for (size_t k = 0; mask & (1u << i) && changed_properties[i][k]; k++)
                        *end++ = (char *) changed_properties[i][k];
        if (end == changed || bus_session_path(session_name(s), &path) < 0)
                return;
        (void) sd_bus_emit_properties_changed_strv(b->bus, path, PR_BUS_SESSION_INTERFACE, changed);
}
