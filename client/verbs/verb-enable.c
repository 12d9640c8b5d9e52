/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl enable, disable: make sessions start with the service, or not. The service writes the files, so the user only needs
 * polkit's authorization. If it does not run, perfctl writes them itself, as systemctl does. --now needs the service. */

#include "bus-client.h"
#include "enablement.h"
#include "session-list.h"
#include "strv.h"
#include "verbs.h"

static void enable_print_change(const ClientOptions *o, bool created, const char *path, const char *target) {
        if (o->quiet)
                return;
        if (!created)
                (void) printf("Removed %s\n", path);
        else if (*target)
                (void) printf("Created symlink %s -> %s\n", path, target);
        else
                (void) printf("Created %s\n", path);
}

static int enable_fail(const char *what, const char *name, int r, const Diagnosis *d) {
        _cleanup_free_ char *why = diagnosis_format(d);

        (void) fflush(stdout);
        (void) fprintf(stderr, "Failed to %s '%s': %s\n", what, name,
                       r == -ENOENT || r == -EINVAL ? "there is no such session" : r == -ERFKILL ? "it is masked" :
                       why && *why ? why : strerror(-r));
        return r == -ENOENT || r == -EINVAL || r == -ERFKILL ? STATUS_NO_SUCH_SESSION :
               r == -EBADMSG ? STATUS_BAD_SETTING : r == -EACCES || r == -EPERM ? STATUS_DENIED : STATUS_FAILED;
}

/* Writes the files as the service would. */
static int enable_write_files(const ClientOptions *o, char *const *names, bool enable, const char *what) {
        _cleanup_(file_changes_done) FileChanges changes = {};
        _cleanup_(search_path_done) SearchPath path = {};
        int status = STATUS_OK, r = search_path_init(&path, o->user);

        if (r < 0)
                return verb_fail("find the session files", r);
        STRV_FOREACH(name, names) {
                _cleanup_(diagnosis_done) Diagnosis d = {};

                r = enablement_set(&path, *name, enable, &changes, &d);
                if (r < 0 && status == STATUS_OK)
                        status = enable_fail(what, *name, r, &d);
        }
        for (size_t i = 0; i < changes.n; i++)
                enable_print_change(o, changes.changes[i].created, changes.changes[i].path, changes.changes[i].target ?: "");
        return status;
}

/* Enabling starts nothing, which surprises where a session is enabled already and does not run. */
static void enable_print_hint(const ClientOptions *o, BusClient *c, char *const *names) {
        STRV_FOREACH(name, names) {
                _cleanup_(json_object_putp) json_object *properties = NULL;

                if (!o->quiet && (bus_client_get_session(c, *name, &properties) >= 0 ||
                                  bus_client_status(c) == STATUS_NO_SUCH_SESSION) && /* an instance that never ran */
                    !session_runs(properties))
                        (void) fprintf(stderr, "'%s' is not running; 'perfctl%s%s%s start %s' starts it now\n", *name,
                                       o->user ? " --user" : "", o->host ? " -H " : o->machine ? " -M " : "",
                                       o->host ?: o->machine ?: "", *name);
        }
}

static int enable_call(const ClientOptions *o, char *const *names, bool enable) {
        const char *what = enable ? "enable" : "disable";
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(json_object_putp) json_object *reply = NULL;
        BusClientCall request = {
                .method = enable ? "Enable" : "Disable",
                .names = names,
                .flags = BUS_CALL_NAMES | BUS_CALL_AUTHORIZE | BUS_CALL_WAIT | (enable && o->now_too ? 0 : BUS_CALL_NO_AUTO_START),
                .number_type = 'b',
                .number = o->now_too,
        };
        bool local = !o->host && !o->machine;
        const json_object *rows;

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        if (bus_client_call(c, &request, &reply) < 0) {
                if (local && bus_client_status(c) == STATUS_NOT_RUNNING)
                        return enable_write_files(o, names, enable, what);
                return bus_client_fail_for(c, what, names);
        }
        rows = json_at(reply, 0);
        for (size_t i = 0; i < json_length(rows); i++) {
                const json_object *row = json_at(rows, i);

                enable_print_change(o, streq(json_string(json_at(row, 0)), "created"), json_string(json_at(row, 1)),
                             json_string(json_at(row, 2)));
        }
        if (enable && !o->now_too)
                enable_print_hint(o, c, names);
        return STATUS_OK;
}

int verb_enable(const ClientOptions *o, char **arguments) {
        return enable_call(o, arguments, true);
}

int verb_disable(const ClientOptions *o, char **arguments) {
        return enable_call(o, arguments, false);
}
