/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl reload: makes the daemon read its files again and restart sessions whose settings changed, and prints a line for each
 * session that changed. Bad files are errors of the call. It is also the last step of perfctl edit. */

#include "verb-reload.h"

#include "bus-client.h"
#include "verbs.h"

static int reload_print_changes(const ClientOptions *o, const json_object *rows) {
        static const char *const keys[] = { "session", "change", NULL };

        if (o->json != JSON_OFF)
                return json_print_rows(rows, keys, o->json);
        if (o->quiet)
                return 0;
        for (size_t i = 0; i < json_length(rows); i++)
                (void) printf("%s: %s\n", json_string(json_at(json_at(rows, i), 0)), json_string(json_at(json_at(rows, i), 1)));
        if (json_length(rows) == 0)
                (void) printf("No session changed\n");
        return 0;
}

int reload_daemon(const ClientOptions *o, bool must_run) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(json_object_putp) json_object *reply = NULL;
        BusClientCall request = { .method = "Reload", .flags = BUS_CALL_NO_AUTO_START | BUS_CALL_AUTHORIZE | BUS_CALL_WAIT };
        int r;

        if ((must_run ? bus_client_open(o, &c) : bus_client_try_open(o, &c)) < 0)
                return must_run ? STATUS_FAILED : STATUS_OK;
        if (bus_client_call(c, &request, &reply) < 0) {
                if (!must_run && bus_client_status(c) == STATUS_NOT_RUNNING)
                        return STATUS_OK;
                return bus_client_fail(c, "reload");
        }
        r = reload_print_changes(o, json_at(reply, 0));
        return r < 0 ? verb_fail("print what changed", r) : STATUS_OK;
}

int verb_reload(const ClientOptions *o, char **arguments) {
        return reload_daemon(o, true);
}
