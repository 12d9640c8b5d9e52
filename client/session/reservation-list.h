/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "bus-client.h"
#include "counter-kind.h"

/* The reservations of counters that are in force, as the service lists them: an array of arrays. */
enum {
        RESERVATION_WHAT, /* "hardware", "hardware:2" */
        RESERVATION_WHO,
        RESERVATION_WHY,
        RESERVATION_UID,
        RESERVATION_PID,
};

/* Asks the service; without a running one there are none. */
int reservation_list_load(BusClient *c, json_object **ret);

/* The one of that kind, "hardware" or "breakpoint"; NULL: none. */
const json_object *reservation_list_find(const json_object *list, const char *kind);

/* Prints them, and who else may hold counters of the kind, as far as this process may see. list: NULL for none. 0 or a negative
 * errno. */
int reservation_list_print(const json_object *list, CounterKind kind, const ClientOptions *o);
