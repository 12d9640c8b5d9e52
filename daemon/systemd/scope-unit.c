/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Finds where a unit's processes are: its control group, now or as soon as the unit runs.
 *
 * Invariant: a request that waits listens to the unit's PropertiesChanged before it asks, on the same connection, so that
 * the answer "not running" is older than any signal about its start. Only this unit's signals wake the daemon. */

#include "format-text.h"
#include "scope-client.h"
#include "strv.h"

#define UNIT_INTERFACE SYSTEMD_SERVICE ".Unit"

/* Kinds of units that have a control group, and where systemd shows it. */
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

        if (scope_request_failed(q, m, "systemd cannot tell whether there is the unit of Unit="))
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
        else if (q->awaited) { /* a request that waits has no call out until the next signal */
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
        if (q->slot || q->waiting) /* the answer comes first */
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
