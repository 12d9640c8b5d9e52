/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Patterns among the names of sessions. No name contains a wildcard, so a word that does is a pattern. The service is asked only
 * if there is one. */

#include "session-names.h"

#include "array.h"
#include "bus-client.h"
#include "session-list.h"
#include "strv.h"

static int session_names_add_once(char ***names, const char *name) {
        return strv_contains(*names, name) ? 0 : strv_extend(names, name);
}

static int session_names_add_matching(const json_object *rows, const char *pattern, VerbFlags flags, char ***names) {
        char *const patterns[] = { (char *) pattern, NULL };
        int r = 0;

        for (size_t i = 0; r >= 0 && i < json_length(rows); i++) {
                const json_object *row = json_at(rows, i);
                const char *name = json_string(json_at(row, 0));
                /* rows of ListSessions: name, object, state, description, PID */
                bool runs = json_unsigned(json_at(row, 4)) > 0 || streq(json_string(json_at(row, 2)), "starting");

                if (session_name_matches(name, patterns) && (runs || !(flags & VERB_RUNNING)))
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

        if (!ANY_OF(strv_length(*names), i, word_is_pattern((*names)[i])))
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
