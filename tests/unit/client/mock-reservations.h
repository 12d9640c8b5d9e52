/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <systemd/sd-bus.h>

/* Reservations of the mock service. Each is granted, unless its reason is "busy", or "later", which is refused once; one with the
 * reason "none" finds no counters. */

/* log prints a line a call. */
void mock_reservations_init(void (*log)(const char *format, ...));

/* The methods Reserve and ListReservations. */
int mock_reservations_reserve(sd_bus_message *m, void *userdata, sd_bus_error *e);
int mock_reservations_list(sd_bus_message *m, void *userdata, sd_bus_error *e);

/* The property Lent of a session. */
int mock_reservations_lent(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
                           void *userdata, sd_bus_error *e);
