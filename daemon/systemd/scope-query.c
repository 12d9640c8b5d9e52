/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Questions to systemd that change nothing: the job of the daemon's own unit, the scopes of sessions and their processes, and the
 * control group of a unit, now or as soon as it runs. Each is one or more calls in a row; the request's slot is the
 * pending call.
 *
 * Invariant: a request that waits for a unit listens to the unit's PropertiesChanged before it asks, on the same connection, so
 * that the answer "not running" is older than any signal about its start. Only this unit's signals wake the daemon. */

#include <systemd/sd-bus.h>

#include "format-text.h"
#include "program.h"
#include "scope-client.h"
#include "strv.h"

#define PATTERN "perf-session-*.scope"
#define ROWS_MAX 65536
#define SYSTEMCTL_TIMEOUT_USEC (5 * USEC_PER_SEC)
#define SYSTEMCTL_OUTPUT_MAX 4096 /* bytes */
#define UNIT_INTERFACE SYSTEMD_SERVICE ".Unit"

/* Without an answer it is taken for an ordinary stop. */
static int on_system_state(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        const char *state;
        bool stopping = !sd_bus_message_is_method_error(m, NULL) && sd_bus_message_read(m, "v", "s", &state) >= 0 &&
                        streq(state, "stopping");

        scope_request_end(userdata, 0, stopping ? "shutdown" : "stop");
        return 0;
}

static int on_job_type(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;
        const char *type;

        if (scope_request_failed(q, m, "systemd cannot tell the type of the daemon's job"))
                return 0;
        if (sd_bus_message_read(m, "v", "s", &type) < 0)
                scope_request_end(q, -EBADMSG, "systemd's answer about the daemon's job could not be read");
        else if (!streq(type, "stop") ||
                 scope_request_get_property(q, SYSTEMD_PATH, SYSTEMD_MANAGER, "SystemState", on_system_state) < 0)
                scope_request_end(q, 0, type);
        return 0;
}

static int on_own_job(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;
        const char *path;
        uint32_t id;
        int r;

        if (scope_request_failed(q, m, "systemd cannot tell the daemon's job"))
                return 0;
        r = sd_bus_message_read(m, "v", "(uo)", &id, &path);
        if (r >= 0 && id == 0) {
                scope_request_end(q, 0, "");
                return 0;
        }
        if (r >= 0)
                r = scope_request_get_property(q, path, SYSTEMD_SERVICE ".Job", "JobType", on_job_type);
        if (r < 0)
                scope_request_end(q, r, "systemd's answer about the daemon's job could not be read");
        return 0;
}

static int on_own_unit(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;
        const char *path;
        int r;

        if (scope_request_failed(q, m, "systemd cannot tell the daemon's own unit"))
                return 0;
        r = sd_bus_message_read(m, "o", &path);
        if (r >= 0)
                r = scope_request_get_property(q, path, UNIT_INTERFACE, "Job", on_own_job);
        if (r < 0)
                scope_request_end(q, r, "systemd's answer about the daemon's unit could not be read");
        return 0;
}

int scope_find_own_job(ScopeClient *c, ScopeDone done, void *userdata, ScopeRequest **ret) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        int r;

        r = scope_client_new_call(c, "GetUnitByPID", &m);
        if (r >= 0)
                r = sd_bus_message_append(m, "u", (uint32_t) getpid());
        return r < 0 ? r : scope_request_send(c, NULL, m, on_own_unit, done, userdata, ret);
}

int scope_ask_systemctl(const ScopeClient *c, const char *unit, char **ret_type) {
        char *argv[] = { (char *) "systemctl", (char *) (c->user ? "--user" : "--system"), (char *) "--no-legend",
                         (char *) "list-jobs", (char *) "--", (char *) unit, NULL };
        const ProgramRun run = { .argv = argv, .timeout = SYSTEMCTL_TIMEOUT_USEC, .output_max = SYSTEMCTL_OUTPUT_MAX };
        _cleanup_free_ char *output = NULL;
        char type[32] = "";
        int r;

        r = program_run(&run, &output);
        if (r != 0)
                return r < 0 ? r : -EIO;
        if (*output && sscanf(output, "%*s %*s %31s", type) != 1) /* the job's number, the unit, its type, its state */
                return -EBADMSG;
        *ret_type = strdup(type);
        return *ret_type ? 0 : -ENOMEM;
}

/* Ends the request with a line for each row, written by line(). */
static void end_with_rows(ScopeRequest *q, sd_bus_message *m, const char *row, int (*line)(sd_bus_message *m, FILE *f)) {
        _cleanup_free_ char *text = NULL;
        FILE *f;
        size_t size, n = 0;
        int r;

        f = open_memstream(&text, &size);
        if (!f) {
                scope_request_end(q, -ENOMEM, "no memory for systemd's answer");
                return;
        }
        r = sd_bus_message_enter_container(m, 'a', row);
        while (r >= 0 && n++ < ROWS_MAX && (r = line(m, f)) > 0)
                ;
        if (fclose(f) != 0 && r >= 0)
                r = -ENOMEM;
        scope_request_end(q, MIN_OF(r, 0), r < 0 ? "systemd's answer could not be read" : text);
}

static int write_unit(sd_bus_message *m, FILE *f) {
        const char *name;
        int r;

        r = sd_bus_message_read(m, "(ssssssouso)", &name, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        if (r > 0)
                fprintf(f, "%s\n", name);
        return r;
}

static int write_process(sd_bus_message *m, FILE *f) {
        uint32_t pid;
        int r;

        r = sd_bus_message_read(m, "(sus)", NULL, &pid, NULL);
        if (r > 0)
                fprintf(f, "%" PRIu32 "\n", pid);
        return r;
}

static int on_units(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        if (!scope_request_failed(userdata, m, "systemd cannot list the scopes of sessions"))
                end_with_rows(userdata, m, "(ssssssouso)", write_unit);
        return 0;
}

static int on_processes(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        if (!scope_request_failed(userdata, m, "systemd cannot list the processes of a scope"))
                end_with_rows(userdata, m, "(sus)", write_process);
        return 0;
}

int scope_list(ScopeClient *c, ScopeDone done, void *userdata, ScopeRequest **ret) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        int r;

        r = scope_client_new_call(c, "ListUnitsByPatterns", &m);
        if (r >= 0)
                r = sd_bus_message_append(m, "asas", 0, 1, PATTERN);
        return r < 0 ? r : scope_request_send(c, NULL, m, on_units, done, userdata, ret);
}

int scope_list_processes(ScopeClient *c, const char *unit, ScopeDone done, void *userdata, ScopeRequest **ret) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        int r;

        r = scope_client_new_call(c, "GetUnitProcesses", &m);
        if (r >= 0)
                r = sd_bus_message_append(m, "s", unit);
        return r < 0 ? r : scope_request_send(c, NULL, m, on_processes, done, userdata, ret);
}

/* Kinds of units that have a control group, and the interface with that property. */
static const char *interface_of(const char *unit) {
        static const struct {
                const char *suffix, *interface;
        } kinds[] = {
                { ".service", SYSTEMD_SERVICE ".Service" }, { ".scope", SYSTEMD_SERVICE ".Scope" },
                { ".slice", SYSTEMD_SERVICE ".Slice" },     { ".socket", SYSTEMD_SERVICE ".Socket" },
                { ".mount", SYSTEMD_SERVICE ".Mount" },     { ".swap", SYSTEMD_SERVICE ".Swap" },
        };
        const char *dot = strrchr(unit, '.');

        for (size_t i = 0; dot && i < ELEMENTSOF(kinds); i++)
                if (streq(dot, kinds[i].suffix))
                        return kinds[i].interface;
        return NULL;
}

static int unit_path(const ScopeRequest *q, char **ret) {
        return sd_bus_path_encode(SYSTEMD_PATH "/unit", q->unit, ret);
}

static void end_inactive(ScopeRequest *q, const char *load_state) {
        _cleanup_free_ char *sentence = NULL;
        bool missing = streq(load_state, "not-found");

        sentence = format_text(missing                         ? "there is no unit %s: look at its name"
                               : streq(load_state, "masked")   ? "the unit %s is masked and can't run"
                                                               : "the unit %s is not running", q->unit);
        scope_request_end(q, missing ? -ENOENT : -ESRCH, sentence ?: "the unit is not running");
}

static int on_load_state(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;
        const char *state;

        if (scope_request_failed(q, m, "systemd cannot tell whether the unit of Unit= exists"))
                return 0;
        if (sd_bus_message_read(m, "v", "s", &state) < 0)
                scope_request_end(q, -EBADMSG, "systemd's answer about Unit= could not be read");
        else
                end_inactive(q, state);
        return 0;
}

static int ask_for_group(ScopeRequest *q);

static int ask_for_load_state(ScopeRequest *q) {
        _cleanup_free_ char *path = NULL;
        int r = unit_path(q, &path);

        return r < 0 ? r : scope_request_get_property(q, path, UNIT_INTERFACE, "LoadState", on_load_state);
}

static int on_control_group(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;
        const char *group;
        int r = 0;

        if (scope_request_failed(q, m, "systemd cannot tell the control group of Unit="))
                return 0;
        if (sd_bus_message_read(m, "v", "s", &group) < 0)
                scope_request_end(q, -EBADMSG, "systemd's answer about Unit= could not be read");
        else if (*group)
                scope_request_end(q, 0, group);
        else if (q->awaited) { /* a request that waits has no pending call until the next signal */
                scope_request_answered(q);
                r = q->changed ? ask_for_group(q) : 0;
        } else
                r = ask_for_load_state(q);
        if (r < 0)
                scope_request_end(q, r, "systemd cannot be asked about Unit=");
        return 0;
}

static int ask_for_group(ScopeRequest *q) {
        _cleanup_free_ char *path = NULL;
        int r = unit_path(q, &path);

        q->changed = false;
        return r < 0 ? r : scope_request_get_property(q, path, interface_of(q->unit), "ControlGroup", on_control_group);
}

static int on_unit_changed(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;
        int r;

        q->changed = true;
        if (q->slot || q->waiting) /* the answer to the pending call comes first */
                return 0;
        r = ask_for_group(q);
        if (r < 0)
                scope_request_end(q, r, "systemd cannot be asked about Unit=");
        return 0;
}

static int listen_to_unit(ScopeRequest *q) {
        _cleanup_free_ char *path = NULL;
        sd_bus *bus;
        int r;

        r = scope_client_bus(q->client, &bus);
        if (r >= 0)
                r = unit_path(q, &path);
        if (r >= 0)
                r = sd_bus_match_signal_async(bus, &q->changes, SYSTEMD_SERVICE, path, "org.freedesktop.DBus.Properties",
                                              "PropertiesChanged", on_unit_changed, NULL, q);
        return r < 0 ? r : scope_request_subscribe(q, bus);
}

static int find_group(ScopeClient *c, const char *unit, bool awaited, ScopeDone done, void *userdata, ScopeRequest **ret) {
        ScopeRequest *q;
        int r = scope_request_new(c, unit, done, userdata, &q);

        if (r < 0)
                return r;
        q->awaited = awaited;
        r = awaited ? listen_to_unit(q) : 0;
        if (r >= 0)
                r = ask_for_group(q);
        if (r < 0) {
                scope_request_free(q);
                return r;
        }
        *ret = q;
        return 0;
}

int scope_find_control_group(ScopeClient *c, const char *unit, ScopeDone done, void *userdata, ScopeRequest **ret) {
        return find_group(c, unit, false, done, userdata, ret);
}

int scope_await_unit(ScopeClient *c, const char *unit, ScopeDone done, void *userdata, ScopeRequest **ret) {
        return find_group(c, unit, true, done, userdata, ret);
}
