/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl start, restart, pause, resume: make one call each, which returns when the work is done. Only start and restart start
 * the daemon. */

#include "session-list.h"
#include "text-width.h"
#include "verbs.h"

static void start_print_why_waiting(BusClient *c, const char *name) {
        _cleanup_(json_object_putp) json_object *session = NULL;
        _cleanup_free_ char *why = NULL;

        if (bus_client_get_session(c, name, &session) >= 0)
                why = text_sanitize(json_get_string(session, "Error"));
        if (why && *why)
                (void) fprintf(stderr, "%s is waiting: %s\n", name, why);
        else
                (void) fprintf(stderr, "%s is waiting\n", name);
}

/* A session that was started may not record yet, but wait for its unit. */
static void start_print_waiting(BusClient *c, char *const *names) {
        _cleanup_(json_object_putp) json_object *reply = NULL;
        const BusClientCall request = { .method = "ListSessions", .flags = BUS_CALL_NO_AUTO_START };
        const json_object *rows;

        if (bus_client_call(c, &request, &reply) < 0)
                return;
        rows = json_at(reply, 0);
        for (size_t i = 0; i < json_length(rows); i++) {
                const json_object *row = json_at(rows, i);
                const char *name = json_string(json_at(row, 0));

                if (streq(json_string(json_at(row, 2)), "waiting") && session_name_matches(name, names))
                        start_print_why_waiting(c, name);
        }
}

static int start_call(const ClientOptions *o, const char *method, char **names, bool starts, const char *what) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        BusClientCall request = {
                .method = method,
                .names = names,
                .flags = BUS_CALL_NAMES | BUS_CALL_AUTHORIZE | BUS_CALL_WAIT | (starts ? 0 : BUS_CALL_NO_AUTO_START),
        };

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        if (bus_client_call(c, &request, NULL) < 0)
                return bus_client_fail_for(c, what, names);
        if (starts)
                start_print_waiting(c, names);
        return STATUS_OK;
}

int verb_start(const ClientOptions *o, char **arguments) {
        return start_call(o, "Start", arguments, true, "start");
}

int verb_restart(const ClientOptions *o, char **arguments) {
        return start_call(o, "Restart", arguments, true, "restart");
}

int verb_pause(const ClientOptions *o, char **arguments) {
        return start_call(o, "Pause", arguments, false, "pause");
}

int verb_resume(const ClientOptions *o, char **arguments) {
        return start_call(o, "Resume", arguments, false, "resume");
}
