/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl signal: sends a signal, by default SIGUSR2, to recorders. Each session has its line, in perf daemon's words; the exit
 * status is 1 if one failed. */

#include <signal.h>

#include "bus-client.h"
#include "verbs.h"

/* A row is name, PID, errno. Returns true if the signal was sent. */
static bool signal_print_row(const ClientOptions *o, const json_object *row, int sig) {
        const char *name = json_string(json_at(row, 0));
        int error = (int) json_unsigned(json_at(row, 2));

        if (error != 0) {
                (void) fflush(stdout);
                (void) fprintf(stderr, "Failed to send signal %d to session '%s': %s\n", sig, name,
                               error == ENOENT ? "there is no such session" :
                               error == ESRCH ? "it is not running" : strerror(error));
        } else if (!o->quiet && o->json == JSON_OFF)
                (void) printf("signal %d sent to session '%s [%d]'\n", sig, name,
                              (int) json_unsigned(json_at(row, 1)));
        return error == 0;
}

int verb_signal(const ClientOptions *o, char **arguments) {
        static const char *const keys[] = { "session", "pid", "error", NULL };
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(json_object_putp) json_object *reply = NULL;
        const json_object *rows;
        int sig = o->signal > 0 ? o->signal : SIGUSR2, status = STATUS_OK, r;
        BusClientCall request = {
                .method = "Signal",
                .names = arguments,
                .flags = BUS_CALL_NAMES | BUS_CALL_NO_AUTO_START | BUS_CALL_AUTHORIZE,
                .number_type = 'i',
                .number = (uint64_t) sig,
        };

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        if (bus_client_call(c, &request, &reply) < 0)
                return bus_client_fail(c, "send the signal");
        rows = json_at(reply, 0);
        for (size_t i = 0; i < json_length(rows); i++)
                if (!signal_print_row(o, json_at(rows, i), sig))
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
