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

/* A row is name, status, round trip in µs. Returns true if the recorder answered or may wait. */
static bool ping_print_row(const ClientOptions *o, const json_object *sessions, const json_object *row) {
        const char *name = json_string(json_at(row, 0)), *status = json_string(json_at(row, 1));
        bool ok = streq(status, "ok"), waits = ping_is_inactive(row) && ping_session_waits(sessions, name);

        if (o->json != JSON_OFF || (o->quiet && (ok || waits)))
                return ok || waits;
        if (waits)
                (void) printf("WAIT %s (waiting)\n", name);
        else if (!ok)
                (void) printf("FAIL %s (%s)\n", name, status);
        else if (o->verbose)
                (void) printf("OK   %s %.3f ms\n", name, (double) json_unsigned(json_at(row, 2)) / USEC_PER_MSEC);
        else
                (void) printf("OK   %s\n", name);
        return ok || waits;
}

int verb_ping(const ClientOptions *o, char **arguments) {
        static const char *const keys[] = { "session", "status", "round_trip_usec", NULL };
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
        int status = STATUS_OK, r;

        if (__builtin_add_overflow(o->timeout ?: RECORDERS_TIMEOUT, SERVICE_TIMEOUT, &request.timeout))
                request.timeout = USEC_INFINITY;
        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        if (bus_client_call(c, &request, &reply) < 0)
                return bus_client_fail(c, "ping");
        rows = json_at(reply, 0);
        ping_list_sessions(c, rows, &list);
        for (size_t i = 0; i < json_length(rows); i++)
                if (!ping_print_row(o, json_at(list, 0), json_at(rows, i)))
                        status = STATUS_FAILED;
        if (json_length(rows) == 0 && !o->quiet && o->json == JSON_OFF)
                (void) fprintf(stderr, "No session is running\n");
        if (o->json != JSON_OFF) {
                r = json_print_rows(rows, keys, o->json);
                if (r < 0)
                        return verb_fail("print JSON", r);
        }
        return status;
}
