/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Has systemd make a directory that the daemon cannot make in its sandbox. With ProtectSystem=strict only the
 * mounts are writable that were made when the service started, and removing a directory removes the mount on it. A
 * transient service makes the directory, then systemd mounts it into the mount namespace of the daemon's service
 * (BindMount(), org.freedesktop.systemd1(5), systemd 248 and later). Recorders that this service started share the
 * namespace. */

#include <systemd/sd-bus.h>

#include "scope-client.h"

#define DIRECTORY_UNIT "perf-recorder-directory.service"
#define MKDIR "/bin/mkdir" /* coreutils, on systems with and without a merged /usr */

static int on_mounted(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;

        if (!scope_request_failed(q, m, "systemd did not mount it"))
                scope_request_end(q, 0, "");
        return 0;
}

static int send_mount(ScopeRequest *q, const char *unit_path) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        sd_bus *bus;
        int r;

        r = scope_client_bus(q->client, &bus);
        if (r >= 0)
                r = sd_bus_message_new_method_call(bus, &m, SYSTEMD_SERVICE, unit_path, SYSTEMD_SERVICE ".Service", "BindMount");
        if (r >= 0)
                r = sd_bus_message_append(m, "ssbb", q->directory, q->directory, false, false);
        return r < 0 ? r : scope_request_call(q, m, on_mounted);
}

static int on_own_unit(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;
        const char *path;
        int r;

        if (scope_request_failed(q, m, "systemd cannot tell the daemon's own unit"))
                return 0;
        r = sd_bus_message_read(m, "o", &path);
        scope_request_answered(q);
        if (r >= 0)
                r = send_mount(q, path);
        if (r < 0)
                scope_request_end(q, r, "systemd cannot be asked to mount it");
        return 0;
}

/* The directory exists: asks for the daemon's own unit, to mount it there. */
static int on_made(ScopeRequest *q) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        int r;

        r = scope_client_new_call(q->client, "GetUnitByPID", &m);
        if (r >= 0)
                r = sd_bus_message_append(m, "u", (uint32_t) getpid());
        return r < 0 ? r : scope_request_call(q, m, on_own_unit);
}

static int on_start_answer(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;

        if (!scope_request_failed(q, m, "systemd did not make it"))
                scope_request_take_job(q, m);
        return 0;
}

static int send_start(ScopeRequest *q) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        sd_bus *bus;
        int r;

        r = scope_client_bus(q->client, &bus);
        if (r >= 0)
                r = scope_request_hold_jobs(q, bus);
        if (r >= 0)
                r = scope_client_new_call(q->client, "StartTransientUnit", &m);
        if (r >= 0)
                r = sd_bus_message_append(m, "ss", q->unit, "fail");
        if (r >= 0)
                r = sd_bus_message_append(m, "a(sv)", 4, "Description", "s", "Base Directory of perf-recorderd",
                                          "Type", "s", "oneshot", "CollectMode", "s", "inactive-or-failed",
                                          "ExecStart", "a(sasb)", 1, MKDIR, 5, "mkdir", "-p", "-m", "0700", q->directory, false);
        if (r >= 0)
                r = sd_bus_message_append(m, "a(sa(sv))", 0);
        return r < 0 ? r : scope_request_call(q, m, on_start_answer);
}

int scope_make_directory(ScopeClient *c, const char *path, ScopeDone done, void *userdata, ScopeRequest **ret) {
        ScopeRequest *q;
        int r;

        r = scope_request_new(c, DIRECTORY_UNIT, done, userdata, &q);
        if (r < 0)
                return r;
        q->job_done = on_made;
        q->directory = strdup(path);
        r = q->directory ? send_start(q) : -ENOMEM;
        if (r < 0) {
                scope_request_free(q);
                return r;
        }
        *ret = q;
        return 0;
}
