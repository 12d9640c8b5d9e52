/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl status: prints sessions with the last lines of their journal, or the daemon with all sessions. It does not start the
 * daemon: without one, it shows the sessions' files. Exit statuses are systemctl's: 0 running, 3 not running, 4 no such
 * session. */

#include <limits.h>

#include "journalctl.h"
#include "pager.h"
#include "reservation-list.h"
#include "status-view.h"
#include "strv.h"
#include "terminal.h"
#include "verbs.h"

#define LINES 10 /* lines of the journal, as in systemctl */

static unsigned status_columns(const ClientOptions *o) {
        return o->table.full ? 0 : terminal_get()->columns;
}

static void status_print_journal(const ClientOptions *o, char *name) {
        _cleanup_strv_free_ char **command = NULL, **more = NULL;
        unsigned lines = o->journal.lines == UINT_MAX ? LINES : o->journal.lines;

        if (lines == 0 || o->host)
                return;
        if (strv_extendf(&more, "--lines=%u", lines) < 0 || strv_extend(&more, "--quiet") < 0 ||
            strv_extend(&more, "--no-pager") < 0 || strv_extend(&more, status_columns(o) == 0 ? "--full" : "--no-full") < 0)
                return;
        if (journalctl_command(o, (char *[]){ name, NULL }, more, &command) < 0)
                return;
        (void) journalctl_run(command); /* the rest is shown even without a journal */
}

/* Prints a session from its files, because the daemon does not run. */
static int status_print_from_files(const ClientOptions *o, const char *name) {
        _cleanup_(session_file_freep) SessionFile *f = NULL;
        _cleanup_(search_path_done) SearchPath p = {};
        int r = search_path_init(&p, o->user);

        if (r >= 0)
                r = session_file_load(&p, name, &f);
        if (r < 0) {
                (void) fprintf(stderr, "There is no session '%s', and perf-recorderd is not running\n", name);
                return STATUS_NO_SUCH_STATUS;
        }
        status_print_files(f, status_columns(o));
        return STATUS_NOT_RUNNING;
}

static int status_show_session(const ClientOptions *o, BusClient *c, char *name) {
        _cleanup_(json_object_putp) json_object *properties = NULL, *dump = NULL, *reservations = NULL;
        const char *last_dump;
        int status;

        if (bus_client_get_session(c, name, &properties) < 0) {
                status = bus_client_status(c);
                if (status == STATUS_NOT_RUNNING && !o->host && !o->machine)
                        return status_print_from_files(o, name);
                (void) bus_client_fail(c, "show the status");
                return status == STATUS_NO_SUCH_SESSION ? STATUS_NO_SUCH_STATUS : status;
        }
        last_dump = json_get_string(properties, "LastDump");
        if (*last_dump && !streq(last_dump, "/"))
                (void) bus_client_get_dump(c, last_dump, &dump); /* retention may just have removed it */
        if (json_length(json_get(properties, "Lent")) > 0)
                (void) reservation_list_load(c, &reservations); /* it may just have ended */
        status = status_print_session(properties, dump, reservations, status_columns(o));
        status_print_journal(o, name);
        return status;
}

static int status_show_daemon(const ClientOptions *o, BusClient *c) {
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_(json_object_putp) json_object *manager = NULL;
        pid_t pid = 0;
        int r = bus_client_get_manager(c, &manager);

        if (r >= 0)
                r = bus_client_get_daemon_pid(c, &pid);
        if (r >= 0)
                r = session_list_load(c, &l);
        if (r < 0)
                return bus_client_fail(c, "show the status");
        status_print_daemon(manager, pid, &l, status_columns(o));
        return STATUS_OK;
}

/* Appends all properties of the session. Returns its exit status. */
static int status_add_json(BusClient *c, const char *name, json_object *all) {
        _cleanup_(json_object_putp) json_object *properties = NULL;
        bool runs;

        if (bus_client_get_session(c, name, &properties) < 0) {
                int status = bus_client_fail(c, "show the status");

                return status == STATUS_NO_SUCH_SESSION ? STATUS_NO_SUCH_STATUS : status;
        }
        runs = session_runs(properties);
        if (json_append(all, steal_ptr(properties)) < 0)
                return verb_fail("print the status", -ENOMEM);
        return runs ? STATUS_OK : STATUS_NOT_RUNNING;
}

/* Prints the properties of the daemon and of all sessions. */
static int status_print_daemon_json(const ClientOptions *o, BusClient *c) {
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_(json_object_putp) json_object *manager = NULL, *sessions = json_object_new_array();
        int r = sessions ? 0 : -ENOMEM;

        if (bus_client_get_manager(c, &manager) < 0 || session_list_load(c, &l) < 0)
                return bus_client_fail(c, "show the status");
        for (size_t i = 0; r >= 0 && i < l.n; i++)
                r = json_append(sessions, json_ref(l.sessions[i]));
        if (r >= 0)
                r = json_set(manager, "Sessions", steal_ptr(sessions));
        if (r >= 0)
                r = json_print(manager, o->json);
        return r < 0 ? verb_fail("print the status", r) : STATUS_OK;
}

static int status_print_json(const ClientOptions *o, BusClient *c, char *const *names) {
        _cleanup_(json_object_putp) json_object *all = json_object_new_array();
        int status = STATUS_OK, r = all ? 0 : -ENOMEM;
        bool several = strv_length(names) > 1;

        STRV_FOREACH(name, names) {
                int one = status_add_json(c, *name, all);

                if (status == STATUS_OK)
                        status = one;
        }
        /* one session is an object, several are an array */
        if (r >= 0 && (several || json_length(all) > 0))
                r = json_print(several ? all : json_at(all, 0), o->json);
        return r < 0 ? verb_fail("print the status", r) : status;
}

int verb_status(const ClientOptions *o, char **arguments) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        int status = STATUS_OK;

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        pager_open(!o->no_pager);
        if (o->json != JSON_OFF)
                return arguments ? status_print_json(o, c, arguments) : status_print_daemon_json(o, c);
        if (!arguments)
                return status_show_daemon(o, c);
        STRV_FOREACH(name, arguments) {
                int one;

                if (name != arguments)
                        (void) putchar('\n');
                one = status_show_session(o, c, *name);
                if (status == STATUS_OK)
                        status = one;
        }
        return status;
}
