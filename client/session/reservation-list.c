/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The service knows who reserved counters, the kernel which processes have events open. The latter may be of any kind, and only
 * root sees those of all users. */

#include "reservation-list.h"

#include <pwd.h>

#include "counter-holders.h"
#include "exit-status.h"
#include "format-table.h"
#include "pager.h"

int reservation_list_load(BusClient *c, json_object **ret) {
        _cleanup_(json_object_putp) json_object *reply = NULL;
        const BusClientCall call = { .method = "ListReservations", .flags = BUS_CALL_NO_AUTO_START };

        if (bus_client_call(c, &call, &reply) < 0)
                return bus_client_status(c) == STATUS_NOT_RUNNING ? 0 : -EIO;
        *ret = json_ref(json_at(reply, 0));
        return 0;
}

const json_object *reservation_list_find(const json_object *list, const char *kind) {
        for (size_t i = 0; i < json_length(list); i++) {
                const char *rest = startswith(json_string(json_at(json_at(list, i), RESERVATION_WHAT)), kind);

                if (rest && (!*rest || *rest == ':'))
                        return json_at(list, i);
        }
        return NULL;
}

static void add_pid_and_user(Table *t, uint64_t pid, uid_t uid) {
        const struct passwd *user = getpwuid(uid);

        if (pid > 0)
                table_add_unsigned(t, pid);
        else
                table_add_nothing(t);
        if (user)
                table_add_string(t, user->pw_name);
        else
                table_add_unsigned(t, uid);
}

static void add_reservations(Table *t, const json_object *list) {
        for (size_t i = 0; i < json_length(list); i++) {
                const json_object *row = json_at(list, i);

                table_add_string(t, json_string(json_at(row, RESERVATION_WHAT)));
                table_add_string(t, json_string(json_at(row, RESERVATION_WHO)));
                add_pid_and_user(t, json_unsigned(json_at(row, RESERVATION_PID)),
                                 (uid_t) json_unsigned(json_at(row, RESERVATION_UID)));
                table_add_nothing(t);
                table_add_string(t, json_string(json_at(row, RESERVATION_WHY)));
        }
}

/* The events of a process may be of any kind. Others have counters of the PMU. */
static void add_holder(Table *t, const CounterHolder *h) {
        if (h->pid > 0)
                table_add_nothing(t);
        else
                table_add_string(t, counter_kind_to_string(COUNTER_HARDWARE));
        table_add_string(t, h->name);
        add_pid_and_user(t, (uint64_t) h->pid, h->uid);
        if (h->n_events > 0)
                table_add_unsigned(t, h->n_events);
        else
                table_add_nothing(t);
        table_add_nothing(t);
}

int reservation_list_print(const json_object *list, CounterKind kind, const ClientOptions *o) {
        _cleanup_(table_freep) Table *t = table_new("WHAT", "~WHO", ">PID", "USER", ">EVENTS", "?WHY", NULL);
        _cleanup_(json_object_putp) json_object *rows = NULL;
        const CounterHoldersSearch search = { .kind = kind };
        CounterHolder *holders;
        size_t n, hidden;
        int r = t ? counter_holders_find(&search, &holders, &n, &hidden) : -ENOMEM;

        if (r < 0)
                return r;
        add_reservations(t, list);
        for (size_t i = 0; i < n; i++)
                add_holder(t, &holders[i]);
        counter_holders_free(holders, n);
        if (o->json != JSON_OFF) {
                r = table_to_json(t, &rows);
                if (r >= 0)
                        r = json_print(rows, o->json);
        } else {
                pager_open(!o->no_pager);
                if (json_length(list) + n > 0)
                        r = table_print(t, !o->table.no_legend, o->table.full ? 0 : terminal_get()->columns);
                else if (!o->table.no_legend)
                        (void) puts("No holder of counters was found.");
        }
        if (hidden > 0 && !o->table.no_legend && !o->quiet)
                (void) fprintf(o->json != JSON_OFF ? stderr : stdout, "%sThe descriptors of %zu process%s can't be read%s\n",
                               o->json == JSON_OFF ? "\n" : "", hidden, hidden == 1 ? "" : "es",
                               geteuid() != 0 ? ": run it as root." : ".");
        return r;
}
