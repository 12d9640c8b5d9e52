/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl start, restart, pause, resume: one call each, answered when the work is done. Only start and restart bring
 * the daemon up. Stopping is verb-stop.c. */

#include "bus-client.h"
#include "verbs.h"

static int call(const Options *o, const char *method, char **names, BusCallFlags flags, const char *what) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        BusCall request = {
                .method = method,
                .names = names,
                .flags = flags | BUS_CALL_NAMES | BUS_CALL_AUTHORIZE | BUS_CALL_WAIT,
        };

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        return bus_client_call(c, &request, NULL) < 0 ? bus_client_fail_for(c, what, names) : STATUS_OK;
}

int verb_start(const Options *o, char **arguments) {
        return call(o, "Start", arguments, 0, "start");
}

int verb_restart(const Options *o, char **arguments) {
        return call(o, "Restart", arguments, 0, "restart");
}

int verb_pause(const Options *o, char **arguments) {
        return call(o, "Pause", arguments, BUS_CALL_NO_AUTO_START, "pause");
}

int verb_resume(const Options *o, char **arguments) {
        return call(o, "Resume", arguments, BUS_CALL_NO_AUTO_START, "resume");
}
