/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sessions of a daemon. One call, GetManagedObjects, returns all their properties, in no order, so a list of two hundred
 * takes one round trip. */

#include "session-list.h"

#include <fnmatch.h>

#include <perf-recorder/bus-names.h>

#include "strv.h"

static int session_compare(const void *a, const void *b) {
        return strcmp(json_get_string(*(const json_object *const *) a, "Name"),
                      json_get_string(*(const json_object *const *) b, "Name"));
}

int session_list_load(BusClient *c, SessionList *ret) {
        _cleanup_(json_object_putp) json_object *objects = NULL;
        const json_object **sessions;
        size_t n = 0;
        int r = bus_client_get_objects(c, &objects);

        if (r < 0)
                return r;
        sessions = calloc(json_length(objects) + 1, sizeof(const json_object *));
        if (!sessions)
                return -ENOMEM;
        for (struct lh_entry *e = json_entries(objects); e; e = lh_entry_next(e)) {
                const json_object *session = json_get(json_entry_value(e), PR_BUS_SESSION_INTERFACE);

                if (session)
                        sessions[n++] = session;
        }
        qsort(sessions, n, sizeof(const json_object *), session_compare);
        *ret = (SessionList){ .objects = steal_ptr(objects), .sessions = sessions, .n = n };
        return 0;
}

void session_list_done(SessionList *l) {
        json_object_put(l->objects);
        free(l->sessions);
        *l = (SessionList){};
}

bool session_name_matches(const char *name, char *const *patterns) {
        STRV_FOREACH(p, patterns)
                if (fnmatch(*p, name, FNM_NOESCAPE) == 0)
                        return true;
        return strv_length(patterns) == 0;
}

void session_list_filter(SessionList *l, const char *property, char *const *patterns) {
        size_t kept = 0;

        for (size_t i = 0; i < l->n; i++)
                if (session_name_matches(json_get_string(l->sessions[i], property), patterns))
                        l->sessions[kept++] = l->sessions[i];
        l->n = kept;
}

bool session_runs(const json_object *session) {
        return json_get_unsigned(session, "MainPID") > 0;
}

bool session_runs_with_error(const json_object *session) {
        return session_runs(session) && *json_get_string(session, "Error");
}

size_t session_list_count_running(const SessionList *l) {
        size_t n = 0;

        for (size_t i = 0; i < l->n; i++)
                n += session_runs(l->sessions[i]);
        return n;
}

size_t session_list_count_errors(const SessionList *l) {
        size_t n = 0;

        for (size_t i = 0; i < l->n; i++)
                n += session_runs_with_error(l->sessions[i]);
        return n;
}
