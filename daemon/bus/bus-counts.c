/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* ListCounts: the counts of sessions with Mode=count. The answer is made of one session after the other, since those of many
 * sessions on many CPUs are large. A session whose counts can't be had, as the others that do not count, has no rows. */

#include "bus-counts.h"

#include "bus-error.h"

static int append_row(sd_bus_message *reply, const Session *s, const SessionCounts *counts, const PrCount *row) {
        const char *unit = counts->names + row->unit;
        int r = sd_bus_message_open_container(reply, 'r', "sssittt");

        if (r >= 0)
                r = sd_bus_message_append(reply, "s", session_name(s));
        if (r >= 0)
                r = bus_append_text(reply, counts->names + row->name);
        if (r >= 0)
                r = bus_append_text(reply, *unit ? unit : session_view(s).unit);
        if (r >= 0)
                r = sd_bus_message_append(reply, "ittt", row->cpu, row->value, row->enabled_nsec, row->running_nsec);
        return r < 0 ? r : sd_bus_message_close_container(reply);
}

static int append_counts(sd_bus_message *reply, const Session *s) {
        _cleanup_(session_counts_done) SessionCounts counts = {};
        int r = session_counts(s, &counts);

        if (r < 0)
                return r == -ENOMEM ? r : 0;
        for (uint32_t i = 0; r >= 0 && i < counts.n_rows; i++)
                r = append_row(reply, s, &counts, &counts.rows[i]);
        return r;
}

int bus_method_list_counts(BusCall *c, sd_bus_error *e) {
        const Sessions *l = manager_sessions(c->bus->manager);
        _cleanup_(sd_bus_message_unrefp) sd_bus_message *reply = NULL;
        int r;

        STRV_FOREACH(name, c->sessions)
                if (!sessions_find(l, *name)) {
                        _cleanup_free_ char *sentence = sessions_explain_missing(l, *name);

                        return bus_error_set(e, FAILURE_NO_SUCH_SESSION, sentence);
                }
        r = sd_bus_message_new_method_return(c->message, &reply);
        if (r >= 0)
                r = sd_bus_message_open_container(reply, 'a', "(sssittt)");
        for (size_t i = 0; r >= 0 && i < l->n; i++)
                if (strv_length(c->sessions) == 0 || strv_contains(c->sessions, session_name(l->all[i])))
                        r = append_counts(reply, l->all[i]);
        if (r >= 0)
                r = sd_bus_message_close_container(reply);
        return r < 0 ? r : sd_bus_message_send(reply);
}
