/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfctl list: prints the sessions as a table, as JSON, or in perf daemon's two formats (-x, -v). */

#include "age.h"
#include "dump-list.h"
#include "format-table.h"
#include "pager.h"
#include "perf-daemon.h"
#include "verbs.h"

static void list_add_up(Table *t, const json_object *session) {
        usec_t start = json_get_unsigned(session, "StartTimestamp"), age = age_of(start);
        char up[64];

        if (start == 0 || !session_runs(session))
                table_add_nothing(t);
        else
                table_add_text(t, age == 0 ? "0s" : format_timespan(up, sizeof(up), age), json_object_new_uint64(age));
}

static void list_add_reach(Table *t, const json_object *session) {
        usec_t reach = json_get_unsigned(session, "HistoryUsec");
        char text[64];

        if (reach == 0)
                table_add_nothing(t);
        else
                table_add_text(t, dump_format_span(text, sizeof(text), reach), json_object_new_uint64(reach));
}

/* "recording (error)"; JSON has the error under a key of its own. */
static void list_add_state(Table *t, const json_object *session) {
        const char *state = json_get_string(session, "State");
        bool error = session_runs_with_error(session);
        char text[64];

        (void) snprintf(text, sizeof(text), "%s%s", state, error ? " (error)" : "");
        table_add_text(t, text, json_new_string(state));
        table_colour(t, error ? COLOUR_RED : colour_of_state(state));
}

static void list_add_row(Table *t, const json_object *session, bool verbose) {
        uint64_t pid = json_get_unsigned(session, "MainPID"), lost = json_get_unsigned(session, "Lost");

        table_add_string(t, json_get_string(session, "Name"));
        list_add_state(t, session);
        if (pid > 0)
                table_add_unsigned(t, pid);
        else
                table_add_nothing(t);
        list_add_up(t, session);
        list_add_reach(t, session);
        if (dump_knows(session, "Samples"))
                table_add_unsigned(t, json_get_unsigned(session, "Samples"));
        else
                table_add_nothing(t);
        table_add_unsigned(t, lost);
        table_colour(t, lost > 0 ? COLOUR_YELLOW : COLOUR_NONE);
        table_add_string(t, json_get_string(session, "Description"));
        if (!verbose)
                return;
        table_add_string(t, json_get_string(session, "Result"));
        table_add_string(t, json_get_string(session, "Error"));
        if (dump_knows(session, "LostRecords"))
                table_add_unsigned(t, json_get_unsigned(session, "LostRecords"));
        else
                table_add_nothing(t);
}

/* verbose: with the columns that only JSON has. */
static int list_make_table(const SessionList *l, bool verbose, Table **ret) {
        Table *t = table_new("~SESSION", "STATE", ">PID", "UP|up_usec", "REACH|history_usec", ">SAMPLES", ">LOST",
                             "?DESCRIPTION", verbose ? "RESULT" : NULL, "~ERROR", ">LOST_RECORDS", NULL);

        if (!t)
                return -ENOMEM;
        for (size_t i = 0; i < l->n; i++)
                list_add_row(t, l->sessions[i], verbose);
        *ret = t;
        return 0;
}

static void list_print_summary(const SessionList *l) {
        size_t n_errors = session_list_count_errors(l);

        (void) printf("%s%zu session%s listed, %zu running", l->n > 0 ? "\n" : "", l->n, l->n == 1 ? "" : "s",
                      session_list_count_running(l));
        if (n_errors > 0)
                (void) printf(", %zu of these with an error (perfctl status shows it)", n_errors);
        (void) puts(".");
}

static int list_print_table(const ClientOptions *o, const SessionList *l) {
        _cleanup_(table_freep) Table *t = NULL;
        _cleanup_(json_object_putp) json_object *rows = NULL;
        int r = list_make_table(l, o->json != JSON_OFF, &t);

        if (r >= 0 && o->json != JSON_OFF) {
                r = table_to_json(t, &rows);
                return r < 0 ? r : json_print(rows, o->json);
        }
        if (r < 0)
                return r;
        if (l->n > 0 || o->table.no_legend)
                r = table_print(t, !o->table.no_legend, o->table.full ? 0 : terminal_get()->columns);
        if (!o->table.no_legend)
                list_print_summary(l);
        return r;
}

int verb_list(const ClientOptions *o, char **arguments) {
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(session_list_done) SessionList l = {};
        _cleanup_(json_object_putp) json_object *manager = NULL;
        PerfDaemon d = {};
        int r;

        if (bus_client_open(o, &c) < 0)
                return STATUS_FAILED;
        r = session_list_load(c, &l);
        if (r >= 0 && (o->table.separator || o->verbose))
                r = perf_daemon_ask(c, &manager, &d);
        if (r < 0)
                return bus_client_fail(c, "list sessions");
        session_list_filter(&l, "Name", arguments);
        session_list_filter(&l, "State", o->states);
        pager_open(!o->no_pager);
        if (o->table.separator)
                perf_daemon_print_fields(stdout, &d, &l, o->table.separator);
        else if (o->verbose)
                perf_daemon_print_lines(stdout, &d, &l, true);
        else
                r = list_print_table(o, &l);
        return r < 0 ? verb_fail("print the list", r) : STATUS_OK;
}
