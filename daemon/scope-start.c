/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Has systemd start a unit that is not ours, and waits for no more than that it has taken the job. */

#include <systemd/sd-bus.h>

#include "scope-client.h"

static int on_started(sd_bus_message *m, void *userdata, sd_bus_error *error) {
        ScopeRequest *q = userdata;

        if (!scope_request_failed(q, m, "systemd did not start it"))
                scope_request_end(q, 0, "");
        return 0;
}

static int send_start(ScopeRequest *q) {
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *m = NULL;
        sd_bus *bus;
        int r;

        r = scope_client_bus(q->client, &bus);
        if (r >= 0)
                r = sd_bus_message_new_method_call(bus, &m, SYSTEMD_SERVICE, SYSTEMD_PATH, SYSTEMD_MANAGER, "StartUnit");
        if (r >= 0)
                r = sd_bus_message_append(m, "ss", q->unit, "replace");
        return r < 0 ? r : scope_request_call(q, m, on_started);
}

int scope_start_unit(ScopeClient *c, const char *unit, ScopeDone done, void *userdata, ScopeRequest **ret) {
        ScopeRequest *q;
        int r;

        r = scope_request_new(c, unit, done, userdata, &q);
        if (r < 0)
                return r;
        r = send_start(q);
        if (r < 0) {
                scope_request_free(q);
                return r;
        }
        *ret = q;
        return 0;
}
