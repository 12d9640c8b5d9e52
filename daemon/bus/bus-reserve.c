/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Reserve, as the bus has it: the counters, who wants them and why are checked here, so that the domain sees lines that can be
 * shown to people and written to recorders as they are. A caller that leaves before its answer has its request withdrawn; after
 * that, the descriptor that it got counts. */

#include "bus-reserve.h"

#include <perf-recorder/bus-names.h>

#include "bus-error.h"
#include "lendings.h"
#include "utf8.h"

#define WHY_MAX 512u /* bytes */

static int check_line(const char *name, const char *text, size_t max, sd_bus_error *e) {
        _cleanup_free_ char *line = utf8_line(text, SIZE_MAX, SIZE_MAX);

        if (!line)
                return -ENOMEM;
        if (strlen(text) > max || !streq(line, text))
                return bus_error_setf(e, FAILURE_ARGUMENT, "%s is a line of at most %zu bytes, without tabs and control characters",
                                      name, max);
        return 0;
}

int bus_read_reserve(BusCall *c, sd_bus_error *e) {
        _cleanup_(diagnosis_done) Diagnosis d = {};
        char quoted[256];
        const char *what;
        int r = sd_bus_message_read(c->message, "sss", &what, &c->reserve.who, &c->reserve.why);

        if (r < 0)
                return r;
        r = counter_claim_parse(what, &c->reserve.kind, &c->reserve.n, &d);
        if (r < 0)
                return r == -ENOMEM ? r : bus_error_set(e, FAILURE_ARGUMENT,
                                                        bus_error_quote(quoted, sizeof(quoted), d.sentence ?: ""));
        if (!*c->reserve.who)
                return bus_error_set(e, FAILURE_ARGUMENT, "who is empty: name who uses the counters, for people");
        r = check_line("who", c->reserve.who, LENDING_WHO_MAX, e);
        if (r >= 0)
                r = check_line("why", c->reserve.why, WHY_MAX, e);
        snprintf(c->what, sizeof(c->what), "%s:%u", counter_kind_to_string(c->reserve.kind), c->reserve.n);
        return r;
}

/* Not every connection can carry a descriptor. */
static void on_reserved(Failure failure, const char *sentence, int fd, void *userdata) {
        _cleanup_(bus_call_freep) BusCall *c = userdata;

        if (!bus_call_failed(c, failure, sentence))
                bus_call_replied(c, sd_bus_reply_method_return(c->message, "h", fd));
}

int bus_method_reserve(BusCall *c, sd_bus_error *e) {
        BusCall *kept = bus_call_keep(c);

        if (!kept)
                return -ENOMEM;
        manager_reserve(kept->bus->manager, &kept->reserve, on_reserved, kept);
        return 1;
}

static int append_reservation(sd_bus_message *reply, const char *type, const void *rows, size_t i) {
        const ReservationRow *row = (const ReservationRow *) rows + i;
        char what[sizeof(((BusCall *) NULL)->what)];

        snprintf(what, sizeof(what), "%s:%u", counter_kind_to_string(row->kind), row->n);
        return sd_bus_message_append(reply, type, what, row->who, row->why, (uint32_t) row->uid, (uint32_t) row->pid);
}

int bus_method_list_reservations(BusCall *c, sd_bus_error *e) {
        ReservationRow rows[_COUNTER_KIND_MAX];
        size_t n = manager_list_reservations(c->bus->manager, rows);

        return bus_reply_rows(c, "(sssuu)", n, append_reservation, rows);
}

void bus_reserve_emit(Bus *b, const char *what, bool is_reserved) {
        (void) sd_bus_emit_signal(b->bus, PR_BUS_PATH, PR_BUS_MANAGER_INTERFACE, is_reserved ? "Reserved" : "Released", "s", what);
}
