/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Patterns among the names of sessions. No name contains a wildcard, so a word that does is a pattern. The service is asked only
 * if there is one. */

#include "session-names.h"

#include "bus-client.h"
#include "session-list.h"
#include "strv.h"

static bool has_pattern(char *const *names) {
        STRV_FOREACH(name, names)
                if (word_is_pattern(*name))
                        return true;
        return false;
}

static int session_names_add_once(char ***names, const char *name) {
        return strv_contains(*names, name) ? 0 : strv_extend(names, name);
}

/* Rows of ListSessions: name, object, state, description, PID. */
static bool row_runs(const json_object *row) {
        return json_unsigned(json_at(row, 4)) > 0 || streq(json_string(json_at(row, 2)), "starting");
}

static int session_names_add_matching(const json_object *rows, const char *pattern, VerbFlags flags, char ***names) {
        char *const patterns[] = { (char *) pattern, NULL };
        int r = 0;

        for (size_t i = 0; r >= 0 && i < json_length(rows); i++) {
                const json_object *row = json_at(rows, i);
                const char *name = json_string(json_at(row, 0));

                if (session_name_matches(name, patterns) && (!(flags & VERB_RUNNING) || row_runs(row)))
                        r = session_names_add_once(names, name);
        }
        return r;
}

static int session_names_expand_rows(const json_object *rows, char *const *names, VerbFlags flags, char ***ret) {
        STRV_FOREACH(name, names) {
                int r = word_is_pattern(*name) ? session_names_add_matching(rows, *name, flags, ret)
                                               : session_names_add_once(ret, *name);

                if (r < 0)
                        return r;
        }
        return 0;
}

int session_names_expand(const ClientOptions *o, VerbFlags flags, char ***names, int *ret_status) {
        BusClientCall request = { .method = "ListSessions", .flags = flags & VERB_ACTIVATES ? 0 : BUS_CALL_NO_AUTO_START };
        _cleanup_(bus_client_freep) BusClient *c = NULL;
        _cleanup_(json_object_putp) json_object *reply = NULL;
        _cleanup_strv_free_ char **expanded = NULL;
        int r;

        if (!has_pattern(*names))
                return 1;
        r = bus_client_open(o, &c);
        if (r < 0) {
                *ret_status = STATUS_FAILED;
                return r;
        }
        r = bus_client_call(c, &request, &reply);
        if (r < 0 && bus_client_status(c) == STATUS_NOT_RUNNING)
                return 1; /* the verb reports it */
        if (r < 0) {
                *ret_status = bus_client_fail(c, "list sessions");
                return r;
        }
        r = session_names_expand_rows(json_at(reply, 0), *names, flags, &expanded);
        if (r < 0) {
                *ret_status = verb_fail("list sessions", r);
                return r;
        }
        STRV_FOREACH(pattern, expanded ? NULL : *names)
                if (!o->quiet)
                        (void) fprintf(stderr, "No session matches '%s'\n", *pattern);
        strv_free(*names);
        *names = steal_ptr(expanded);
        return *names != NULL;
}
