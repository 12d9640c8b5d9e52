/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl ping: checks that every recorder answers from its own loop. One call asks all of them, in parallel. The lines are perf
 * daemon's; -v adds the time of each answer. The exit status is 1 if a recorder does not answer, or if a named session is
 * stopped; one that waits for its unit or before its next try is no failure. */

#include "bus-client.h"
#include "verbs.h"

#define RECORDERS_TIMEOUT (3 * USEC_PER_SEC) /* the service's default */
#define SERVICE_TIMEOUT (2 * USEC_PER_SEC)   /* more, for the service itself: who monitors is not to hang with it */

static bool ping_is_inactive(const json_object *row) {
        return streq(json_string(json_at(row, 1)), "inactive");
}

/* To ping, a session that waits is inactive, too. *ret gets the answer of ListSessions if a session is inactive. */
static void ping_list_sessions(BusClient *c, const json_object *rows, json_object **ret) {
        const BusClientCall request = { .method = "ListSessions", .flags = BUS_CALL_NO_AUTO_START, .timeout = SERVICE_TIMEOUT };

        for (size_t i = 0; i < json_length(rows); i++)
                if (ping_is_inactive(json_at(rows, i))) {
                        (void) bus_client_call(c, &request, ret);
                        return;
                }
}

static bool ping_session_waits(const json_object *sessions, const char *name) {
        for (size_t i = 0; i < json_length(sessions); i++) {
                const json_object *session = json_at(sessions, i);

                if (streq(json_string(json_at(session, 0)), name))
                        return streq(json_string(json_at(session, 2)), "waiting");
        }
        return false;
}

/* Appends what is known: only a recorder that answered has a time. */
static int ping_append_row(json_object *array, const char *name, const char *status, const json_object *round_trip) {
        json_object *object = json_object_new_object();
        int r = json_append(array, object);

        if (r >= 0)
                r = json_set(object, "session", json_new_string(name));
        if (r >= 0)
                r = json_set(object, "status", json_new_string(status));
        return r < 0 || !streq(status, "ok") ? r : json_set(object, "round_trip_usec", json_ref(round_trip));
}

static void ping_print_row(const ClientOptions *o, const char *name, const char *status, const json_object *round_trip) {
        if (streq(status, "waiting"))
                (void) printf("WAIT %s (waiting)\n", name);
        else if (!streq(status, "ok"))
                (void) printf("FAIL %s (%s)\n", name, status);
        else if (o->verbose)
                (void) printf("OK   %s %.3f ms\n", name, (double) json_unsigned(round_trip) / USEC_PER_MSEC);
        else
                (void) printf("OK   %s\n", name);
}

/* A row of the reply is name, status, round trip in µs. *ret_failed: one did not answer and does not wait. */
static int ping_put_rows(const ClientOptions *o, const json_object *sessions, const json_object *rows, bool *ret_failed) {
        _cleanup_(json_object_putp) json_object *array = json_object_new_array();
        int r = array ? 0 : -ENOMEM;

        *ret_failed = false;
        for (size_t i = 0; r >= 0 && i < json_length(rows); i++) {
                const json_object *row = json_at(rows, i);
                const char *name = json_string(json_at(row, 0));
                bool waits = ping_is_inactive(row) && ping_session_waits(sessions, name);
                const char *status = waits ? "waiting" : json_string(json_at(row, 1));
                bool good = waits || streq(status, "ok");

                *ret_failed = *ret_failed || !good;
                if (o->json != JSON_OFF)
                        r = ping_append_row(array, name, status, json_at(row, 2));
                else if (!good || !o->quiet)
                        ping_print_row(o, name, status, json_at(row, 2));
        }
        return r < 0 || o->json == JSON_OFF ? r : json_print(array, o->json);
}

int verb_ping(const ClientOptions *o, char **arguments) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(json_object_putp) json_object *reply = NULL, *list = NULL;
        const json_object *rows;
        BusClientCall request = {
                .method = "Ping",
                .names = arguments,
                .flags = BUS_CALL_NAMES | BUS_CALL_NO_AUTO_START,
                .number_type = 't',
                .number = o->timeout,
        };
        bool failed;
        int r;

        if (__builtin_add_overflow(o->timeout ?: RECORDERS_TIMEOUT, SERVICE_TIMEOUT, &request.timeout))
                request.timeout = USEC_INFINITY;
        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        if (bus_client_call(c, &request, &reply) < 0)
                return bus_client_fail(c, "ping");
        rows = json_at(reply, 0);
        ping_list_sessions(c, rows, &list);
        if (json_length(rows) == 0 && !o->quiet && o->json == JSON_OFF)
                (void) fprintf(stderr, "No session is running\n");
        r = ping_put_rows(o, json_at(list, 0), rows, &failed);
        return r < 0 ? verb_fail("print the answers", r) : failed ? STATUS_FAILED : STATUS_OK;
}
