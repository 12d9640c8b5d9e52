/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Questions to systemd that change nothing: the job of the daemon's own unit, the scopes of sessions and their processes.
 * Each is one or more calls in a row; the request's slot is the call that is out. */

#include <systemd/sd-bus.h>

#include "program.h"
#include "scope-client.h"
#include "strv.h"

#define PATTERN "perf-session-*.scope"
#define ROWS_MAX 65536
#define SYSTEMCTL_TIMEOUT_USEC (5 * USEC_PER_SEC)
#define SYSTEMCTL_OUTPUT_MAX 4096 /* bytes */

/* Without an answer it counts as an ordinary stop. */
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
                r = scope_request_get_property(q, path, SYSTEMD_SERVICE ".Unit", "Job", on_own_job);
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

/* Ends the request with a line for each row, made by line(). */
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
